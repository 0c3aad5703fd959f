"""Run an engine in a worker of a web page, where Python is WebAssembly: the orders and replies of worker.py, each a text of JSON.

page/engine_worker.js calls this. A page has one thread for each worker and no signals: nobody can interrupt what a worker does,
so a page that has waited enough ends the worker, and another one goes on (page/worker_engine.js).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tiler.apps.studio.message_json import dumps
from tiler.apps.studio.worker import Worker

if TYPE_CHECKING:
    from tiler.apps.studio.page_campaigns import PageResultsService

# For how long a worker may go on with what nobody waits for. An order that comes meanwhile waits, so at first it is not long.
_SPARE_SECONDS, _MOST_SPARE_SECONDS = 2.0, 32.0


class PageWorker:
    """Obeys orders, and posts replies and events."""

    def __init__(self, post: Callable[[str], None]) -> None:
        self._post, self._order = post, dict[str, Any]()
        self._until, self._spare = 0.0, _SPARE_SECONDS
        self._results: PageResultsService | None = None
        self._worker = Worker(self._reply, lambda: time.monotonic() < self._until, {"campaign": self._campaign})

    def handle(self, text: str) -> None:
        """Do what an order says, and post the reply."""
        order = self._order = json.loads(text)
        if order["do"] == "open":
            self._worker.newest, self._spare = 0, _SPARE_SECONDS
        self._until = math.inf  # Nobody can ask for anything before it is done.
        self._worker.handle(order)

    def _campaign(self, data: Any) -> Any:
        """Do what the room where solvers are compared wants; a page asks for it by the name of a method and its arguments."""
        from tiler.apps.studio.page_campaigns import PageResultsService

        if self._results is None:
            self._results = PageResultsService()
        return getattr(self._results, data["do"])(*data["data"])

    def _reply(self, reply: dict[str, Any]) -> None:
        """Post a reply; one that says which package a form of a file needs names the command."""
        if "error" in reply and self._order["do"] == "save":
            from tiler.apps.studio import questions

            form, error = self._order["data"]["form"], reply["error"]
            command = "tiler show problem.json -o sheet.pdf" if form == "sheet" else f"tiler solve problem.json -o tiling.{form}"
            reply = {**reply, "error": questions.elsewhere(error, command) if questions.INSTALL in error else error}
        self._post(dumps(reply))

    def newest(self, revision: int) -> None:
        """Note the newest move that the page has asked about; older ones are not looked at any more."""
        self._worker.newest = max(self._worker.newest, revision)

    def prepare(self) -> bool:
        """Make ready what the next orders need. Whether more time would help: then the next call takes twice as long."""
        self._until = time.monotonic() + self._spare
        self._worker.prepare()
        is_cut_off = time.monotonic() >= self._until and self._spare < _MOST_SPARE_SECONDS
        if is_cut_off:
            self._spare *= 2
        else:
            self._worker.end_counting()
        return is_cut_off

    def rehearse(self) -> None:
        """Load what the first question needs."""
        self._worker.rehearse()
