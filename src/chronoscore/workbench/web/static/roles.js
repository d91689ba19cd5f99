// The roles of a person's first topic with any, given in all topics by one press.

/** @param {Element} row */
function fill(row) {
  const cells = [...row.querySelectorAll("td")].map((cell) => [...cell.querySelectorAll("input")]);
  const pattern = cells.find((boxes) => boxes.some((box) => box.checked)) ?? [];
  /** @param {HTMLInputElement} box */
  const role = (box) => box.value.split(":")[2];
  const wanted = new Set(pattern.filter((box) => box.checked).map(role));
  for (const box of cells.flat()) if (!box.disabled) box.checked = wanted.has(role(box));
}

for (const one of document.querySelectorAll("[data-fill]")) {
  const button = /** @type {HTMLButtonElement} */ (one);
  button.hidden = false;
  button.addEventListener("click", () => fill(/** @type {Element} */ (button.closest("tr"))));
}
