// When everything is in place.

startPoints();
startCompare();
startWhy();
for (const card of all(".card[id]")) addTools(card);
followAddress();
// What is folded for want of room on a screen has room on paper.
addEventListener("beforeprint", () => {
  for (const one of all("details.more")) one.setAttribute("open", "");
});
