"""Make limited runs by another copy of Tiler: the code in another folder, or of another interpreter."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from tiler.errors import BadOption
from tiler.process.executors import Call, Executor, Prepare, RunHelper, unpack

T = TypeVar("T")


@dataclass(frozen=True)
class CodeCopy:
    """A copy of Tiler that can make runs: an interpreter, and the environment in which it finds that copy."""

    python: str
    environment: Mapping[str, str]

    @classmethod
    def at(cls, path: str) -> CodeCopy:
        """The copy in a folder, run by this interpreter, or the one that another interpreter has. BadOption if there is none."""
        folder, variables = os.path.abspath(path), dict(os.environ)
        others = variables.pop("PYTHONPATH", "")
        if os.path.isfile(os.path.join(folder, "tiler", "__init__.py")):
            python = sys.executable
            variables["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, others)))
        elif os.path.isfile(path):
            python = folder
        else:
            raise BadOption(f"{path} is neither a folder with a folder tiler in it, nor a Python interpreter that has Tiler")
        command = [python, "-P", "-c", "import tiler.process.executors"]
        try:
            done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except OSError as error:
            raise BadOption(f"{path} cannot be run: {error.strerror}") from None
        if done.returncode:
            raise BadOption(f"{path} has no Tiler that works: {(done.stderr.splitlines() or ['it says nothing'])[-1]}")
        return cls(python, variables)


class Elsewhere(Executor):
    """Runs made, one at a time, by a process with another copy of Tiler. Functions are pickled by their names, and so must be
    there too."""

    def __init__(self, copy: CodeCopy, prepare: Prepare | None = None) -> None:
        self._helper = RunHelper([copy.python, "-P"], copy.environment)
        self._prepare = prepare
        self._waiting: deque[Call[Any]] = deque()

    @property
    def slots(self) -> int:
        return 1

    def submit(
        self, function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None
    ) -> Call[T]:
        call: Call[T] = Call()
        self._waiting.append(call)
        self._helper.send(pickle.dumps((self._prepare, function, args, seconds, megabytes)))
        return call

    def wait(self, calls: Collection[Call[Any]], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._waiting and not any(call.is_done for call in calls):
            packed = self._helper.receive(max(0.0, deadline - time.monotonic()))
            if packed is None:
                return
            self._waiting.popleft().result = unpack(packed)

    def close(self) -> None:
        self._helper.close()
