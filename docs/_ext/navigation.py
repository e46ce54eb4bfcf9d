"""The tree of pages beside each page, drawn from titles alone.

Sphinx copies the headings of all pages for each page and then leaves them out: half a second a page, for hundreds. And
each page of hundreds of environments needs those of its own family beside it, not all of them.
"""

from typing import Any

from docutils.nodes import Element
from sphinx.addnodes import toctree


def titles(toc: Element) -> Element:
    """A page's contents without its headings, which leaves its title and the pages below."""
    short = toc.deepcopy()
    for item in short.children:
        if isinstance(item, Element) and len(item) > 1:
            if below := list(item.findall(toctree)):
                item[1][:] = below
            else:
                item.pop(1)
    return short


def draw_tree(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Draw the tree of a page."""
    if "toctree" in context:
        whole, env = context["toctree"], app.env
        if not hasattr(app, "_titles"):
            app._titles = {name: titles(toc) for name, toc in env.tocs.items()}

        def tree(**options: Any) -> str:
            if pagename.startswith("environments/"):
                options["collapse"] = True
            contents, env.tocs = env.tocs, app._titles if options.get("titles_only") else env.tocs
            try:
                return whole(**options)
            finally:
                env.tocs = contents

        context["toctree"] = tree


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", draw_tree, priority=400)  # before the theme
    return {"parallel_read_safe": True}
