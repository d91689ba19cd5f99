// Keeps what a person did until the server has acknowledged it.
//
// Entries wait in the browser's own storage under keys made here, so that a closed tab, a lost
// network or a signed-out session loses nothing, and an entry sent twice counts once.

// The workbench's own folder, which may not be the root of its host.
export const BASE = new URL("..", import.meta.url).pathname;

const RETRY = [500, 1000, 2000, 4000, 8000];

export const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Outbox {
  constructor({ topic, person, proof, onState, onAnswer }) {
    this.topic = topic;
    this.person = person;
    this.proof = proof;
    this.onState = onState;
    this.onAnswer = onAnswer;
    this.prefix = `chronoscore:outbox:${person}:${topic}:`;
    this.tab = freshKey();
    this.queue = [];
    this.failures = 0;
    this.sending = false;
    this.timer = 0;
    this.soon = 0;
    if (navigator.locks) navigator.locks.request(this.prefix + this.tab, () => new Promise(() => {}));
    window.addEventListener("online", () => this.flush());
  }

  // Takes over what tabs that are gone have left behind.
  async adopt() {
    const alive = new Set();
    if (navigator.locks) for (const lock of (await navigator.locks.query()).held) alive.add(lock.name);
    const found = [];
    for (let at = 0; at < localStorage.length; at += 1) {
      const name = localStorage.key(at);
      if (name.startsWith(this.prefix) && !alive.has(name)) found.push(name);
    }
    for (const name of found) {
      try { this.queue.push(...JSON.parse(localStorage.getItem(name))); } catch { /* not ours */ }
      localStorage.removeItem(name);
    }
    this.keep();
    if (this.queue.length) this.tell("waiting");
    return this.queue;
  }

  push(action, body) {
    const entry = { key: freshKey(), action, body };
    this.queue.push(entry);
    this.keep();
    this.tell("waiting");
    // The mark comes onto the screen first; keys in quick succession travel together.
    this.soon ||= setTimeout(() => { this.soon = 0; this.flush(); }, 30);
    return entry.key;
  }

  // After a conflict: nothing that waits changes the same things, for it built upon what did not
  // stand. What an entry changes is listed in its body, or is the body itself.
  forget(about) {
    this.queue = this.queue.flatMap((entry) => {
      if (!entry.body.changes) return about(entry.body) ? [] : [entry];
      const changes = entry.body.changes.filter((one) => !about(one));
      return changes.length ? [{ ...entry, body: { ...entry.body, changes } }] : [];
    });
    this.keep();
  }

  keep() {
    const name = this.prefix + this.tab;
    if (this.queue.length) localStorage.setItem(name, JSON.stringify(this.queue));
    else localStorage.removeItem(name);
  }

  tell(state, detail) { this.onState(state, this.queue.length, detail); }

  async flush() {
    if (this.sending || !this.queue.length) return;
    clearTimeout(this.timer);
    this.sending = true;
    const batch = this.queue.slice(0, 100);
    try {
      const response = await fetch(`${BASE}t/${this.topic}/log`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Form-Proof": this.proof },
        body: JSON.stringify({ entries: batch }),
        credentials: "same-origin",
        keepalive: true,
      });
      if (response.status === 401 || response.status === 403) await this.renew(response.status);
      if (!response.ok) throw new Error(String(response.status));
      const { answers } = await response.json();
      this.failures = 0;
      this.take(answers);
    } catch (error) {
      this.failures += 1;
      if (!this.stopped) this.tell(this.signedOut ? "signed-out" : "offline", String(error.message));
    }
    this.sending = false;
    if (this.queue.length && !this.stopped) {
      const wait = this.failures ? RETRY[Math.min(this.failures, RETRY.length) - 1] : 0;
      this.timer = setTimeout(() => this.flush(), wait);
    }
  }

  take(answers) {
    let entry = null;
    for (const answer of answers) {
      const sent = this.queue.find((one) => one.key === answer.key);
      if (!sent) continue;
      this.queue = this.queue.filter((one) => one.key !== answer.key);
      if (answer.entry) entry = answer;
      this.onAnswer(sent, answer);
    }
    this.keep();
    if (this.queue.length) this.tell("waiting");
    else if (entry) this.tell("saved", entry);
  }

  // After signing in again the forms' proof is another one.
  async renew() {
    const response = await fetch(`${BASE}proof`, { credentials: "same-origin" });
    this.signedOut = response.status === 401;
    if (!response.ok) return;
    const fresh = await response.json();
    if (String(fresh.person) !== String(this.person)) {
      this.stopped = true;
      this.tell("other-person");
      return;
    }
    this.proof = fresh.proof;
  }
}
