// Keeps a line that is being written until it is sent, whatever happens to the page.

const form = document.querySelector("#new");
if (form) {
  for (const field of form.querySelectorAll("input[type=text]")) {
    const name = `chronoscore:draft:${location.pathname}:${field.name}`;
    field.value ||= sessionStorage.getItem(name) ?? "";
    field.addEventListener("input", () => sessionStorage.setItem(name, field.value));
    form.addEventListener("submit", () => sessionStorage.removeItem(name));
  }
  form.querySelector("[name=when]").focus();
}
