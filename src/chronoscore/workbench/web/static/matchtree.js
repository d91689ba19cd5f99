// What the match screen draws: the tree of what expresses the unit, and the anchors in the text.

import { $, el } from "./page.js";
import { name, score, walk } from "./trees.js";

/**
 * @typedef {import("./trees.js").Member} Member
 * @typedef {import("./trees.js").Tree} Tree
 * @typedef {{ tree: Tree, done: boolean, version: number }} Matching
 * @typedef {{ key: string, before: Matching }} Undoable
 */

/** @type {HTMLElement} */
const root = $("#stream");

/** The state of the match screen. */
export const store = {
  unit: "",
  frozen: false,
  /** @type {Tree} */
  tree: { members: [] },
  done: false,
  version: 0,
  /** @type {Undoable[]} */
  undoable: [],
  /** @type {Map<string, HTMLElement>} The anchors in the text, by their names in the tree. */
  anchors: new Map(),
  /** @type {HTMLElement[]} */
  buttons: [],
  /** @type {HTMLAnchorElement[]} The units, at the side. */
  links: [],
  /** @type {Set<string>} */
  picks: new Set(),
  current: 0,
  /** The name of the current anchor, or of a group around it: what keys act on. */
  target: "",

  /** @param {string} wanted */
  find: (wanted) => [...walk(store.tree)].find((member) => name(member) === wanted),
  /** @returns {Matching} */
  matching: () => ({ tree: store.tree, done: store.done, version: store.version }),
  /** @param {Matching} matching */
  take({ tree, done, version }) {
    Object.assign(store, { tree, done, version });
  },
};

/** @param {HTMLElement} button */
export const nameOf = (button) => name({ anchor: button.dataset.anchor ?? "" });

/** @param {string} wanted */
export const textOf = (wanted) => store.anchors.get(wanted)?.firstChild?.textContent ?? wanted;

/**
 * A tree in words.
 * @param {Tree} group
 * @returns {string}
 */
export const words = (group) =>
  group.members
    .map((one) => `${one.members ? `(${words(one)})` : textOf(name(one))} ${one.v}`)
    .join(", ") || "nothing";

/** @param {string} wanted */
export function called(wanted) {
  const group = store.anchors.has(wanted) ? undefined : store.find(wanted);
  return group?.members ? `group ${words(group)}` : textOf(wanted);
}

/**
 * @typedef {{ pick: (name: string) => void, share: (share: number, name: string) => void }} Hands
 */

/**
 * @param {Member} member
 * @param {Hands} hands
 * @returns {HTMLElement}
 */
function drawMember(member, hands) {
  const own = name(member);
  const { frozen: disabled } = store;
  const item = el("li", own === store.target ? "here" : "");
  item.dataset.name = own;
  const row = el("div", "member");
  const label = el("label", "inline");
  const box = Object.assign(el("input"), { type: "checkbox", name: "pick", value: own, disabled });
  box.checked = store.picks.has(own);
  box.addEventListener("change", () => hands.pick(own));
  const any = member.members?.every(({ v }) => v === 1);
  label.append(box, " ", el("b", "", member.members ? (any ? "any of" : "together") : textOf(own)));
  const share = Object.assign(el("input", "share"), { type: "number", min: 0, max: 1, disabled });
  Object.assign(share, { step: "any", name: `share:${own}`, value: member.v });
  share.setAttribute("aria-label", `share of ${member.members ? "the group" : textOf(own)}`);
  share.addEventListener("change", () => {
    if (share.reportValidity() && share.value !== "") hands.share(Number(share.value), own);
  });
  row.append(label, share);
  if (!member.members) {
    const line = store.anchors.get(own)?.closest(".s");
    const place = line instanceof HTMLElement ? line.dataset.label : "";
    const alone = score(store.tree, (anchor) => anchor === member.anchor);
    row.append(el("span", "soft small", `${place} · alone ${alone.toFixed(2)}`));
  }
  item.append(row);
  if (member.members) item.append(drawTree(member, hands));
  return item;
}

/**
 * @param {Tree} group
 * @param {Hands} hands
 */
function drawTree(group, hands) {
  const list = el("ul", "tree");
  list.append(...group.members.map((member) => drawMember(member, hands)));
  return list;
}

/** @param {Hands} hands */
export function draw(hands) {
  const held = new Map([...walk(store.tree)].map((member) => [name(member), member]));
  for (const [wanted, button] of store.anchors) {
    const member = held.get(wanted);
    button.classList.toggle("picked", store.picks.has(wanted));
    button.classList.toggle("used", Boolean(member));
    button.setAttribute("aria-pressed", String(Boolean(member)));
    const share = /** @type {Element} */ (button.querySelector(".v"));
    share.textContent = member ? member.v.toFixed(1) : "";
  }
  const drawn = drawTree(store.tree, hands);
  drawn.id = "tree";
  if (!store.tree.members.length)
    drawn.append(el("li", "soft", "Nothing yet. Move to an anchor and give its share."));
  replaceTree(drawn);
  $("#score").textContent = score(store.tree, () => true).toFixed(2);
  const cell = document.querySelector(`[data-done="${CSS.escape(store.unit)}"]`);
  if (cell) cell.textContent = store.done ? "✓" : "open";
  const done = [...document.querySelectorAll("[data-done]")];
  $("#matched").textContent = String(done.filter((one) => one.textContent === "✓").length);
}

/**
 * Puts the tree in place of the one before; who was in one of its fields stays there.
 * @param {HTMLElement} drawn
 */
function replaceTree(drawn) {
  const active = document.activeElement;
  const field = active?.closest("#tree") && active instanceof HTMLInputElement ? active : null;
  $("#tree").replaceWith(drawn);
  if (!field) return;
  const same = [...drawn.querySelectorAll("input")].find(
    ({ name: own, type, value }) =>
      own === field.name && (type !== "checkbox" || value === field.value),
  );
  same?.focus();
}

export function markTarget() {
  for (const button of store.buttons) button.classList.remove("here");
  store.buttons[store.current]?.classList.add("here");
  for (const item of document.querySelectorAll("#tree li"))
    if (item instanceof HTMLElement)
      item.classList.toggle("here", item.dataset.name === store.target);
}

/** Takes the anchors and units that the page shows now. */
export function readPage() {
  store.buttons = [...root.querySelectorAll("[data-anchor]")].filter(
    (one) => one instanceof HTMLElement,
  );
  store.anchors = new Map(store.buttons.map((button) => [nameOf(button), button]));
  store.links = [...document.querySelectorAll(".events a")].filter(
    (one) => one instanceof HTMLAnchorElement,
  );
}
