// Turns to another event or unit within the page: nothing is reloaded, and what is typed
// meanwhile waits for it.

import { $, main, warn } from "./page.js";

/** Milliseconds that it takes to notice that something went wrong. */
const NOTICE = 1000;

/**
 * @typedef {{
 *   keys: import("./keys.js").Keys,
 *   outbox: import("./outbox.js").Outbox,
 *   parts: string[],
 *   shown: (about?: string) => void,
 * }} Options `parts` are the ids of what differs from page to page; `shown` reads it again.
 */

export class Turner {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    window.addEventListener("popstate", () => this.turn(location.href, false));
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element && event.target.closest("a.ev");
      if (!(link instanceof HTMLAnchorElement)) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.turn(link.href);
    });
  }

  /**
   * @param {string | undefined} href
   * @param {boolean} [remember]
   */
  async turn(href, remember = true) {
    if (!href) return;
    $("#stream").focus();
    await this.options.keys.hold(async () => {
      if (!(await this.options.outbox.sent())) return this.fail("what was done is not sent yet");
      return this.show(await this.fetch(href), remember);
    });
  }

  /**
   * Sends a form that makes the server draw the page again; says why, if it is refused.
   * @param {HTMLFormElement} form
   */
  async send(form) {
    $("#stream").focus();
    await this.options.keys.hold(async () => {
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form)) body.append(name, String(value));
      return this.show(await this.fetch(form.action, { method: "POST", body }), false);
    });
  }

  /**
   * @param {string} href
   * @param {RequestInit} [request]
   */
  async fetch(href, request = {}) {
    try {
      return await fetch(href, { credentials: "same-origin", ...request });
    } catch {
      return null;
    }
  }

  /**
   * @param {Response | null} response
   * @param {boolean} remember
   * @param {string} [about] What to go to there.
   */
  async show(response, remember, about) {
    if (!response) return this.fail("no connection");
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("main");
    if (response.ok && !fresh?.dataset.keys) {
      // To sign in, or to read new guidelines first. Until this page is gone its keys wait, as they
      // are meant for another; they act again if the browser brings it back.
      const back = new Promise((resume) => addEventListener("pageshow", resume, { once: true }));
      location.assign(response.url);
      await back;
      return false;
    }
    if (!response.ok || !fresh) {
      const reason = page.querySelector("[role=alert]")?.textContent?.trim();
      return this.fail(reason || `the server says ${response.status}`);
    }
    for (const name of this.options.parts) {
      const [old, other] = [document, page].map((one) => one.getElementById(name));
      old?.replaceChildren(...(other?.childNodes ?? []));
    }
    Object.assign(main.dataset, { ...fresh.dataset, proof: main.dataset.proof });
    if (remember) history.pushState(null, "", response.url);
    this.options.shown(about);
    return true;
  }

  /**
   * Says what happened; keys pressed before the person has seen it do nothing either.
   * @param {string} reason
   */
  async fail(reason) {
    warn(`Not shown: ${reason}`);
    await new Promise((resume) => setTimeout(resume, NOTICE));
    const { length } = this.options.keys.waiting;
    if (length) warn(`Not shown: ${reason}; ${length} keys that you pressed since did nothing`);
    return false;
  }
}
