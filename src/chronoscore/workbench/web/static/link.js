// The link screen: a keystroke is on the screen at once and saved behind it.

import { Alike } from "./alike.js";
import { Events, plural, tone } from "./events.js";
import { Marks } from "./marks.js";
import { BASE, freshKey } from "./outbox.js";
import { $, bind, el, help, keyOf, main, note, openOutbox, refused, say, settings } from "./page.js";
import { Rail } from "./rail.js";
import { Stream } from "./stream.js";

const taken = new Set(Object.values(settings).map(({ key }) => key));
const EVENT_KEYS = [...main.dataset.eventKeys].filter((key) => !taken.has(key));
const root = $("#stream");
const conflicts = [];
const picks = new Set();
let data, marks, stream, events, rail, alike, outbox, undoable, current = 0, ready = false;

function chipsOf(at) {
  const mark = marks.get(stream.sentences[at].id);
  const chips = el("span", "chips");
  if (mark.off) chips.append(el("span", "chip offc", "off"));
  for (const [number, event] of data.mine.events.entries()) {
    const link = mark.links.find(([id]) => id === event.id);
    if (!link) continue;
    const first = marks.first(event.id) === at;
    const chip = el("span", `chip ${tone(number)}${first ? " first" : ""}${link[1] ? " part" : ""}`, events.keyOf(event.id));
    chip.title = event.text;
    chips.append(chip);
  }
  return chips;
}

function drawSentence(at) {
  const sentence = stream.sentences[at];
  const mark = marks.get(sentence.id);
  const row = el("div", `s${mark.off ? " off" : ""}${mark.joined ? " joined" : ""}${picks.has(at) ? " picked" : ""}`);
  row.id = `s${at}`;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(at === current));
  const text = el("span", "txt", sentence.text);
  text.dir = "auto";
  row.append(el("span", "id", sentence.label), text, chipsOf(at));
  if (at === current) hints(row, at);
  row.addEventListener("click", () => { go(at); root.focus(); });
  return row;
}

function hints(row, at) {
  const sentence = stream.sentences[at];
  if (!marks.done && !data.mine.frozen) row.append(firstHint());
  if (sentence.n > 1 && !marks.get(sentence.id).joined && /^[\p{Ll}]/u.test(sentence.text))
    row.append(el("div", "hint warn", `This line looks like the tail of the one above. Press ${keyOf("join")} to join them, so that both parts carry the same links.`));
  if (picks.size) row.append(el("div", "hint warn", `${plural(picks.size, "sentence")} picked: press an event’s key to say that only together they express it. Esc lets them go.`));
  const { like, open } = lookalikes(at);
  if (like === undefined && !open.length) return;
  const box = el("div", "hint");
  if (like !== undefined) {
    const keys = marks.get(stream.sentences[like].id).links.map(([event]) => events.keyOf(event)).join(" and ");
    box.append(hintLine("Reads like ", stream.sentences[like].label, ` – you linked that to ${keys}. `, keyOf("same"), "link the same"));
  }
  if (open.length) {
    const names = open.slice(0, 3).map((other) => stream.sentences[other].label).join(", ");
    box.append(hintLine(`${open.length} more look-alike${open.length > 1 ? "s" : ""} not yet decided (`, names, "). ", keyOf("alike"), "go there"));
  }
  row.append(box);
}

// For somebody who has not decided anything yet.
function firstHint() {
  const box = el("div", "hint");
  const line = el("div");
  line.append("Which events does this sentence tell? Press their keys, ", el("kbd", "", EVENT_KEYS[0]), " ", el("kbd", "", EVENT_KEYS[1]), " …, or click them; ", el("kbd", "", keyOf("off")), " if it tells none of them. Then ", el("kbd", "", keyOf("next")), " for the next sentence. All keys: ", el("kbd", "", keyOf("help")));
  box.append(line);
  return box;
}

function hintLine(before, bold, after, key, words) {
  const line = el("div");
  line.append(before, el("b", "", bold), after, el("kbd", "", key), ` ${words}`);
  return line;
}

function lookalikes(at) {
  if (!ready || !data.mine.hints) return { open: [] };
  const found = alike.of(at);
  const like = found.find((other) => marks.get(stream.sentences[other].id).links.length);
  return { like, open: found.filter((other) => !marks.decided(stream.sentences[other].id)) };
}

function go(at, where = "nearest") {
  const before = current;
  current = Math.max(0, Math.min(stream.sentences.length - 1, at));
  if (before !== current) stream.redraw(before);
  stream.redraw(current);
  stream.reveal(current, where);
  root.setAttribute("aria-activedescendant", `s${current}`);
  const [from, to] = [before, current].map((place) => stream.sentences[place].story);
  if (from !== to || before === current) { drawStory(from); drawStory(to, true); }
  events.draw(stream.sentences[current]);
}

// Applies changes on the screen and hands them to the outbox.
function commit(changes, words, extra = {}) {
  if (data.mine.frozen) return refused("handed in and frozen");
  const before = {};
  const body = { changes: [], ...extra };
  for (const [id, next] of changes) {
    const now = marks.get(id);
    before[id] = now;
    body.changes.push({ sentence: id, base: now.version, off: next.off, links: next.links, joined: next.joined });
  }
  apply(changes.map(([id, next]) => [id, { ...next, version: marks.get(id).version + 1 }]));
  const key = outbox.push("mark", body);
  if (!extra.undoes) undoable.push({ key, before });
  say(words);
}

function apply(changes) {
  const stars = new Map(data.mine.events.map(({ id }) => [id, marks.first(id)]));
  const touched = new Set([current]);
  for (const [id, mark] of changes) { marks.set(id, mark); touched.add(marks.place.get(id)); }
  for (const [event, old] of stars) {
    const now = marks.first(event);
    if (now !== old) for (const at of [old, now]) if (Number.isFinite(at)) touched.add(at);
  }
  for (const at of touched) { stream.redraw(at); drawStory(stream.sentences[at].story); }
  events.draw(stream.sentences[current]);
  status();
}

const on = (at, make, words, extra) =>
  commit(marks.block(at).map((part) => { const id = stream.sentences[part].id; return [id, make(marks.get(id), part)]; }), words, extra);

function toggle(event) {
  const { id, label } = stream.sentences[current];
  const name = events.textOf(event);
  if (picks.size > 1) return together(event, name);
  const held = marks.get(id).links.find(([other]) => other === event);
  if (held && held[1]) {
    return commit(marks.grouped(held[1]).map((at) => {
      const mark = marks.get(stream.sentences[at].id);
      return [stream.sentences[at].id, { ...mark, links: mark.links.filter(([other, group]) => other !== event || group !== held[1]) }];
    }), `group taken off ${name}`);
  }
  on(current, (mark) => ({ off: false, joined: mark.joined,
    links: held ? mark.links.filter(([other]) => other !== event) : [...mark.links.filter(([other]) => other !== event), [event, ""]] }),
  `${label} ${held ? "unlinked from" : "linked to"} ${name}`);
}

function together(event, name) {
  const group = freshKey().slice(0, 12);
  const all = [...picks].flatMap((at) => marks.block(at));
  picks.clear();
  commit([...new Set(all)].map((at) => {
    const mark = marks.get(stream.sentences[at].id);
    return [stream.sentences[at].id, { off: false, joined: mark.joined, links: [...mark.links.filter(([other]) => other !== event), [event, group]] }];
  }), `${plural(all.length, "sentence")} together linked to ${name}`);
}

function undo() {
  const last = undoable.pop();
  if (!last) return say("nothing to undo");
  commit(Object.entries(last.before).map(([id, mark]) => [id, { off: mark.off, links: mark.links, joined: mark.joined }]), "undone", { undoes: last.key });
  go(marks.place.get(Object.keys(last.before)[0]));
}

function join() {
  const sentence = stream.sentences[current];
  if (sentence.n === 1) return say("the first sentence of a story has none above it");
  const mark = marks.get(sentence.id);
  if (mark.joined) return commit([[sentence.id, { ...mark, joined: false }]], `${sentence.label} taken apart`);
  const above = stream.sentences[current - 1];
  const head = marks.get(above.id);
  const shared = marks.decided(above.id) ? head : mark;
  const parts = [...marks.block(current - 1), ...marks.block(current)];
  commit(parts.map((at) => {
    const { id } = stream.sentences[at];
    return [id, { off: shared.off, links: shared.links, joined: at === current ? true : marks.get(id).joined }];
  }), `${sentence.label} joined to ${above.label}`);
}

const actions = {
  next: () => go(current + 1),
  back: () => go(current - 1),
  undo,
  join,
  help,
  find: () => $("#q").focus(),
  note: () => note(stream.sentences[current].id, `sentence ${stream.sentences[current].label}`),
  off: () => on(current, (mark) => ({ off: !marks.get(stream.sentences[current].id).off, links: [], joined: mark.joined }), `${stream.sentences[current].label} off-event`),
  undecided() {
    const total = stream.sentences.length;
    for (let step = 1; step <= total; step += 1) {
      const at = (current + step) % total;
      if (!marks.decided(stream.sentences[at].id)) return go(at, "center");
    }
    say("every sentence is decided");
  },
  alike() {
    const [other] = lookalikes(current).open;
    if (other === undefined) say("no undecided look-alike"); else go(other, "center");
  },
  same() {
    const { like } = lookalikes(current);
    if (like === undefined) return say("no linked look-alike");
    const { links } = marks.get(stream.sentences[like].id);
    on(current, (mark) => ({ off: false, links: links.map(([event]) => [event, ""]), joined: mark.joined }), `${stream.sentences[current].label} linked like ${stream.sentences[like].label}`);
  },
  pick() {
    if (picks.has(current)) picks.delete(current); else picks.add(current);
    stream.redraw(current);
    say(`${plural(picks.size, "sentence")} picked`);
  },
};

function otherKey(key) {
  if (key === "Escape" && picks.size) {
    const all = [...picks];
    picks.clear();
    for (const at of [...all, current]) stream.redraw(at);
    return true;
  }
  const number = EVENT_KEYS.indexOf(key);
  if (number < 0 || number >= data.mine.events.length) return false;
  toggle(data.mine.events[number].id);
  return true;
}

function drawStory(number, reveal = false) {
  const { sentences } = data.stories[number];
  const done = sentences.length ? marks.storyDone[number] / sentences.length : 1;
  rail.draw(number, { done, here: stream.sentences[current].story === number, reveal });
}

function status() {
  const total = stream.sentences.length;
  const { off, single, multi } = marks.tally;
  $("#done").textContent = marks.done;
  $("#mix").textContent = `${off} off · ${single} single · ${multi} multi`;
  const [linked, grey] = $("#bar").children;
  linked.style.width = `${(100 * (single + multi)) / total}%`;
  grey.style.width = `${(100 * off) / total}%`;
  $("#bar").setAttribute("aria-label", `${marks.done} of ${total} decided`);
}

const inWords = (mark) => (mark.off ? "off" : mark.links.map(([event]) => `${events.keyOf(event)} ${events.textOf(event)}`).join("; ") || "undecided") + (mark.joined ? " (joined)" : "");

function answered(sent, answer) {
  if (answer.refused) { refused(answer.refused); return; }
  if (!answer.conflict) return;
  const names = new Set(Object.keys(answer.conflict));
  const mine = Object.fromEntries([...names].map((id) => [id, marks.get(id)]));
  outbox.forget(({ sentence }) => names.has(sentence));
  undoable = undoable.filter(({ before }) => !Object.keys(before).some((id) => names.has(id)));
  apply(Object.entries(answer.conflict));
  conflicts.push({ mine, theirs: answer.conflict });
  if (conflicts.length === 1) showConflict();
}

function showConflict() {
  const { mine, theirs } = conflicts[0];
  const names = Object.keys(theirs);
  go(marks.place.get(names[0]));
  $("#conflict-sentence").textContent = names.map((id) => stream.sentences[marks.place.get(id)].label).join(", ");
  $("#conflict-theirs").textContent = inWords(theirs[names[0]]);
  $("#conflict-mine").textContent = inWords(mine[names[0]]);
  $("#conflict").showModal();
}

function settle(useMine) {
  const { mine } = conflicts.shift();
  $("#conflict").close();
  if (useMine) commit(Object.entries(mine).map(([id, mark]) => [id, { off: mark.off, links: mark.links, joined: mark.joined }]), "yours is saved");
  else $("#saved").textContent = "✓ The saved version stands";
  if (conflicts.length) showConflict();
}

async function start() {
  const response = await fetch(`${BASE}t/${main.dataset.topic}/link.json`, { credentials: "same-origin" });
  data = await response.json();
  stream = new Stream(root, data.stories, drawSentence);
  marks = new Marks(stream.sentences, data.stories, data.mine.events, data.mine.marks);
  const choose = (event) => { toggle(event); root.focus(); };
  events = new Events({ events: data.mine.events, keys: EVENT_KEYS, marks, sentences: stream.sentences, choose, leave: () => root.focus() });
  rail = new Rail($("#rail"), data.stories, (number) => { go(stream.starts[number], "start"); root.focus(); });
  undoable = data.mine.undo;
  outbox = openOutbox(answered);
  for (const { action, body } of await outbox.adopt())
    if (action === "mark") for (const { sentence, base, off, links, joined } of body.changes) marks.set(sentence, { off, links, joined, version: base + 1 });
  current = Math.max(0, stream.sentences.findIndex(({ id }) => !marks.decided(id)));
  stream.update();
  data.stories.forEach((_, number) => drawStory(number));
  bind(root, actions, otherKey);
  $("#take-theirs").addEventListener("click", () => settle(false));
  $("#take-mine").addEventListener("click", () => settle(true));
  $("#conflict").addEventListener("cancel", (event) => event.preventDefault());
  go(current, "center");
  status();
  root.focus();
  root.dataset.ready = "yes";
  if (outbox.queue.length) outbox.flush();
  alike = new Alike(stream.sentences);
  if (data.mine.hints) alike.build(() => { ready = true; stream.redraw(current); root.dataset.hints = "yes"; });
}

start();
