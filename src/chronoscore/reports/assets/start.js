// When everything is in place.

startPoints();
startCompare();
startWhy();
for (const card of all(".card[id]")) addTools(card);
followAddress();
