"""Run the two processes of isolate.py: the supervisor, which watches a run and kills its remaining processes, and the run itself.

They talk upwards in frames of a kind (one byte), a length and that many bytes, since the end of a pipe tells nothing while a
forgotten grandchild holds it open. The run sends its baseline (`BASELINE`) and then one of `VALUE`, `ERROR`, `NO_MEMORY`,
`INTERRUPT`; the supervisor sends the process id of the run (`STARTED`) and then a pickled `Report`.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import os
import pickle
import selectors
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tiler.errors import MissingDependency, TilerError
from tiler.process import memory, temporary

with contextlib.suppress(ImportError):  # Here, so that no supervisor has to load it. Where it is missing is no fork.
    import resource

DYING_SECONDS = 5.0  #: seconds that a killed process may take to be gone

BASELINE, VALUE, ERROR, NO_MEMORY, INTERRUPT = b"B", b"V", b"E", b"M", b"I"
STARTED, REPORT = b"P", b"R"

_LOOK_SECONDS = 0.05  # seconds between two looks at the memory
_TAIL_BYTES = 4096  # bytes kept of standard error
_HEAD = struct.Struct("!cQ")  # the head of a frame: its kind, and its length in bytes
_MIB = 1 << 20
_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # a number for Linux's prctl


@dataclass(frozen=True)
class Report:
    """The report of the supervisor; seconds and MiB."""

    kind: bytes  #: the last frame of the run: VALUE ... INTERRUPT, or nothing
    content: bytes
    late: bool  #: killed at the deadline
    greedy: bool  #: over the memory limit
    exit_status: int | None  #: the exit status; negative for the number of a signal
    wall_seconds: float
    cpu_seconds: float
    peak_megabytes: float
    baseline_megabytes: float
    last_line: str


@dataclass(frozen=True)
class Task:
    """A function to run, and its limits (infinite for none)."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    megabytes: float


class _Children:
    """The children of this process that have ended: exit status and CPU seconds by process id, and the largest of them."""

    def __init__(self) -> None:
        self.status: dict[int, int] = {}
        self.cpu_seconds = 0.0
        self.peak_megabytes = 0.0

    def reap(self) -> bool:
        """Note every child that has ended; whether there are others."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return True
                self.status[pid] = os.waitstatus_to_exitcode(status)
                self.cpu_seconds += usage.ru_utime + usage.ru_stime
                self.peak_megabytes = max(self.peak_megabytes, usage.ru_maxrss * _MAXRSS_BYTES / _MIB)
        return False


def supervise(task: Task, alive: int, channel: int) -> NoReturn:
    """Start the run, watch it, kill its remaining processes, report to `channel`; at the end of `alive` only kill."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    # This closes above all the ends of other supervisors' pipes: these show by their closing that the caller is dead.
    _close_all_but({alive, channel})
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    result, result_there = os.pipe()
    errors, errors_there = os.pipe()
    woken, wake = os.pipe()
    for end in (result, errors, woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)

    started = time.monotonic()
    deadline = started + task.seconds
    pid = fork()
    if pid == 0:
        try:
            _call(task, result_there, errors_there)
        finally:
            os._exit(1)
    os.close(result_there)
    os.close(errors_there)
    send(channel, STARTED, pid.to_bytes(8, "big"))

    received, tail = bytearray(), bytearray()
    children, peak, late = _Children(), 0.0, False
    selector = selectors.PollSelector()
    for end in (alive, result, errors, woken):
        selector.register(end, selectors.EVENT_READ)
    next_look = started + _LOOK_SECONDS
    while pid not in children.status and not late and peak <= task.megabytes:
        ready = {key.fd for key, _ in selector.select(max(0.0, min(next_look, deadline) - time.monotonic()))}
        if alive in ready:
            _kill_all(pid, children)
            temporary.clear(Path(tempfile.gettempdir()))
            os._exit(1)
        for end, kept in ((result, received), (errors, tail)):
            if end in ready and not _drain(end, kept, once=True):
                selector.unregister(end)
        del tail[:-_TAIL_BYTES]
        if woken in ready:
            os.read(woken, 4096)
            children.reap()
        now = time.monotonic()
        late = now >= deadline and pid not in children.status
        if now >= next_look:
            before = time.process_time()
            with contextlib.suppress(MissingDependency):
                peak = max(peak, memory.megabytes_together(_descendants(os.getpid()), task.megabytes))
            # If a look takes long, looks are rarer, so that they take at most a twentieth of a core.
            next_look = now + max(_LOOK_SECONDS, 20 * (time.process_time() - before))
    wall = time.monotonic() - started
    killed = pid not in children.status
    _kill_all(pid, children)
    if killed:
        temporary.clear(Path(tempfile.gettempdir()))
    _drain(result, received)
    _drain(errors, tail)

    sent = dict(frames(received))
    kind = next((kind for kind in sent if kind != BASELINE), b"")
    lines = bytes(tail[-_TAIL_BYTES:]).decode(errors="replace").splitlines()
    peak = max(peak, children.peak_megabytes)
    report = Report(
        kind,
        sent.get(kind, b""),
        late,
        peak > task.megabytes,  # Even if it was done before the supervisor could see it.
        children.status.get(pid),
        wall,
        children.cpu_seconds,
        peak,
        struct.unpack("!d", sent[BASELINE])[0] if BASELINE in sent else 0.0,
        next((line.strip()[:500] for line in reversed(lines) if line.strip()), ""),
    )
    send(channel, REPORT, pickle.dumps(report))
    os._exit(0)


def _call(task: Task, result: int, errors: int) -> NoReturn:
    """Call the function and send what it returns or raises."""
    me = os.getpid()
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(errors, 2)
    _close_all_but({result})
    # Objects of the caller may write to descriptors that are closed now, or that belong to other files by then.
    faulthandler.disable()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    # Objects of the caller are no garbage of this process, and a look at them would copy their pages.
    gc.freeze()
    baseline = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_BYTES / _MIB
    send(result, BASELINE, struct.pack("!d", baseline))
    try:
        kind, content = VALUE, pickle.dumps(task.function(*task.args))
    except SystemExit as error:
        os._exit(error.code if isinstance(error.code, int) else error.code is not None)
    except MemoryError:
        kind, content = NO_MEMORY, b""
    except KeyboardInterrupt:
        kind, content = INTERRUPT, b""
    except BaseException as error:
        kind, content = ERROR, pack_error(error)
    if os.getpid() == me:  # A child that the function forked, and that returned from it, must not send anything.
        send(result, kind, content)
    os._exit(0)


def pack_error(error: BaseException) -> bytes:
    """The kind of TilerError (the nearest that can be imported), its args and its fields, pickled."""
    if isinstance(error, TilerError):
        for kind in type(error).__mro__:
            with contextlib.suppress(Exception):
                return pickle.dumps((kind, error.args, error.__dict__))
    traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"
    return pickle.dumps((TilerError, (text,), {}))


def unpack_error(content: bytes) -> TilerError:
    """The inverse of what the run does with an error; past `__init__`, whose parameters need not be the args."""
    kind, args, fields = pickle.loads(content)
    error: TilerError = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def _kill_all(pid: int, children: _Children) -> None:
    """Kill the run, its group and every descendant, and reap them."""
    for _ in until(DYING_SECONDS):
        if pid not in children.status:  # Before its setsid it has no group.
            os.kill(pid, signal.SIGKILL)
        kill_group(pid)
        for descendant in _descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(descendant, signal.SIGKILL)
        if not children.reap():
            return


def _descendants(pid: int) -> list[int]:
    """Children, their children, and so on.

    psutil asks every process of the machine for its parent: 2 ms where there are a hundred of them, twenty times a second.
    Linux keeps a list of children, which is there in a tenth of a millisecond.
    """
    if sys.platform != "linux":
        try:
            import psutil

            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        except ImportError:  # Then processes that left the group are not found.
            return []
        except psutil.Error:
            return []
    found: list[int] = []
    todo = [pid]
    while todo:
        folder = f"/proc/{todo.pop()}/task"
        with contextlib.suppress(OSError):
            for task in os.listdir(folder):
                with contextlib.suppress(OSError), open(f"{folder}/{task}/children") as file:
                    children = list(map(int, file.read().split()))
                    found += children
                    todo += children
    return found


def fork() -> int:
    """`os.fork` without the warning, from Python 3.12 on, about native threads: numpy's sleep here and know about forks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def send(end: int, kind: bytes, content: bytes) -> None:
    """Write a frame, waiting for the reader as long as it takes."""
    data = memoryview(_HEAD.pack(kind, len(content)) + content)
    while data:
        data = data[os.write(end, data) :]


def frames(buffer: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """Remove the complete frames from the front of a buffer, and yield the kind and the content of each."""
    while len(buffer) >= _HEAD.size:
        kind, length = _HEAD.unpack_from(buffer)
        if len(buffer) < _HEAD.size + length:
            return
        content = bytes(buffer[_HEAD.size : _HEAD.size + length])
        del buffer[: _HEAD.size + length]
        yield kind, content


def _drain(end: int, kept: bytearray, *, once: bool = False) -> bool:
    """Read what is there without blocking; whether more may come."""
    with contextlib.suppress(BlockingIOError):
        while chunk := os.read(end, 1 << 16):
            kept += chunk
            if once:
                return True
        return False
    return True


def until(seconds: float) -> Iterator[None]:
    """Yield again and again for `seconds`, with pauses that grow from a fraction of a millisecond."""
    deadline, pause = time.monotonic() + seconds, 0.0002
    while time.monotonic() < deadline:
        yield
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def kill_group(pid: int) -> None:
    """Kill a process group, if there is one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _close_all_but(kept: set[int]) -> None:
    try:
        descriptors = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        descriptors = list(range(min(os.sysconf("SC_OPEN_MAX"), 1 << 16)))
    for descriptor in descriptors:
        if descriptor > 2 and descriptor not in kept:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
