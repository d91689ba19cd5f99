// What the link screen draws: sentences with their chips and hints, the bar above them.

import { plural, tone } from "./events.js";
import { EVENT_KEYS, lookalikes, store } from "./linkstore.js";
import { $, el, keyOf } from "./page.js";

/** @param {number} at */
function chipsOf(at) {
  const mark = store.mark(at);
  const chips = el("span", "chips");
  if (mark.off) chips.append(el("span", "chip offc", "off"));
  for (const [number, event] of store.data.mine.events.entries()) {
    const link = mark.links.find(([id]) => id === event.id);
    if (!link) continue;
    const first = store.marks.first(event.id) === at ? " first" : "";
    const name = `chip ${tone(number)}${first}${link[1] ? " part" : ""}`;
    const chip = el("span", name, store.events.keyOf(event.id));
    chip.title = event.text;
    chips.append(chip);
  }
  return chips;
}

/**
 * @param {number} at
 * @param {(at: number) => void} choose
 */
export function drawSentence(at, choose) {
  const sentence = store.sentence(at);
  const mark = store.mark(at);
  const picked = store.picks.has(at) ? " picked" : "";
  const row = el("div", `s${mark.off ? " off" : ""}${mark.joined ? " joined" : ""}${picked}`);
  row.id = `s${at}`;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(at === store.current));
  const text = el("span", "txt", sentence.text);
  text.dir = "auto";
  row.append(el("span", "id", sentence.label), text, chipsOf(at));
  if (at === store.current) row.append(...hints(at));
  row.addEventListener("click", () => choose(at));
  return row;
}

/** @param {number} at */
function hints(at) {
  const sentence = store.sentence(at);
  const boxes = [];
  if (!store.marks.done && !store.data.mine.frozen) boxes.push(firstHint());
  if (sentence.n > 1 && !store.mark(at).joined && /^[\p{Ll}]/u.test(sentence.text)) {
    const words = `This line looks like the tail of the one above. Press ${keyOf("join")} to join`;
    boxes.push(el("div", "hint warn", `${words} them, so that both parts carry the same links.`));
  }
  if (store.picks.size) {
    const words = `${plural(store.picks.size, "sentence")} picked: press an event’s key to say`;
    boxes.push(
      el("div", "hint warn", `${words} that only together they express it. Esc lets them go.`),
    );
  }
  const { like, open } = lookalikes(at);
  if (like === undefined && !open.length) return boxes;
  const box = el("div", "hint");
  if (like !== undefined) {
    const keys = store.mark(like).links.map(([event]) => store.events.keyOf(event));
    const linked = ` – you linked that to ${keys.join(" and ")}. `;
    const { label } = store.sentence(like);
    box.append(hintLine("Reads like ", label, linked, keyOf("same"), "link the same"));
  }
  if (open.length) {
    const names = open.slice(0, 3).map((other) => store.sentence(other).label);
    const count = `${plural(open.length, "more look-alike")} not yet decided (`;
    box.append(hintLine(count, names.join(", "), "). ", keyOf("alike"), "go there"));
  }
  return [...boxes, box];
}

/** For a judge who has not decided anything yet. */
function firstHint() {
  const key = (/** @type {string} */ name) => el("kbd", "", name);
  const box = el("div", "hint");
  const line = el("div");
  line.append(
    "Which events does this sentence report? Press their keys, ",
    key(EVENT_KEYS[0]),
    " ",
  );
  line.append(key(EVENT_KEYS[1]), " …, or click them; ", key(keyOf("off")));
  line.append(" if it reports none of them. Then ", key(keyOf("next")), " for the next sentence. ");
  line.append("All keys: ", key(keyOf("help")));
  box.append(line);
  return box;
}

/**
 * @param {string} before
 * @param {string} bold
 * @param {string} after
 * @param {string} key
 * @param {string} words
 */
function hintLine(before, bold, after, key, words) {
  const line = el("div");
  line.append(before, el("b", "", bold), after, el("kbd", "", key), ` ${words}`);
  return line;
}

/**
 * @param {number} number
 * @param {boolean} [reveal]
 */
export function drawStory(number, reveal = false) {
  const { sentences } = store.data.stories[number];
  const done = sentences.length ? store.marks.storyDone[number] / sentences.length : 1;
  const here = store.sentence(store.current).story === number;
  store.rail.draw(number, { done, here, reveal });
}

export function drawStatus() {
  const { queue } = store.data.mine;
  const total = queue.length || store.stream.sentences.length;
  const { off, single, multi } = store.marks.tally;
  const done = queue.length
    ? queue.filter((/** @type {string} */ id) => store.marks.decided(id)).length
    : store.marks.done;
  $("#done").textContent = done;
  $("#mix").textContent = `${off} off · ${single} single · ${multi} multi`;
  const [linked, grey] = $("#bar").children;
  linked.style.width = `${(100 * (single + multi)) / total}%`;
  grey.style.width = `${(100 * off) / total}%`;
  $("#bar").setAttribute("aria-label", `${done} of ${total} decided`);
}

/**
 * A mark in words.
 * @param {import("./marks.js").Mark} mark
 */
export function inWords(mark) {
  const { events } = store;
  const linked = mark.links.map(([event]) => `${events.keyOf(event)} ${events.textOf(event)}`);
  const state = mark.off ? "off" : linked.join("; ") || "undecided";
  return `${state}${mark.joined ? " (joined)" : ""}`;
}
