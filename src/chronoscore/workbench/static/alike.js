// Sentences that read alike, found by their words. Only the judge's own marks are ever hinted at.

const STOP = new Set("the and has have had been was were from that this with are for off its his her their they but not said who will would after also more than into over about which when all one two".split(" "));
const words = (text) => new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !STOP.has(word)));

export class Alike {
  constructor(sentences) {
    this.sentences = sentences;
    this.bags = new Array(sentences.length);
    this.places = new Map();
    this.built = 0;
  }

  // Builds the index in slices, so that keys are never kept waiting.
  build(ready) {
    const until = performance.now() + 8;
    while (this.built < this.sentences.length && performance.now() < until) {
      const at = this.built++;
      const bag = words(this.sentences[at].text);
      this.bags[at] = bag;
      for (const word of bag) {
        const found = this.places.get(word);
        if (found) found.push(at); else this.places.set(word, [at]);
      }
    }
    if (this.built < this.sentences.length) setTimeout(() => this.build(ready), 0);
    else ready();
  }

  // The places of sentences that share at least half their words, best first.
  of(at) {
    const bag = this.bags[at];
    if (this.built < this.sentences.length || bag.size < 4) return [];
    const shared = new Map();
    for (const word of bag) for (const other of this.places.get(word)) shared.set(other, (shared.get(other) ?? 0) + 1);
    const found = [];
    for (const [other, count] of shared) {
      const least = Math.min(bag.size, this.bags[other].size);
      if (other !== at && least >= 4 && count / least >= 0.5) found.push([other, count / least]);
    }
    return found.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([other]) => other);
  }
}
