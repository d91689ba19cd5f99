// A long list of sentences of which only the visible part is in the page.
//
// Sentences are shown in blocks: a story, or a part of a long one. A block's height is guessed
// until it is seen, then measured.

import { clock, el } from "./page.js";

const BLOCK = 30;
const BEYOND = 700;

/**
 * @typedef {{
 *   id: string, n: number, time: string, title: string, publisher: string,
 *   sentences: [string, string][],
 * }} Story The sentences are pairs of an id and a text.
 * @typedef {{
 *   id: string, text: string, story: number, n: number, label: string, block: number,
 * }} Sentence
 * @typedef {{
 *   story: number, first: number, count: number, start: boolean, end: boolean,
 *   node: HTMLElement | null,
 * }} Block
 */
export class Stream {
  /**
   * @param {HTMLElement} root
   * @param {Story[]} stories
   * @param {(at: number) => HTMLElement} drawSentence
   */
  constructor(root, stories, drawSentence) {
    this.root = root;
    this.drawSentence = drawSentence;
    /** @type {Sentence[]} */
    this.sentences = [];
    /** @type {number[]} */
    this.starts = [];
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {number[]} */
    this.heights = [];
    /** @type {Set<number> | null} The only sentences that are shown, if not all are. */
    this.only = null;
    for (const [number, story] of stories.entries()) {
      this.starts.push(this.sentences.length);
      for (let at = 0; at < story.sentences.length; at += BLOCK) {
        const part = story.sentences.slice(at, at + BLOCK);
        const block = {
          story: number,
          first: this.sentences.length,
          count: part.length,
          start: at === 0,
          end: at + BLOCK >= story.sentences.length,
          node: null,
        };
        part.forEach(([id, text], offset) =>
          this.sentences.push({
            id,
            text,
            story: number,
            n: at + offset + 1,
            label: `${story.n}.${at + offset + 1}`,
            block: this.blocks.length,
          }),
        );
        this.blocks.push(block);
      }
    }
    this.stories = stories;
    this.top = el("div");
    this.bottom = el("div");
    root.replaceChildren(this.top, this.bottom);
    root.style.overflowAnchor = "none";
  }

  /** @param {number} at */
  shows(at) {
    return !this.only || this.only.has(at);
  }

  /**
   * The sentence that is shown `by` places after (or before) one; itself if there is none.
   * @param {number} at
   * @param {1 | -1} by
   */
  beside(at, by) {
    let place = at + by;
    while (place >= 0 && place < this.sentences.length && !this.shows(place)) place += by;
    return place >= 0 && place < this.sentences.length ? place : at;
  }

  /**
   * Shows only some sentences, or all of them again.
   * @param {Set<number> | null} only
   */
  narrow(only) {
    this.only = only;
    for (const block of this.blocks) {
      block.node?.remove();
      block.node = null;
    }
    this.guess();
    this.update();
  }

  // Draws what is visible, from now on.
  open() {
    const { root } = this;
    this.guess();
    this.update();
    let waiting = false;
    root.addEventListener(
      "scroll",
      () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          this.update();
        });
      },
      { passive: true },
    );
    new ResizeObserver(() => {
      this.guess();
      this.update();
    }).observe(root);
  }

  guess() {
    const letters = Math.max(20, Math.min(900, this.root.clientWidth - 60) / 9.2 - 12);
    this.heights = this.blocks.map((block) => {
      if (block.node) return this.outer(block);
      let height = 0;
      for (let at = block.first; at < block.first + block.count; at += 1)
        if (this.shows(at))
          height += 14 + 24 * Math.max(1, Math.ceil(this.sentences[at].text.length / letters));
      return height && height + (block.start ? 40 : 0) + (block.end ? 24 : 0);
    });
  }

  // Brings the blocks around the visible part into the page and takes the others out.
  update() {
    const from = this.root.scrollTop - BEYOND;
    const to = this.root.scrollTop + this.root.clientHeight + BEYOND;
    let above = 0,
      at = 0;
    while (at < this.blocks.length && above + this.heights[at] < from) above += this.heights[at++];
    const first = at;
    let shown = above;
    while (at < this.blocks.length && shown < to) shown += this.heights[at++];
    this.show(first, Math.max(at, first + 1));
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  show(first, last) {
    for (const [number, block] of this.blocks.entries()) {
      if (!block.node || (number >= first && number < last)) continue;
      // What was done to its sentences while it was seen may have changed its height.
      this.heights[number] = this.outer(block);
      block.node.remove();
      block.node = null;
    }
    /** @type {HTMLElement} */
    let next = this.bottom;
    /** @type {number[]} */
    const fresh = [];
    for (let number = Math.min(last, this.blocks.length) - 1; number >= first; number -= 1) {
      const block = this.blocks[number];
      if (!block.node) {
        block.node = this.drawBlock(block);
        this.root.insertBefore(block.node, next);
        fresh.push(number);
      }
      next = block.node;
    }
    this.first = first;
    this.last = last;
    let moved = 0;
    let above = 0;
    for (let number = 0; number < first; number += 1) above += this.heights[number];
    for (const number of fresh.reverse()) {
      const real = this.outer(this.blocks[number]);
      const guessed = this.heights[number];
      let before = 0;
      for (let other = 0; other < number; other += 1) before += this.heights[other];
      if (before + guessed <= this.root.scrollTop) moved += real - guessed;
      this.heights[number] = real;
    }
    this.top.style.height = `${above}px`;
    let below = 0;
    for (let number = last; number < this.blocks.length; number += 1) below += this.heights[number];
    this.bottom.style.height = `${below}px`;
    if (moved) this.root.scrollTop += moved;
  }

  /** @param {Block} block */
  outer(block) {
    const { node } = block;
    return node && !node.hidden ? node.offsetHeight + (block.end ? 14 : 0) : 0;
  }

  /** @param {Block} block */
  drawBlock(block) {
    const story = this.stories[block.story];
    const group = el("div", `story${block.start ? "" : " begun"}${block.end ? "" : " open"}`);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Story ${story.n}, ${clock(story.time)}: ${story.title}`);
    if (block.start) {
      const head = el("div", "storyhead");
      head.setAttribute("aria-hidden", "true");
      const title = el("b", "", story.title);
      title.dir = "auto";
      head.append(
        el("span", "", `#${story.n}`),
        title,
        el("span", "", clock(story.time)),
        el("span", "", story.publisher),
      );
      group.append(head);
    }
    group.hidden = true;
    for (let at = block.first; at < block.first + block.count; at += 1) {
      group.append(this.draw(at));
      if (this.shows(at)) group.hidden = false;
    }
    return group;
  }

  /** @param {number} at */
  node(at) {
    const block = this.blocks[this.sentences[at].block];
    return block.node ? block.node.children[at - block.first + (block.start ? 1 : 0)] : null;
  }

  // Draws a sentence again, if it is in the page at all.
  /** @param {number} at */
  redraw(at) {
    const old = this.node(at);
    if (!old) return;
    old.replaceWith(this.draw(at));
  }

  /** @param {number} at */
  draw(at) {
    const row = this.drawSentence(at);
    row.hidden = !this.shows(at);
    return row;
  }

  // Makes sure that a sentence is in the page and visible.
  /**
   * @param {number} at
   * @param {ScrollLogicalPosition} [where]
   */
  reveal(at, where = "nearest") {
    const number = this.sentences[at].block;
    if (!this.blocks[number].node) {
      let above = 0;
      for (let other = 0; other < number; other += 1) above += this.heights[other];
      this.root.scrollTop = above;
      this.update();
    }
    this.node(at)?.scrollIntoView({ block: where });
  }
}
