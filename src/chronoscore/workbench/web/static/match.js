// The match screen: anchors are toggles, a share is one key, S is shown as it will be scored.

import { bind } from "./keys.js";
import { called, draw, markTarget, nameOf, readPage, store, textOf, words } from "./matchtree.js";
import { $, help, main, note, openOutbox, refused, say, warn } from "./page.js";
import { added, chain, dissolved, grouped, name, shared, walk, without } from "./trees.js";
import { Turner } from "./turning.js";

/**
 * @typedef {import("./trees.js").Tree} Tree
 * @typedef {import("./matchtree.js").Matching} Matching
 * @typedef {{ id?: string, reason?: string }} Answered The new anchor, or why there is none.
 */

/** @type {HTMLElement} */
const root = $("#stream");
const { find, picks } = store;
const redraw = () => draw({ pick, share: setShare });

const outbox = openOutbox({
  touches: ({ body }) => (body.unit ? [body.unit] : []),
  describe({ action, body }) {
    if (body.unit) return `${body.unit}: ${words(body.tree)}`;
    return action === "anchor" ? `anchor in ${body.sentence}` : `note: ${body.fields?.text}`;
  },
  onSaved({ action }, answer) {
    if (action === "anchor") adding.answered({ id: answer.data.id });
  },
  onRefused(entries, reason) {
    if (entries[0].action === "anchor") adding.answered({ reason });
    const gone = new Set(entries.map(({ key }) => key));
    store.undoable = store.undoable.filter(({ key }) => !gone.has(key));
    for (const { body, before } of entries.toReversed()) {
      if (before && body.unit === store.unit) store.take(before);
    }
    redraw();
  },
  onConflict(sent, conflict) {
    const [[unit, theirs]] = /** @type {[string, Matching][]} */ (Object.entries(conflict));
    outbox.forget((one) => one.unit === unit);
    outbox.refusals.add(`${unit}: ${words(sent.body.tree)}`, "another tab was quicker", true);
    // What a closed tab left behind may be about another unit than the one on the screen.
    if (unit !== store.unit)
      return refused(`another tab was quicker with ${unit}; yours was ${words(sent.body.tree)}`);
    const mine = store.tree;
    store.take(theirs);
    store.undoable = [];
    redraw();
    refused(`another tab was quicker: its version is shown; yours was ${words(mine)}`);
  },
});

/**
 * @param {Tree} tree
 * @param {string} wanted
 * @param {number} share
 */
const put = (tree, wanted, share) =>
  added(tree, store.anchors.get(wanted)?.dataset.anchor ?? "", share);

/**
 * @param {Tree} next
 * @param {boolean} done
 * @param {string} said
 * @param {{ undoes?: string }} [extra]
 */
function commit(next, done, said, extra = {}) {
  if (store.frozen) return refused("handed in and frozen");
  const before = store.matching();
  const body = { unit: store.unit, tree: next, done, base: before.version, ...extra };
  const key = outbox.push("match", body, before);
  if (!extra.undoes) store.undoable.push({ key, before });
  store.take({ tree: next, done, version: before.version + 1 });
  $("#tree-note").textContent = "";
  for (const one of picks) if (!store.anchors.has(one) && !find(one)) picks.delete(one);
  if (!find(store.target)) store.target = targetAt(store.current);
  redraw();
  say(said);
}

/** @param {number} at */
const targetAt = (at) => (store.buttons[at] ? nameOf(store.buttons[at]) : "");

/**
 * @param {number} share
 * @param {string} [wanted]
 */
function setShare(share, wanted = store.target) {
  if (!wanted) return;
  const { tree, done } = store;
  const said = `${called(wanted)} ${share.toFixed(1)}`;
  commit(find(wanted) ? shared(tree, wanted, share) : put(tree, wanted, share), done, said);
}

function remove(names = [store.target]) {
  const held = names.filter(find);
  if (!held.length) return say("nothing to take out");
  const said = `${held.map(called).join(", ")} taken out`;
  for (const one of held) picks.delete(one);
  commit(without(store.tree, new Set(held)), store.done, said);
}

// Closely related events count once: each is worth 1 inside a group that is worth 1.
function group() {
  let next = store.tree;
  for (const one of picks) if (!find(one)) next = put(next, one, 1);
  const reset = [...walk(next)].filter((one) => picks.has(name(one)) && one.v !== 1);
  const shares = reset.map((one) => `${called(name(one))} ${one.v}`).join(", ");
  const made = grouped(next, picks);
  if (!made) return say(picks.size < 2 ? "pick two or more first" : "these are a group already");
  picks.clear();
  commit(made, store.done, "made an OR-group");
  if (shares) tell(`In an OR-group each is worth 1. Set to 1: ${shares}. Undo brings them back.`);
}

// Words about what was just done that may not go unseen; the next change takes them away.
/** @param {string} text */
function tell(text) {
  $("#tree-note").textContent = text;
  say(text);
}

/** @param {string[]} names */
function dissolve(names) {
  if (!names.some((one) => find(one)?.members)) return say("choose a group first");
  picks.clear();
  commit(dissolved(store.tree, new Set(names)), store.done, "dissolved the group");
}

/** @param {string} wanted */
function pick(wanted) {
  if (!picks.delete(wanted)) picks.add(wanted);
  redraw();
  say(`${picks.size} picked`);
}

// The group around what the keys act on; from the outermost back to the anchor.
function widen() {
  const around = chain(store.tree, store.buttons[store.current]?.dataset.anchor);
  if (around.length < 2) return say("this anchor is in no group");
  store.target = around[(around.indexOf(store.target) + 1) % around.length];
  redraw();
  say(called(store.target));
}

/** @param {number} at */
function go(at) {
  if (!store.buttons.length) return;
  store.current = Math.max(0, Math.min(store.buttons.length - 1, at));
  store.target = targetAt(store.current);
  markTarget();
  store.buttons[store.current].scrollIntoView({ block: "nearest" });
  say(textOf(store.target));
}

/** @param {number} by */
const turnBy = (by) =>
  turner.turn(
    store.links[store.links.findIndex((link) => link.getAttribute("aria-current")) + by]?.href,
  );

function matched() {
  if (!store.done) commit(store.tree, true, "matched");
  const here = store.links.findIndex((link) => link.getAttribute("aria-current"));
  const open = store.links.filter((link) => link.querySelector(".c")?.textContent !== "✓");
  const next = open.find((link) => store.links.indexOf(link) > here) ?? open[0];
  if (next) turner.turn(next.href);
  else say("every unit is matched");
}

/** The dialog that anchors other words; keys wait until the new anchor is in the text. */
const adding = {
  /** @type {(answer: Answered) => void} */
  answered: () => {},

  open() {
    if (store.frozen) return;
    const row = (store.buttons[store.current] ?? root).closest(".s") ?? root.querySelector(".s");
    if (!(row instanceof HTMLElement)) return;
    $("#adding").dataset.sentence = row.dataset.sentence;
    $("#adding-sentence").textContent = sentenceText(row);
    $("#adding-words").value = String(getSelection()).trim();
    $("#adding-wrong").textContent = "";
    $("#adding").showModal();
  },

  async send() {
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
    $("#adding").close();
    await keys.hold(async () => {
      /** @type {Promise<Answered>} */
      const answer = new Promise((resolve) => {
        adding.answered = resolve;
      });
      outbox.push("anchor", { sentence, start: at, stop: at + wanted.length });
      const failed = outbox.sent().then((all) => (all ? answer : { id: "" }));
      const { id = "", reason = "" } = await Promise.race([answer, failed]);
      if (reason) {
        $("#adding").showModal();
        $("#adding-wrong").textContent = reason;
      } else if (!id) warn("The new anchor is kept here, and sent when the server answers");
      // The new anchor is drawn by the server, with all the others.
      return id !== "" && turner.show(await turner.fetch(location.href), false, id);
    });
  },
};

/** @param {HTMLElement} row */
const sentenceText = (row) =>
  [...(row.querySelector(".txt")?.childNodes ?? [])]
    .map((node) => {
      if (!(node instanceof Element)) return node.textContent;
      return node.classList.contains("also") ? "" : (node.firstChild?.textContent ?? "");
    })
    .join("");

const keys = bind(
  root,
  {
    "anchor-next": () => go(store.current + 1),
    "anchor-back": () => go(store.current - 1),
    whole: () => setShare(1),
    remove: () => remove(),
    widen,
    gather: () => store.target && pick(store.target),
    group: () => (picks.size || !find(store.target)?.members ? group() : dissolve([store.target])),
    "add-anchor": adding.open,
    matched,
    "unit-next": () => turnBy(1),
    "unit-back": () => turnBy(-1),
    undo() {
      const last = store.undoable.pop();
      if (!last) return say("nothing to undo");
      commit(last.before.tree, last.before.done, "undone", { undoes: last.key });
    },
    note() {
      const anchor = store.buttons[store.current]?.dataset.anchor ?? "";
      note(`${store.unit} ${anchor}`.trim(), `unit ${store.unit}`);
    },
    help,
  },
  (key) => {
    if (!/^[0-9]$/.test(key)) return false;
    setShare(Number(key) / 10);
    return true;
  },
);
const turner = new Turner({ keys, outbox, parts: ["stream", "unit", "side"], shown: read });

/**
 * Takes what the page shows now for the state, and goes to an anchor.
 * @param {string} [anchor]
 */
function read(anchor = "") {
  const start = JSON.parse(main.dataset.start);
  store.unit = start.unit;
  store.frozen = main.dataset.frozen === "yes" || !start.unit;
  store.undoable = start.undo;
  store.take(start.matching);
  picks.clear();
  readPage();
  store.buttons.forEach((button, at) => {
    button.tabIndex = -1;
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (keys.held) return;
      go(at);
      if (find(nameOf(button))) remove();
      else setShare(1);
      root.focus();
    });
  });
  redraw();
  const at = store.buttons.findIndex((button) =>
    anchor ? button.dataset.anchor === anchor : find(nameOf(button)),
  );
  go(Math.max(0, at));
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const { id } = /** @type {HTMLFormElement} */ (form);
  if (!["tree-form", "done-form", "adding-form"].includes(id)) return;
  event.preventDefault();
  if (id === "done-form") return keys.press(matched);
  if (id === "adding-form") return adding.send();
  const picked = [...picks];
  /** @type {Record<string, () => void>} */
  const changes = { group, dissolve: () => dissolve(picked), out: () => remove(picked) };
  if (submitter instanceof HTMLButtonElement) keys.press(changes[submitter.value]);
});
read();
outbox.adopt().then((left) => {
  for (const { action, body } of left)
    if (action === "match" && body.unit === store.unit)
      store.take({ tree: body.tree, done: body.done, version: body.base + 1 });
  redraw();
  outbox.flush();
});
root.focus();
root.dataset.ready = "yes";
