// The verify screen: keep or drop by one key, on the screen at once and saved behind it.

import { $, bind, help, main, note, openOutbox, refused, say } from "./page.js";

const root = $("#stream");
const cards = [...root.querySelectorAll(".story")];
const event = main.dataset.event;
const frozen = main.dataset.frozen === "yes";
/** @type {Record<string, string>} */
const WORDS = { keep: "✓ kept", drop: "✗ dropped", open: "open" };
/** @type {Record<string, boolean | null>} */
const KEPT = { keep: true, drop: false, open: null };
/** @param {boolean | null} kept */
const nameOf = (kept) => (kept === null ? "open" : kept ? "keep" : "drop");
// The same sentence may be marked for several events; only one event's cards are shown.
/** @param {any} change */
const cardOf = (change) =>
  cards.find((card) => change.event === event && card.dataset.item === change.item);
let undoable = JSON.parse(main.dataset.undo).filter((/** @type {any} */ { before }) =>
  before.every((/** @type {any} */ one) => one.event === event),
);
let current = Math.max(
  0,
  cards.findIndex((card) => card.dataset.kept === "open"),
);

const outbox = openOutbox({
  touches: ({ body }) =>
    (body.changes ?? []).map((/** @type {any} */ one) => `${one.event} ${one.item}`),
  describe({ body }) {
    if (!body.changes) return `note: ${body.fields?.text}`;
    return body.changes
      .map((/** @type {any} */ one) => `${one.event} ${one.item}: ${WORDS[nameOf(one.kept)]}`)
      .join("; ");
  },
  onRefused(entries) {
    const gone = new Set(entries.map(({ key }) => key));
    undoable = undoable.filter((/** @type {any} */ { key }) => !gone.has(key));
    for (const { before } of entries.toReversed()) {
      for (const old of before ?? []) {
        const card = cardOf(old);
        if (card) show(card, nameOf(old.kept), old.version);
      }
    }
  },
  onConflict(_sent, theirs) {
    for (const their of theirs) {
      outbox.forget((one) => one.event === their.event && one.item === their.item);
      const card = cardOf(their);
      if (!card) continue;
      const mine = WORDS[card.dataset.kept];
      undoable = undoable.filter((/** @type {any} */ { before }) =>
        before.every((/** @type {any} */ one) => one.item !== their.item),
      );
      show(card, nameOf(their.kept), their.version);
      const saved = WORDS[card.dataset.kept];
      const both = `saved is “${saved}”, yours was “${mine}”`;
      refused(`another tab was quicker: ${both}; press the key again to change it`);
    }
  },
});

/**
 * @param {any} card
 * @param {string} kept
 * @param {number} version
 */
function show(card, kept, version) {
  card.dataset.kept = kept;
  card.dataset.base = version;
  card.querySelector(".verdict").textContent = WORDS[kept];
  card.querySelector(".verdict").className =
    `verdict ${kept === "keep" ? "good" : kept === "drop" ? "bad" : ""}`;
  const base = card.querySelector("[name=base]");
  if (base) base.value = version;
  count();
}

function count() {
  const open = cards.filter((card) => card.dataset.kept === "open").length;
  const cell = document.querySelector(`[data-left="${CSS.escape(event)}"]`);
  if (!cell) return;
  const before = cell.textContent === "✓" ? 0 : parseInt(cell.textContent, 10);
  cell.textContent = open ? `${open} open` : "✓";
  $("#left").textContent = Number($("#left").textContent) + open - before;
}

/**
 * @param {any} card
 * @param {string} kept
 * @param {{ undoes?: string }} [extra]
 */
function judge(card, kept, extra = {}) {
  if (frozen) return refused("handed in and frozen");
  const base = Number(card.dataset.base);
  const { item } = card.dataset;
  const before = [{ event, item, kept: KEPT[card.dataset.kept], version: base }];
  const changes = [{ event, item, kept: KEPT[kept], base }];
  const key = outbox.push("verdict", { changes, ...extra }, before);
  if (!extra.undoes) undoable.push({ key, before });
  show(card, kept, base + 1);
  say(WORDS[kept]);
}

/** @param {number} at */
function go(at) {
  if (!cards.length) return;
  cards[current]?.querySelector(".target").classList.remove("here");
  current = Math.max(0, Math.min(cards.length - 1, at));
  cards[current].querySelector(".target").classList.add("here");
  cards[current].scrollIntoView({ block: "nearest" });
}

/** @param {string} kept */
function verdict(kept) {
  if (!cards.length) return;
  judge(cards[current], kept);
  if (current + 1 < cards.length) go(current + 1);
}

const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".events a")]);
const here = links.findIndex((link) => link.getAttribute("aria-current"));

bind(root, {
  next: () => go(current + 1),
  back: () => go(current - 1),
  keep: () => verdict("keep"),
  drop: () => verdict("drop"),
  open() {
    const at = cards.findIndex((card) => card.dataset.kept === "open");
    if (at >= 0) return go(at);
    const next = links.find((link) => link.querySelector(".c")?.textContent !== "✓");
    if (next) next.click();
    else say("everything is judged");
  },
  "event-next": () => links[here + 1]?.click(),
  "event-back": () => links[here - 1]?.click(),
  undo() {
    const last = undoable.pop();
    if (!last) return say("nothing to undo");
    const [before] = last.before;
    const card = cardOf(before);
    judge(card, nameOf(before.kept), { undoes: last.key });
    go(cards.indexOf(card));
  },
  note: () => cards.length && note(cards[current].dataset.item, `this mark of ${event}`),
  help,
});

for (const card of cards) {
  card.addEventListener("click", (/** @type {any} */ click) => {
    if (!click.target.closest("button")) {
      go(cards.indexOf(card));
      root.focus();
    }
  });
  const form = card.querySelector("[data-verdict]");
  form?.addEventListener("submit", (/** @type {any} */ submit) => {
    submit.preventDefault();
    go(cards.indexOf(card));
    judge(card, submit.submitter.value);
    root.focus();
  });
}
for (const card of cards) show(card, card.dataset.kept, Number(card.dataset.base));
outbox.adopt().then((left) => {
  for (const { body } of left)
    for (const change of body.changes ?? []) {
      const card = cardOf(change);
      if (card) show(card, nameOf(change.kept), change.base + 1);
    }
  outbox.flush();
});
go(current);
root.focus();
root.dataset.ready = "yes";
