"use strict";
/* Sorting, measures, topics and explanations of a report. Reads the JSON in #data. */
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const drawn = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };

  /* One measure at a time. */
  for (const button of all("[data-board]")) {
    button.addEventListener("click", () => {
      for (const other of all("[data-board]")) other.setAttribute("aria-pressed", other === button);
      for (const part of all("[data-shows]")) {
        part.hidden = part.dataset.shows !== button.dataset.board;
      }
    });
  }

  /* A heading's button sorts by its column, first in the better direction, then the other. */
  for (const button of all(".board thead button")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const body = head.closest("table").tBodies[0];
      const column = head.cellIndex;
      const words = head.classList.contains("words");
      const down = head.getAttribute("aria-sort") === (words ? "ascending" : "descending");
      const sign = words ? (down ? -1 : 1) : (down ? 1 : -1);
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.value;
      const compare = (a, b) => {
        if (words) return sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent);
        if (!value(a) || !value(b)) return Boolean(value(b)) - Boolean(value(a));
        return sign * (value(a) - value(b));
      };
      body.append(...[...body.rows].sort(compare));
    });
  }

  const days = document.querySelector("[data-chooses=days]");
  if (days) {
    days.addEventListener("change", () => {
      for (const chart of all("[data-days]")) chart.hidden = chart.dataset.days !== days.value;
    });
  }

  /* Explanations. */
  const data = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
  const place = document.getElementById("explanation");
  if (!place || !data.explanations) return;
  const system = document.getElementById("why-system");
  const topic = document.getElementById("why-topic");
  let side = "recall";

  const show = () => {
    const known = data.explanations[system.value]?.[topic.value];
    place.replaceChildren();
    if (!known) {
      place.append(make("p", { class: "note" }, data.missing.replace("SYSTEM", system.value)
        .replace("TOPIC", topic.value)));
    } else if (known.html) {
      place.innerHTML = known.html;
    } else {
      showRails(known);
    }
  };

  const showRails = (known) => {
    const part = known.sides[side];
    const shared = part.links.reduce((sum, link) => sum + link[3], 0);
    const weighted = part.links.reduce((sum, link) => sum + link[2] * link[3], 0);
    const near = part.links.filter((link) => link[4] > 0).length;
    const wanted = side === "recall" ? part.reference : part.system;
    const total = wanted.reduce((sum, card) => sum + card[2], 0);
    const matched = new Set(known.sides.precision.links.map((link) => link[1]));
    const extra = known.system.length - matched.size;
    const figures = Object.entries(known.values).map(([name, value]) =>
      `${{ p: "precision", r: "recall", f: "F" }[name]} ${value.toFixed(3)}`).join(", ");
    place.append(make("p", {}, make("strong", {}, figures)));
    place.append(make("div", { class: "boxes" },
      box("Days matched", `${part.links.length} of ${wanted.length}`,
        near ? `${part.links.length - near} on the day, ${near} nearby` : "all on the day"),
      box("Words matched", `${shared} of ${total}`, `after weights ${weighted.toFixed(1)}`),
      box("Extra days", `${extra} of ${known.system.length}`, extra ? "cost precision" : "none"),
      gains(known.changes)));
    const buttons = ["recall", "precision"].map((name) => {
      const button = make("button", { type: "button", "aria-pressed": name === side }, `${name} side`);
      button.addEventListener("click", () => { side = name; show(); });
      return button;
    });
    place.append(make("div", { class: "tabs", role: "group", "aria-label": "Side" }, ...buttons));
    place.append(rails(known, part));
    draw();
  };

  const box = (name, value, note) =>
    make("div", {}, name, make("b", {}, value), note);

  const gains = (changes) => {
    const list = make("ol", {}, ...changes.map(([sentence, gain]) =>
      make("li", {}, `${sentence}: +${gain.toFixed(3)}`)));
    const none = "no single change gains more than 0.0005";
    return make("div", { class: "wide" }, "What would gain most", changes.length ? list : make("p", {}, none));
  };

  /* Cards in rows by date; the links are drawn when the layout is known. */
  const rails = (known, part) => {
    const [here, there] = known.first;
    const order = [...new Set([...here, ...there])].sort((a, b) => a - b);
    const row = new Map(order.map((day, number) => [day, number + 2]));
    const byReference = new Map(part.links.map((link) => [link[0], link]));
    const bySystem = new Map(part.links.map((link) => [link[1], link]));
    const cards = [
      ...part.reference.map((card, i) => entry(card, known.reference[i], byReference.get(i), "left", i, row.get(here[i]))),
      ...part.system.map((card, i) => entry(card, known.system[i], bySystem.get(i), "right", i, row.get(there[i]))),
    ].sort((a, b) => a.row - b.row);
    const box = make("div", { class: "rails" },
      make("h3", { style: "grid-column:1" }, "reference"),
      make("h3", { style: "grid-column:3" }, `system · ${system.value}`), ...cards);
    box.links = part.links;
    return box;
  };

  const entry = ([pieces, shared, total], date, link, where, number, row) => {
    const apart = link ? link[4] : 0;
    const kind = link ? (apart ? " off" : "") : " alone";
    const head = make("header", {}, make("time", {}, date));
    if (apart) {
      const days = apart === 1 ? "1 day off" : `${apart} days off`;
      head.append(make("span", { class: "tag off" }, `${days} · weight ${link[2].toFixed(2)}`));
    }
    if (!link) head.append(make("span", { class: "tag" }, where === "left" ? "missed" : "matched with no day"));
    if (link) head.append(make("span", {}, `${shared} of ${total} words`));
    if (link && link.length > 5) head.append(make("span", {}, `similarity ${link[5].toFixed(2)}`));
    const text = make("p", {}, ...pieces.map((piece, i) => i % 2 ? make("mark", {}, piece) : piece));
    const card = make("article", { class: `entry ${where}${kind}`, "data-number": number }, head, text);
    card.style.setProperty("--row", row);
    card.row = row;
    return card;
  };

  const draw = () => {
    const box = place.querySelector(".rails");
    if (!box) return;
    box.querySelector("svg")?.remove();
    const frame = box.getBoundingClientRect();
    const svg = drawn("svg", { "aria-hidden": "true" });
    const middle = (card, edge) => {
      const at = card.getBoundingClientRect();
      return [at[edge] - frame.left, at.top + Math.min(at.height / 2, 24) - frame.top];
    };
    const most = Math.max(1, ...box.links.map((link) => link[2] * link[3]));
    for (const [i, j, weight, shared, apart] of box.links) {
      const left = box.querySelector(`.left[data-number="${i}"]`);
      const right = box.querySelector(`.right[data-number="${j}"]`);
      const [x1, y1] = middle(left, "right");
      const [x2, y2] = middle(right, "left");
      const bend = (x1 + x2) / 2;
      const width = 1.5 + 8 * weight * shared / most;
      svg.append(drawn("path", {
        class: apart ? "link off" : "link", "stroke-width": width.toFixed(1),
        d: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`,
      }), drawn("circle", { class: "end", cx: x1, cy: y1, r: 3.5 }),
      drawn("circle", { class: "end", cx: x2, cy: y2, r: 3.5 }));
      if (apart && x2 - x1 > 50) {
        const label = drawn("text", { class: "gap", x: bend, y: (y1 + y2) / 2, "text-anchor": "middle" });
        label.textContent = `${apart} d`;
        svg.append(label);
      }
    }
    box.append(svg);
  };

  system.addEventListener("change", show);
  topic.addEventListener("change", show);
  for (const link of all("[data-system]")) {
    link.addEventListener("click", () => { system.value = link.dataset.system; show(); });
  }
  new ResizeObserver(draw).observe(place);
  window.addEventListener("beforeprint", draw);
  show();
})();
