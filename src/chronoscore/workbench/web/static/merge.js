// The merge board: suggestions left, events right; a key or a drop assigns candidates at once.

import { Forms } from "./forms.js";
import { bind } from "./keys.js";
import { $, el, help, main, note, say } from "./page.js";

/** @type {HTMLElement} */
const root = $("#stream");
const frozen = main.dataset.frozen === "yes";

const store = {
  /** The id of the suggestion that keys act on, and its place among the others. */
  group: "",
  place: 0,
  /** The event that is renamed or taken apart by a key. */
  event: "",
  /** @type {Map<string, HTMLFormElement>} What is not shown until the server answers, by key. */
  sent: new Map(),
};

const forms = new Forms({
  parts: ["left", "undoing", "groups", "made"],
  refreshed: draw,
  sent: follow,
  takenBack(entries) {
    for (const { key } of entries) bringBack(key);
    draw();
  },
});

/** @returns {HTMLFormElement[]} */
const groups = () => [...$("#groups").querySelectorAll("form.group:not([hidden])")].filter(isOpen);
/** @param {Element} form */
const isOpen = (form) => form.checkVisibility();
/** @returns {HTMLElement[]} The events in the order of their numbers, those on their way last. */
const rows = () => [...$("#list").querySelectorAll("li[data-number], li.pending")];
/** @returns {HTMLElement[]} */
const numbered = () => rows().filter((row) => row.dataset.number !== "");
const current = () => groups().find(({ id }) => id === store.group);
/**
 * @param {HTMLFormElement} form
 * @param {string} what
 * @returns {HTMLButtonElement | null}
 */
const button = (form, what) => form.querySelector(`[name=do][value="${what}"]`);

/** Shows which suggestion and which event the keys act on. */
function draw() {
  const all = groups();
  const at = all.findIndex(({ id }) => id === store.group);
  store.place = at >= 0 ? at : Math.max(0, Math.min(store.place, all.length - 1));
  store.group = all[store.place]?.id ?? "";
  for (const form of document.querySelectorAll("form.group")) {
    form.classList.toggle("current", form.id === store.group);
  }
  if (!rows().some(({ id }) => id && id === store.event)) {
    store.event = rows().findLast(({ id }) => id)?.id ?? "";
  }
  for (const row of rows())
    row.classList.toggle("current", row.id === store.event && row.id !== "");
}

/** @param {number} at */
function go(at) {
  store.place = Math.max(0, Math.min(at, groups().length - 1));
  store.group = groups()[store.place]?.id ?? "";
  draw();
  const form = current();
  form?.scrollIntoView({ block: "nearest" });
  say(form?.querySelector(".why")?.textContent ?? "no candidate is left");
}

/** @param {number} by */
function goToEvent(by) {
  const known = rows().filter(({ id }) => id);
  const at = known.findIndex(({ id }) => id === store.event) + by;
  store.event = known[Math.max(0, Math.min(at, known.length - 1))]?.id ?? "";
  draw();
  const row = store.event && document.getElementById(store.event);
  if (row) row.scrollIntoView({ block: "nearest" });
}

/**
 * What was sent leaves the suggestions; a new event is in the list before the server has it.
 * @param {HTMLFormElement} form
 * @param {import("./forms.js").FormFields} fields
 * @param {string} key
 */
function follow(form, fields, key) {
  if (fields.event?.[0]) store.event = fields.event[0];
  if (!form.matches(".group")) return draw();
  const inside = form.contains(document.activeElement);
  if (form.id !== "group-assigned") {
    form.hidden = true;
    store.sent.set(key, form);
  }
  if (fields.do?.[0] === "same") {
    const first = form.querySelector("input:checked")?.closest("li");
    const text = fields.text?.[0] || first?.querySelector("[dir]")?.textContent || "";
    const item = el("li", "pending");
    item.dataset.key = key;
    const name = el("b", "", text);
    name.dir = "auto";
    item.append(el("span"), name);
    $("#list .none")?.remove();
    $("#list").append(item);
  }
  if (inside) root.focus();
  draw();
  say(`${fields.candidate?.length ?? 0} assigned`);
}

/** @param {string} key */
function bringBack(key) {
  const form = store.sent.get(key);
  if (form) form.hidden = false;
  store.sent.delete(key);
}

/**
 * @param {HTMLFormElement | undefined} form
 * @param {string} what
 */
function send(form, what) {
  if (frozen) return say("handed in and frozen");
  if (!form) return say("no candidate is left");
  if (!form.querySelector("[name=candidate]:checked")) return say("tick a candidate first");
  forms.send(form, button(form, what));
}

/**
 * Adds the ticked candidates to the event with a number, once the server has told its name.
 * @param {HTMLFormElement | undefined} form
 * @param {HTMLElement | undefined} row
 */
function addTo(form, row) {
  const list = form?.querySelector("select");
  if (!list || !row?.dataset.event) return say("no such event");
  list.value = row.dataset.event;
  send(form, "add");
}

/** @param {string} key */
function otherKey(key) {
  if (key === "0") {
    fill("reason");
    return true;
  }
  if (!/^[1-9]$/.test(key)) return false;
  const at = Number(key) - 1;
  const row = numbered()[at];
  if (row?.matches(".pending")) {
    if (!navigator.onLine || forms.outbox.failures) say("this event is not saved yet");
    else {
      keys.hold(async () => {
        await forms.outbox.settled();
        await forms.refresh();
        return true;
      });
      keys.press(() => addTo(current(), numbered()[at]), key);
    }
  } else addTo(current(), row);
  return true;
}

/**
 * Opens the fields of the current suggestion, with the cursor in one of them.
 * @param {string} name
 */
function fill(name) {
  const form = current();
  if (!form || frozen) return;
  const more = form.querySelector("details.more");
  if (more instanceof HTMLDetailsElement) more.open = true;
  const field = form.querySelector(`[name="${name}"]`);
  if (field instanceof HTMLElement) field.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Only the first stays ticked; the others come next. */
function apart() {
  const boxes = current()?.querySelectorAll("input[type=checkbox]") ?? [];
  boxes.forEach((box, at) => {
    if (box instanceof HTMLInputElement) box.checked = at === 0;
  });
  say("only the first is ticked; the others come next");
}

function rename() {
  const row = store.event && document.getElementById(store.event);
  const details = row && row.querySelector("details");
  if (!details) return say("no event yet");
  details.open = true;
  const field = details.querySelector("[name=text]");
  if (field instanceof HTMLInputElement) field.select();
}

function takeApart() {
  const form = store.event && document.querySelector(`#${CSS.escape(store.event)} [data-apart]`);
  if (!(form instanceof HTMLFormElement)) return say("no event yet");
  forms.send(form, button(form, "apart"));
  say("taken apart");
}

function undo() {
  if (frozen) return say("handed in and frozen");
  const last = forms.done.at(-1);
  forms.undo();
  if (last) bringBack(last);
  draw();
}

const keys = bind(
  root,
  {
    "one-event": () => send(current(), "same"),
    apart,
    words: () => fill("text"),
    "add-to": () => fill("event"),
    rename,
    "take-apart": takeApart,
    "group-next": () => go(store.place + 1),
    "group-back": () => go(store.place - 1),
    "chosen-next": () => goToEvent(1),
    "chosen-back": () => goToEvent(-1),
    undo,
    note() {
      const label = current()?.querySelector(".src")?.textContent?.trim().split(/\s/)[0] ?? "";
      note("", label ? `the candidates of ${label}` : "the list of events");
    },
    help,
  },
  otherKey,
);

/**
 * What is dragged: the ticked candidates of a suggestion, or one that is not ticked.
 * @param {DragEvent} event
 */
function drag(event) {
  const item = event.target instanceof Element && event.target.closest(".cand");
  const form = item && item.closest("form");
  const box = item && item.querySelector("input");
  if (!form || !box || !event.dataTransfer) return;
  if (!box.checked) {
    for (const other of form.querySelectorAll("input[type=checkbox]")) {
      if (other instanceof HTMLInputElement) other.checked = other === box;
    }
  }
  store.group = form.id;
  draw();
  event.dataTransfer.setData("text/plain", form.id);
  event.dataTransfer.effectAllowed = "move";
}

/** @param {DragEvent} event */
const target = (event) =>
  event.target instanceof Element && event.target.closest("#drop, #list li[data-event]");

function listen() {
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      const over = target(/** @type {DragEvent} */ (event));
      if (!(over instanceof HTMLElement)) return;
      over.classList.toggle("over", name === "dragover");
      if (name === "dragover") event.preventDefault();
      if (name !== "drop") return;
      event.preventDefault();
      if (over.id === "drop") send(current(), "same");
      else addTo(current(), over);
    });
  }
  root.addEventListener("dragstart", drag);
  for (const name of ["click", "focusin"]) {
    document.addEventListener(name, ({ target: clicked }) => {
      if (!(clicked instanceof Element)) return;
      store.group = clicked.closest("form.group")?.id ?? store.group;
      store.event = clicked.closest("#list > li[data-event]")?.id ?? store.event;
      draw();
    });
  }
  document.addEventListener("click", ({ target: clicked }) => {
    const pressed = clicked instanceof Element && clicked.closest("[data-act], #accept-all");
    if (!(pressed instanceof HTMLElement)) return;
    if (pressed.id === "accept-all") for (const form of groups()) accept(form);
    else if (pressed.dataset.act === "apart") apart();
    else fill(pressed.dataset.act === "add" ? "event" : "reason");
  });
  // Enter in a field does what the button beside it does.
  root.addEventListener("keydown", (event) => {
    const field =
      event.target instanceof Element && event.target.closest(".more input, .more select");
    if (event.key !== "Enter" || event.isComposing || !field) return;
    event.preventDefault();
    const beside = field.closest(".row")?.querySelector("button");
    if (beside instanceof HTMLButtonElement) beside.click();
  });
}

/** @param {HTMLFormElement} form */
function accept(form) {
  if (form.id !== "group-assigned") send(form, "same");
}

listen();
draw();
root.focus({ preventScroll: true });
root.dataset.ready = "yes";
document.body.dataset.ready = "yes";
