"""Write the draft of a paper about a campaign, in LaTeX, in two columns: the setting, and tables and figures with captions, as
journals want them. It has everything that the records say about the measurement. The author writes the conclusions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tiler.amounts import counted
from tiler.bench.record import Record
from tiler.bench.stats import Clock, Table, newest
from tiler.bench.stats import tables as tabulated
from tiler.process import files
from tiler.report import draw, findings, style, tables
from tiler.report.document import Tabular
from tiler.report.draw import WrittenDrawing
from tiler.report.panels import codes, limits_in_words, place

COLUMN_INCHES, FONT = 3.4, 8.0
KINDS = ("survival", "boxes")
_FIGURES = 4
_ROWS_BELOW_TITLE = 45

_PAGE = r"""% Written by tiler report --draft; lualatex, xelatex or pdflatex draft.tex makes it a page.
\documentclass[10pt,twocolumn]{article}
\usepackage[margin=1.6cm,columnsep=0.7cm]{geometry}
\usepackage{graphicx,booktabs,siunitx,caption}
\usepackage{iftex}
% Figures may fill a column between them.
\renewcommand{\topfraction}{0.95}\renewcommand{\textfraction}{0.02}\renewcommand{\floatpagefraction}{0.8}
% Outlines, never bitmaps: Latin Modern where there is one, else Computer Modern in its own encoding.
\ifPDFTeX\usepackage[utf8]{inputenc}\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}\usepackage{textcomp}\fi
\title{\vspace{-1.5em}@title@\vspace{-0.6em}}
\author{\vspace{-1em}}
\date{@date@}
\begin{document}
@first@
\section{Setting}
@setting@
\section{Results}
@results@
@figures@
\section{How far this can be trusted}
@trust@
\end{document}
"""


def write(records: Sequence[Record], folder: Path, title: str, clock: Clock) -> list[Path]:
    """Write draft.tex, its table as .tex and .csv, and its figures as PDF into a folder. Returns the paths of these files."""
    used = newest(records)
    table = tabulated(records, clock)[0]
    grid = tables.solvers(table)
    written = write_table("solvers", grid, folder)
    with style.laid_out(replace(style.layout(), bare=True, width=COLUMN_INCHES, font=FONT)):
        drawn = draw.write(table, folder, draw.suitable(table, KINDS), ["pdf"])
    chosen = [drawing for drawing in drawn if not drawing.is_detail][:_FIGURES]
    # The setting names the clock and the machine, so that captions need not.
    brief = f"Goal: {table.goal}; limits of a run: {limits_in_words(table.limits)}."
    parts = {
        "title": text(title),
        "date": text(max((str(record.get("started", ""))[:10] for record in used), default="")),
        "setting": text(_setting(table, used)),
        "results": text(" ".join((*findings.overall(table), *findings.alike(table)[:1]))),
        "first": _first("solvers", grid),
        "figures": "\n".join(_figure(drawing, brief) for drawing in chosen),
        "trust": text(findings.trust(table.records)),
    }
    page = re.sub(r"@(\w+)@", lambda field: parts[field[1]], _PAGE)
    files.write(folder / "draft.tex", page.encode())
    return [*written, *(folder / f"{drawing.name}.pdf" for drawing in drawn), folder / "draft.tex"]


def write_table(name: str, grid: Tabular, folder: Path) -> list[Path]:
    """Write a table as LaTeX and as CSV. Returns the paths of both files."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [dict(zip(grid.heads, (cell.removeprefix("!") for cell in row), strict=True)) for row in grid.rows]
    written = []
    for path, content in ((folder / f"{name}.tex", latex(grid)), (folder / f"{name}.csv", draw.table_of(rows))):
        files.write(path, content.encode("utf-8", "backslashreplace"))
        written.append(path)
    return written


def latex(grid: Tabular) -> str:
    """A table as a LaTeX tabular.

    It uses the rules of booktabs; siunitx aligns a column of plain numbers at the point.

    >>> print(latex(Tabular(("solver", "s", "of"), (("a_b", "1.25", "!3/4"), ("c", "10", "")))), end="")
    \\begin{tabular}{lS[table-format=2.2]r}
    \\toprule
    solver & {s} & of \\\\
    \\midrule
    a\\_b & 1.25 & \\textbf{3/4} \\\\
    c & 10 &  \\\\
    \\bottomrule
    \\end{tabular}
    """
    columns = [_column([row[place] for row in grid.rows]) for place in range(1, len(grid.heads))]
    are_numbers = [False, *(column != "r" for column in columns)]
    heads = [f"{{{text(head)}}}" if number else text(head) for head, number in zip(grid.heads, are_numbers, strict=True)]
    lines = [rf"\begin{{tabular}}{{l{''.join(columns)}}}", r"\toprule", " & ".join(heads) + r" \\", r"\midrule"]
    for row in grid.rows:
        cells = [text(row[0]), *(_cell(cell, number) for cell, number in zip(row[1:], are_numbers[1:], strict=True))]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


_NUMBER = re.compile(r"([+-]?\d+)(?:\.(\d+))?")


def _column(cells: Sequence[str]) -> str:
    """The LaTeX type of a column: for numbers with their digits before and after the point, or for text."""
    plain = [_NUMBER.fullmatch(cell.removeprefix("!")) for cell in cells if cell not in ("", "-")]
    if not plain or None in plain:
        return "r"
    before = max(len(match[1].lstrip("+-")) for match in plain if match)
    behind = max(len(match[2] or "") for match in plain if match)
    sign = "+" if any(match[1][0] in "+-" for match in plain if match) else ""
    return rf"S[table-format={sign}{before}.{behind}]" if behind else rf"S[table-format={sign}{before}]"


def _cell(cell: str, in_numbers: bool) -> str:
    shown = rf"\textbf{{{text(cell[1:])}}}" if cell.startswith("!") else text(cell)
    return f"{{{shown}}}" if in_numbers and not _NUMBER.fullmatch(cell) and cell else shown


_SPECIAL = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "µ": r"\ensuremath{\mu}",
}


def text(words: str) -> str:
    """A text as LaTeX writes it.

    >>> text("5 % of a_b")
    '5 \\\\% of a\\\\_b'
    """
    return "".join(_SPECIAL.get(letter, letter) for letter in words).replace("--", r"-\mbox{-}")


def _setting(table: Table, records: Sequence[Record]) -> str:
    places = sorted({place(record) for record in records} - {""})
    made_by = codes(records)
    return " ".join(
        [
            f"{counted(len(table.solvers), 'solver')} were asked about {counted(len(table.problems), 'problem')} (goal: "
            f"{table.goal}), each run in a process of its own, limited to {limits_in_words(table.limits)}.",
            f"{tables.sentence(table.clock.meaning)}.",
            *([f"Machine: {'; '.join(places)}."] if places else []),
            *([f"Code: {'; '.join(made_by)}."] if len(made_by) <= 3 else [f"Code: {len(made_by)} versions of Tiler."]),
            *findings.warnings(records, for_paper=True),
        ]
    )


def _first(name: str, grid: Tabular) -> str:
    """The title with the table below it, across both columns: a float would come on the second page at the earliest, and leave a
    column of the first one empty. A table that is longer than a page beside the title is such a float all the same."""
    caption = rf"{{\footnotesize {text(grid.note)}}}"
    small = rf"\centering\scriptsize\setlength{{\tabcolsep}}{{4pt}}\input{{{name}}}"
    if len(grid.rows) > _ROWS_BELOW_TITLE:
        return f"\\maketitle\n\\begin{{table*}}[t]{small}\n\\caption{caption}\n\\end{{table*}}"
    return rf"""\twocolumn[\begin{{@twocolumnfalse}}\maketitle
{{{small}
\captionof{{table}}{caption}\par}}\vspace{{2em}}
\end{{@twocolumnfalse}}]"""


def _figure(drawn: WrittenDrawing, brief: str) -> str:
    """A figure in LaTeX. Its caption says how to read it, and what the question was."""
    how = drawn.caption.partition("\n")[0]
    return rf"""\begin{{figure}}[t]
\centering
\includegraphics[width=\columnwidth,height=0.6\textheight,keepaspectratio]{{{drawn.name}}}
\caption{{\footnotesize {text(f"{drawn.title}. {how} {brief}")}}}
\end{{figure}}"""
