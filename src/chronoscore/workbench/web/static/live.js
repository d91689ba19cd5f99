// Pages of figures keep themselves up to date while they are open.

const SECONDS = 5;
const figures = /** @type {Element} */ (document.querySelector("#figures"));
const updated = /** @type {Element} */ (document.querySelector("#updated"));
const focusable = "[tabindex], a, summary";
// Topics change their places with their figures.
/** @param {Element} details */
const topicOf = (details) =>
  details.closest("section")?.querySelector("h2 a")?.getAttribute("href") ?? "";
const store = { kept: figures.cloneNode(true) };

/** @param {Element} fresh */
function show(fresh) {
  store.kept = fresh.cloneNode(true);
  const opened = new Set([...figures.querySelectorAll("details[open]")].map(topicOf));
  const focused = [...figures.querySelectorAll(focusable)].indexOf(
    /** @type {Element} */ (document.activeElement),
  );
  figures.replaceChildren(...fresh.childNodes);
  for (const one of figures.querySelectorAll("details")) one.open = opened.has(topicOf(one));
  const same = figures.querySelectorAll(focusable)[focused];
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

async function look() {
  const started = performance.now();
  try {
    if (document.hidden) return;
    const response = await fetch(location.href, { credentials: "same-origin" });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = /** @type {Element} */ (page.querySelector("#figures"));
    if (!fresh.isEqualNode(store.kept)) show(fresh);
    updated.textContent = `Up to date at ${new Date().toLocaleTimeString()}.`;
  } catch {
    updated.textContent = "Out of date: no answer. This page tries again.";
  } finally {
    // A project whose figures take long to compute is asked less often.
    setTimeout(look, Math.max(SECONDS * 1000, 20 * (performance.now() - started)));
  }
}

setTimeout(look, SECONDS * 1000);
