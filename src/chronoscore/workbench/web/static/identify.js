// Keys for the identify screen; every one of them presses a link or a button of the page.

import { $, bind, help, note, say } from "./page.js";

const root = $("#stream");
const rows = [...root.querySelectorAll(".s")];
const remembered = `chronoscore:identify:${location.pathname}${new URLSearchParams(location.search).get("story") ?? ""}`;
let current = Math.min(rows.length - 1, Number(sessionStorage.getItem(remembered) ?? 0));

function go(at) {
  rows[current]?.classList.remove("here");
  current = Math.max(0, Math.min(rows.length - 1, at));
  rows[current].classList.add("here");
  rows[current].scrollIntoView({ block: "nearest" });
  sessionStorage.setItem(remembered, String(current));
  say(rows[current].querySelector(".txt").textContent);
}

function newEvent() {
  const text = $("#new-text");
  if (!text) return;
  $("#new-sentence").value = rows[current].dataset.sentence;
  if (!text.value) { text.value = rows[current].querySelector(".txt").textContent.slice(0, 500); text.select(); }
  text.focus();
}

const neighbour = (step) => {
  const links = [...document.querySelectorAll(".rail a")];
  const here = links.findIndex((link) => link.getAttribute("aria-current"));
  links[here + step]?.click();
};

bind(root, {
  next: () => go(current + 1),
  back: () => go(current - 1),
  "new-event": newEvent,
  read: () => $("#read")?.requestSubmit($("#read button")),
  "story-next": () => neighbour(1),
  "story-back": () => neighbour(-1),
  undo: () => { const form = $("#undo"); if (form) form.requestSubmit(); else say("nothing to undo"); },
  note: () => note(rows[current].dataset.sentence, `sentence ${rows[current].querySelector(".id").textContent}`),
  help,
});

const draft = $("#new-text");
if (draft) {
  const name = `chronoscore:draft:${location.pathname}`;
  draft.value = sessionStorage.getItem(name) ?? "";
  draft.addEventListener("input", () => sessionStorage.setItem(name, draft.value));
  draft.form.addEventListener("submit", () => sessionStorage.removeItem(name));
  draft.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); draft.form.requestSubmit(); }
  });
}
rows.forEach((row, at) => row.addEventListener("click", (event) => { if (!event.target.closest("a")) { go(at); root.focus(); } }));
for (const link of root.querySelectorAll("[data-new]"))
  link.addEventListener("click", (event) => { event.preventDefault(); go(rows.indexOf(link.closest(".s"))); newEvent(); });
go(current);
root.focus();
root.dataset.ready = "yes";
