// Makes a part of the page say what a fresh copy from the server says, node by node, so that the
// focus, what is ticked and what somebody is typing stay as they are.

const TYPED = "input:not([type=hidden]):not([type=checkbox]), textarea";

/**
 * @param {Element} old
 * @param {Element} fresh
 */
export function refreshPart(old, fresh) {
  /** @type {any} */
  const focused = document.activeElement;
  const selection = focused?.matches(TYPED) && [focused.selectionStart, focused.selectionEnd];
  morph(old, fresh);
  if (focused === document.activeElement || !focused?.isConnected) return;
  focused.focus({ preventScroll: true });
  if (selection) focused.setSelectionRange(...selection);
}

/**
 * @param {any} old
 * @param {any} fresh
 */
function morph(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.matches(TYPED)) {
    // What was typed and is not saved yet stays.
    if (old.value === old.defaultValue) old.value = fresh.defaultValue;
    old.defaultValue = fresh.defaultValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  morphChildren(old, fresh);
}

/**
 * @param {any} old
 * @param {any} fresh
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

/**
 * The node that stands for a fresh one: with the same id, or of the same kind without any.
 * @param {any} from
 * @param {any} fresh
 */
function find(from, fresh) {
  for (let one = from; one; one = one.nextSibling) {
    if (one.nodeName === fresh.nodeName && (one.id || "") === (fresh.id || "")) return one;
  }
  return null;
}
