// Single keys: what they do, and that they wait while a screen turns to something else.

import { BASE } from "./outbox.js";
import { main, settings } from "./page.js";

/** The guidelines for this step, beside the work. */
export const guidelines = () =>
  window.open(`${BASE}t/${main.dataset.topic}/guidelines`, "guidelines");

const ARROWS = {
  ArrowDown: "next",
  ArrowUp: "back",
  ArrowRight: "anchor-next",
  ArrowLeft: "anchor-back",
};

/** Keys act in the order in which they are pressed; while a screen turns, they wait. */
export class Keys {
  /** @param {HTMLElement} stream */
  constructor(stream) {
    this.stream = stream;
    this.held = false;
    /** @type {{ run: () => void, key: string }[]} */
    this.waiting = [];
  }

  /**
   * @param {() => void} run
   * @param {string} [key]
   */
  press(run, key = "") {
    this.waiting.push({ run, key });
    this.drain();
  }

  drain() {
    while (!this.held) {
      const next = this.waiting.shift();
      if (!next) return;
      const field = document.activeElement;
      // What waited behind a key that opens a dialog is text.
      const typed = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
      if (typed && next.key.length === 1) field.setRangeText(next.key, ...END(field), "end");
      else next.run();
    }
  }

  /**
   * Lets keys wait for some work; if it fails, what waited is forgotten, as it was meant for
   * something that is not there.
   * @param {() => Promise<boolean>} work
   */
  async hold(work) {
    if (this.held) return;
    this.held = true;
    this.stream.ariaBusy = "true";
    try {
      if (!(await work())) this.waiting.length = 0;
    } finally {
      this.held = false;
      this.stream.ariaBusy = null;
    }
    this.drain();
  }
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @returns {[number, number]}
 */
const END = ({ value }) => [value.length, value.length];

const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select, dialog";

/**
 * Whether a key belongs to what has the focus: text that is typed, a button that is pressed, a
 * panel that is scrolled.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} stream
 */
function isTaken({ key, target }, stream) {
  if (!(target instanceof Element) || document.querySelector("dialog[open]")) return true;
  if (target.closest(TYPED_IN)) return true;
  if (key === "Enter" || key === " ") return Boolean(target.closest("button, a, summary, input"));
  return key in ARROWS && target !== document.body && !stream.contains(target);
}

/**
 * Single keys act wherever nothing is typed, so that a click beside the stream does not turn them
 * off; every action can be clicked as well.
 * @param {HTMLElement} stream
 * @param {Record<string, () => void>} actions
 * @param {(key: string, event: KeyboardEvent) => boolean} otherKey
 */
export function bind(stream, actions, otherKey = () => false) {
  actions = { guidelines, ...actions };
  const keys = new Keys(stream);
  /** @type {Map<string, string>} */
  const byKey = new Map();
  for (const [action, { key }] of Object.entries(settings)) {
    if (actions[action]) byKey.set(key, action);
  }
  document.addEventListener("keydown", (event) => {
    if (isTaken(event, stream)) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && actions.undo) {
      event.preventDefault();
      keys.press(actions.undo);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    const action = byKey.get(event.key) ?? (actions[arrow] ? arrow : undefined);
    if (action) {
      event.preventDefault();
      keys.press(actions[action], event.key);
    } else if (keys.held && event.key.length === 1) {
      event.preventDefault();
      keys.press(() => otherKey(event.key, event), event.key);
    } else if (otherKey(event.key, event)) {
      event.preventDefault();
    }
  });
  bindButtons(stream, actions, keys);
  document.addEventListener("keydown", ({ key, target }) => {
    const inside = target instanceof Element && target.closest("#new, #side, .side");
    if (key === "Escape" && inside) stream.focus();
  });
  return keys;
}

/**
 * @param {HTMLElement} stream
 * @param {Record<string, () => void>} actions
 * @param {Keys} keys
 */
function bindButtons(stream, actions, keys) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-do]")
  )) {
    const action = actions[button.dataset.do ?? ""];
    if (!action) continue;
    button.addEventListener("click", () => {
      keys.press(action);
      const open = document.querySelector("dialog[open]");
      if (!open && document.activeElement === button) stream.focus();
    });
  }
  const more = document.querySelector("[data-more]");
  more?.addEventListener("click", () => {
    const all = Boolean(more.closest(".keysbar")?.classList.toggle("all"));
    more.setAttribute("aria-expanded", String(all));
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", () => stream.focus());
  }
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
}
