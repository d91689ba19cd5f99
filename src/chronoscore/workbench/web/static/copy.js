// Copies a text into the clipboard where the browser allows it.

for (const one of document.querySelectorAll("[data-copy]")) {
  const button = /** @type {HTMLElement} */ (one);
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(
      document.querySelector(button.dataset.copy ?? "")?.textContent ?? "",
    );
    button.textContent = "Copied";
  });
}
