// The match screen: anchors are toggles, a share is one key, S is shown as it will be scored.

import { $, bind, el, help, main, note, openOutbox, refused, say } from "./page.js";
import { freshKey } from "./outbox.js";

const root = $("#stream");
const start = JSON.parse(main.dataset.start);
const frozen = main.dataset.frozen === "yes" || !start.unit;
const buttons = [...root.querySelectorAll("[data-anchor]")];
const picks = new Set();
let { tree, done, version } = start.matching;
let undoable = start.undo;
let current = 0;

const outbox = openOutbox((sent, answer) => {
  if (answer.refused) return refused(answer.refused);
  if (!answer.conflict) return;
  outbox.drop((entry) => entry.action === "match");
  const theirs = answer.conflict[start.unit];
  const mine = JSON.stringify(tree);
  ({ tree, done, version } = theirs);
  undoable = [];
  draw();
  refused(`another tab was quicker: its version is shown; yours was ${words(JSON.parse(mine))}`);
});

const textOf = (anchor) => buttons.find((button) => button.dataset.anchor === anchor)?.firstChild.textContent ?? anchor;
const words = (group) => group.members.map((one) => (one.members ? `(${words(one)})` : textOf(one.anchor)) + ` ${one.v}`).join(", ") || "nothing";

// S(i, E): members add up, every group is capped at 1.
export const score = (group, chosen) =>
  Math.min(1, group.members.reduce((sum, one) => sum + one.v * (one.members ? score(one, chosen) : chosen(one.anchor) ? 1 : 0), 0));

function find(anchor, group = tree) {
  for (const member of group.members) {
    if (member.anchor === anchor) return { member, group };
    const inner = member.members && find(anchor, member);
    if (inner) return inner;
  }
  return null;
}

const copy = () => JSON.parse(JSON.stringify(tree));

function commit(next, nowDone, said, extra = {}) {
  if (frozen) return refused("handed in and frozen");
  const before = { tree: copy(), done };
  const key = outbox.push("match", { unit: start.unit, tree: next, done: nowDone, base: version, ...extra });
  if (!extra.undoes) undoable.push({ key, before });
  tree = next;
  done = nowDone;
  version += 1;
  draw();
  say(said);
}

function prune(group) {
  group.members = group.members.filter((one) => !one.members || prune(one).members.length);
  return group;
}

function setShare(share) {
  const anchor = buttons[current]?.dataset.anchor;
  if (!anchor) return;
  const next = copy();
  const old = find(anchor, next);
  if (old) old.member.v = share; else next.members.push({ anchor, v: share });
  commit(next, done, `${textOf(anchor)} ${share.toFixed(1)}`);
}

function remove(anchor = buttons[current]?.dataset.anchor) {
  const next = copy();
  const old = find(anchor, next);
  if (!old) return;
  old.group.members = old.group.members.filter((one) => one !== old.member);
  commit(prune(next), done, `${textOf(anchor)} taken out`);
}

// Two closely related events count once: each is worth 1 inside a group that is worth 1.
function group() {
  if (picks.size < 2) return say("pick two or more anchors first");
  const next = copy();
  const members = [...picks].map((anchor) => {
    const old = find(anchor, next);
    if (old) old.group.members = old.group.members.filter((one) => one !== old.member);
    return { anchor, v: 1 };
  });
  prune(next).members.push({ members, v: 1 });
  picks.clear();
  commit(next, done, "made an OR-group");
}

function go(at) {
  if (!buttons.length) return;
  buttons[current]?.classList.remove("here");
  current = Math.max(0, Math.min(buttons.length - 1, at));
  buttons[current].classList.add("here");
  buttons[current].scrollIntoView({ block: "nearest" });
  say(buttons[current].firstChild.textContent);
}

function drawTree(group) {
  const list = el("ul", "tree");
  for (const member of group.members) {
    const item = el("li");
    if (member.members) {
      item.append(el("b", "", "one of"), ` ${member.v.toFixed(1)}`, drawTree(member));
    } else {
      const label = buttons.find((button) => button.dataset.anchor === member.anchor)?.closest(".s").dataset.label ?? "";
      const alone = score(tree, (anchor) => anchor === member.anchor);
      item.append(el("b", "", textOf(member.anchor)), ` ${member.v.toFixed(1)} `, el("span", "soft small", `${label} · alone ${alone.toFixed(2)} `));
      if (!frozen) {
        const out = el("button", "small", "take out");
        out.type = "button";
        out.addEventListener("click", () => { remove(member.anchor); root.focus(); });
        item.append(out);
      }
    }
    list.append(item);
  }
  return list;
}

function draw() {
  for (const button of buttons) {
    const held = find(button.dataset.anchor);
    button.classList.toggle("used", Boolean(held));
    button.classList.toggle("picked", picks.has(button.dataset.anchor));
    button.setAttribute("aria-pressed", String(Boolean(held)));
    button.querySelector(".v").textContent = held ? held.member.v.toFixed(1) : "";
  }
  const drawn = drawTree(tree);
  drawn.id = "tree";
  if (!tree.members.length) drawn.append(el("li", "soft", "Nothing yet. Move to an anchor and give its share."));
  $("#tree").replaceWith(drawn);
  $("#score").textContent = score(tree, () => true).toFixed(2);
  const cell = document.querySelector(`[data-done="${CSS.escape(start.unit)}"]`);
  if (cell) cell.textContent = done ? "✓" : "open";
  $("#matched").textContent = [...document.querySelectorAll("[data-done]")].filter((one) => one.textContent === "✓").length;
}

const links = [...document.querySelectorAll(".events a")];
const here = links.findIndex((link) => link.getAttribute("aria-current"));

async function settled() {
  while (outbox.queue.length) await new Promise((resume) => setTimeout(resume, 20));
}

async function matched() {
  if (!done) commit(copy(), true, "matched");
  await settled();
  const open = links.find((link, at) => at > here && link.querySelector(".c").textContent !== "✓") ?? links.find((link) => link.querySelector(".c").textContent !== "✓");
  if (open) open.click(); else say("every unit is matched");
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

const sentenceText = (row) => [...row.querySelector(".txt").childNodes].map((node) => (node.nodeType === 3 ? node.textContent : node.firstChild.textContent)).join("");

$("#adding-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const sentence = $("#adding").dataset.sentence;
  const text = [...$("#adding-sentence").textContent];
  const wanted = [...$("#adding-words").value.trim()];
  const at = text.findIndex((_, from) => wanted.every((letter, offset) => text[from + offset] === letter));
  if (!wanted.length || at < 0) { $("#adding-wrong").textContent = "These words do not stand in the sentence like that."; return; }
  const body = { entries: [{ key: freshKey(), action: "anchor", body: { sentence, start: at, stop: at + wanted.length } }] };
  try {
    await settled();
    const response = await fetch(`/t/${main.dataset.topic}/log`, { method: "POST", credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-Form-Proof": outbox.proof }, body: JSON.stringify(body) });
    const [answer] = (await response.json()).answers;
    if (answer.refused) { $("#adding-wrong").textContent = answer.refused; return; }
    sessionStorage.setItem("chronoscore:anchor", answer.data.id);
    location.search = `?unit=${encodeURIComponent(start.unit)}`;
  } catch { $("#adding-wrong").textContent = "No connection; try again when it is back."; }
});

bind(root, {
  "anchor-next": () => go(current + 1),
  "anchor-back": () => go(current - 1),
  whole: () => setShare(1),
  remove: () => remove(),
  gather() {
    const { anchor } = buttons[current].dataset;
    if (picks.has(anchor)) picks.delete(anchor); else picks.add(anchor);
    draw();
    say(`${picks.size} picked`);
  },
  group,
  "add-anchor": addAnchor,
  matched,
  "unit-next": () => links[here + 1]?.click(),
  "unit-back": () => links[here - 1]?.click(),
  undo() {
    const last = undoable.pop();
    if (!last) return say("nothing to undo");
    commit(last.before.tree, last.before.done, "undone", { undoes: last.key });
  },
  note: () => note(`${start.unit} ${buttons[current]?.dataset.anchor ?? ""}`.trim(), `unit ${start.unit}`),
  help,
}, (key) => {
  if (!/^[0-9]$/.test(key)) return false;
  setShare(Number(key) / 10);
  return true;
});

buttons.forEach((button, at) => button.addEventListener("click", () => { go(at); if (find(button.dataset.anchor)) remove(); else setShare(1); root.focus(); }));
$("#done-form")?.addEventListener("submit", (event) => { event.preventDefault(); matched(); });
outbox.adopt().then((left) => {
  for (const { action, body } of left) if (action === "match" && body.unit === start.unit) ({ tree, done } = body), (version = body.base + 1);
  draw();
  outbox.flush();
});
draw();
const wanted = sessionStorage.getItem("chronoscore:anchor");
sessionStorage.removeItem("chronoscore:anchor");
const used = buttons.findIndex((button) => find(button.dataset.anchor));
go(Math.max(0, wanted ? buttons.findIndex((button) => button.dataset.anchor === wanted) : used));
root.focus();
root.dataset.ready = "yes";
