"""Run an engine in a process of its own: read orders, write replies and events, each a line of JSON. With a word on its command
line it is for small things, and never rehearses.

An order is {"order": number, "do": word, "data": ...}; its reply {"order": number, "reply": ...} or {"order": number, "error":
sentence}; an event is {"order": number, "event": ...}, without the number if it belongs to no order. The process ends when its
input ends, whatever it is doing: so no worker outlives the server.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import formats
from tiler.apps.studio import naming
from tiler.apps.studio.engine import Engine
from tiler.apps.studio.geometry import lattice_message
from tiler.apps.studio.message_json import dumps, read
from tiler.apps.studio.messages import (
    AskMessage,
    LaidMessage,
    LayMessage,
    NameBoardMessage,
    NameTilesMessage,
    ReadTextMessage,
    SaveMessage,
)
from tiler.apps.studio.race_messages import AboutRaceMessage, OrderRaceMessage, RacerMessage
from tiler.errors import InputError, TilerError
from tiler.model.lattices import called
from tiler.optional_packages import explained, need

if TYPE_CHECKING:
    from tiler.apps.studio.results import ResultsService

_CHUNK = 1 << 16
_IDLE_SECONDS = 0.3  # after which a worker that nobody needs yet rehearses


class Worker:
    """The orders that a process obeys, one after the other."""

    def __init__(
        self,
        write: Callable[[dict[str, Any]], None],
        is_idle: Callable[[], bool],
        others: Mapping[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        """`others` does what orders of the place say where this worker runs, in place of what is done here."""

        self._engine, self._write, self._is_idle = Engine(), write, is_idle
        self._doings = {**_PLAIN, **{name: getattr(self, f"_{name}") for name in _HOLDING}, **(others or {})}
        self._number = 0  # of the order that is obeyed
        self._is_rehearsed, self._is_played = False, False
        self._race: Any = None
        self._pace: Any = None
        self.newest = 0  #: the newest revision that was asked about
        self._results: ResultsService | None = None

    def handle(self, order: dict[str, Any]) -> None:
        """Do what an order says, and write the reply."""
        number = self._number = order["order"]
        do, data = order["do"], order["data"]
        try:
            reply = self._doings[do](data)
        except TilerError as error:
            self._write({"order": number, "error": str(error)})
        except MemoryError:
            self._write({"order": number, "error": "the memory is exhausted"})
        except RecursionError:
            self._write({"order": number, "error": "nested too deeply"})
        except Exception as error:  # A fault ends this order, and no other work of the process.
            from tiler.backends import fault_origin

            missing = explained(error, do) if isinstance(error, ModuleNotFoundError) else None
            said = str(missing) if missing else f"{fault_origin.in_words(error)} (please report it)"
            self._write({"order": number, "error": said})
        else:
            self._write({"order": number, "reply": reply})

    def prepare(self) -> None:
        """Make ready what the next orders need, as long as there are none. Nobody waits for it: a fault ends nothing."""
        with contextlib.suppress(Exception):
            counted = self._engine.prepare(self._is_idle)
            if counted is not None:
                self._write({"event": counted})
            elif self._is_played and self._is_idle():
                self.rehearse()

    def end_counting(self) -> None:
        """Say that the last move gets no number, if it has none."""
        counted = self._engine.end_counting()
        if counted is not None:
            self._write({"event": counted})

    def rehearse(self) -> None:
        """Answer a question that nobody asked: the first one that somebody asks finds all modules and kernels loaded."""
        from tiler.api import functions
        from tiler.api.construction import make

        if self._is_rehearsed:
            return
        self._is_rehearsed = True
        with contextlib.suppress(Exception):
            functions.solve(make("6x10", "1:pentominoes"), seconds=1.0)

    def _forget(self, data: Any) -> Any:
        """Lay down the problem; the next page finds a worker as if it were new."""
        self._engine, self.newest = type(self._engine)(), 0
        return None

    def _open(self, data: Any) -> Any:
        return self._engine.open(data)

    def _lay(self, data: Any) -> Any:
        message = read(LayMessage, data)
        if message.revision < self.newest:
            return LaidMessage(message.revision, None, None, (), (), (), (), None, 0.0)
        self._is_played = True
        return self._engine.lay(message.revision, message.laid, self._is_idle)

    def _ask(self, data: Any) -> Any:
        self._engine.open(data["problem"])
        self._engine.ask(data["id"], *self._question(data), self._tell)

    def _attempt(self, data: Any) -> Any:
        """Whether the question was answered at once."""
        return self._engine.attempt(data["id"], *self._question(data), self._tell, self._is_idle)

    def _question(self, data: Any) -> tuple[str, Any, Any]:
        message = read(AskMessage, data["message"])
        return message.question, message.parameters, message.laid

    def _tell(self, event: object) -> None:
        self._write({"order": self._number, "event": event})

    def _campaign(self, data: Any) -> Any:
        """What the room where solvers are compared wants to know."""
        need("the room where solvers are compared", "msgspec", "matplotlib", "psutil")
        from tiler.apps.studio.results import ResultsService

        if self._results is None:
            self._results = ResultsService(Path(data["root"]))
        return self._results.handle(data["do"], data["data"])

    def _race_prepare(self, data: Any) -> Any:
        from tiler.apps.studio import racer

        self._pace = racer.RacePace()
        described = read(RacerMessage, data["racer"])
        self._race = racer.Racer(data["problem"], data["goal"], described, self._pace, self._tell)

    def _race_search(self, data: Any) -> Any:
        self._race.search()

    def steer(self, data: Any) -> None:
        """Change the pace of the race at once, while its search is under way."""
        if self._pace is not None:
            self._pace.is_seen = data["is_seen"]
            self._pace.change(data["per_second"], data["steps"])


def _read_text(data: Any) -> Any:
    message = read(ReadTextMessage, data)
    if (message.text is None) == (message.base64 is None):
        raise InputError("a file is text, or base64")
    try:
        content = (message.text or "").encode(errors="replace") or base64.b64decode(message.base64 or "", validate=True)
    except binascii.Error:
        raise InputError("this is no base64") from None
    return naming.read_text(message.name, content)


def _save(data: Any) -> Any:
    from tiler.apps.studio import saving

    name, kind, content = saving.saved(read(SaveMessage, data))
    return name, kind, base64.b64encode(content).decode()


def _race_about(data: Any) -> Any:
    from tiler.apps.studio import racer

    return racer.about(read(AboutRaceMessage, data).problem)


def _race_order(data: Any) -> Any:
    from tiler.apps.studio import racer

    return racer.order_file(read(OrderRaceMessage, data))


_RACE_PACE = "race_pace"
#: Orders to what the worker holds: its problem, its race, its results.
_HOLDING = ("open", "lay", "ask", "attempt", "forget", "campaign", "race_prepare", "race_search")
#: Orders that any worker obeys alike. The file is one that the command named, and no other file is ever read.
_PLAIN: dict[str, Callable[[Any], Any]] = {
    "lattice": lambda name: lattice_message(called(name)),
    "read": _read_text,
    "tiles": lambda data: naming.tiles(**vars(read(NameTilesMessage, data))),
    "board": lambda data: naming.board(**vars(read(NameBoardMessage, data))),
    "problem": naming.problem,
    "file": lambda path: naming.read_instance(formats.read(path), "text"),
    "catalogue": lambda data: naming.catalogue(),
    "thumbnail": naming.thumbnail,
    **{"save": _save, "race_about": _race_about, "race_order": _race_order},
}


def main() -> None:
    """Obey until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is the server's.
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)  # What a library prints is no reply.
    lock = threading.Lock()

    def write(reply: dict[str, Any]) -> None:
        line = memoryview(f"{dumps(reply)}\n".encode(errors="replace"))
        with lock:
            while line:
                line = line[os.write(out, line) :]

    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    worker = Worker(write, orders.empty)
    threading.Thread(target=_listen, args=(worker, orders), daemon=True).start()
    try:
        order = orders.get(timeout=None if sys.argv[1:] else _IDLE_SECONDS)
    except queue.Empty:
        worker.rehearse()
        order = orders.get()
    while True:
        worker.handle(order)
        if orders.empty():
            worker.prepare()
        order = orders.get()


def _listen(worker: Worker, orders: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Take orders as they come, also while one is being obeyed; at the end of the input end this process and its children."""
    buffer = bytearray()
    while chunk := os.read(0, _CHUNK):
        buffer += chunk
        *lines, rest = bytes(buffer).split(b"\n") if b"\n" in chunk else [bytes(buffer)]
        buffer = bytearray(rest)
        for line in lines:
            order = json.loads(line)
            if order["do"] == _RACE_PACE:
                worker.steer(order["data"])
                continue
            if order["do"] == "lay":
                worker.newest = max(worker.newest, order["data"]["revision"])
            elif order["do"] == "open":
                worker.newest = 0
            orders.put(order)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
