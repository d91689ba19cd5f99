// Screens made of forms: a form is sent as an entry, nothing is reloaded, and what is typed
// meanwhile goes where it was meant to go.
//
// A form with `data-entry` is sent through the outbox under its own address; with "clear" it is
// empty again at once, for the next entry. Drafts stay in the browser until they are sent.

import { guidelines } from "./keys.js";
import { refreshPart } from "./morph.js";
import { storageName } from "./outbox.js";
import { $, el, main, openOutbox, quote, say, settings } from "./page.js";

const NOT_SENT = new Set(["proof", "key", "back"]);
const TYPED = "input[type=text], input:not([type]), textarea";
const TYPED_IN = "input:not([type=checkbox]), textarea, select, dialog";

/**
 * @typedef {HTMLInputElement | HTMLTextAreaElement} Field
 * @typedef {Record<string, string[]>} FormFields
 * @typedef {import("./outbox.js").Entry} Entry
 */

/**
 * Where a form is posted to, within the topic; a field may be called "action" as well.
 * @param {HTMLFormElement} form
 */
const actionOf = (form) => form.getAttribute("action")?.split(`/t/${main.dataset.topic}/`)[1] ?? "";

/**
 * The fields of a form that something is typed into.
 * @param {ParentNode} form
 * @returns {Field[]}
 */
const typedIn = (form) => [.../** @type {NodeListOf<Field>} */ (form.querySelectorAll(TYPED))];

/**
 * @param {ParentNode} form
 * @returns {HTMLInputElement[]}
 */
const boxesOf = (form) => [
  .../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=checkbox]")),
];

/**
 * Which form this is, among those with the same address.
 * @param {HTMLFormElement} form
 */
const signature = (form) =>
  [
    actionOf(form),
    ...[.../** @type {NodeListOf<Field>} */ (form.querySelectorAll("input[type=hidden]"))]
      .filter(({ name }) => !NOT_SENT.has(name) && name !== "story" && name !== "action")
      .map(({ name, value }) => `${name}=${value}`),
  ].join("&");

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 * @returns {FormFields}
 */
function fieldsOf(form, submitter) {
  /** @type {FormFields} */
  const fields = {};
  for (const [name, value] of new FormData(form, submitter)) {
    if (!NOT_SENT.has(name)) (fields[name] ??= []).push(String(value));
  }
  return fields;
}

class Drafts {
  constructor() {
    this.prefix = `${storageName("draft")}:${main.dataset.person}:${main.dataset.topic}:`;
  }

  /** @param {Field} field */
  nameOf(field) {
    return `${this.prefix}${field.form ? signature(field.form) : ""}:${field.name}`;
  }

  /** @param {Field} field */
  keep(field) {
    try {
      if (field.value === field.defaultValue) localStorage.removeItem(this.nameOf(field));
      else localStorage.setItem(this.nameOf(field), field.value);
    } catch {
      // The browser's storage is full: the draft lives as long as the page.
    }
  }

  restore() {
    for (const field of typedIn(document)) {
      if (!field.form?.matches("[data-entry]")) continue;
      const draft = localStorage.getItem(this.nameOf(field));
      if (draft !== null && field.value === field.defaultValue) field.value = draft;
    }
  }

  /** @param {HTMLFormElement} form */
  forget(form) {
    for (const field of typedIn(form)) localStorage.removeItem(this.nameOf(field));
  }
}

/**
 * @typedef {{
 *   parts: string[],
 *   sent?: (form: HTMLFormElement, fields: FormFields, key: string) => void,
 *   refreshed?: () => void,
 *   takenBack?: (entries: Entry[]) => void,
 * }} Screen
 */
export class Forms {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.drafts = new Drafts();
    /** @type {string[]} The keys of what was done since the page was opened, to be undone. */
    this.done = [];
    this.refreshing = false;
    this.outbox = openOutbox({
      describe: ({ action, body }) => describe(action, body.fields ?? {}),
      onSaved: () => this.refreshSoon(),
      onRefused: (entries, reason) => this.takeBack(entries, reason),
    });
    document.addEventListener("submit", (event) => {
      const form = /** @type {HTMLFormElement} */ (event.target);
      if (!form.matches("[data-entry]") || event.defaultPrevented) return;
      event.preventDefault();
      if (form.id === "undo") this.undo();
      else this.send(form, event.submitter);
    });
    document.addEventListener("input", ({ target }) => {
      const field = /** @type {Field} */ (target);
      if (field.matches(`form[data-entry] :is(${TYPED})`)) this.drafts.keep(field);
    });
    document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey, target }) => {
      if (ctrlKey || metaKey || altKey || key !== settings.guidelines?.key) return;
      const inside = target instanceof Element && target.closest(TYPED_IN);
      // Screens with a stream have more keys, and bind them all.
      if (!inside && !$("#stream")) guidelines();
    });
    this.drafts.restore();
    this.outbox.adopt().then((left) => {
      if (left.length) this.outbox.flush();
    });
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} [submitter]
   */
  send(form, submitter) {
    const fields = fieldsOf(form, submitter);
    form.querySelector("[role=alert]")?.remove();
    const action = actionOf(form);
    const key = this.outbox.push(action, { fields }, { form: signature(form) });
    this.drafts.forget(form);
    if (form.dataset.entry === "clear") empty(form, submitter);
    if (action !== "notes") this.done.push(key);
    this.screen.sent?.(form, fields, key);
    return key;
  }

  /** Takes back the last thing that was done here, or before the page was opened. */
  async undo() {
    const key = this.done.pop();
    let action = key && `${main.dataset.person}:${key}`;
    if (!action) {
      await this.outbox.settled();
      await this.refresh();
      action = $("#undo [name=action]")?.value;
    }
    if (!action) return say("nothing to undo");
    this.outbox.push("undo", { fields: { action: [action] } });
    document.querySelector(`[data-key="${key}"]`)?.remove();
    say("undone");
  }

  async refreshSoon() {
    if (this.refreshing) return;
    this.refreshing = true;
    await this.outbox.settled();
    this.refreshing = false;
    await this.refresh();
  }

  /** Shows what the server shows now, but not over something that it does not know yet. */
  async refresh() {
    try {
      const response = await fetch(location.href, { credentials: "same-origin" });
      if (!response.ok || response.redirected) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (this.outbox.queue.length) return;
      for (const name of this.screen.parts) {
        const [old, fresh] = [document, page].map((one) => one.getElementById(name));
        if (old && fresh) refreshPart(old, fresh);
      }
      this.screen.refreshed?.();
    } catch {
      // No connection: the outbox says so at the next entry.
    }
  }

  /**
   * What was refused comes back into its form, with the reason, if that is still free.
   * @param {Entry[]} entries
   * @param {string} reason
   */
  takeBack(entries, reason) {
    for (const { key, body, before } of entries) {
      this.done = this.done.filter((one) => one !== key);
      document.querySelector(`[data-key="${key}"]`)?.remove();
      const forms = /** @type {NodeListOf<HTMLFormElement>} */ (
        document.querySelectorAll("form[data-entry]")
      );
      const form = [...forms].find((one) => signature(one) === before?.form);
      if (!form) continue;
      fill(form, body.fields, reason, this.drafts);
      // It is beside the form.
      this.outbox.refusals.look();
    }
    this.screen.takenBack?.(entries);
    this.refreshSoon();
  }
}

/**
 * Empties what was sent: ticks, and the fields beside the button that was pressed.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 */
function empty(form, submitter) {
  for (const box of boxesOf(form)) box.checked = false;
  const among = form.querySelector(".ticks") ? submitter?.closest(".row") : form;
  for (const field of among ? typedIn(among) : []) field.value = "";
  for (const list of among?.querySelectorAll("select") ?? []) {
    if ([...list.options].some(({ value }) => !value)) list.value = "";
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {FormFields} fields
 * @param {string} reason
 * @param {Drafts} drafts
 */
function fill(form, fields, reason, drafts) {
  form.querySelector("[role=alert]")?.remove();
  const alert = el("p", "warning small", reason);
  alert.setAttribute("role", "alert");
  alert.id = `wrong-${form.id || fields.id || ""}`;
  const typed = typedIn(form);
  // A person who keeps typing loses nothing; what was refused is in the list.
  if (form.dataset.entry === "clear" && typed.every(({ value }) => !value)) {
    for (const field of typed) {
      field.value = fields[field.name]?.[0] ?? "";
      drafts.keep(field);
    }
    for (const box of boxesOf(form)) {
      box.checked = fields[box.name]?.includes(box.value) ?? false;
    }
    for (const list of form.querySelectorAll("select")) {
      if (fields[list.name]) list.value = fields[list.name][0];
    }
  } else if (form.dataset.entry === "clear") {
    alert.append(` It is kept: ${quote((fields.text ?? fields.reason ?? []).join(" "))}.`);
  }
  const place = form.querySelector(".ticks") ?? form;
  const button = place === form && form.querySelector("div > button.main");
  if (button) button.parentElement?.before(alert);
  else place.append(alert);
}

/** @type {Record<string, string>} What a form does, in the list of what was refused. */
const ACTIONS = {
  write: "New line",
  "write/change": "Changed line",
  "identify/candidates": "New event",
  "identify/candidates/change": "Reworded event",
  "identify/read": "Story read",
  withdraw: "Withdrawn",
  same: "One event",
  add: "Added to an event",
  rename: "Renamed event",
  omit: "Left out",
  "omit-event": "Event left out or brought back",
  take: "Taken out",
  apart: "Event taken apart",
  unit: "New unit",
  put: "Added to a unit",
  edit: "Changed unit",
  merge: "Merged units",
  undo: "Undo",
  notes: "Note",
};

/**
 * @param {string} action
 * @param {FormFields} fields
 */
function describe(action, fields) {
  const { text, reason, when, story } = fields;
  const words = [...(when ?? []), ...(text ?? reason ?? story ?? [])].filter(Boolean).join(" ");
  const what = ACTIONS[fields.do?.[0] ?? (fields.withdraw ? "withdraw" : action)] ?? action;
  return `${what}${words ? `: ${quote(words)}` : ""}`;
}
