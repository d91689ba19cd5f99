"""Every form of a page has its address, and scripts know the forms that they send."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from chronoscore.workbench.web import app
from chronoscore.workbench.web.routes import ROUTES
from chronoscore.workbench.web.routes.data import FORMS

WEB = Path(app.__file__).parent
POSTED = {
    re.sub(r"\{\w+(:int)?\}", "*", one.path) for one in ROUTES if "POST" in (one.methods or ())
}


def forms() -> Iterator[tuple[str, str, str]]:
    """Template, address (* for what is filled in) and tag of every form."""
    for path in sorted((WEB / "templates").rglob("*.html")):
        # What is filled in may hold quotes and signs of its own.
        text = re.sub(r"\{\{.*?\}\}", "*", re.sub(r"\{%.*?%\}", "", path.read_text()))
        for tag in re.findall(r'<form\b[^>]*method="post"[^>]*>', text):
            address = re.search(r'action="([^"]*)"', tag)
            assert address, f"{path.name}: {tag} has no address"
            yield path.name, address[1], tag


def test_every_form_is_posted_to_an_address_that_takes_it() -> None:
    for template, address, _ in forms():
        pattern = re.escape(address).replace(r"\*", r"[^/]+")
        known = [one for one in POSTED if re.fullmatch(pattern, one)]
        assert known, f"{template} posts to {address}: give it a route, such as topic_form(…)"


def test_every_address_that_takes_a_form_has_one_on_a_page() -> None:
    patterns = [re.escape(address).replace(r"\*", r"[^/]+") for _, address, _ in forms()]
    lost = {one for one in POSTED if not any(re.fullmatch(pattern, one) for pattern in patterns)}
    assert not lost, f"no <form> in web/templates posts to {lost}"


def test_a_form_with_data_entry_is_scripted_and_the_other_way_round() -> None:
    sent = {address.removeprefix("/t/*/") for _, address, tag in forms() if "data-entry" in tag}
    # The note dialog is sent by a script of its own; the step of `parts.html` is that of a page.
    assert sent - {"*"} == set(FORMS) - {"notes"}, "topic_form(…, scripted=True) and data-entry"


def test_the_list_of_what_was_refused_has_words_for_every_scripted_form() -> None:
    script = (WEB / "static" / "forms.js").read_text()
    table = re.search(r"const ACTIONS = \{(.*?)\n\};", script, re.S)
    assert table
    words = set(re.findall(r'^  "?([\w/-]+)"?: "', table[1], re.M))
    wanted = {"withdraw"}
    for name, form in FORMS.items():
        wanted |= set(form) if isinstance(form, Mapping) else {name}
    assert words == wanted, "name it in ACTIONS of forms.js"
