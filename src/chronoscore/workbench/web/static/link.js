// The link screen: a keystroke is on the screen at once and saved behind it.

import { Alike } from "./alike.js";
import { Events, plural } from "./events.js";
import { makeFinder } from "./find.js";
import { bind } from "./keys.js";
import { EVENT_KEYS, lookalikes, root, store } from "./linkstore.js";
import { drawSentence, drawStatus, drawStory, inWords } from "./linkview.js";
import { Marks } from "./marks.js";
import { BASE, freshKey } from "./outbox.js";
import { $, help, main, note, openOutbox, refused, say } from "./page.js";
import { Rail } from "./rail.js";
import { Stream } from "./stream.js";

/**
 * @typedef {import("./marks.js").Mark} Mark
 * @typedef {import("./outbox.js").Entry} Entry
 * @typedef {{ off: boolean, links: Mark["links"], joined: boolean }} Decision
 * @typedef {Mark & { sentence: string, base: number }} Change
 */

/** @param {Mark} mark */
const decision = ({ off, links, joined }) => ({ off, links, joined });

/**
 * @param {number} at
 * @param {ScrollLogicalPosition} [where]
 */
function go(at, where = "nearest") {
  // A judge who goes to a filtered sentence wants to see it.
  if (!store.stream.shows(at)) $("#show-all").click();
  const before = store.current;
  store.current = Math.max(0, Math.min(store.stream.sentences.length - 1, at));
  if (before !== store.current) store.stream.redraw(before);
  store.stream.redraw(store.current);
  store.stream.reveal(store.current, where);
  root.setAttribute("aria-activedescendant", `s${store.current}`);
  const [from, to] = [before, store.current].map((place) => store.sentence(place).story);
  if (from !== to || before === store.current) {
    drawStory(from);
    drawStory(to, true);
  }
  store.events.draw(store.sentence(store.current));
}

/** @param {number} at */
function choose(at) {
  go(at);
  root.focus();
}

/**
 * Applies changes on the screen and hands them to the outbox.
 * @param {[string, Decision][]} changes
 * @param {string} words
 * @param {{ undoes?: string }} [extra]
 */
function commit(changes, words, extra = {}) {
  if (store.data.mine.frozen) return refused("handed in and frozen");
  const before = Object.fromEntries(changes.map(([id]) => [id, store.marks.get(id)]));
  const made = changes.map(([id, next]) => ({
    sentence: id,
    base: before[id].version,
    ...decision({ ...next, version: 0 }),
  }));
  apply(changes.map(([id, next]) => [id, { ...next, version: before[id].version + 1 }]));
  const key = store.outbox.push("mark", { changes: made, ...extra }, before);
  if (!extra.undoes) store.undoable.push({ key, before });
  say(words);
}

/** @param {[string, Mark][]} changes */
function apply(changes) {
  /** @type {[string, number][]} */
  const stars = store.data.mine.events.map((/** @type {{ id: string }} */ { id }) => [
    id,
    store.marks.first(id),
  ]);
  const touched = new Set([store.current]);
  for (const [id, mark] of changes) {
    store.marks.set(id, mark);
    touched.add(/** @type {number} */ (store.marks.place.get(id)));
  }
  for (const [event, old] of stars) {
    const now = store.marks.first(event);
    if (now === old) continue;
    for (const at of [old, now]) if (Number.isFinite(at)) touched.add(at);
  }
  for (const at of touched) {
    store.stream.redraw(at);
    drawStory(store.sentence(at).story);
  }
  store.events.draw(store.sentence(store.current));
  drawStatus();
}

/**
 * Decides about the current sentence and the parts that are joined to it.
 * @param {(mark: Mark) => { off: boolean, links: Mark["links"] }} make
 * @param {string} words
 */
const decide = (make, words) =>
  commit(
    store.marks
      .block(store.current)
      .map((at) => [
        store.sentence(at).id,
        { joined: store.mark(at).joined, ...make(store.mark(at)) },
      ]),
    words,
  );

/**
 * @param {Mark["links"]} links
 * @param {string} event
 */
const without = (links, event) => links.filter(([other]) => other !== event);

/** With “decide and go on”, a decision leads to the next sentence. */
function goOn() {
  if (!store.onward || store.data.mine.frozen || !store.decided(store.current)) return;
  go(store.stream.beside(store.marks.block(store.current).at(-1) ?? store.current, 1));
}

const ONWARD = `chronoscore:onward:${main.dataset.person}`;

/** @param {boolean} onward */
function setOnward(onward) {
  store.onward = onward;
  const button = $("[data-do=onward]");
  button.setAttribute("aria-pressed", String(onward));
  button.lastChild.textContent = ` decide and go on: ${onward ? "on" : "off"}`;
}

/**
 * @param {string} event
 * @param {boolean} [stay]
 */
function toggle(event, stay = false) {
  const { label } = store.sentence(store.current);
  const name = store.events.textOf(event);
  if (store.picks.size > 1) {
    together(event, name);
    if (!stay) goOn();
    return;
  }
  const held = store.mark(store.current).links.find(([other]) => other === event);
  if (held?.[1]) {
    const gone = (/** @type {Mark["links"][0]} */ [other, group]) =>
      other === event && group === held[1];
    return commit(
      store.marks.grouped(held[1]).map((at) => {
        const mark = store.mark(at);
        const links = mark.links.filter((link) => !gone(link));
        return [store.sentence(at).id, { ...decision(mark), links }];
      }),
      `group taken off ${name}`,
    );
  }
  decide(
    ({ links }) => ({
      off: false,
      links: [...without(links, event), ...(held ? [] : [link(event)])],
    }),
    `${label} ${held ? "unlinked from" : "linked to"} ${name}`,
  );
  if (!held && !stay) goOn();
}

/**
 * @param {string} event
 * @returns {Mark["links"][0]}
 */
const link = (event, group = "") => [event, group];

/**
 * @param {string} event
 * @param {string} name
 */
function together(event, name) {
  const group = freshKey().slice(0, 12);
  const all = [...new Set([...store.picks].flatMap((at) => store.marks.block(at)))];
  store.picks.clear();
  commit(
    all.map((at) => {
      const { links, joined } = store.mark(at);
      const made = { off: false, joined, links: [...without(links, event), link(event, group)] };
      return [store.sentence(at).id, made];
    }),
    `${plural(all.length, "sentence")} together linked to ${name}`,
  );
}

function undo() {
  const last = store.undoable.pop();
  if (!last) return say("nothing to undo");
  const back = Object.entries(last.before);
  commit(
    back.map(([id, mark]) => [id, decision(mark)]),
    "undone",
    { undoes: last.key },
  );
  go(store.marks.place.get(back[0][0]) ?? store.current);
}

function join() {
  const sentence = store.sentence(store.current);
  if (sentence.n === 1) return say("the first sentence of a story has none above it");
  const mark = store.mark(store.current);
  if (mark.joined) {
    const apart = { ...decision(mark), joined: false };
    return commit([[sentence.id, apart]], `${sentence.label} taken apart`);
  }
  const above = store.current - 1;
  const { off, links } = store.decided(above) ? store.mark(above) : mark;
  const parts = [...store.marks.block(above), ...store.marks.block(store.current)];
  commit(
    parts.map((at) => {
      const joined = at === store.current || store.mark(at).joined;
      return [store.sentence(at).id, { off, links, joined }];
    }),
    `${sentence.label} joined to ${store.sentence(above).label}`,
  );
  goOn();
}

function goToUndecided() {
  const total = store.stream.sentences.length;
  for (let step = 1; step <= total; step += 1) {
    const at = (store.current + step) % total;
    if (!store.decided(at) && store.stream.shows(at)) return go(at, "center");
  }
  say(store.stream.only ? "everything here is decided" : "every sentence is decided");
}

const actions = {
  next: () => go(store.stream.beside(store.current, 1)),
  back: () => go(store.stream.beside(store.current, -1)),
  undo,
  join,
  help,
  find: () => $("#q").focus(),
  "find-text": () => store.find(),
  note() {
    const { id, label } = store.sentence(store.current);
    note(id, `sentence ${label}`);
  },
  off() {
    const off = !store.mark(store.current).off;
    decide(() => ({ off, links: [] }), `${store.sentence(store.current).label} off-event`);
    if (off) goOn();
  },
  onward() {
    setOnward(!store.onward);
    try {
      localStorage.setItem(ONWARD, store.onward ? "yes" : "");
    } catch {
      // The browser's storage is full: it holds as long as the page.
    }
    say(`decide and go on is ${store.onward ? "on" : "off"}`);
  },
  undecided: goToUndecided,
  alike() {
    const [other] = lookalikes(store.current).open;
    if (other === undefined) say("no undecided look-alike");
    else go(other, "center");
  },
  same() {
    const { like } = lookalikes(store.current);
    if (like === undefined) return say("no linked look-alike");
    const links = store.mark(like).links.map(([event]) => link(event));
    const labels = [store.current, like].map((at) => store.sentence(at).label);
    decide(() => ({ off: false, links }), labels.join(" linked like "));
    goOn();
  },
  pick() {
    if (!store.picks.delete(store.current)) store.picks.add(store.current);
    store.stream.redraw(store.current);
    say(`${plural(store.picks.size, "sentence")} picked`);
  },
};

/**
 * The event that a key links to, whatever Shift makes of the key; where digits need Shift, their
 * keys do without.
 * @param {KeyboardEvent} event
 */
function numberOf({ key, code }) {
  const plain = EVENT_KEYS.indexOf(key);
  if (plain >= 0 || key.length !== 1) return plain;
  return EVENT_KEYS.indexOf(/^Digit(\d)$/.exec(code)?.[1] ?? key.toLowerCase());
}

/**
 * @param {string} key
 * @param {KeyboardEvent} event
 */
function otherKey(key, event) {
  if (key === "Escape" && store.picks.size) {
    const all = [...store.picks, store.current];
    store.picks.clear();
    for (const at of all) store.stream.redraw(at);
    return true;
  }
  const number = numberOf(event);
  if (number < 0 || number >= store.data.mine.events.length) return false;
  toggle(store.data.mine.events[number].id, event.shiftKey);
  return true;
}

/**
 * Another tab was quicker: its version is shown, and the judge chooses between the two.
 * @param {Entry} _sent
 * @param {Record<string, Mark>} theirs
 */
function meet(_sent, theirs) {
  const mine = Object.fromEntries(Object.keys(theirs).map((id) => [id, store.marks.get(id)]));
  store.outbox.forget(({ sentence }) => sentence in theirs);
  store.undoable = store.undoable.filter(
    ({ before }) => !Object.keys(before).some((id) => id in theirs),
  );
  apply(Object.entries(theirs));
  store.conflicts.push({ mine, theirs });
  if (store.conflicts.length === 1) showConflict();
}

function showConflict() {
  const { mine, theirs } = store.conflicts[0];
  const [first] = Object.keys(theirs);
  const places = Object.keys(theirs).map((id) => store.marks.place.get(id) ?? 0);
  go(places[0]);
  const labels = places.map((at) => store.sentence(at).label);
  $("#conflict-sentence").textContent = labels.join(", ");
  $("#conflict-theirs").textContent = inWords(theirs[first]);
  $("#conflict-mine").textContent = inWords(mine[first]);
  $("#conflict").showModal();
}

/** @param {boolean} useMine */
function settle(useMine) {
  const mine = Object.entries(store.conflicts.shift()?.mine ?? {});
  $("#conflict").close();
  if (useMine) {
    commit(
      mine.map(([id, mark]) => [id, decision(mark)]),
      "yours is saved",
    );
  } else {
    $("#saved").textContent = "✓ The saved version stands";
  }
  if (store.conflicts.length) showConflict();
}

/**
 * What was refused, and what was built upon it, is taken back, the latest first.
 * @param {Entry[]} entries
 */
function takeBack(entries) {
  const gone = new Set(entries.map(({ key }) => key));
  store.undoable = store.undoable.filter(({ key }) => !gone.has(key));
  for (const { before } of entries.toReversed()) if (before) apply(Object.entries(before));
}

/** @param {Entry} entry */
const describe = ({ action, body }) =>
  action === "mark"
    ? body.changes
        .map((/** @type {Change} */ one) => {
          const at = store.marks.place.get(one.sentence);
          return `${at === undefined ? one.sentence : store.sentence(at).label}: ${inWords(one)}`;
        })
        .join("; ")
    : `note: ${body.fields?.text}`;

async function start() {
  const address = `${BASE}t/${main.dataset.topic}/link.json`;
  const response = await fetch(address, { credentials: "same-origin" });
  store.data = await response.json();
  const { stories, mine } = store.data;
  store.stream = new Stream(root, stories, (at) => drawSentence(at, choose));
  const { sentences } = store.stream;
  store.marks = new Marks(sentences, stories, mine.events, mine.marks);
  store.events = new Events({
    events: mine.events,
    keys: EVENT_KEYS,
    marks: store.marks,
    sentences,
    choose(event, stay) {
      toggle(event, stay);
      root.focus();
    },
    leave: () => root.focus(),
  });
  store.rail = new Rail($("#rail"), stories, (number) => {
    go(store.stream.starts[number], "start");
    root.focus();
  });
  store.undoable = mine.undo;
  store.outbox = openOutbox({
    onConflict: meet,
    onRefused: takeBack,
    touches: ({ body }) => (body.changes ?? []).map((/** @type {Change} */ one) => one.sentence),
    describe,
  });
  for (const { action, body } of await store.outbox.adopt()) {
    if (action !== "mark") continue;
    for (const { sentence, base, ...mark } of body.changes) {
      store.marks.set(sentence, { ...decision(mark), version: base + 1 });
    }
  }
  const queue = new Set(mine.queue);
  const wanted = (/** @type {string} */ id) => !queue.size || queue.has(id);
  store.current = Math.max(
    0,
    sentences.findIndex(({ id }) => wanted(id) && !store.marks.decided(id)),
  );
  // Only now, when it is known which sentence is current.
  store.stream.open();
  stories.forEach((/** @type {unknown} */ _, /** @type {number} */ number) => drawStory(number));
  store.find = makeFinder(go);
  bind(root, actions, otherKey);
  $("#take-theirs").addEventListener("click", () => settle(false));
  $("#take-mine").addEventListener("click", () => settle(true));
  $("#conflict").addEventListener("cancel", (/** @type {Event} */ event) => event.preventDefault());
  setOnward(Boolean(localStorage.getItem(ONWARD)));
  go(store.current, "center");
  drawStatus();
  root.focus();
  root.dataset.ready = "yes";
  store.outbox.flush();
  const alike = new Alike(sentences);
  store.alike = alike;
  if (!mine.hints) return;
  alike.build(() => {
    store.stream.redraw(store.current);
    root.dataset.hints = "yes";
  });
}

start();
