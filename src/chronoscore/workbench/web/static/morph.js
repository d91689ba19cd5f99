// Makes a part of the page say what a fresh copy from the server says, node by node, so that the
// focus, what is ticked and what is being typed stay as they are.

const TYPED = "input:not([type=hidden]):not([type=checkbox]), textarea";

/**
 * @typedef {HTMLInputElement | HTMLTextAreaElement} Field
 */

/**
 * @param {unknown} node
 * @returns {node is Field}
 */
const isField = (node) => node instanceof HTMLElement && node.matches(TYPED);

/**
 * @param {Element} old
 * @param {Element} fresh
 */
export function refreshPart(old, fresh) {
  const focused = document.activeElement;
  const selection = isField(focused) ? [focused.selectionStart, focused.selectionEnd] : [];
  morph(old, fresh);
  if (focused === document.activeElement || !focused?.isConnected) return;
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  const [start, end] = selection;
  if (isField(focused) && start != null && end != null) focused.setSelectionRange(start, end);
}

/**
 * @param {Node} old
 * @param {Node} fresh
 */
function morph(old, fresh) {
  if (!(old instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  const other = /** @type {Element} */ (fresh);
  if (isField(old)) {
    const { defaultValue } = /** @type {Field} */ (other);
    // What was typed and is not saved yet stays.
    if (old.value === old.defaultValue) old.value = defaultValue;
    old.defaultValue = defaultValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!other.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of other.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, other);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphChildren(old, fresh) {
  let at = old.firstChild;
  for (const child of fresh.childNodes) {
    const match = find(at, child);
    if (!match) {
      old.insertBefore(document.importNode(child, true), at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else old.insertBefore(match, at);
    morph(match, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** @param {Node} node */
const idOf = (node) => /** @type {Element} */ (node).id || "";

/**
 * The node that stands for a fresh one: with the same id, or of the same kind without an id.
 * @param {ChildNode | null} from
 * @param {Node} fresh
 */
function find(from, fresh) {
  for (let one = from; one; one = one.nextSibling) {
    if (one.nodeName === fresh.nodeName && idOf(one) === idOf(fresh)) return one;
  }
  return null;
}
