// Find sentences of the stream by their words, and keep to some: undecided, off, noted, an event's.
// The stream can be narrowed to what was found; it then stays as it is, whatever is decided.

import { root, store } from "./linkstore.js";
import { $, el } from "./page.js";

const MOST = 300;

/** @param {string} text */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/**
 * Whether a sentence is one of those that a filter keeps.
 * @param {string} filter
 * @param {number} at
 * @param {Set<string>} noted
 */
function kept(filter, at, noted) {
  const mark = store.mark(at);
  if (filter === "undecided") return !store.decided(at);
  if (filter === "off") return mark.off;
  if (filter === "queue") return store.data.mine.queue.includes(store.sentence(at).id);
  if (filter === "noted") return noted.has(store.sentence(at).id);
  return filter === "" || mark.links.some(([event]) => `event:${event}` === filter);
}

/**
 * The places of the sentences that have all the words and pass the filter.
 * @param {string} text
 * @param {string} filter
 * @param {Set<string>} noted
 */
export function matches(text, filter, noted) {
  const words = folded(text).split(/\s+/u).filter(Boolean);
  const found = [];
  for (const [at, sentence] of store.stream.sentences.entries()) {
    if (!kept(filter, at, noted)) continue;
    const inside = words.length ? folded(sentence.text) : "";
    if (words.every((word) => inside.includes(word))) found.push(at);
  }
  return found;
}

/**
 * The dialog; `go` moves to a sentence.
 * @param {(at: number, where?: ScrollLogicalPosition) => void} go
 */
export function makeFinder(go) {
  const dialog = $("#finder");
  const [text, filter, list, count] = ["#find-text", "#find-filter", "#found", "#find-count"].map(
    $,
  );
  for (const { id, text: words } of store.data.mine.events) {
    const option = el("option", "", words);
    option.value = `event:${id}`;
    filter.append(option);
  }
  const noted = new Set(store.data.mine.notes);

  /** @param {number} at */
  const choose = (at) => {
    dialog.close();
    go(at, "center");
    root.focus();
  };

  const draw = () => {
    const found = matches(text.value, filter.value, noted);
    const number = found.length === 1 ? "1 sentence" : `${found.length} sentences`;
    count.textContent = found.length > MOST ? `${number}, the first ${MOST}:` : number;
    list.replaceChildren(
      ...found.slice(0, MOST).map((at) => {
        const { label, text: words } = store.sentence(at);
        const button = el("button", "plain-button");
        button.type = "button";
        const sentence = el("span", "", words);
        sentence.dir = "auto";
        button.append(el("b", "", label), " ", sentence);
        button.addEventListener("click", () => choose(at));
        const item = el("li");
        item.append(button);
        return item;
      }),
    );
    return found;
  };

  const narrow = (/** @type {number[] | null} */ found) => {
    store.stream.narrow(found && new Set(found));
    const bar = $("#narrowed");
    bar.hidden = !found;
    if (!found) return;
    const words = text.value.trim() && ` with “${text.value.trim()}”`;
    const count = `Only ${found.length} of ${store.stream.sentences.length}`;
    const kind = filter.selectedOptions[0].textContent;
    bar.firstElementChild.textContent = `${count}: ${kind}${words}`;
  };
  $("#show-found").addEventListener("click", () => {
    const found = draw();
    if (!found.length) return;
    narrow(found);
    choose(found.find((at) => at >= store.current) ?? found[0]);
  });
  $("#show-all").addEventListener("click", () => {
    narrow(null);
    choose(store.current);
  });
  // A list of what is to be judged narrows the stream from the beginning.
  if (store.data.mine.queue.length) {
    filter.value = "queue";
    narrow(draw());
  }
  text.addEventListener("input", draw);
  filter.addEventListener("change", draw);
  $("#find-form").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const found = draw();
    // The next one after the current sentence, and from the beginning after the last.
    if (found.length) choose(found.find((at) => at > store.current) ?? found[0]);
  });
  return () => {
    draw();
    dialog.showModal();
    text.focus();
    text.select();
  };
}
