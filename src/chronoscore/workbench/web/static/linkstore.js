// The state of the link screen, in one object.

import { $, main } from "./page.js";

/** @type {string[]} The keys that link to events: those that do nothing else. */
export const EVENT_KEYS = [...main.dataset.eventKeys];

export const root = $("#stream");

/**
 * @typedef {import("./marks.js").Mark} Mark
 * @typedef {{ key: string, before: Record<string, Mark> }} Undoable
 * @typedef {{
 *   events: { id: string, text: string }[], marks: Record<string, Mark>, undo: Undoable[],
 *   notes: string[], hints: boolean, frozen: boolean, queue: string[],
 * }} Mine The events, and what is the judge's own.
 * @typedef {{ mine: Record<string, Mark>, theirs: Record<string, Mark> }} Conflict
 */

export const store = {
  /** @type {{ stories: import("./stream.js").Story[], mine: Mine }} What the server gave. */
  data: /** @type {any} */ (null),
  /** @type {import("./marks.js").Marks} */
  marks: /** @type {any} */ (null),
  /** @type {import("./stream.js").Stream} */
  stream: /** @type {any} */ (null),
  /** @type {import("./events.js").Events} */
  events: /** @type {any} */ (null),
  /** @type {import("./rail.js").Rail} */
  rail: /** @type {any} */ (null),
  /** @type {import("./alike.js").Alike | null} */
  alike: null,
  /** @type {import("./outbox.js").Outbox} */
  outbox: /** @type {any} */ (null),
  /** @type {Undoable[]} */
  undoable: [],
  /** @type {Conflict[]} */
  conflicts: [],
  /** @type {Set<number>} The sentences that are picked for a group. */
  picks: new Set(),
  /** Whether a decision leads to the next sentence: “decide and go on”. */
  onward: false,
  /** Opens the dialog that finds sentences. */
  find: () => {},
  /** The place of the current sentence in the stream. */
  current: 0,

  /** @param {number} at */
  sentence: (at) => store.stream.sentences[at],
  /** @param {number} at */
  mark: (at) => store.marks.get(store.sentence(at).id),
  /** @param {number} at */
  decided: (at) => store.marks.decided(store.sentence(at).id),
};

/**
 * Sentences that read alike: the first that is linked, and those that are undecided.
 * @param {number} at
 * @returns {{ like?: number, open: number[] }}
 */
export function lookalikes(at) {
  if (!store.alike?.ready || !store.data.mine.hints) return { open: [] };
  const alike = store.alike.of(at);
  return {
    like: alike.find((other) => store.mark(other).links.length),
    open: alike.filter((other) => !store.decided(other)),
  };
}
