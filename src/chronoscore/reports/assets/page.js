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
    const unmatched = side === "recall" ? "missed words" : "extra words";
    place.append(make("p", { class: "note legend" }, make("mark", {}, "shared words"), " · dotted: ",
      make("u", {}, unmatched), " · thicker line: more credit"));
    place.append(rails(known, part));
  };

  const box = (name, value, note) =>
    make("div", {}, name, make("b", {}, value), note);

  const gains = (changes) => {
    const list = make("ol", {}, ...changes.map(([sentence, gain]) =>
      make("li", {}, `${sentence}: +${gain.toFixed(3)}`)));
    const none = "no single change gains more than 0.0005";
    return make("div", { class: "wide" }, "What would gain most", changes.length ? list : make("p", {}, none));
  };

  /* Cards in rows by date, and between them a link for each pair, which spans their rows: the
     grid keeps links in place at every width and on every printed page. */
  const rails = (known, part) => {
    const keys = known.first.map((days) => days.map((day, i) =>
      `${String(day).padStart(9, "0")}.${days.slice(0, i).filter((other) => other === day).length}`));
    const order = [...new Set(keys.flat())].sort();
    const [here, there] = keys.map((side) => side.map((key) => order.indexOf(key) + 2));
    const byReference = new Map(part.links.map((link) => [link[0], link]));
    const bySystem = new Map(part.links.map((link) => [link[1], link]));
    const cards = [
      ...part.reference.map((card, i) => entry(
        card, known.reference[i], byReference.get(i), "left", here[i], known.system[byReference.get(i)?.[1]])),
      ...part.system.map((card, i) => entry(
        card, known.system[i], bySystem.get(i), "right", there[i], known.reference[bySystem.get(i)?.[0]])),
    ].sort((a, b) => a.row - b.row);
    const most = Math.max(1, ...part.links.map((link) => link[2] * link[3]));
    const links = part.links.map((link) => drawLink(link, here[link[0]], there[link[1]], most));
    return make("div", { class: "rails" },
      make("h3", { style: "grid-column:1" }, "reference"),
      make("h3", { style: "grid-column:3" }, `system · ${system.value}`), ...cards, ...links);
  };

  const drawLink = ([, , weight, shared, apart], from, to, most) => {
    const kind = (apart ? " off" : "") + (from === to ? "" : from < to ? " down" : " up");
    const link = make("div", { class: `link${kind}`, "aria-hidden": "true" });
    link.style.setProperty("grid-row", from === to ? from : `${Math.min(from, to)} / ${Math.max(from, to)}`);
    link.style.setProperty("--thick", `${(1.5 + 8 * weight * shared / most).toFixed(1)}px`);
    if (from !== to) {
      const svg = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" });
      const [y1, y2] = from < to ? [0, 100] : [100, 0];
      svg.append(drawn("path", { d: `M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}` }));
      link.append(svg);
      if (apart) link.append(make("span", {}, `${apart} d`));
    }
    return link;
  };

  const entry = ([pieces, shared, total], date, link, where, row, partner) => {
    const apart = link ? link[4] : 0;
    const kind = link ? (apart ? " off" : "") : " alone";
    const head = make("header", {}, make("time", {}, date));
    if (apart) {
      const days = apart === 1 ? "1 day off" : `${apart} days off`;
      head.append(make("span", { class: "tag off" },
        make("span", { class: "phone" }, `${partner} · `), `${days} · weight ${link[2].toFixed(2)}`));
    }
    if (!link) head.append(make("span", { class: "tag" }, where === "left" ? "missed" : "matched with no day"));
    if (link) head.append(make("span", {}, `${shared} of ${total} words`));
    if (link && link.length > 5) head.append(make("span", {}, `similarity ${link[5].toFixed(2)}`));
    const text = make("p", {}, ...pieces.map((piece) => {
      const name = { "+": "mark", "-": "u" }[piece[0]];
      return name ? make(name, {}, piece.slice(1)) : piece.slice(1);
    }));
    const card = make("article", { class: `entry ${where}${kind}` }, head, text);
    card.style.setProperty("--row", row);
    card.row = row;
    return card;
  };

  system.addEventListener("change", show);
  topic.addEventListener("change", show);
  for (const link of all("[data-system]")) {
    link.addEventListener("click", () => { system.value = link.dataset.system; show(); });
  }
  show();
})();
