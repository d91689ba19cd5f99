"""Take the pictures of the report and of an explanation anew: `python docs/pictures.py`.

With `--all` those of the workbench too (`workbench_pictures.py`), which takes a minute or two.

`images/pictures.json` holds, for each picture, a digest of the page that it shows. A test
compares the digests, so that a picture cannot grow older than what it shows.
"""

import hashlib
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from chronoscore import demo, explain
from chronoscore.api.demo import demo as run_demo

IMAGES = Path(__file__).parent / "images"
AGES = IMAGES / "pictures.json"


@dataclass(frozen=True)
class Picture:
    """A part of a page as somebody sees it."""

    page: str
    width: int
    height: int
    scheme: str = "light"
    anchor: str = ""


PICTURES = {
    "report.png": Picture("report", 1280, 1010),
    "report-points.png": Picture("report", 1280, 1010, anchor="#points/align+/recall"),
    "report-phone.png": Picture("report", 390, 900, "dark"),
    "explain.png": Picture("explain", 1100, 900),
}


def pages(folder: Path) -> dict[str, Path]:
    """The pages to be shown, made anew."""
    report = run_demo(folder).path
    why = folder / "explain.html"
    explain(demo.RUNS / "headlines" / "timelines", demo.CORPUS, topic="dam").save(why)
    return {"report": report, "explain": why}


def digests(found: dict[str, Path]) -> dict[str, str]:
    """By picture: a digest of its page, without what differs from machine to machine."""
    texts = {
        name: re.sub(r"<details>.*?</details>", "", path.read_text(), flags=re.DOTALL)
        for name, path in found.items()
    }
    hashed = {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()}
    return {name: hashed[picture.page] for name, picture in PICTURES.items()}


def main() -> None:
    """Take every picture with Chromium."""
    from playwright.sync_api import sync_playwright

    words = [word for word in sys.argv[1:] if word != "--all"]
    program = words[0] if words else "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        found = pages(Path(folder))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, picture in PICTURES.items():
            context = browser.new_context(
                viewport={"width": picture.width, "height": picture.height},
                color_scheme=picture.scheme,
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(found[picture.page].as_uri() + picture.anchor)
            page.screenshot(path=IMAGES / name)
            context.close()
        AGES.write_text(json.dumps(digests(found), indent=1) + "\n")
    if "--all" in sys.argv:
        import workbench_pictures

        workbench_pictures.main(program)


if __name__ == "__main__":
    main()
