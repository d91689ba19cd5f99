// Where the points went: a bar for each system, made of what was found and of the causes of loss.

/**
 * @typedef {{ rate: string, of: string, labels: string[] }} LossSide
 * @typedef {{
 *   name: string, shares: number[][], rates: number[], value: number,
 *   repaired: Record<string, number>, notes: string[],
 * }} LossSystem
 * @typedef {{
 *   measure: string, heading: string, sides: LossSide[], repairs: [string, string][],
 *   chance: string, systems: LossSystem[],
 * }} LossAccount
 */

const pointsPlace = byId("points-here");

const startPoints = () => {
  if (!pointsPlace) return;
  /** @type {LossAccount[]} */
  const accounts = held("points-data");
  let [account] = accounts;
  let side = 0;

  const show = () => {
    const sides = account.sides.map(({ rate, of }, n) =>
      button(
        `${rate}: ${of}`,
        () => {
          side = n;
          show();
          remember("points");
        },
        n === side,
      ),
    );
    const measures = chooser(
      "Measure",
      accounts.map((one) => one.measure),
      account.measure,
      (name) => {
        account = accounts.find((one) => one.measure === name) ?? account;
        side = Math.min(side, account.sides.length - 1);
        show();
        remember("points");
      },
    );
    pointsPlace.replaceChildren(
      make(
        "div",
        { class: "tabs", role: "group", "aria-label": "Side" },
        ...(sides.length > 1 ? sides : []),
        ...(accounts.length > 1 ? [measures] : []),
      ),
      ...lossBars(account, side),
      ...lossNotes(account, side),
      lossTable(account, side),
    );
  };

  views.set("points", {
    read: () => [account.measure, account.sides[side].rate],
    show: ([measure, rate]) => {
      account = accounts.find((one) => one.measure === measure) ?? account;
      const found = account.sides.findIndex((one) => one.rate === rate);
      side = found < 0 ? Math.min(side, account.sides.length - 1) : found;
      show();
    },
  });
  show();
};

/**
 * What the parts of a bar are, in as many rows as it takes; the height comes along.
 * @param {LossSide} side
 * @param {number} width
 * @returns {{ nodes: SVGElement[], height: number }}
 */
const lossLegend = (side, width) => {
  let [x, y] = [0, 2];
  const nodes = side.labels.flatMap((label, n) => {
    const size = 20 + 7.2 * label.length;
    if (x && x + size > width) [x, y] = [0, y + 22];
    const text = drawn("text", { x: x + 20, y: y + 12, class: "faint" }, label);
    const found = [...lossPiece(n, x, y, 14, 14), text];
    x += size + 16;
    return found;
  });
  return { nodes, height: y + 26 };
};

/**
 * The look of a part of a bar; only the first, what was found, has the first look.
 * @param {number} place
 */
const lossKind = (place) => `k${place && ((place - 1) % 7) + 1}`;

/**
 * A part of a bar, by its place: a color, and a pattern that tells it apart without color.
 * @param {number} place
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
const lossPiece = (place, x, y, width, height) => {
  const kind = lossKind(place);
  const pieces = [drawn("rect", { class: `loss ${kind}`, x, y, width, height })];
  /** @type {string[]} */
  const lines = [];
  if (kind === "k1" || kind === "k4") {
    for (let at = x - height; at < x + width; at += 6) {
      const [from, to] = [Math.max(at, x), Math.min(at + height, x + width)];
      const [start, end] = [from - at, to - at].map((d) => y + (kind === "k1" ? height - d : d));
      if (to > from) lines.push(`M${from} ${start}L${to} ${end}`);
    }
  } else if (kind === "k2" || kind === "k5") {
    for (let at = x + 3; at < x + width - 1; at += 6) {
      for (let down = y + 4; down < y + height - 1; down += 6) lines.push(`M${at} ${down}h.1`);
    }
  }
  if (kind === "k6") {
    for (let at = x + 4; at < x + width - 1; at += 5) lines.push(`M${at} ${y}v${height}`);
  }
  if (lines.length) pieces.push(drawn("path", { class: `over ${kind}`, d: lines.join("") }));
  return pieces;
};

/**
 * @param {LossAccount} account
 * @param {number} side
 */
const lossBars = (account, side) => {
  const { rate, labels } = account.sides[side];
  const phone = matchMedia("(max-width: 640px)").matches;
  const [width, left, right] = phone ? [340, 0, 0] : [1080, 150, 240];
  const legend = lossLegend(account.sides[side], phone ? width : width - right);
  const [row, top] = phone ? [50, legend.height] : [32, legend.height + 16];
  const bar = width - left - right;
  const columns = [60, 135, 232].map((x) => width - right + x);
  const height = top + row * account.systems.length;
  const rows = account.systems.flatMap((system, n) => {
    const y = top + row * n + (phone ? 20 : 0);
    const name = drawn(
      "text",
      phone ? { x: 0, y: y - 6 } : { x: left - 12, y: y + 17, "text-anchor": "end" },
      clip(system.name, phone ? 30 : 19),
    );
    name.setAttribute("class", "name");
    let x = left;
    const pieces = system.shares[side].flatMap((share, p) => {
      const size = share * bar;
      const drawing = lossPiece(p, x, y, size, 24);
      drawing[0].append(drawn("title", {}, `${labels[p]}: ${share.toFixed(3)}`));
      if (size > 30) {
        const at = { x: x + size / 2, y: y + 17, "text-anchor": "middle" };
        const text = drawn("text", { class: `of ${lossKind(p)}`, ...at });
        text.append(short(share));
        drawing.push(text);
      }
      x += size;
      return drawing;
    });
    const figures = [system.rates[side], system.value, system.repaired.dates];
    const told = figures.flatMap((value, at) =>
      value === undefined ? [] : [lossFigure(value.toFixed(3), columns[at], y + 17)],
    );
    return [name, ...pieces, ...(phone ? [lossFigure(inShort(system), width, y - 6)] : told)];
  });
  const heads = [
    lossFigure(rate, columns[0], top - 10, "faint"),
    lossFigure(account.heading, columns[1], top - 10, "faint"),
  ];
  if ("dates" in account.systems[0].repaired) {
    heads.push(lossFigure("if all dates", columns[2], top - 26, "faint"));
    heads.push(lossFigure("right, at most", columns[2], top - 10, "faint"));
  }
  const label = `Where the points went: ${rate} of ${account.measure}, by system`;
  const figure = drawn(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "points" },
    ...legend.nodes,
    ...(phone ? [] : heads),
    ...rows,
  );
  return [figure];
};

/**
 * On a phone: the figure, and what right dates would make of it.
 * @param {LossSystem} system
 */
const inShort = ({ value, repaired: { dates } }) =>
  value.toFixed(3) + (dates === undefined ? "" : `, dates right ≤ ${dates.toFixed(3)}`);

/**
 * A figure, or a heading, that ends at a place.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} kind
 */
const lossFigure = (text, x, y, kind = "") =>
  drawn("text", { x, y, "text-anchor": "end", class: kind }, text);

/**
 * @param {string} text
 * @param {number} room
 */
const clip = (text, room) => (text.length <= room ? text : `${text.slice(0, room - 1)}…`);

/**
 * @param {LossAccount} account
 * @param {number} side
 */
const lossNotes = (account, side) => {
  const notes = account.systems.map((system) => system.notes[side]).filter(Boolean);
  const more = account.chance && side === 0 ? [account.chance] : [];
  return ["Every bar adds up to 1.", ...notes.slice(0, 3), ...more].map((text) =>
    make("p", { class: "note" }, text),
  );
};

/**
 * The data behind the bars, and what repairs would give.
 * @param {LossAccount} account
 * @param {number} side
 */
const lossTable = (account, side) => {
  const { labels } = account.sides[side];
  const heads = ["system", ...labels, account.heading, ...account.repairs.map(([, text]) => text)];
  const rows = account.systems.map((system) => [
    system.name,
    ...system.shares[side].map((share) => share.toFixed(3)),
    system.value.toFixed(3),
    ...account.repairs.map(([name]) => system.repaired[name]?.toFixed(3) ?? "–"),
  ]);
  const summary = `The same as a table, and ${account.heading} if a cause were repaired`;
  return make(
    "details",
    {},
    make("summary", {}, summary),
    scrollable("Where the points went", makeTable(heads, rows)),
  );
};
