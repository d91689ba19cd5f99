// When everything is in place.

startWhy();
for (const card of all(".card[id]")) addTools(card);
followAddress();
