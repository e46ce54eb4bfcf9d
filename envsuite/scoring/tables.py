"""Tables as text, Markdown, LaTeX and HTML; every cell is escaped."""

import html
from collections.abc import Mapping, Sequence
from typing import Literal

from envsuite.scoring.intervals import Estimate
from envsuite.scoring.many import Comparisons

Form = Literal["text", "markdown", "latex", "html"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {sign: "\\" + sign for sign in "&%$#_{}"}


def table(header: Sequence[str], rows: Sequence[Sequence[object]], form: Form = "text") -> str:
    """A table; the first column is set flush left, the others flush right.

    Args:
        header: names of the columns.
        rows: cells, turned into text by `str`.
        form: ``"text"``, ``"markdown"`` (as GitHub has it), ``"latex"`` (a ``tabular`` with booktabs), or ``"html"``.

    Raises:
        ValueError: an unknown form, or a row of another length than the header.
    """
    cells = [[" ".join(str(cell).split()) for cell in row] for row in (header, *rows)]
    odd = next((row for row in cells if len(row) != len(cells[0])), None)
    if odd is not None:
        raise ValueError(f"row {odd} has {len(odd)} cells, the header {len(cells[0])}")
    if form == "text":
        return _text(cells)
    if form == "markdown":
        return _markdown(cells)
    if form == "latex":
        return _latex(cells)
    if form == "html":
        return _html(cells)
    raise ValueError(f"form is {form!r}, expected 'text', 'markdown', 'latex' or 'html'")


def estimate_table(estimates: Mapping[str, Mapping[str, Estimate]], form: Form = "text") -> str:
    """Methods against metrics: value and interval, with the numbers of runs and tasks behind each row.

    Args:
        estimates: {method: {metric: estimate}}, the same metrics for all, numbers without checkpoints.
        form: see `table`.
    """
    if not estimates:
        raise ValueError("there are no estimates")
    metrics = list(next(iter(estimates.values())))
    rows = []
    for method, found in estimates.items():
        if list(found) != metrics:
            raise ValueError(f"{method!r} has the metrics {list(found)}, expected {metrics}")
        bases = dict.fromkeys(each.basis for each in found.values())
        cells = [f"{each.value:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in found.values()]
        rows.append([method, *cells, "; ".join(bases)])
    return table(["method", *metrics, "basis"], rows, form)


def ranking_table(comparisons: Comparisons, form: Form = "text") -> str:
    """Methods best first, with rank groups and the letters of ties.

    Args:
        comparisons: of `compare_all`.
        form: see `table`.
    """
    rows = [
        [method, comparisons.ranks[method], f"{comparisons.values[method]:.3f}", comparisons.letters[method]]
        for method in comparisons.methods
    ]
    return table(["method", "rank", "value", "ties"], rows, form)


def comparison_table(comparisons: Comparisons, form: Form = "text") -> str:
    """All pairs: difference, interval, p-value, and p-value after Holm's correction.

    Args:
        comparisons: of `compare_all`.
        form: see `table`.
    """
    rows = []
    for (first, second), pair in comparisons.pairs.items():
        gap = pair.difference
        interval = f"{gap.value:.3f} [{gap.low:.3f}, {gap.high:.3f}]"
        p_value = comparisons.adjusted[first, second]
        verdict = "yes" if comparisons.separated(first, second) else "no"
        rows.append([f"{first} - {second}", interval, f"{pair.p_value:.2g}", f"{p_value:.2g}", verdict])
    return table(["pair", "difference", "p", "p (Holm)", "separated"], rows, form)


def _text(cells: list[list[str]]) -> str:
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    lines = [
        "  ".join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(pairs))
        for pairs in ([*zip(row, widths, strict=True)] for row in cells)
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _markdown(cells: list[list[str]]) -> str:
    # a backslash before a letter stands for itself, before these signs it takes their meaning away
    signs = {ord(sign): "\\" + sign for sign in "\\`*_[]|"} | {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
    lines = ["| " + " | ".join(cell.translate(signs) for cell in row) + " |" for row in cells]
    rule = "| " + " | ".join(["---", *["---:"] * (len(cells[0]) - 1)]) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])


def _latex(cells: list[list[str]]) -> str:
    signs = str.maketrans(_LATEX)
    lines = [" & ".join(_guarded(cell.translate(signs)) for cell in row) + r" \\" for row in cells]
    columns = "l" + "r" * (len(cells[0]) - 1)
    return "\n".join(
        [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule",
         r"\end{tabular}"]
    )  # fmt: skip


def _guarded(cell: str) -> str:
    return "{}" + cell if cell.startswith(("[", "*")) else cell  # else an argument of the \\ before it


def _html(cells: list[list[str]]) -> str:
    def row(cells: list[str], tag: str, scope: str) -> str:
        first = f'<th scope="{scope}">{html.escape(cells[0])}</th>'
        rest = "".join(f"<{tag}>{html.escape(cell)}</{tag.split()[0]}>" for cell in cells[1:])
        return f"<tr>{first}{rest}</tr>"

    body = "\n".join(row(each, "td", "row") for each in cells[1:])
    head = row(cells[0], 'th scope="col"', "col")
    return f"<table>\n<thead>\n{head}\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>"
