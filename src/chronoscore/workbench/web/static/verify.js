// The verify screen: keep or drop by one key, on the screen at once and saved behind it.

import { bind } from "./keys.js";
import { $, help, main, note, openOutbox, refused, say } from "./page.js";
import { Turner } from "./turning.js";

/**
 * What the verifier says of an item, with the version that it was made from or has.
 * @typedef {{ event: string, item: string, kept: boolean | null, version: number }} Verdict
 * @typedef {{ event: string, item: string, kept: boolean | null, base: number }} Change
 * @typedef {{ key: string, before: Verdict[] }} Undoable
 * @typedef {"keep" | "drop" | "open"} Word
 */

/** @type {HTMLElement} */
const root = $("#stream");
const frozen = main.dataset.frozen === "yes";
/** @type {Record<Word, string>} */
const WORDS = { keep: "✓ kept", drop: "✗ dropped", open: "open" };
/** @type {Record<Word, boolean | null>} */
const KEPT = { keep: true, drop: false, open: null };
/**
 * @param {boolean | null} kept
 * @returns {Word}
 */
const nameOf = (kept) => (kept === null ? "open" : kept ? "keep" : "drop");
/** @param {HTMLElement} card */
const wordOf = (card) => /** @type {Word} */ (card.dataset.kept);

const store = {
  event: "",
  /** @type {HTMLElement[]} */
  cards: [],
  /** @type {HTMLAnchorElement[]} The events, at the side. */
  links: [],
  /** @type {Undoable[]} */
  undoable: [],
  current: 0,
};

/** Takes what the page shows now for the state. */
function read() {
  store.event = main.dataset.event;
  store.cards = [...root.querySelectorAll(".story")].filter((one) => one instanceof HTMLElement);
  store.links = [...document.querySelectorAll(".events a")].filter(
    (one) => one instanceof HTMLAnchorElement,
  );
  /** @type {Undoable[]} */
  const undoable = JSON.parse(main.dataset.undo);
  store.undoable = undoable.filter(({ before }) =>
    before.every(({ event }) => event === store.event),
  );
  for (const card of store.cards) listen(card);
  const form = $("#add");
  form?.addEventListener("submit", (/** @type {SubmitEvent} */ submit) => {
    submit.preventDefault();
    turner.send(form);
  });
  root.scrollTop = 0;
  store.current = 0;
  go(store.cards.findIndex((card) => card.dataset.kept === "open"));
}

// The same sentence may be marked for several events; only one event's cards are shown.
/** @param {{ event: string, item: string }} change */
const cardOf = ({ event, item }) =>
  store.cards.find((card) => event === store.event && card.dataset.item === item);

const outbox = openOutbox({
  touches: ({ body }) =>
    (body.changes ?? []).map((/** @type {Change} */ one) => `${one.event} ${one.item}`),
  describe({ body }) {
    if (!body.changes) return `note: ${body.fields?.text}`;
    return body.changes
      .map((/** @type {Change} */ one) => `${one.event} ${one.item}: ${WORDS[nameOf(one.kept)]}`)
      .join("; ");
  },
  onRefused(entries) {
    const gone = new Set(entries.map(({ key }) => key));
    store.undoable = store.undoable.filter(({ key }) => !gone.has(key));
    for (const { before } of entries.toReversed()) {
      for (const old of /** @type {Verdict[]} */ (before ?? [])) {
        const card = cardOf(old);
        if (card) show(card, nameOf(old.kept), old.version);
      }
    }
  },
  onConflict(_sent, theirs) {
    for (const their of /** @type {Verdict[]} */ (theirs)) {
      outbox.forget((one) => one.event === their.event && one.item === their.item);
      const card = cardOf(their);
      if (!card) continue;
      const mine = WORDS[wordOf(card)];
      store.undoable = store.undoable.filter(({ before }) =>
        before.every(({ item }) => item !== their.item),
      );
      show(card, nameOf(their.kept), their.version);
      const both = `saved is “${WORDS[wordOf(card)]}”, yours was “${mine}”`;
      refused(`another tab was quicker: ${both}; press the key again to change it`);
    }
  },
});

/**
 * @param {HTMLElement} card
 * @param {Word} kept
 * @param {number} version
 */
function show(card, kept, version) {
  card.dataset.kept = kept;
  card.dataset.base = String(version);
  const verdict = /** @type {Element} */ (card.querySelector(".verdict"));
  verdict.textContent = WORDS[kept];
  verdict.className = `verdict ${kept === "keep" ? "good" : kept === "drop" ? "bad" : ""}`;
  count();
}

function count() {
  const open = store.cards.filter((card) => card.dataset.kept === "open").length;
  const cell = document.querySelector(`[data-left="${CSS.escape(store.event)}"]`);
  if (!cell) return;
  const before = cell.textContent === "✓" ? 0 : parseInt(cell.textContent ?? "", 10);
  cell.textContent = open ? `${open} open` : "✓";
  $("#left").textContent = String(Number($("#left").textContent) + open - before);
}

/**
 * @param {HTMLElement} card
 * @param {Word} kept
 * @param {{ undoes?: string }} [extra]
 */
function judge(card, kept, extra = {}) {
  if (frozen) return refused("handed in and frozen");
  const { event } = store;
  const [base, item] = [Number(card.dataset.base), card.dataset.item ?? ""];
  const before = [{ event, item, kept: KEPT[wordOf(card)], version: base }];
  const changes = [{ event, item, kept: KEPT[kept], base }];
  const key = outbox.push("verdict", { changes, ...extra }, before);
  if (!extra.undoes) store.undoable.push({ key, before });
  show(card, kept, base + 1);
  say(WORDS[kept]);
}

/** @param {number} at */
function go(at) {
  const { cards } = store;
  if (!cards.length) return;
  cards[store.current]?.querySelector(".target")?.classList.remove("here");
  store.current = Math.max(0, Math.min(cards.length - 1, at));
  cards[store.current].querySelector(".target")?.classList.add("here");
  cards[store.current].scrollIntoView({ block: "nearest" });
}

/** @param {Word} kept */
function verdict(kept) {
  if (!store.cards.length) return;
  judge(store.cards[store.current], kept);
  if (store.current + 1 < store.cards.length) go(store.current + 1);
}

/** @param {number} by */
const turnBy = (by) =>
  turner.turn(
    store.links[store.links.findIndex((link) => link.getAttribute("aria-current")) + by]?.href,
  );

/**
 * The keys by which the judges linked lead to their events.
 * @param {string} key
 */
function eventKey(key) {
  const link = store.links[[...main.dataset.eventKeys].indexOf(key)];
  if (link && !link.getAttribute("aria-current")) turner.turn(link.href);
  return Boolean(link);
}

const keys = bind(
  root,
  {
    next: () => go(store.current + 1),
    back: () => go(store.current - 1),
    keep: () => verdict("keep"),
    drop: () => verdict("drop"),
    open() {
      const at = store.cards.findIndex((card) => card.dataset.kept === "open");
      if (at >= 0) return go(at);
      const next = store.links.find((link) => link.querySelector(".c")?.textContent !== "✓");
      if (next) turner.turn(next.href);
      else say("everything is judged");
    },
    "event-next": () => turnBy(1),
    "event-back": () => turnBy(-1),
    undo() {
      const last = store.undoable.pop();
      const card = last && cardOf(last.before[0]);
      if (!card) return say("nothing to undo");
      judge(card, nameOf(last.before[0].kept), { undoes: last.key });
      go(store.cards.indexOf(card));
    },
    note() {
      const item = store.cards[store.current]?.dataset.item;
      if (item) note(item, `this mark of ${store.event}`);
    },
    help,
  },
  eventKey,
);
const turner = new Turner({ keys, outbox, parts: ["stream", "events", "left"], shown: read });

/** @param {HTMLElement} card */
function listen(card) {
  card.addEventListener("click", ({ target }) => {
    if (/** @type {Element} */ (target).closest("button")) return;
    go(store.cards.indexOf(card));
    root.focus();
  });
  card.querySelector("[data-verdict]")?.addEventListener("submit", (submit) => {
    submit.preventDefault();
    if (keys.held) return;
    const { submitter } = /** @type {SubmitEvent} */ (submit);
    go(store.cards.indexOf(card));
    if (submitter instanceof HTMLButtonElement) judge(card, /** @type {Word} */ (submitter.value));
    root.focus();
  });
}

read();
for (const card of store.cards) show(card, wordOf(card), Number(card.dataset.base));
outbox.adopt().then((left) => {
  for (const { body } of left)
    for (const change of /** @type {Change[]} */ (body.changes ?? [])) {
      const card = cardOf(change);
      if (card) show(card, nameOf(change.kept), change.base + 1);
    }
  outbox.flush();
});
root.focus();
root.dataset.ready = "yes";
