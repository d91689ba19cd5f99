// Compare two: a sentence, the causes, the topics that decide, and the days or events side by side.

/**
 * @typedef {{
 *   label: string, shares: (number | null)[], share: number, low: number | null,
 *   high: number | null, named: boolean,
 * }} PairCause
 * @typedef {{ when: string, cause: string, kind: string, text: string[] }} PairSaid
 * @typedef {{
 *   a: string, b: string, sentence: string, causes: PairCause[],
 *   topics: [string, number, string][],
 *   days: { topic: string, when: string, text: string[], a: PairSaid, b: PairSaid }[],
 * }} SystemPair
 * @typedef {{
 *   measure: string, heading: string, shares: string, things: string, systems: string[],
 *   pairs: SystemPair[],
 * }} Pairs
 */

const comparePlace = byId("compare-here");

const startCompare = () => {
  if (!comparePlace) return;
  /** @type {Pairs[]} */
  const measures = held("compare-data");
  let [known] = measures;
  let { a, b } = known.pairs[0];

  const find = () =>
    known.pairs.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));

  const change = () => {
    show();
    remember("compare");
  };

  const show = () => {
    const choices = [
      chooser("Compare", known.systems, a, (name) => {
        if (name === b) b = a;
        a = name;
        change();
      }),
      chooser("with", known.systems, b, (name) => {
        if (name === a) a = b;
        b = name;
        change();
      }),
      ...(measures.length > 1
        ? [
            chooser(
              "by",
              measures.map((one) => one.measure),
              known.measure,
              (name) => {
                known = measures.find((one) => one.measure === name) ?? known;
                change();
              },
            ),
          ]
        : []),
    ];
    const pair = find();
    const missing =
      "This page compares the best system with the others; for other pairs type: " +
      `chronoscore diff ${a} ${b} --reference …`;
    const single = measures.length === 1 && known.systems.length === 2;
    comparePlace.replaceChildren(
      ...(single ? [] : [make("p", { class: "screen choices" }, ...choices)]),
      ...(pair ? describePair(pair, known) : [make("p", { class: "note" }, missing)]),
    );
  };

  views.set("compare", {
    read: () => [a, b, known.measure],
    show: ([first, second, measure]) => {
      known = measures.find((one) => one.measure === measure) ?? known;
      a = oneOf(first, known.systems, a);
      b = oneOf(second, known.systems, b);
      if (a === b) b = known.systems.find((name) => name !== a) ?? b;
      show();
    },
  });
  show();
};

/**
 * @param {SystemPair} pair
 * @param {Pairs} known
 */
const describePair = (pair, known) => {
  const [first, ...rest] = pair.sentence.split("; ");
  const lines = [make("p", { class: "big" }, rest.length ? `${first}.` : first)];
  const why = rest.join("; ");
  if (why) lines.push(make("p", {}, why[0].toUpperCase() + why.slice(1)));
  const days = pair.days.map((day) => dayRow(day, pair));
  return [
    ...lines,
    make(
      "div",
      { class: "two wide-left" },
      scrollable("Causes", causeTable(pair)),
      scrollable("Topics that decide", topicTable(pair)),
    ),
    make(
      "p",
      { class: "note" },
      `Shares: ${known.shares}. ${pair.a} − ${pair.b}: what a cause adds to the difference in ` +
        `${known.heading}; intervals are corrected for the number of causes. In the ` +
        "sentence, causes of one kind that do the opposite are set off.",
    ),
    ...(days.length ? [make("h3", {}, daysHeading(known.things)), ...fold(days)] : []),
  ];
};

/** @param {string} things */
const daysHeading = (things) =>
  `${things[0].toUpperCase()}${things.slice(1)} where they differ most`;

const UNFOLDED = 4;

/**
 * The first few, and the rest behind a line that unfolds.
 * @param {Node[]} days
 */
const fold = (days) => {
  const rest = days.slice(UNFOLDED);
  const more = make("summary", {}, `${rest.length} more`);
  return [
    ...days.slice(0, UNFOLDED),
    ...(rest.length ? [make("details", { class: "more" }, more, ...rest)] : []),
  ];
};

/** @param {SystemPair} pair */
const causeTable = (pair) => {
  const most = Math.max(1e-9, ...pair.causes.map((one) => Math.abs(one.share)));
  const rows = pair.causes.map((one) => {
    const interval =
      one.low === null || one.high === null ? "" : ` [${signed(one.low)}, ${signed(one.high)}]`;
    const figure = make(
      "span",
      {},
      one.named ? make("b", {}, signed(one.share)) : signed(one.share),
      make("small", {}, interval),
    );
    return [
      one.label,
      ...one.shares.map((share) => (share === null ? "–" : share.toFixed(3).replace("-", "−"))),
      figure,
      causeBar(one, most),
    ];
  });
  const heads = ["cause", pair.a, pair.b, `${pair.a} − ${pair.b}`, ""];
  return makeTable(heads, rows, [0], "stack causes");
};

/**
 * To the right what costs the second system more, to the left what costs the first more.
 * @param {PairCause} cause
 * @param {number} most
 */
const causeBar = (cause, most) => {
  const size = (48 * Math.abs(cause.share)) / most;
  const kind = `${cause.share > 0 ? "more" : "less"}${cause.named ? "" : " unsure"}`;
  return drawn(
    "svg",
    { class: "cause", width: 110, height: 14, "aria-hidden": "true" },
    drawn("rect", { class: "ground", width: "100%", height: 14, rx: 3 }),
    drawn("rect", {
      class: kind,
      x: `${cause.share > 0 ? 50 : 50 - size}%`,
      width: `${size}%`,
      height: 14,
    }),
    drawn("line", { class: "axis", x1: "50%", x2: "50%", y1: 0, y2: 14 }),
  );
};

/** @param {SystemPair} pair */
const topicTable = (pair) =>
  makeTable(
    ["topics that decide", "difference", "mostly because"],
    pair.topics.map(([topic, difference, cause]) => {
      const worse = difference > 0 ? pair.b : pair.a;
      const href = `#why/${encodeURIComponent(worse)}/${encodeURIComponent(topic)}`;
      const name = byId("why") ? make("a", { href }, topic) : topic;
      return [name, signed(difference), cause];
    }),
    [0, 2],
    "stack",
  );

/**
 * @param {SystemPair["days"][0]} day
 * @param {SystemPair} pair
 */
const dayRow = (day, pair) => {
  /**
   * @param {string} who
   * @param {PairSaid} said
   */
  const says = (who, said) =>
    make(
      "div",
      {},
      make(
        "header",
        {},
        make("b", {}, said.when ? `${who} · ${said.when}` : who),
        make("span", { class: `tag ${said.kind}` }, said.cause),
      ),
      marked(said.text),
    );
  const reference = { when: day.when, cause: "reference", kind: "", text: day.text };
  return make(
    "div",
    { class: "day-row" },
    says(day.topic, reference),
    says(pair.a, day.a),
    says(pair.b, day.b),
  );
};
