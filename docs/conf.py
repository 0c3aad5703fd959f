"""How Sphinx makes the pages; scripts/pages.py lays out what it reads."""

from tiler.version import __version__

project = "Tiler"
author = "The Tiler authors"
copyright = "2026, The Tiler authors"
version = release = __version__

extensions = ["myst_nb"]
nb_execution_mode = "off"  # the tests run notebooks, and their pictures are stored
myst_heading_anchors = 3
smartquotes = False  # -- is an option, not a dash
exclude_patterns = ["extra"]
html_extra_path = ["extra"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme = "furo"
html_title = f"Tiler {version}"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
