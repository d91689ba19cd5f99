// What the scripts of a page share. All of them stand in one function, one after the other.

/**
 * @param {string} selector
 * @param {ParentNode} root
 */
const all = (selector, root = document) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/**
 * @param {Element} node
 * @param {Record<string, unknown>} attributes
 */
const dress = (node, attributes) => {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
};

/**
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @param {(Node | string)[]} children
 */
const make = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  dress(node, attributes);
  node.append(...children);
  return node;
};

/**
 * @param {string} name
 * @param {Record<string, unknown>} attributes
 * @param {(Node | string)[]} children
 */
const drawn = (name, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  dress(node, attributes);
  node.append(...children);
  return /** @type {SVGElement} */ (node);
};

/**
 * A button that does something, pressed or not where it is one of several.
 * @param {string} text
 * @param {() => void} act
 * @param {boolean} [pressed]
 */
const button = (text, act, pressed) => {
  const node = make("button", { type: "button" }, text);
  if (pressed !== undefined) node.setAttribute("aria-pressed", String(pressed));
  node.addEventListener("click", act);
  return node;
};

/**
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => void} act
 */
const chooser = (label, values, chosen, act) => {
  const options = values.map((value) => make("option", {}, value));
  const select = /** @type {HTMLSelectElement} */ (make("select", {}, ...options));
  select.value = chosen;
  select.addEventListener("change", () => act(select.value));
  return make("label", {}, `${label} `, select);
};

/**
 * A table; cells of words stand on the left.
 * @param {string[]} heads
 * @param {(Node | string)[][]} rows
 * @param {number[]} words the columns that hold words
 * @param {string} kind its class
 */
const makeTable = (heads, rows, words = [0], kind = "") => {
  /** @param {number} n */
  const side = (n) => (words.includes(n) ? { class: "words" } : {});
  const head = heads.map((text, n) =>
    text ? make("th", { scope: "col", ...side(n) }, text) : make("td"),
  );
  const body = rows.map((row) =>
    make(
      "tr",
      {},
      ...row.map((cell, n) =>
        n
          ? make("td", { "data-head": heads[n], ...side(n) }, cell)
          : make("th", { scope: "row", ...side(n) }, cell),
      ),
    ),
  );
  return make(
    "table",
    kind ? { class: kind } : {},
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...body),
  );
};

/**
 * Content that may be wider than the page; the keyboard can scroll it.
 * @param {string} label
 * @param {Node} content
 */
const scrollable = (label, content) =>
  make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);

/** @param {number} value */
const short = (value) => value.toFixed(2).replace("0.", ".").replace("-", "−");

/** @param {number} value */
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);

/**
 * Pieces of a text: "+" is shared, "-" is what the other side lacks.
 * @param {string[]} pieces
 */
const marked = (pieces) =>
  make(
    "p",
    { dir: "auto" },
    ...pieces.map((piece) => {
      const name = piece[0] === "+" ? "mark" : piece[0] === "-" ? "u" : "";
      return name ? make(name, {}, piece.slice(1)) : piece.slice(1);
    }),
  );

/**
 * The data that the page holds under a name; it is read when it is first needed.
 * @param {string} name
 */
const held = (name) => JSON.parse(byId(name)?.textContent ?? "null");
