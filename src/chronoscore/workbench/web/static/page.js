// What the judging screens share: keys, dialogs, the word on what is saved.

import { Outbox } from "./outbox.js";

export const $ = (query) => document.querySelector(query);
export const el = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text != null) made.textContent = text;
  return made;
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

// A story's time as people write it; `short` leaves out the weekday and the year.
export function clock(time, short = false) {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/.exec(time);
  if (!found) return time;
  const [, year, month, day, hour] = found;
  const date = `${Number(day)} ${MONTHS[month - 1]}`;
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${short ? date : `${weekday} ${date} ${year}`}${hour ? ` ${hour}` : ""}`;
}

export const main = $("#main");
export const settings = JSON.parse(main.dataset.keys);
export const keyOf = (action) => settings[action].key;

export function say(words) { $("#live").textContent = words; }

// Single keys act only while the stream has the focus; every action can be clicked as well.
export function bind(stream, actions, otherKey = () => false) {
  const byKey = new Map();
  for (const [action, { key }] of Object.entries(settings)) if (actions[action]) byKey.set(key, action);
  stream.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && actions.undo) {
      event.preventDefault();
      actions.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== stream && event.target.closest("input, select, textarea, button, a")) return;
    const arrows = { ArrowDown: "next", ArrowUp: "back", ArrowRight: "anchor-next", ArrowLeft: "anchor-back" };
    const action = byKey.get(event.key) ?? (actions[arrows[event.key]] ? arrows[event.key] : undefined);
    if (action) {
      event.preventDefault();
      actions[action]();
    } else if (otherKey(event.key, event)) event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-do]")) {
    if (!actions[button.dataset.do]) continue;
    button.addEventListener("click", () => {
      actions[button.dataset.do]();
      if (!document.querySelector("dialog[open]") && document.activeElement === button) stream.focus();
    });
  }
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => stream.focus());
  for (const button of document.querySelectorAll("[data-close]"))
    button.addEventListener("click", () => button.closest("dialog").close());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.closest && event.target.closest("#new, #side, .side")) stream.focus();
  });
}

export const help = () => $("#help").showModal();

export function note(place, about) {
  $("#note-place").value = place;
  $("#note-about").textContent = about;
  $("#note").showModal();
}

const hours = (seconds) => {
  const minutes = Math.round(seconds / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
};

export function openOutbox(onAnswer) {
  const saved = $("#saved");
  return new Outbox({
    topic: main.dataset.topic,
    person: main.dataset.person,
    proof: main.dataset.proof,
    onAnswer,
    onState(state, waiting, detail) {
      saved.className = "saved";
      if (state === "saved") {
        saved.textContent = `✓ Saved · entry ${detail.entry}`;
        $("#active").textContent = hours(detail.seconds);
        return;
      }
      saved.classList.add(state === "waiting" ? "waiting" : "lost");
      if (state === "waiting") saved.textContent = `… saving ${waiting}`;
      else if (state === "offline") saved.textContent = `No connection: ${waiting} kept here, sent when it is back`;
      else if (state === "signed-out") saved.textContent = `Signed out: ${waiting} kept here; sign in in another tab`;
      else saved.textContent = `Another person signed in: ${waiting} kept here for you`;
    },
  });
}

export function refused(words) {
  const saved = $("#saved");
  saved.className = "saved lost";
  saved.textContent = `Not saved: ${words}`;
}
