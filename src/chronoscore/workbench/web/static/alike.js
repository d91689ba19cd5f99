// Sentences that read alike, found by their words. Only the judge's own marks are ever hinted at.

const STOP = new Set(
  `the and has have had been was were from that this with are for off its his her their
   they but not said who will would after also more than into over about which when all
   one two`.split(/\s+/),
);

/** @param {string} text */
const words = (text) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !STOP.has(word)));

export class Alike {
  /** @param {{ text: string }[]} sentences */
  constructor(sentences) {
    this.sentences = sentences;
    /** @type {Set<string>[]} */
    this.bags = new Array(sentences.length);
    /** @type {Map<string, number[]>} */
    this.places = new Map();
    this.built = 0;
    this.shared = new Uint16Array(sentences.length);
    this.ready = false;
    /** @type {Map<number, number[]>} */
    this.found = new Map();
  }

  // Builds the index in slices, so that keys are never kept waiting.
  /** @param {() => void} ready */
  build(ready) {
    const until = performance.now() + 8;
    while (this.built < this.sentences.length && performance.now() < until) {
      const at = this.built++;
      const bag = words(this.sentences[at].text);
      this.bags[at] = bag;
      for (const word of bag) {
        const found = this.places.get(word);
        if (found) found.push(at);
        else this.places.set(word, [at]);
      }
    }
    if (this.built < this.sentences.length) setTimeout(() => this.build(ready), 0);
    else {
      this.ready = true;
      ready();
    }
  }

  // The places of sentences that share at least half their words, best first.
  /**
   * @param {number} at
   * @returns {number[]}
   */
  of(at) {
    if (!this.ready) return [];
    if (!this.found.has(at)) this.found.set(at, this.search(at));
    return this.found.get(at) ?? [];
  }

  /** @param {number} at */
  search(at) {
    const bag = this.bags[at];
    if (bag.size < 4) return [];
    const { shared } = this;
    const touched = [];
    for (const word of bag)
      for (const other of this.places.get(word) ?? [])
        if (shared[other]++ === 0) touched.push(other);
    /** @type {[number, number][]} */
    const found = [];
    for (const other of touched) {
      const count = shared[other];
      shared[other] = 0;
      const least = Math.min(bag.size, this.bags[other].size);
      if (other !== at && least >= 4 && count / least >= 0.5) found.push([other, count / least]);
    }
    return found.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([other]) => other);
  }
}
