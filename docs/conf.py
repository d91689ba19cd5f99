"""How Sphinx builds these pages."""

from chronoscore import __version__

project = "chronoscore"
author = "The chronoscore authors"
copyright = "the chronoscore authors"  # noqa: A001
release = __version__
extensions = ["myst_parser", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
# Classes for lists: {.cards}
myst_enable_extensions = ["attrs_block"]
highlight_language = "text"
# Smart quotes would turn the two dashes of an option into one long dash.
smartquotes = False
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_title = f"chronoscore {__version__}"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#6cb2f5", "color-brand-content": "#6cb2f5"},
}
# A copy button takes what a reader types, not prompts and answers.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
