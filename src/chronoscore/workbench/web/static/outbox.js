// Keeps what a person did until the server has acknowledged it.
//
// Entries wait in the browser's own storage under keys made here, so that a closed tab, a lost
// network or a signed-out session loses nothing, and an entry sent twice counts once.

// The workbench's own folder, which may not be the root of its host.
export const BASE = new URL("..", import.meta.url).pathname;

const RETRY = [500, 1000, 2000, 4000, 8000];
const MOST_ENTRIES = 100;
// Browsers refuse a request of more than 64 KiB while the page is being closed.
const LARGEST_BATCH = 48 * 1024;

/**
 * What a person did. `before` is what the screen showed before it, and stays in the browser.
 * @typedef {{ key: string, action: string, body: any, before?: any }} Entry
 *
 * @typedef {{
 *   key: string, entry?: number, seconds?: number, data?: any, refused?: string, conflict?: any,
 * }} Answer
 *
 * @typedef {"saved" | "waiting" | "refused" | "conflict" | "offline" | "signed-out"
 *   | "other-person" | "closed" | "full" | "broken"} State
 *
 * @typedef {{ time: number, what: string, reason: string, seen: boolean }} Refusal
 *
 * @typedef {{
 *   topic: string,
 *   person: string,
 *   proof: string,
 *   onState: (state: State, waiting: number, detail?: any) => void,
 *   onSaved?: (entry: Entry, answer: Answer) => void,
 *   onConflict?: (entry: Entry, conflict: any) => void,
 *   onRefused: (entries: Entry[], reason: string) => void,
 *   touches: (entry: Entry) => string[],
 *   describe: (entry: Entry) => string,
 * }} Options
 */

/**
 * A name in the browser's storage, which all workbenches of a host share.
 * @param {string} what
 */
export const storageName = (what) => `chronoscore${BASE === "/" ? "" : BASE}:${what}`;

export const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** @type {Set<State>} What an outbox says while the server takes what it is sent. */
const TAKEN = new Set(["saved", "waiting", "refused", "conflict"]);

/** @param {Entry[]} entries */
const message = (entries) =>
  JSON.stringify({ entries: entries.map(({ key, action, body }) => ({ key, action, body })) });

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text).length;

export class Outbox {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.proof = options.proof;
    this.prefix = `${storageName("outbox")}:${options.person}:${options.topic}:`;
    this.tab = freshKey();
    /** @type {Entry[]} */
    this.queue = [];
    const where = `${options.person}:${options.topic}:${location.pathname.split("/").at(-1)}`;
    this.refusals = new Refusals(`${storageName("refused")}:${where}`);
    this.most = MOST_ENTRIES;
    this.largest = LARGEST_BATCH;
    this.failures = 0;
    this.sending = false;
    this.stopped = false;
    this.renewed = false;
    this.timer = 0;
    this.soon = 0;
    /** @type {(() => void)[]} */
    this.awaiting = [];
    /** @type {((sent: boolean) => void)[]} */
    this.curious = [];
    if (navigator.locks) {
      navigator.locks.request(this.prefix + this.tab, () => new Promise(() => {}));
    }
    window.addEventListener("online", () => this.flush());
    window.addEventListener("pagehide", () => this.sendLast());
  }

  /** Takes over what tabs that are gone have left behind. */
  async adopt() {
    const alive = new Set();
    if (navigator.locks) {
      for (const lock of (await navigator.locks.query()).held ?? []) alive.add(lock.name);
    }
    const abandoned = Object.keys(localStorage).filter(
      (name) => name.startsWith(this.prefix) && !alive.has(name),
    );
    for (const name of abandoned) {
      try {
        this.queue.push(...JSON.parse(localStorage.getItem(name) ?? "[]"));
      } catch {
        // Not ours.
      }
      localStorage.removeItem(name);
    }
    this.keep();
    if (this.queue.length) this.tell("waiting");
    return this.queue;
  }

  /**
   * @param {string} action
   * @param {any} body
   * @param {any} [before]
   */
  push(action, body, before) {
    const entry = { key: freshKey(), action, body, before };
    this.queue.push(entry);
    this.keep();
    this.tell("waiting");
    // The change comes onto the screen first; keys in quick succession travel together.
    this.soon ||= setTimeout(() => {
      this.soon = 0;
      this.flush();
    }, 30);
    return entry.key;
  }

  /**
   * After a conflict: nothing that waits changes the same things, for it built upon what did not
   * stand. What an entry changes is listed in its body, or is the body itself.
   * @param {(change: any) => boolean} about
   */
  forget(about) {
    this.queue = this.queue.flatMap((entry) => {
      if (!entry.body.changes) return about(entry.body) ? [] : [entry];
      const changes = entry.body.changes.filter((/** @type {any} */ one) => !about(one));
      return changes.length ? [{ ...entry, body: { ...entry.body, changes } }] : [];
    });
    this.keep();
  }

  keep() {
    const name = this.prefix + this.tab;
    try {
      if (this.queue.length) localStorage.setItem(name, JSON.stringify(this.queue));
      else localStorage.removeItem(name);
    } catch {
      // The browser's storage is full: what waits is kept by this page alone.
    }
    if (this.queue.length) return;
    for (const resume of this.awaiting.splice(0)) resume();
    for (const resume of this.curious.splice(0)) resume(true);
  }

  /** Resolves once nothing waits any more. */
  settled() {
    if (!this.queue.length) return Promise.resolve();
    return new Promise((resume) => this.awaiting.push(() => resume(undefined)));
  }

  /** Resolves to whether all was sent: true once nothing waits, false as soon as a try fails. */
  sent() {
    if (!this.queue.length) return Promise.resolve(true);
    if (this.failures) return Promise.resolve(false);
    return new Promise((resume) => this.curious.push(resume));
  }

  /**
   * @param {State} state
   * @param {Answer | string} [detail]
   */
  tell(state, detail) {
    this.options.onState(state, this.queue.length, detail);
    if (!TAKEN.has(state)) for (const resume of this.curious.splice(0)) resume(false);
  }

  /** As many of the first entries as fit into one request; at least one. */
  batch() {
    let size = 0;
    let count = 0;
    for (const entry of this.queue.slice(0, this.most)) {
      size += bytes(message([entry]));
      if (count && size > this.largest) break;
      count += 1;
    }
    return this.queue.slice(0, count);
  }

  /**
   * @param {Entry[]} batch
   * @param {boolean} [closing]
   */
  post(batch, closing = false) {
    return fetch(`${BASE}t/${this.options.topic}/log`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Form-Proof": this.proof },
      body: message(batch),
      credentials: "same-origin",
      keepalive: closing,
    });
  }

  /** The page goes away: what fits is sent without waiting; the rest is adopted later. */
  sendLast() {
    if (this.queue.length) this.post(this.batch(), true).catch(() => {});
  }

  async flush() {
    if (this.sending || this.stopped || !this.queue.length) return;
    clearTimeout(this.timer);
    this.sending = true;
    const batch = this.batch();
    let wait = 0;
    try {
      const response = await this.post(batch);
      if (response.ok) {
        const { answers } = await response.json();
        this.failures = 0;
        this.renewed = false;
        this.most = MOST_ENTRIES;
        this.take(answers);
      } else {
        wait = await this.fail(response, batch);
      }
    } catch (error) {
      // Without a network `fetch` fails with a TypeError; anything else came from the server.
      this.tell(error instanceof TypeError ? "offline" : "broken", "an answer that is no JSON");
      wait = this.patience();
    }
    this.sending = false;
    if (this.queue.length && !this.stopped) this.timer = setTimeout(() => this.flush(), wait);
  }

  patience() {
    this.failures += 1;
    return RETRY[Math.min(this.failures, RETRY.length) - 1];
  }

  /**
   * The server did not take a batch; how long to wait before the next try.
   * @param {Response} response
   * @param {Entry[]} batch
   */
  async fail(response, batch) {
    const { status } = response;
    const reason = await errorOf(response);
    if ((status === 401 || status === 403) && (await this.renew())) return 0;
    if (this.stopped || this.signedOut) return this.patience();
    if (status === 413 || status === 400) {
      // Alone every entry gets its own answer.
      this.largest = Math.max(1024, this.largest / 2);
      this.most = status === 413 ? Math.ceil(batch.length / 2) : 1;
      if (batch.length === 1) this.take([{ key: batch[0].key, refused: reason }]);
      return 0;
    }
    if (status === 404) this.tell("closed");
    else if (status === 507) this.tell("full");
    else this.tell("broken", `${status}${reason ? `: ${reason}` : ""}`);
    return this.patience();
  }

  /**
   * A batch is as saved as its worst entry.
   * @param {Answer[]} answers
   */
  take(answers) {
    /** @type {Answer | null} */
    let saved = null;
    let conflict = false;
    let refused = "";
    for (const answer of answers) {
      const sent = this.queue.find((one) => one.key === answer.key);
      if (!sent) continue;
      this.queue = this.queue.filter((one) => one !== sent);
      if (answer.refused !== undefined) this.refuse(sent, answer.refused);
      else if (answer.conflict) this.options.onConflict?.(sent, answer.conflict);
      else this.options.onSaved?.(sent, answer);
      if (answer.entry) saved = answer;
      conflict ||= Boolean(answer.conflict);
      refused ||= answer.refused ?? "";
    }
    this.keep();
    const unseen = this.refusals.unseen().at(-1)?.reason;
    if (this.queue.length) this.tell("waiting");
    else if (refused || unseen) this.tell("refused", refused || unseen);
    else if (conflict) this.tell("conflict");
    else if (saved) this.tell("saved", saved);
  }

  /**
   * An entry will never be kept, nor will what was built upon it: all of it is taken back.
   * @param {Entry} entry
   * @param {string} reason
   */
  refuse(entry, reason) {
    const touched = new Set(this.options.touches(entry));
    const gone = [entry];
    this.queue = this.queue.filter((one) => {
      const names = this.options.touches(one);
      if (!names.some((name) => touched.has(name))) return true;
      for (const name of names) touched.add(name);
      gone.push(one);
      return false;
    });
    for (const one of gone) this.refusals.add(this.options.describe(one), reason, false);
    this.keep();
    this.options.onRefused(gone, reason);
  }

  /** After signing in again the forms' proof is another one. */
  async renew() {
    const response = await fetch(`${BASE}proof`, { credentials: "same-origin" });
    this.signedOut = response.status === 401;
    if (this.signedOut) this.tell("signed-out");
    if (!response.ok) return false;
    const fresh = await response.json();
    if (String(fresh.person) !== String(this.options.person)) {
      this.stopped = true;
      this.tell("other-person");
      return false;
    }
    this.proof = fresh.proof;
    // A server that refuses a fresh proof refuses something else.
    const first = !this.renewed;
    this.renewed = true;
    return first;
  }
}

/** @param {Response} response */
async function errorOf(response) {
  try {
    return String((await response.json()).error ?? "");
  } catch {
    return response.status === 413 ? "this is more than the server accepts at once" : "";
  }
}

/** What the server refused, until the person has seen it and clears the list. */
export class Refusals {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {Refusal[]} */
    this.list = JSON.parse(localStorage.getItem(name) ?? "[]");
    this.onChange = () => {};
  }

  unseen() {
    return this.list.filter(({ seen }) => !seen);
  }

  /**
   * @param {string} what
   * @param {string} reason
   * @param {boolean} seen
   */
  add(what, reason, seen) {
    this.keep([...this.list, { time: Date.now(), what, reason, seen }]);
  }

  look() {
    this.keep(this.list.map((one) => ({ ...one, seen: true })));
  }

  clear() {
    this.keep([]);
  }

  /** @param {Refusal[]} list */
  keep(list) {
    this.list = list.slice(-200);
    try {
      if (list.length) localStorage.setItem(this.name, JSON.stringify(this.list));
      else localStorage.removeItem(this.name);
    } catch {
      // The browser's storage is full: the list lives as long as the page.
    }
    this.onChange();
  }
}
