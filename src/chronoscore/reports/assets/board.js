// The leaderboard: one measure at a time, sorted by any column; the topic whose dates are shown.

const measureButtons = all("[data-board]");
let shownBoard = measureButtons[0]?.dataset.board ?? "0";

/** @param {string} number */
const showBoard = (number) => {
  shownBoard = number;
  for (const one of measureButtons) {
    one.setAttribute("aria-pressed", String(one.dataset.board === number));
  }
  for (const part of all("[data-shows]")) part.hidden = part.dataset.shows !== number;
};

for (const one of measureButtons) {
  one.addEventListener("click", () => {
    showBoard(one.dataset.board ?? "0");
    remember("leaderboard");
  });
}
if (measureButtons.length) {
  views.set("leaderboard", {
    read: () => [measureButtons.find((one) => one.dataset.board === shownBoard)?.textContent ?? ""],
    show: ([name]) => {
      const found = measureButtons.find((one) => one.textContent === name);
      if (found) showBoard(found.dataset.board ?? "0");
    },
  });
}

/**
 * Sort by a column, first in the better direction, then the other.
 * @param {HTMLTableCellElement} head
 */
const sortBy = (head) => {
  const table = /** @type {HTMLTableElement} */ (head.closest("table"));
  const column = head.cellIndex;
  const words = head.classList.contains("words");
  const down = head.getAttribute("aria-sort") === (words ? "ascending" : "descending");
  const sign = down === words ? -1 : 1;
  for (const other of all("[aria-sort]", table)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  /** @param {HTMLTableRowElement} row */
  const value = (row) => row.cells[column].dataset.value ?? "";
  /** @param {HTMLTableRowElement} row */
  const text = (row) => row.cells[column].textContent ?? "";
  const body = table.tBodies[0];
  body.append(
    ...[...body.rows].sort((a, b) => {
      if (words) return sign * text(a).localeCompare(text(b));
      if (!value(a) || !value(b)) return Number(Boolean(value(b))) - Number(Boolean(value(a)));
      return sign * (Number(value(a)) - Number(value(b)));
    }),
  );
};

for (const one of all(".board thead button")) {
  const head = /** @type {HTMLTableCellElement} */ (one.closest("th"));
  one.addEventListener("click", () => sortBy(head));
}

const dayChooser = /** @type {HTMLSelectElement | null} */ (
  document.querySelector("[data-chooses=days]")
);
if (dayChooser) {
  const topics = [...dayChooser.options].map((one) => one.value);
  /** @param {string} topic */
  const showDays = (topic) => {
    dayChooser.value = topic;
    for (const chart of all("[data-days]")) chart.hidden = chart.dataset.days !== topic;
  };
  dayChooser.addEventListener("change", () => {
    showDays(dayChooser.value);
    remember("dates");
  });
  views.set("dates", {
    read: () => [dayChooser.value],
    show: ([topic]) => showDays(oneOf(topic, topics, dayChooser.value)),
  });
}
