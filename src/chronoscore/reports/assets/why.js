// Explanations: two timelines along a common axis, with the words that they share.

/**
 * Text in pieces, words shared, words counted.
 * @typedef {[string[], number, number]} DayCard
 * The places of both days, weight, shared words, days apart, and how similar the days are.
 * @typedef {[number, number, number, number, number, number?]} DayLink
 * @typedef {{ links: DayLink[], reference: DayCard[], system: DayCard[] }} RailSide
 * @typedef {{
 *   values: Record<string, number>, reference: string[], system: string[], first: number[][],
 *   sides: Record<string, RailSide>, changes: [string, number][], notes?: string[], html?: string,
 * }} Explained
 */

const YEAR = 350; // days from which two days are a year or more apart
const WEEK = 7;

const explained = held("data");
const place = byId("explanation");

const startWhy = () => {
  if (!place || !explained?.explanations) return;
  const systemChoice = /** @type {HTMLSelectElement} */ (byId("why-system"));
  const topicChoice = /** @type {HTMLSelectElement} */ (byId("why-topic"));
  let side = "recall";

  const show = () => {
    /** @type {Explained | undefined} */
    const known = explained.explanations[systemChoice.value]?.[topicChoice.value];
    place.replaceChildren();
    if (!known) {
      const command = explained.missing
        .replace("SYSTEM", systemChoice.value)
        .replace("TOPIC", topicChoice.value);
      place.append(make("p", { class: "note" }, command));
      return;
    }
    for (const note of known.notes ?? []) {
      place.append(make("p", { class: "caution", dir: "auto" }, note));
    }
    if (known.html) place.insertAdjacentHTML("beforeend", known.html);
    else showRails(place, known);
  };

  /**
   * @param {HTMLElement} into
   * @param {Explained} known
   */
  const showRails = (into, known) => {
    const part = known.sides[side];
    const wanted = side === "recall" ? part.reference : part.system;
    const shared = part.links.reduce((sum, link) => sum + link[3], 0);
    const weighted = part.links.reduce((sum, link) => sum + link[2] * link[3], 0);
    const total = wanted.reduce((sum, card) => sum + card[2], 0);
    const extra =
      known.system.length - new Set(known.sides.precision.links.map((link) => link[1])).size;
    const near = part.links.filter((link) => link[4] <= WEEK).length;
    const figures = Object.entries(known.values)
      .map(([name, value]) => `${RATES[name]} ${value.toFixed(3)}`)
      .join(", ");
    into.append(make("p", {}, make("strong", {}, figures)));
    into.append(
      make(
        "div",
        { class: "boxes" },
        box("Days matched", `${near} of ${wanted.length}`, describeDistances(part.links)),
        box("Words matched", `${shared} of ${total}`, `after weights ${weighted.toFixed(1)}`),
        box("Extra days", `${extra} of ${known.system.length}`, extra ? "cost precision" : "none"),
        gains(known.changes),
      ),
    );
    const buttons = ["recall", "precision"].map((name) =>
      button(
        `${name} side`,
        () => {
          side = name;
          show();
          remember("why");
        },
        name === side,
      ),
    );
    into.append(make("div", { class: "tabs", role: "group", "aria-label": "Side" }, ...buttons));
    into.append(
      make(
        "p",
        { class: "note legend" },
        make("mark", {}, "shared words"),
        " · dotted: ",
        make("u", {}, side === "recall" ? "missed words" : "extra words"),
        " · thicker line: more credit",
      ),
    );
    into.append(drawRails(known, part, systemChoice.value));
  };

  const choose = () => {
    show();
    remember("why");
  };
  systemChoice.addEventListener("change", choose);
  topicChoice.addEventListener("change", choose);
  const [systems, topics] = [systemChoice, topicChoice].map((one) =>
    [...one.options].map((option) => option.value),
  );
  views.set("why", {
    read: () => [systemChoice.value, topicChoice.value, explained.measure, side],
    show: ([system, topic, , wanted]) => {
      systemChoice.value = oneOf(system, systems, systemChoice.value);
      topicChoice.value = oneOf(topic, topics, topicChoice.value);
      side = oneOf(wanted, ["recall", "precision"], side);
      show();
    },
  });
  views.get("why")?.show(explained.open ?? []);
};

/** @type {Record<string, string>} */
const RATES = { p: "precision", r: "recall", f: "F" };

/**
 * How far apart matched days are, in words.
 * @param {DayLink[]} links
 */
const describeDistances = (links) => {
  const kinds = {
    "on the day": links.filter((link) => !link[4]).length,
    "within a week": links.filter((link) => link[4] && link[4] <= WEEK).length,
    "more than a week off": links.filter((link) => link[4] > WEEK && link[4] < YEAR).length,
    "a year or more off": links.filter((link) => link[4] >= YEAR).length,
  };
  const there = Object.entries(kinds).filter(([, count]) => count);
  if (!there.length) return "none";
  if (there.length === 1) return `${links.length > 1 ? "all " : ""}${there[0][0]}`;
  const far = kinds["a year or more off"];
  if (2 * far > links.length) return `${far} of ${links.length} are a year or more off`;
  return there.map(([name, count]) => `${count} ${name}`).join(", ");
};

/**
 * @param {string} name
 * @param {string} value
 * @param {string} note
 */
const box = (name, value, note) => make("div", {}, name, make("b", {}, value), note);

/** @param {[string, number][]} changes */
const gains = (changes) => {
  const list = changes.map(([sentence, gain]) =>
    make("li", { dir: "auto" }, `${sentence}: +${gain.toFixed(3)}`),
  );
  const none = make("p", {}, "no single change gains more than 0.0005");
  const told = changes.length ? make("ol", {}, ...list) : none;
  return make("div", { class: "wide" }, "What would gain most", told);
};

/**
 * Cards in rows by date, and between them a link for each pair, which spans their rows: the
 * grid keeps links in place at every width and on every printed page.
 * @param {Explained} known
 * @param {RailSide} part
 * @param {string} system
 */
const drawRails = (known, part, system) => {
  const keys = known.first.map((days) =>
    days.map((day, i) => {
      const before = days.slice(0, i).filter((other) => other === day).length;
      return `${String(day).padStart(9, "0")}.${before}`;
    }),
  );
  const order = [...new Set(keys.flat())].sort();
  const [here, there] = keys.map((side) => side.map((key) => order.indexOf(key) + 2));
  const byReference = new Map(part.links.map((link) => [link[0], link]));
  const bySystem = new Map(part.links.map((link) => [link[1], link]));
  /** @type {{ row: number, node: HTMLElement }[]} */
  const cards = [
    ...part.reference.map((card, i) => {
      const link = byReference.get(i);
      const partner = link ? known.system[link[1]] : "";
      return { row: here[i], node: entry(card, known.reference[i], link, "left", partner) };
    }),
    ...part.system.map((card, i) => {
      const link = bySystem.get(i);
      const partner = link ? known.reference[link[0]] : "";
      return { row: there[i], node: entry(card, known.system[i], link, "right", partner) };
    }),
  ];
  for (const { row, node } of cards) node.style.setProperty("--row", String(row));
  cards.sort((a, b) => a.row - b.row);
  const most = Math.max(1, ...part.links.map((link) => link[2] * link[3]));
  return make(
    "div",
    { class: "rails" },
    make("h3", { style: "grid-column:1" }, "reference"),
    make("h3", { style: "grid-column:3" }, `system · ${system}`),
    ...cards.map((card) => card.node),
    ...part.links.map((link) => drawLink(link, here[link[0]], there[link[1]], most)),
  );
};

/** @param {number} days */
const apartInWords = (days) => {
  if (days >= YEAR) return `${days} days off (wrong year?)`;
  return days === 1 ? "1 day off" : `${days} days off`;
};

/**
 * @param {DayLink} link
 * @param {number} from
 * @param {number} to
 * @param {number} most
 */
const drawLink = ([, , weight, shared, apart], from, to, most) => {
  const way = from === to ? "" : from < to ? " down" : " up";
  const link = make("div", { class: `link${apart ? " off" : ""}${way}`, "aria-hidden": "true" });
  const rows = from === to ? `${from}` : `${Math.min(from, to)} / ${Math.max(from, to)}`;
  link.style.setProperty("grid-row", rows);
  link.style.setProperty("--thick", `${(1.5 + (8 * weight * shared) / most).toFixed(1)}px`);
  if (from !== to) {
    const [y1, y2] = from < to ? [0, 100] : [100, 0];
    const path = drawn("path", { d: `M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}` });
    link.append(drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" }, path));
    if (apart) link.append(make("span", {}, `${apart} d`));
  }
  return link;
};

/**
 * @param {DayCard} card
 * @param {string} date
 * @param {DayLink | undefined} link
 * @param {string} where
 * @param {string} partner
 */
const entry = ([pieces, shared, total], date, link, where, partner) => {
  const head = make("header", {}, make("time", {}, date));
  if (!link) {
    const text = where === "left" ? "missed" : "matched with no day";
    head.append(make("span", { class: "tag" }, text));
  } else {
    if (link[4]) {
      const tag = `${apartInWords(link[4])} · weight ${link[2].toFixed(2)}`;
      const phone = make("span", { class: "phone" }, `${partner} · `);
      head.append(make("span", { class: "tag off" }, phone, tag));
    }
    head.append(make("span", {}, `${shared} of ${total} words`));
    if (link[5] !== undefined) head.append(make("span", {}, `similarity ${link[5].toFixed(2)}`));
  }
  const kind = link ? (link[4] ? " off" : "") : " alone";
  return make("article", { class: `entry ${where}${kind}` }, head, marked(pieces));
};
