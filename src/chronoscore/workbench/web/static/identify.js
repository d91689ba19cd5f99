// The identify screen: stories follow each other without the server, and events are sent behind.

import { tone } from "./events.js";
import { Forms } from "./forms.js";
import { bind } from "./keys.js";
import { BASE } from "./outbox.js";
import { $, clock, el, help, main, note, say } from "./page.js";

/**
 * @typedef {import("./stream.js").Story} Story
 */

/** @type {HTMLElement} */
const root = $("#stream");
const frozen = main.dataset.frozen === "yes";
const links = [...document.querySelectorAll(".rail [data-story]")].filter(
  (one) => one instanceof HTMLElement,
);

const store = {
  /** @type {Story[]} */
  stories: [],
  story: 0,
  current: 0,
  /** What the field for a new event was filled with, as long as nobody has typed in it. */
  offered: "",
};

const forms = new Forms({
  parts: ["counts", "own", "undoing"],
  refreshed: drawChips,
  sent(form, fields, key) {
    if (form.id !== "new") return;
    const item = el("li", "pending", fields.text[0]);
    item.dataset.key = key;
    item.dataset.sentence = fields.sentence[0];
    $("#own .none")?.remove();
    $("#own").append(item);
    drawChips();
    say("event sent");
  },
  takenBack(entries) {
    for (const { action, body } of entries) {
      if (action !== "identify/read") continue;
      const link = links.find(({ dataset }) => dataset.story === body.fields.story[0]);
      setRead(link, body.fields.read?.[0] === "no");
    }
    drawChips();
  },
});

/** @returns {HTMLElement[]} */
const rows = () => [...$("#story").querySelectorAll(".s")];
/** @param {HTMLElement} row */
const textOf = (row) => row.querySelector(".txt")?.textContent ?? "";
const remembered = () =>
  `chronoscore:identify:${location.pathname}${store.stories[store.story].id}`;
const isRead = (link = links[store.story]) => Boolean(link.querySelector(".t i"));

/**
 * @param {HTMLElement | undefined} link
 * @param {boolean} read
 */
function setRead(link, read) {
  link?.querySelector(".t")?.replaceChildren(...(read ? [el("i")] : []));
  link?.querySelector(".sr")?.remove();
  if (read) link?.append(el("span", "sr", "read"));
  drawRead();
}

function drawRead() {
  const form = $("#read");
  if (!form) return;
  const [go, again] = form.querySelectorAll("button");
  form.elements.story.value = store.stories[store.story].id;
  go.firstChild.textContent = isRead() ? "Continue " : "Read, continue ";
  again.hidden = !isRead();
}

/** @param {number} at */
function go(at) {
  const all = rows();
  all[store.current]?.classList.remove("here");
  store.current = Math.max(0, Math.min(all.length - 1, at));
  const row = all[store.current];
  if (!row) return;
  row.classList.add("here");
  row.scrollIntoView({ block: "nearest" });
  sessionStorage.setItem(remembered(), String(store.current));
  say(textOf(row));
}

function drawChips() {
  const own = [...document.querySelectorAll("#own [data-sentence]")].filter(
    (one) => one instanceof HTMLElement,
  );
  for (const row of rows()) {
    for (const chip of row.querySelectorAll(".chip")) chip.remove();
    own.forEach((item, number) => {
      if (item.dataset.sentence !== row.dataset.sentence) return;
      row.querySelector(".chips")?.prepend(el("span", `chip ${tone(number)}`, String(number + 1)));
    });
  }
}

/**
 * @param {Story} story
 * @param {[string, string]} sentence
 * @param {number} at
 */
function drawRow(story, [id, text], at) {
  const label = `${story.n}.${at + 1}`;
  const row = el("div", "s");
  row.id = `s${at + 1}`;
  row.dataset.sentence = id;
  const words = el("span", "txt", text);
  words.dir = "auto";
  const chips = el("span", "chips");
  if (!frozen) {
    const link = el("a", "small", "new event");
    link.href = `?story=${encodeURIComponent(story.id)}&from=${encodeURIComponent(id)}#new`;
    link.dataset.new = "";
    link.append(el("span", "sr", ` from sentence ${label}`));
    chips.append(link);
  }
  row.append(el("span", "id", label), words, chips);
  return row;
}

/** @param {number} number */
function open(number) {
  if (number < 0 || number >= store.stories.length) return say("there is no further story");
  store.story = number;
  const story = store.stories[number];
  const head = el("div", "storyhead");
  const title = el("h2", "", story.title);
  title.dir = "auto";
  head.append(el("span", "", `#${story.n}`), title, el("span", "", clock(story.time)));
  head.append(el("span", "", story.publisher));
  const drawn = story.sentences.map((one, at) => drawRow(story, one, at));
  $("#story").replaceChildren(head, ...drawn);
  $("#story").dataset.story = story.id;
  root.setAttribute("aria-label", `Sentences of story ${story.n}`);
  const list = $("#new-sentence");
  list?.replaceChildren(
    ...story.sentences.map(([id], at) => {
      const option = el("option", "", `${story.n}.${at + 1}`);
      option.value = id;
      return option;
    }),
  );
  for (const link of links) link.removeAttribute("aria-current");
  links[number].setAttribute("aria-current", "true");
  links[number].scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `?story=${encodeURIComponent(story.id)}`);
  root.scrollTop = 0;
  drawRead();
  drawChips();
  store.current = 0;
  go(Number(sessionStorage.getItem(remembered()) ?? 0));
}

function newEvent() {
  const field = $("#new-text");
  if (!field) return;
  const row = rows()[store.current];
  $("#new-sentence").value = row.dataset.sentence;
  if (!field.value || field.value === store.offered) {
    store.offered = textOf(row).slice(0, 500);
    field.value = store.offered;
  }
  field.focus();
  if (field.value === store.offered) field.select();
}

/** Marks the story as read, if it is not, and continues with the next; never the reverse. */
function read() {
  if (!frozen && !isRead()) {
    forms.send($("#read"));
    setRead(links[store.story], true);
  }
  open(store.story + 1);
}

const actions = {
  next: () => go(store.current + 1),
  back: () => go(store.current - 1),
  "new-event": newEvent,
  read,
  "story-next": () => open(store.story + 1),
  "story-back": () => open(store.story - 1),
  undo: () => (frozen ? say("handed in and frozen") : forms.undo()),
  note() {
    const row = rows()[store.current];
    const label = row.querySelector(".id")?.textContent;
    note(row.dataset.sentence ?? "", `sentence ${label}`);
  },
  help,
};

function listen() {
  $("#new-text")?.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const { form } = /** @type {HTMLTextAreaElement} */ (event.target);
    if (!form?.reportValidity()) return;
    form.requestSubmit();
    root.focus();
  });
  $("#read")?.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    root.focus();
    const { submitter } = event;
    if (submitter?.getAttribute("value") !== "no") return read();
    forms.send($("#read"), submitter);
    setRead(links[store.story], false);
  });
  links.forEach((link, number) =>
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(number);
      root.focus();
    }),
  );
  root.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const row = target.closest(".s");
    if (!(row instanceof HTMLElement)) return;
    go(rows().indexOf(row));
    const wanted = target.closest("[data-new]");
    if (!wanted) return root.focus();
    event.preventDefault();
    newEvent();
  });
}

async function start() {
  const address = `${BASE}t/${main.dataset.topic}/identify.json`;
  store.stories = (await (await fetch(address, { credentials: "same-origin" })).json()).stories;
  store.story = links.findIndex((link) => link.getAttribute("aria-current"));
  go(Number(sessionStorage.getItem(remembered()) ?? 0));
  drawChips();
  bind(root, actions);
  listen();
  root.focus();
  root.dataset.ready = "yes";
}

start();
