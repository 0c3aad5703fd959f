"""Choose the search of dancing links that serves the options of the backend: with or without the volume filter at its nodes."""

from __future__ import annotations

from tiler.backends.dlx import Dlx
from tiler.backends.dlx.driver import DlxSearch, merged, named
from tiler.backends.dlx.volume import FilteredSearch
from tiler.backends.searching.driver import drive
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import Run, Running
from tiler.question.question import Question


def search(backend: Dlx, cover: Cover, question: Question, run: Run) -> Running:
    """Start the search of the backend `dlx`."""
    narrows = not backend.parity and backend.copies == "merged"
    return drive(_made(backend, cover, narrows, run.check_stop), question, run)


def tree(backend: Dlx, cover: Cover, check_stop: StopCheck = never_stop) -> DlxSearch | FilteredSearch:
    """The search at its root, for estimates of its size."""
    return _made(backend, cover, False, check_stop)


def _made(backend: Dlx, cover: Cover, narrows: bool, check_stop: StopCheck) -> DlxSearch | FilteredSearch:
    order, parity = backend.order, backend.parity
    if backend.volume:
        board = on_board(cover, f"{backend.name}: volume={backend.volume}")
        return FilteredSearch(board, backend.volume, order=order, parity=parity, narrows=narrows, check_stop=check_stop)
    matrix = named(backend, cover, check_stop) if backend.copies == "named" else merged(cover, check_stop)
    return DlxSearch(matrix, order=order, parity=parity, narrows=narrows, check_stop=check_stop)
