import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
import sources

project = "envsuite"
author = "The envsuite contributors"
copyright = author
release = version = installed_version("envsuite")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "autoreset",
    "curves",
    "environments",
    "families",
    "frame_data",
    "fronts",
    "gallery",
    "levels",
    "navigation",
    "own_document",
    "published",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests run them
exclude_patterns = ["_build", "_ext", "_generated/*.md", "_tables/*.md"]

autodoc_mock_imports = ["ray.rllib", "ray.tune", "tensordict", "torchrl"]  # heavy, and of no page's content
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True

linkcode_resolve = sources.link

html_theme = "furo"
html_title = "envsuite"
html_static_path = ["_static"]
html_copy_source = False  # a twelfth of the bytes; the sources are in the repository


def escape(app, what, name, obj, options, lines):
    """Docstrings are written for people; keep reStructuredText from reading shapes as emphasis."""
    for k, line in enumerate(lines):
        lines[k] = re.sub(r"\*(?=[OA]\b)", r"\\*", line).replace("|x|", r"\|x\|")


def setup(app):
    app.connect("autodoc-process-docstring", escape)
