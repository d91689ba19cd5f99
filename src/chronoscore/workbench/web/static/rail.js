// The stories at the left, each with how much of it is decided.

import { clock, el } from "./page.js";

export class Rail {
  /**
   * @param {HTMLElement} list
   * @param {import("./stream.js").Story[]} stories
   * @param {(number: number) => void} choose
   */
  constructor(list, stories, choose) {
    this.buttons = stories.map((story, number) => {
      const button = el("button");
      button.type = "button";
      button.title = story.title;
      const [bar, filled] = [el("span", "t"), el("i")];
      bar.append(filled);
      const time = story.time ? clock(story.time, true) : story.id;
      button.append(el("span", "n", String(story.n)), el("span", "", time), bar);
      button.addEventListener("click", () => choose(number));
      const item = el("li");
      item.append(button);
      list.append(item);
      return { button, filled };
    });
  }

  // `done` is the share that is decided; `here` says that the current sentence is in the story.
  /**
   * @param {number} number
   * @param {{ done: number, here: boolean, reveal?: boolean }} state
   */
  draw(number, { done, here, reveal = false }) {
    const { button, filled } = this.buttons[number];
    filled.style.width = `${100 * done}%`;
    if (!here) return button.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    if (reveal) button.scrollIntoView({ block: "nearest" });
  }
}
