// A judge's marks in the browser: what every sentence is, how often events were linked, and
// which sentence mentions an event first.

/**
 * @typedef {{ off: boolean, links: [string, string][], joined: boolean, version: number }} Mark
 * @typedef {{ at: Set<number>, bins: number[] }} Counts
 */

/** @type {Mark} */
const NOTHING = Object.freeze({ off: false, links: [], joined: false, version: 0 });
const BINS = 36;

export class Marks {
  /**
   * @param {{ id: string, story: number }[]} sentences
   * @param {unknown[]} stories
   * @param {{ id: string }[]} events
   * @param {Record<string, Mark>} given
   */
  constructor(sentences, stories, events, given) {
    this.sentences = sentences;
    this.place = new Map(sentences.map((sentence, at) => [sentence.id, at]));
    /** @type {Map<string, Mark>} */
    this.state = new Map();
    this.tally = { off: 0, single: 0, multi: 0 };
    this.storyDone = new Array(stories.length).fill(0);
    this.bins = Math.min(BINS, stories.length);
    this.binOf = (/** @type {number} */ story) => Math.floor((story * this.bins) / stories.length);
    /** @type {Map<string, Counts>} */
    this.events = new Map(
      events.map((event) => [event.id, { at: new Set(), bins: new Array(this.bins).fill(0) }]),
    );
    for (const [id, mark] of Object.entries(given)) this.set(id, mark);
  }

  /** @param {string} id */
  get(id) {
    return this.state.get(id) ?? NOTHING;
  }
  /** @param {string} id */
  decided(id) {
    const mark = this.get(id);
    return mark.off || mark.links.length > 0;
  }
  get done() {
    return this.tally.off + this.tally.single + this.tally.multi;
  }

  /** @param {string} event */
  first(event) {
    let least = Infinity;
    for (const at of this.events.get(event)?.at ?? []) if (at < least) least = at;
    return least;
  }

  // Changes a sentence's mark and everything that is counted from it.
  /**
   * @param {string} id
   * @param {Mark} mark
   */
  set(id, mark) {
    const at = this.place.get(id);
    if (at === undefined) return;
    this.count(at, this.get(id), -1);
    this.state.set(id, mark);
    this.count(at, mark, 1);
  }

  /**
   * @param {number} at
   * @param {Mark} mark
   * @param {number} by
   */
  count(at, mark, by) {
    const linked = new Set(mark.links.map(([event]) => event));
    if (mark.off) this.tally.off += by;
    else if (linked.size > 1) this.tally.multi += by;
    else if (linked.size === 1) this.tally.single += by;
    const story = this.sentences[at].story;
    if (mark.off || linked.size) this.storyDone[story] += by;
    for (const event of linked) {
      const counts = this.events.get(event);
      if (!counts) continue;
      if (by > 0) counts.at.add(at);
      else counts.at.delete(at);
      counts.bins[this.binOf(story)] += by;
    }
  }

  // The parts that the judge joined to each other; they carry the same links.
  /** @param {number} at */
  block(at) {
    let first = at;
    while (first > 0 && this.get(this.sentences[first].id).joined) first -= 1;
    let last = at;
    while (last + 1 < this.sentences.length && this.get(this.sentences[last + 1].id).joined)
      last += 1;
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  }

  /** @param {string} group */
  grouped(group) {
    const found = [];
    for (const [id, mark] of this.state)
      if (mark.links.some(([, other]) => other === group)) found.push(this.place.get(id) ?? 0);
    return found;
  }
}
