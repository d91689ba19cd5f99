// Buttons that copy a card's tables as Markdown, LaTeX or CSV and save its figure.

/**
 * The texts of a table, without columns that hold only drawings.
 * @param {HTMLTableElement} table
 */
const readTable = (table) => {
  const rows = [...table.rows].map((row) =>
    [...row.cells].map((cell) =>
      cell.matches(".rank, thead td")
        ? ""
        : (cell.dataset.text ?? cell.textContent ?? "").trim().replace(/\s+/g, " "),
    ),
  );
  const width = Math.max(...rows.map((row) => row.length));
  const kept = [...Array(width).keys()].filter((n) => rows.some((row, r) => r && row[n]));
  return rows.map((row) => kept.map((n) => row[n] ?? ""));
};

/** @param {string} text */
const isNumber = (text) => /^[-−+.\d]/.test(text) || text === "–" || text === "";

/** @param {string[][]} rows */
const toMarkdown = ([head, ...body]) => {
  /** @param {string[]} row */
  const line = (row) => `| ${row.map((text) => text.replace(/[\\|]/g, "\\$&")).join(" | ")} |`;
  const sides = head.map((_, n) => (body.every((row) => isNumber(row[n])) ? "---:" : "---"));
  return [line(head), `|${sides.join("|")}|`, ...body.map(line)].join("\n");
};

/** @type {Record<string, string>} */
const LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "−": "$-$",
  "–": "--",
  "…": "\\dots{}",
  "≤": "$\\leq$",
  τ: "$\\tau$",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
};

/** @param {string} text */
const toTex = (text) =>
  [...text].map((one) => LATEX[one] ?? ("&%$#_{}".includes(one) ? `\\${one}` : one)).join("");

/** @param {string[][]} rows */
const toLatex = ([head, ...body]) => {
  const sides = head.map((_, n) => (body.every((row) => isNumber(row[n])) ? "r" : "l")).join("");
  /** @param {string[]} row */
  const line = (row) => `${row.map(toTex).join(" & ")} \\\\`;
  return [
    "% \\usepackage{booktabs}",
    `\\begin{tabular}{${sides}}`,
    "\\toprule",
    line(head),
    "\\midrule",
    ...body.map(line),
    "\\bottomrule",
    "\\end{tabular}",
  ].join("\n");
};

/** @param {string[][]} rows */
const toCsv = (rows) =>
  rows
    .map((row) =>
      row.map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(","),
    )
    .join("\n");

const FORMS = { Markdown: toMarkdown, LaTeX: toLatex, CSV: toCsv };

/** @param {string} text */
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where the clipboard is closed to a page, as in some browsers to a file.
    const area = /** @type {HTMLTextAreaElement} */ (make("textarea", { "aria-label": "copy" }));
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

/**
 * @param {string} name
 * @param {Blob} content
 */
const save = (name, content) => {
  const link = /** @type {HTMLAnchorElement} */ (make("a", { download: name }));
  link.href = URL.createObjectURL(content);
  link.click();
  URL.revokeObjectURL(link.href);
};

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-size",
];

/**
 * A drawing that needs no style sheet, on the color of its card.
 * @param {SVGSVGElement} figure
 */
const standalone = (figure) => {
  const whole = /** @type {SVGSVGElement} */ (figure.cloneNode(true));
  const own = [figure, ...figure.querySelectorAll("*")];
  [whole, ...whole.querySelectorAll("*")].forEach((node, n) => {
    const style = getComputedStyle(own[n]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (!node.getAttribute(name)?.startsWith("url")) node.setAttribute(name, value);
    }
  });
  const { width, height } = figure.getBoundingClientRect();
  const card = figure.closest(".card") ?? document.body;
  const ground = getComputedStyle(card).backgroundColor;
  dress(whole, {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    "font-family": "system-ui, sans-serif",
  });
  whole.prepend(drawn("rect", { width: "100%", height: "100%", fill: ground, stroke: "none" }));
  return { width, height, text: new XMLSerializer().serializeToString(whole) };
};

/**
 * @param {SVGSVGElement} figure
 * @param {string} name
 */
const savePng = (figure, name) => {
  const { width, height, text } = standalone(figure);
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = /** @type {HTMLCanvasElement} */ (make("canvas"));
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => blob && save(`${name}.png`, blob));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
};

/**
 * What is shown in a card now, of all that it holds.
 * @param {string} selector
 * @param {Element} card
 */
const shownIn = (selector, card) => all(selector, card).filter((one) => !one.closest("[hidden]"));

/**
 * The bars of the leaderboard as one drawing; it stands outside of what is seen, once.
 * @param {HTMLElement} card
 */
const drawBoard = (card) => {
  const table = /** @type {HTMLTableElement} */ (shownIn(".board", card)[0]);
  const rows = [...table.tBodies[0].rows].map((row) => {
    const [, name, , figure] = row.cells;
    const { value, low, high, text } = figure.dataset;
    return { name: name.textContent ?? "", text, bounds: [value, low, high].map(Number) };
  });
  const [left, bar, right] = [170, 420, 170];
  const most = Math.max(1e-9, ...rows.flatMap((row) => row.bounds));
  /** @param {number} value */
  const x = (value) => left + (bar * Math.max(0, value)) / most;
  const head = table.querySelector("[aria-sort]")?.textContent ?? "";
  const marks = rows.flatMap(({ name, text, bounds: [value, low, high] }, n) => {
    const y = 40 + 28 * n;
    return [
      drawn("text", { x: left - 10, y: y + 4, "text-anchor": "end" }, name),
      drawn("rect", { class: "bar", x: left, y: y - 6, width: x(value) - left, height: 12 }),
      ...(high > low ? [drawn("path", { class: "whisker", d: `M${x(low)} ${y}H${x(high)}` })] : []),
      drawn("text", { x: left + bar + 12, y: y + 4 }, text ?? ""),
    ];
  });
  const size = { width: left + bar + right, height: 60 + 28 * rows.length };
  const title = drawn("text", { x: left, y: 18, class: "faint" }, head);
  const figure = drawn("svg", { ...size, class: "unseen", "aria-hidden": "true" }, title, ...marks);
  card.querySelector(".unseen")?.remove();
  card.append(figure);
  return figure;
};

/** @param {HTMLElement} card */
const addTools = (card) => {
  const heading = card.querySelector("h2");
  if (!heading) return;
  const tools = make("span", { class: "tools", role: "group" });
  tools.setAttribute("aria-label", `Copy or save: ${heading.textContent}`);
  /**
   * @param {string} text
   * @param {string} label
   * @param {() => unknown} act
   */
  const add = (text, label, act) => {
    const tool = button(text, async () => {
      await act();
      tool.classList.add("done");
      setTimeout(() => tool.classList.remove("done"), 1500);
    });
    dress(tool, { "aria-label": label, title: label });
    tools.append(tool);
  };
  if (card.querySelector("table")) {
    for (const [name, write] of Object.entries(FORMS)) {
      add(name, `Copy table as ${name}`, () => {
        const tables = /** @type {HTMLTableElement[]} */ (shownIn("table", card));
        return copy(`${tables.map((table) => write(readTable(table))).join("\n\n")}\n`);
      });
    }
  }
  if (card.querySelector("svg[role=img], .board")) {
    const figure = () =>
      /** @type {SVGSVGElement} */ (
        /** @type {unknown} */ (shownIn("svg[role=img]", card)[0] ?? drawBoard(card))
      );
    add("SVG", "Save figure as SVG", () =>
      save(`${card.id}.svg`, new Blob([standalone(figure()).text], { type: "image/svg+xml" })),
    );
    add("PNG", "Save figure as PNG", () => savePng(figure(), card.id));
  }
  add("Link", "Copy link to this view", () => {
    const [base] = location.href.split("#");
    return copy(base + addressOf(card.id));
  });
  heading.after(tools);
};
