"""How Sphinx builds these pages."""

from chronoscore import __version__

project = "chronoscore"
author = "The chronoscore authors"
copyright = "the chronoscore authors"  # noqa: A001
release = __version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
highlight_language = "text"
# Smart quotes would turn the two dashes of an option into one long dash.
smartquotes = False
html_theme = "alabaster"
html_static_path = ["_static"]
html_title = f"chronoscore {__version__}"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "description": "Evaluate timelines, update summaries and event streams",
    "fixed_sidebar": True,
    "globaltoc_maxdepth": 2,
    "page_width": "1160px",
    "sidebar_width": "230px",
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
