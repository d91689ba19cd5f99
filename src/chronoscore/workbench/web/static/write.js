// The write screen: after a line is sent the next date can be typed at once.

import { Forms } from "./forms.js";
import { $, el } from "./page.js";

new Forms({
  parts: ["counts", "size", "own", "full", "undoing"],
  sent(form, fields, key) {
    if (form.id !== "new") return;
    const item = el("li", "pending");
    item.dataset.key = key;
    item.append(el("b", "nowrap", fields.when[0]), ` ${fields.text[0]}`);
    $("#own .none")?.remove();
    $("#own").append(item);
    $("#new [name=when]").focus();
  },
});
$("#new [name=when]")?.focus();
document.body.dataset.ready = "yes";
