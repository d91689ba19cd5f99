// The match screen: anchors are toggles, a share is one key, S is shown as it will be scored.

import { $, bind, el, help, main, note, openOutbox, refused, say } from "./page.js";
import { added, chain, dissolved, grouped, name, score, shared, walk, without } from "./trees.js";

const root = $("#stream");
const start = JSON.parse(main.dataset.start);
const frozen = main.dataset.frozen === "yes" || !start.unit;
const buttons = [...root.querySelectorAll("[data-anchor]")];
/** @param {any} button */
const nameOf = (button) => name({ anchor: button.dataset.anchor });
const buttonOf = new Map(buttons.map((button) => [nameOf(button), button]));
const picks = new Set();
let { tree, done, version } = start.matching;
let undoable = start.undo;
let current = 0;
let target = ""; // the name of the current anchor, or of a group around it: what keys act on

const outbox = openOutbox({
  touches: ({ body }) => (body.unit ? [body.unit] : []),
  describe({ action, body }) {
    if (body.unit) return `${body.unit}: ${words(body.tree)}`;
    return action === "anchor" ? `anchor in ${body.sentence}` : `note: ${body.fields?.text}`;
  },
  onSaved({ action }, answer) {
    if (action === "anchor") anchored(answer);
  },
  onRefused(entries, reason) {
    if (entries[0].action === "anchor") $("#adding-wrong").textContent = reason;
    const gone = new Set(entries.map(({ key }) => key));
    undoable = undoable.filter((/** @type {any} */ { key }) => !gone.has(key));
    for (const { body, before } of entries.toReversed()) {
      if (before && body.unit === start.unit) ({ tree, done, version } = before);
    }
    draw();
  },
  onConflict(sent, conflict) {
    const [[unit, theirs]] = Object.entries(conflict);
    outbox.forget((one) => one.unit === unit);
    outbox.refusals.add(`${unit}: ${words(sent.body.tree)}`, "another tab was quicker", true);
    // What a closed tab left behind may be about another unit than the one on the screen.
    if (unit !== start.unit)
      return refused(`another tab was quicker with ${unit}; yours was ${words(sent.body.tree)}`);
    const mine = tree;
    ({ tree, done, version } = theirs);
    undoable = [];
    draw();
    refused(`another tab was quicker: its version is shown; yours was ${words(mine)}`);
  },
});

/** @param {string} wanted */
const textOf = (wanted) => buttonOf.get(wanted)?.firstChild.textContent ?? wanted;
/**
 * @param {any} group
 * @returns {string}
 */
const words = (group) =>
  group.members
    .map(
      (/** @type {any} */ one) =>
        (one.members ? `(${words(one)})` : textOf(name(one))) + ` ${one.v}`,
    )
    .join(", ") || "nothing";
/** @param {string} wanted */
const find = (wanted) => [...walk(tree)].find((member) => name(member) === wanted);
/**
 * @param {any} group
 * @param {string} wanted
 * @param {number} share
 */
const put = (group, wanted, share) => added(group, buttonOf.get(wanted).dataset.anchor, share);
/** @param {string} wanted */
const called = (wanted) => (buttonOf.has(wanted) ? textOf(wanted) : `group ${words(find(wanted))}`);

/**
 * @param {any} next
 * @param {boolean} nowDone
 * @param {string} said
 * @param {{ undoes?: string }} [extra]
 */
function commit(next, nowDone, said, extra = {}) {
  if (frozen) return refused("handed in and frozen");
  const before = { tree, done, version };
  const body = { unit: start.unit, tree: next, done: nowDone, base: version, ...extra };
  const key = outbox.push("match", body, before);
  if (!extra.undoes) undoable.push({ key, before });
  tree = next;
  done = nowDone;
  version += 1;
  $("#tree-note").textContent = "";
  for (const one of picks) if (!buttonOf.has(one) && !find(one)) picks.delete(one);
  if (!find(target)) target = buttons.length ? nameOf(buttons[current]) : "";
  draw();
  say(said);
}

/**
 * @param {number} share
 * @param {string} [wanted]
 */
function setShare(share, wanted = target) {
  if (!wanted) return;
  const said = `${called(wanted)} ${share.toFixed(1)}`;
  commit(find(wanted) ? shared(tree, wanted, share) : put(tree, wanted, share), done, said);
}

function remove(names = [target]) {
  const held = names.filter(find);
  if (!held.length) return say("nothing to take out");
  const said = `${held.map(called).join(", ")} taken out`;
  for (const one of held) picks.delete(one);
  commit(without(tree, new Set(held)), done, said);
}

// Closely related events count once: each is worth 1 inside a group that is worth 1.
function group() {
  let next = tree;
  for (const one of picks) if (!find(one)) next = put(next, one, 1);
  const reset = [...walk(next)].filter((one) => picks.has(name(one)) && one.v !== 1);
  const shares = reset.map((one) => `${called(name(one))} ${one.v}`).join(", ");
  next = grouped(next, picks);
  if (!next) return say(picks.size < 2 ? "pick two or more first" : "these are a group already");
  picks.clear();
  commit(next, done, "made an OR-group");
  if (shares) tell(`In an OR-group each is worth 1. Set to 1: ${shares}. Undo brings them back.`);
}

// Words about what was just done that may not go unseen; the next change takes them away.
/** @param {string} words */
function tell(words) {
  $("#tree-note").textContent = words;
  say(words);
}

/** @param {string[]} names */
function dissolve(names) {
  if (!names.some((one) => find(one)?.members)) return say("choose a group first");
  picks.clear();
  commit(dissolved(tree, new Set(names)), done, "dissolved the group");
}

/** @param {string} wanted */
function pick(wanted) {
  if (picks.has(wanted)) picks.delete(wanted);
  else picks.add(wanted);
  draw();
  say(`${picks.size} picked`);
}

// The group around what the keys act on; from the outermost back to the anchor.
function widen() {
  const around = chain(tree, buttons[current]?.dataset.anchor);
  if (around.length < 2) return say("this anchor is in no group");
  target = around[(around.indexOf(target) + 1) % around.length];
  draw();
  say(called(target));
}

/** @param {number} at */
function go(at) {
  if (!buttons.length) return;
  buttons[current]?.classList.remove("here");
  current = Math.max(0, Math.min(buttons.length - 1, at));
  target = nameOf(buttons[current]);
  buttons[current].classList.add("here");
  buttons[current].scrollIntoView({ block: "nearest" });
  for (const item of /** @type {any} */ (document.querySelectorAll("#tree li")))
    item.classList.toggle("here", item.dataset.name === target);
  say(buttons[current].firstChild.textContent);
}

/** @param {any} member */
function drawMember(member) {
  const item = el("li", name(member) === target ? "here" : "");
  item.dataset.name = name(member);
  const row = el("div", "member");
  const label = el("label", "inline");
  const box = el("input");
  Object.assign(box, {
    type: "checkbox",
    name: "pick",
    value: name(member),
    checked: picks.has(name(member)),
    disabled: frozen,
  });
  box.addEventListener("change", () => pick(name(member)));
  const any = member.members?.every((/** @type {any} */ one) => one.v === 1);
  label.append(
    box,
    " ",
    el("b", "", member.members ? (any ? "any of" : "together") : textOf(name(member))),
  );
  const share = el("input", "share");
  Object.assign(share, {
    type: "number",
    min: 0,
    max: 1,
    step: "any",
    name: `share:${name(member)}`,
    value: member.v,
    disabled: frozen,
  });
  share.setAttribute(
    "aria-label",
    `share of ${member.members ? "the group" : textOf(name(member))}`,
  );
  share.addEventListener("change", () => {
    if (share.reportValidity() && share.value !== "") setShare(Number(share.value), name(member));
  });
  row.append(label, share);
  if (member.anchor) {
    const place = buttonOf.get(name(member))?.closest(".s").dataset.label ?? "";
    const alone = score(tree, (anchor) => anchor === member.anchor);
    row.append(el("span", "soft small", `${place} · alone ${alone.toFixed(2)}`));
  }
  item.append(row);
  if (member.members) item.append(drawTree(member));
  return item;
}

/**
 * @param {any} group
 * @returns {any}
 */
function drawTree(group) {
  const list = el("ul", "tree");
  list.append(...group.members.map(drawMember));
  return list;
}

function draw() {
  for (const button of buttons) button.classList.toggle("picked", picks.has(nameOf(button)));
  const held = new Map([...walk(tree)].map((member) => [name(member), member]));
  for (const [wanted, button] of buttonOf) {
    const member = held.get(wanted);
    button.classList.toggle("used", Boolean(member));
    button.setAttribute("aria-pressed", String(Boolean(member)));
    button.querySelector(".v").textContent = member ? member.v.toFixed(1) : "";
  }
  const drawn = drawTree(tree);
  drawn.id = "tree";
  if (!tree.members.length)
    drawn.append(el("li", "soft", "Nothing yet. Move to an anchor and give its share."));
  /** @type {any} */
  const active = document.activeElement;
  const focused = active?.closest("#tree") && { name: active.name, value: active.value };
  $("#tree").replaceWith(drawn);
  if (focused)
    [...drawn.querySelectorAll("input")]
      .find(
        (box) =>
          box.name === focused.name && (box.type !== "checkbox" || box.value === focused.value),
      )
      ?.focus();
  $("#score").textContent = score(tree, () => true).toFixed(2);
  const cell = document.querySelector(`[data-done="${CSS.escape(start.unit)}"]`);
  if (cell) cell.textContent = done ? "✓" : "open";
  $("#matched").textContent = [...document.querySelectorAll("[data-done]")].filter(
    (one) => one.textContent === "✓",
  ).length;
}

const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".events a")]);
const here = links.findIndex((link) => link.getAttribute("aria-current"));

async function matched() {
  if (!done) commit(tree, true, "matched");
  await outbox.settled();
  const open =
    links.find((link, at) => at > here && link.querySelector(".c")?.textContent !== "✓") ??
    links.find((link) => link.querySelector(".c")?.textContent !== "✓");
  if (open) open.click();
  else say("every unit is matched");
}

function addAnchor() {
  if (frozen) return;
  const row = (buttons[current] ?? root).closest(".s") ?? root.querySelector(".s");
  $("#adding").dataset.sentence = row.dataset.sentence;
  $("#adding-sentence").textContent = sentenceText(row);
  $("#adding-words").value = String(getSelection()).trim();
  $("#adding-wrong").textContent = "";
  $("#adding").showModal();
}

/** @param {any} row */
const sentenceText = (row) =>
  [...row.querySelector(".txt").childNodes]
    .map((node) =>
      node.nodeType === 3
        ? node.textContent
        : node.classList.contains("also")
          ? ""
          : node.firstChild.textContent,
    )
    .join("");

$("#adding-form").addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  const text = [...$("#adding-sentence").textContent];
  const wanted = [...$("#adding-words").value.trim()];
  const at = text.findIndex((_, from) =>
    wanted.every((letter, offset) => text[from + offset] === letter),
  );
  if (!wanted.length || at < 0) {
    $("#adding-wrong").textContent = "These words do not stand in the sentence like that.";
    return;
  }
  const { sentence } = $("#adding").dataset;
  $("#adding-wrong").textContent = "… saving";
  outbox.push("anchor", { sentence, start: at, stop: at + wanted.length });
});

// The new anchor is drawn by the server, with all the others.
/** @param {any} answer */
async function anchored({ data }) {
  await outbox.settled();
  sessionStorage.setItem("chronoscore:anchor", data.id);
  location.search = `?unit=${encodeURIComponent(start.unit)}`;
}

bind(
  root,
  {
    "anchor-next": () => go(current + 1),
    "anchor-back": () => go(current - 1),
    whole: () => setShare(1),
    remove: () => remove(),
    widen,
    gather: () => target && pick(target),
    group: () => (picks.size || !find(target)?.members ? group() : dissolve([target])),
    "add-anchor": addAnchor,
    matched,
    "unit-next": () => links[here + 1]?.click(),
    "unit-back": () => links[here - 1]?.click(),
    undo() {
      const last = undoable.pop();
      if (!last) return say("nothing to undo");
      commit(last.before.tree, last.before.done, "undone", { undoes: last.key });
    },
    note: () =>
      note(`${start.unit} ${buttons[current]?.dataset.anchor ?? ""}`.trim(), `unit ${start.unit}`),
    help,
  },
  (key) => {
    if (!/^[0-9]$/.test(key)) return false;
    setShare(Number(key) / 10);
    return true;
  },
);

buttons.forEach((button, at) => {
  button.tabIndex = -1;
  button.addEventListener("click", (/** @type {any} */ event) => {
    event.preventDefault();
    go(at);
    if (find(nameOf(button))) remove();
    else setShare(1);
    root.focus();
  });
});
$("#tree-form")?.addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  const picked = [...picks];
  /** @type {Record<string, () => void>} */
  const changes = { group, dissolve: () => dissolve(picked), out: () => remove(picked) };
  changes[event.submitter?.value]?.();
});
$("#done-form")?.addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  matched();
});
outbox.adopt().then((left) => {
  for (const { action, body } of left)
    if (action === "match" && body.unit === start.unit)
      (({ tree, done } = body), (version = body.base + 1));
  draw();
  outbox.flush();
});
draw();
const wanted = sessionStorage.getItem("chronoscore:anchor");
sessionStorage.removeItem("chronoscore:anchor");
const used = buttons.findIndex((button) => find(nameOf(button)));
go(Math.max(0, wanted ? buttons.findIndex((button) => button.dataset.anchor === wanted) : used));
root.focus();
root.dataset.ready = "yes";
