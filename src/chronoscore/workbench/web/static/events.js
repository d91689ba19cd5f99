// The events beside the stream: their keys, how often they were linked, and where in the stream.

import { $, el } from "./page.js";

/** @param {number} number */
export const tone = (number) => `c${number % 12}`;
/**
 * @param {number} count
 * @param {string} word
 */
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export class Events {
  // `choose` is called with the event that was clicked or found, `leave` when the search ends.
  /**
   * @param {{
   *   events: { id: string, text: string }[], keys: string[], marks: import("./marks.js").Marks,
   *   sentences: import("./stream.js").Sentence[], choose: (event: string, stay: boolean) => void,
   *   leave: () => void,
   * }} options
   */
  constructor({ events, keys, marks, sentences, choose, leave }) {
    this.events = events;
    this.keys = keys;
    this.marks = marks;
    this.sentences = sentences;
    this.rows = new Map(events.map((event, number) => [event.id, this.row(event, number, choose)]));
    $("#events").append(...[...this.rows.values()].map(({ item }) => item));
    this.search($("#q"), choose, leave);
  }

  /** @param {string} event */
  keyOf(event) {
    return this.keys[this.events.findIndex(({ id }) => id === event)] ?? "•";
  }
  /** @param {string} event */
  textOf(event) {
    return this.events.find(({ id }) => id === event)?.text ?? "";
  }

  /**
   * @param {{ id: string, text: string }} event
   * @param {number} number
   * @param {(event: string, stay: boolean) => void} choose
   */
  row(event, number, choose) {
    const item = el("li");
    const button = el("button", "ev");
    button.type = "button";
    const name = el("span", "d", event.text);
    name.dir = "auto";
    const count = el("span", "c");
    const strip = el("span", "sp");
    strip.setAttribute("aria-hidden", "true");
    const cells = Array.from({ length: this.marks.bins }, () => el("i"));
    strip.append(...cells);
    button.append(el("span", `k ${tone(number)}`, this.keys[number] ?? "•"), name, count, strip);
    button.addEventListener("click", ({ shiftKey }) => choose(event.id, shiftKey));
    item.append(button);
    return { item, button, count, cells, tone: tone(number), text: event.text.toLowerCase() };
  }

  /**
   * @param {HTMLInputElement} query
   * @param {(event: string, stay: boolean) => void} choose
   * @param {() => void} leave
   */
  search(query, choose, leave) {
    query.addEventListener("input", () => {
      const wanted = query.value.trim().toLowerCase();
      for (const { item, text } of this.rows.values())
        item.hidden = Boolean(wanted) && !text.includes(wanted);
    });
    query.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      const found = this.events.find(({ id }) => !this.rows.get(id)?.item.hidden);
      const wanted = query.value.trim();
      query.value = "";
      query.dispatchEvent(new Event("input"));
      leave();
      if (event.key === "Enter" && found && wanted) choose(found.id, event.shiftKey);
      event.preventDefault();
    });
  }

  // Shows what a sentence is linked to; counts and strips are drawn only where they changed.
  /** @param {import("./stream.js").Sentence} sentence */
  draw(sentence) {
    $("#cur").textContent = sentence.label;
    const { links } = this.marks.get(sentence.id);
    for (const [id, row] of this.rows) {
      row.button.setAttribute("aria-pressed", String(links.some(([event]) => event === id)));
      const counts = this.marks.events.get(id);
      if (!counts) continue;
      const words = counts.at.size ? plural(counts.at.size, "link") : "none yet";
      if (row.count.textContent === words) continue;
      row.count.textContent = words;
      const first = this.marks.first(id);
      const star = Number.isFinite(first) ? this.marks.binOf(this.sentences[first].story) : -1;
      row.cells.forEach((cell, bin) => {
        cell.className = `${counts.bins[bin] ? row.tone : ""}${bin === star ? " f" : ""}`;
        cell.style.opacity = counts.bins[bin]
          ? String(Math.min(1, 0.45 + 0.3 * counts.bins[bin]))
          : "";
      });
    }
  }
}
