"""Handle signals that end a process: it first removes its temporary files, and a second signal does not disturb that.

Without this, SIGTERM and SIGHUP end a Python process on the spot, with temporary folders left behind; and a second Ctrl-C
interrupts the cleaning up that the first one began.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

#: The signals that end a process without a handler.
ENDING: tuple[int, ...] = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Terminated(BaseException):
    """SIGTERM or SIGHUP came: raised so that everything open is closed. `number` is the signal; the process ends by it at last,
    so that its parent sees why."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """A signal handler: the process is to end now, and further signals of this kind are ignored."""
    for each in ENDING:
        if each == number or callable(signal.getsignal(each)):
            signal.signal(each, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Terminated(number)


@contextmanager
def handled(*, restore: bool = True) -> Iterator[None]:
    """While this is open, the first signal that is to end the process raises KeyboardInterrupt or `Terminated`.

    A signal that is ignored, as by nohup or for a job in the background, stays so. Only the main thread can do this; elsewhere
    nothing happens. Handlers are put back at the end, unless nothing but the end of the process is to follow.
    """
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            handler = signal.getsignal(number)
            if handler in (signal.SIG_DFL, signal.default_int_handler):
                before[number] = handler
                signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items() if restore else ():
            signal.signal(number, handler)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """While this is open, the first Ctrl-C is remembered, for a search to look at; a second one interrupts at once.

    A handler that somebody else has set stays, and so does it if Ctrl-C is ignored; only the main thread can handle signals.
    """
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not callable(before) or before not in (signal.default_int_handler, interrupt):
        yield lambda: False
        return
    seen = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal seen
        if seen:
            before(number, frame)
        seen = True

    signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: seen
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def time_limit(seconds: float | None, ended: Callable[[], Exception]) -> Iterator[None]:
    """While this is open, raise an exception once these seconds are over, and again ten times a second should somebody catch it.

    For stages that look at no clock. Only the main thread can do this; elsewhere, on Windows, and for None seconds, nothing
    happens.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise ended()

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def postponed() -> Iterator[None]:
    """Keep Ctrl-C, and other signals that somebody handles, waiting through a few steps that must not be torn apart.

    By handlers and not by a mask, since a signal that this thread blocks would go to one of numpy's.
    """
    came: list[int] = []
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            if callable(signal.getsignal(number)):
                before[number] = signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[-1])


def exit_in_words(status: int) -> str:
    """How a process ended that has this exit status, which is negative for the number of a signal.

    >>> exit_in_words(3), exit_in_words(-2)
    ('exited with status 3', 'killed by SIGINT')
    """
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
