"""How Sphinx builds these pages."""

from chronoscore import __version__

project = "chronoscore"
author = "The chronoscore authors"
release = __version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"description": "Evaluate summaries that live in time"}
