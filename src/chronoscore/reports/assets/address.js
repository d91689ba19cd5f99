// Every choice stands in the address, as #why/careful/dam/align+, and the back button undoes it.

/**
 * By the id of a card: what is chosen there, and how to choose it; `undefined` leaves a choice.
 * @type {Map<string, { read: () => string[], show: (choices: (string | undefined)[]) => void }>}
 */
const views = new Map();

const snapshot = () => Object.fromEntries([...views].map(([name, view]) => [name, view.read()]));

/** @param {string} name */
const addressOf = (name) =>
  `#${[name, ...(views.get(name)?.read() ?? [])]
    .map((part) => encodeURIComponent(part).replaceAll("%2B", "+"))
    .join("/")}`;

/**
 * After a choice on the page.
 * @param {string} name
 */
const remember = (name) => history.pushState(snapshot(), "", addressOf(name));

const followAddress = () => {
  const [name, ...choices] = location.hash.slice(1).split("/").map(decode);
  if (choices.length) views.get(name)?.show(choices);
  history.replaceState(snapshot(), "");
  if (choices.length) byId(name)?.scrollIntoView();
};

/** @param {string} text */
const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

addEventListener("popstate", (event) => {
  if (!event.state) followAddress();
  else for (const [name, choices] of Object.entries(event.state)) views.get(name)?.show(choices);
});

/**
 * One of the values that there are: the one asked for, or the one before.
 * @param {string | undefined} wanted
 * @param {string[]} values
 * @param {string} before
 */
const oneOf = (wanted, values, before) =>
  wanted !== undefined && values.includes(wanted) ? wanted : before;
