// Merge and Make: many small forms on one page, which is never reloaded.

import { Forms } from "./forms.js";

const forms = new Forms({ parts: ["left", "undoing", "columns", "into", "made"] });
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "z") return;
  const { target } = event;
  if (target instanceof Element && target.matches("input:not([type=checkbox]), textarea")) return;
  event.preventDefault();
  forms.undo();
});
document.body.dataset.ready = "yes";
