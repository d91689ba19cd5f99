// What the judging screens share: keys, dialogs, the word on what is saved.

import { Outbox } from "./outbox.js";

/**
 * @param {string} query
 * @returns {any}
 */
export const $ = (query) => document.querySelector(query);

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [name]
 * @param {string | null} [text]
 */
export const el = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text != null) made.textContent = text;
  return made;
};

const QUOTE = /["“”„‟«»「」『』]/;

/**
 * A text in quotation marks that do not meet the same marks in it, as the server writes it.
 * @param {string} text
 */
export function quote(text) {
  const inside = text.slice(1, -1);
  const whole = inside && QUOTE.test(text[0]) && QUOTE.test(text.slice(-1));
  if (whole && !QUOTE.test(inside)) return text;
  return QUOTE.test(text) ? `‘${text}’` : `“${text}”`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * A story's time as people write it; `short` leaves out the weekday and the year.
 * @param {string} time
 */
export function clock(time, short = false) {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/.exec(time);
  if (!found) return time;
  const [year, month, day] = found.slice(1, 4).map(Number);
  const date = `${day} ${MONTHS[month - 1]}`;
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${short ? date : `${weekday} ${date} ${found[1]}`}${found[4] ? ` ${found[4]}` : ""}`;
}

export const main = $("#main");
/** @type {Record<string, { key: string, words: string }>} */
export const settings = JSON.parse(main.dataset.keys);
/** @param {string} action */
export const keyOf = (action) => settings[action].key;

/** @param {string} words */
export function say(words) {
  $("#live").textContent = words;
}

export const help = () => $("#help").showModal();

/**
 * @param {string} place
 * @param {string} about
 */
export function note(place, about) {
  $("#note-place").value = place;
  $("#note-about").textContent = about;
  $("#note").showModal();
}

/** @param {number} seconds */
const hours = (seconds) => {
  const minutes = Math.round(seconds / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
};

/** @type {Record<string, (waiting: number, detail: any) => string>} */
const WORDS = {
  waiting: (waiting) => `… saving ${waiting}`,
  refused: (_, reason) => `Not saved: ${reason}`,
  conflict: () => "Not saved: another tab was quicker",
  offline: (waiting) => `No connection: ${waiting} kept here, sent when it is back`,
  "signed-out": (waiting) => `Signed out: ${waiting} kept here; sign in in another tab`,
  "other-person": (waiting) => `Another person signed in: ${waiting} kept here for you`,
  closed: (waiting) => `No longer open to you: ${waiting} kept here; ask a manager`,
  full: (waiting) => `The server’s disk is full: ${waiting} kept here; tell a manager`,
  broken: (waiting, what) =>
    `The server has a problem (${what}): ${waiting} kept here, tried again`,
};

/**
 * An outbox that says in the page's head what became of the entries.
 * @param {Partial<import("./outbox.js").Options>} options
 */
export function openOutbox(options) {
  const saved = $("#saved");
  const outbox = new Outbox({
    topic: main.dataset.topic,
    person: main.dataset.person,
    proof: main.dataset.proof,
    touches: () => [],
    describe: ({ action }) => action,
    onRefused: () => {},
    ...options,
    onState(state, waiting, detail) {
      saved.className = "saved";
      if (state === "saved") {
        saved.textContent = `✓ Saved · entry ${detail.entry}`;
        $("#active").textContent = hours(detail.seconds);
        return;
      }
      // What a screen said about a conflict in its own words stays.
      if (state === "conflict" && saved.textContent.startsWith("Not saved")) detail = true;
      else saved.textContent = WORDS[state](waiting, detail);
      saved.classList.add(state === "waiting" ? "waiting" : "lost");
    },
  });
  listRefusals(saved, outbox);
  sendNotes(outbox);
  handInLast(outbox);
  return outbox;
}

/**
 * A button beside the word on what is saved, and the list of what was refused behind it.
 * @param {any} saved
 * @param {Outbox} outbox
 */
function listRefusals(saved, outbox) {
  const { refusals } = outbox;
  const button = el("button", "small");
  button.type = "button";
  button.id = "refusals";
  const dialog = el("dialog");
  dialog.id = "refused";
  dialog.setAttribute("aria-labelledby", "refused-title");
  const title = el("h2", "", "Not saved");
  title.id = "refused-title";
  const list = el("ul", "list");
  const clear = el("button", "", "Clear the list");
  const close = el("button", "main", "Close");
  const row = el("div", "row");
  row.append(close, clear);
  dialog.append(title, el("p", "soft", "This is not on the server, and was taken back here."));
  dialog.append(list, row);
  saved.after(button);
  document.body.append(dialog);
  refusals.onChange = () => {
    button.hidden = !refusals.list.length;
    button.textContent = `${refusals.list.length} not saved: see which`;
    list.replaceChildren(
      ...refusals.list.map(({ what, reason, time }) => {
        const item = el("li");
        const words = el("b", "", what);
        words.dir = "auto";
        item.append(words, ` – ${reason} (${new Date(time).toLocaleTimeString()})`);
        return item;
      }),
    );
  };
  refusals.onChange();
  button.addEventListener("click", () => {
    refusals.look();
    if (!dialog.open) dialog.showModal();
  });
  close.addEventListener("click", () => dialog.close());
  clear.addEventListener("click", () => {
    refusals.clear();
    dialog.close();
  });
}

/**
 * Notes go the same way, so that writing one does not lose the place.
 * @param {Outbox} outbox
 */
function sendNotes(outbox) {
  const form = $("#note form");
  form?.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const { place, text } = form.elements;
    outbox.push("notes", { fields: { place: [place.value], text: [text.value] } });
    text.value = "";
    $("#note").close();
    say("note sent");
  });
}

/**
 * Handing in waits for what is still on its way: afterwards it would be refused. What was refused
 * is shown first.
 * @param {Outbox} outbox
 */
function handInLast(outbox) {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { refusals } = outbox;
    if (form.id !== "submit" || !(outbox.queue.length || refusals.unseen().length)) return;
    event.preventDefault();
    const { length } = refusals.list;
    await outbox.settled();
    if (refusals.list.length === length && !refusals.unseen().length) form.submit();
    else $("#refusals").click();
  });
}

/** @param {string} words */
export function warn(words) {
  const saved = $("#saved");
  saved.className = "saved lost";
  saved.textContent = words;
}

/** @param {string} words */
export const refused = (words) => warn(`Not saved: ${words}`);
