"""How Sphinx makes the documentation; see scripts/docs.py."""

from tensorwhy import __version__

project = "tensorwhy"
author = "the tensorwhy authors"
copyright = author
version = release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_static_path = ["_static"]
html_title = "tensorwhy"
html_copy_source = False
html_show_sphinx = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["decisions/README.md"]
nitpicky = True
pygments_style = "friendly"
pygments_dark_style = "monokai"
