// Pages of figures keep themselves up to date while somebody looks at them.

const SECONDS = 5;
const figures = document.querySelector("#figures");
const updated = document.querySelector("#updated");
const focusable = "[tabindex], a, summary";
let kept = figures.cloneNode(true);

function show(fresh) {
  kept = fresh.cloneNode(true);
  const opened = [...figures.querySelectorAll("details")].map((one) => one.open);
  const focused = [...figures.querySelectorAll(focusable)].indexOf(document.activeElement);
  figures.replaceChildren(...fresh.childNodes);
  figures.querySelectorAll("details").forEach((one, at) => (one.open = opened[at] ?? false));
  figures.querySelectorAll(focusable)[focused]?.focus({ preventScroll: true });
}

async function look() {
  const started = performance.now();
  try {
    if (document.hidden) return;
    const response = await fetch(location.href, { credentials: "same-origin" });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("#figures");
    if (!fresh.isEqualNode(kept)) show(fresh);
    updated.textContent = `Up to date at ${new Date().toLocaleTimeString()}.`;
  } catch {
    updated.textContent = "Out of date: no answer. This page tries again.";
  } finally {
    // A project whose figures take long to compute is asked less often.
    setTimeout(look, Math.max(SECONDS * 1000, 20 * (performance.now() - started)));
  }
}

setTimeout(look, SECONDS * 1000);
