"""Keeps Sphinx's environment out of every page.

Directives that autodoc runs in a Markdown page leave nodes that belong to a document of their own, which holds the
environment. Each page was pickled with it: 6 MB a page, 2 GB in all, and most of the time of a build.
"""

from typing import Any


def adopt(_: Any, doctree: Any) -> None:
    """Make all nodes belong to their page."""
    for node in doctree.findall():
        node.document = doctree


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", adopt)
    return {"parallel_read_safe": True}
