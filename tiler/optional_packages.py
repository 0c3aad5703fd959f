"""Know the packages that the core does without: which are here, and which line installs the others.

The core needs NumPy alone. What needs more calls `need` first, or imports inside a function. In a checkout, `scripts/tiler` names
a program that brings what is missing.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from importlib import invalidate_caches, util

from tiler.errors import MissingDependency

PROJECT = "tiler-bench"  #: the name of this distribution
INSTALLER = "TILER_INSTALLER"  #: the environment variable with a program that installs extras of it

#: The extra of this distribution that brings a module.
EXTRAS = {
    **dict.fromkeys(("pysat", "pulp", "highspy", "ortools", "psutil", "msgspec", "rich"), "engines"),
    **dict.fromkeys(("matplotlib", "PIL", "markdown_it"), "plots"),
    **dict.fromkeys(("starlette", "uvicorn"), "studio"),
    **{"distributed": "cluster", "numba": "compile", "llvmlite": "compile", "shtab": "completion"},
    **{"ezdxf": "laser", "pyarrow": "tables", "rocrate": "archive", "pycryptosat": "cryptominisat"},
}
#: pip's name of a module, where it differs from the module's own.
_DISTRIBUTIONS = {"pysat": "python-sat", "PIL": "pillow", "markdown_it": "markdown-it-py"}


def is_installed(module: str) -> bool:
    """Whether a module can be imported, found out without importing it."""
    try:
        return util.find_spec(module) is not None
    except (ImportError, ValueError):  # Something keeps it from being imported.
        return False


def distribution(module: str) -> str:
    """The name of the distribution that a module belongs to.

    >>> distribution("pysat"), distribution("ortools")
    ('python-sat', 'ortools')
    """
    return _DISTRIBUTIONS.get(module, module)


def pip_install(modules: Collection[str]) -> str:
    """The command that installs modules: by the extras of this distribution, which say in what versions they go together.

    >>> pip_install(["pulp", "pysat"]), pip_install(["gurobipy"])
    ("pip install 'tiler-bench[engines]'", 'pip install gurobipy')
    """
    extras = _extras(modules)
    others = [distribution(module) for module in modules if module not in EXTRAS]
    ours = [f"{PROJECT}[{','.join(extras)}]"] if extras else []
    return " ".join(["pip install", *map(shlex.quote, ours + others)])


def remedy(modules: Collection[str]) -> str:
    """What to do where modules are missing: the command that installs them, where anything can be installed.

    >>> remedy(["highspy"])
    "pip install 'tiler-bench[engines]'"
    """
    return "not in this page" if sys.platform == "emscripten" else pip_install(modules)


def explained(error: ModuleNotFoundError, what: str) -> MissingDependency | None:
    """The sentence for a module that could not be imported, if it is one of those; `what` needs it."""
    module = (error.name or "").partition(".")[0]
    return _missing(what, [module]) if module in EXTRAS else None


def need(what: str, *modules: str, instead: str = "") -> None:
    """Raise MissingDependency if one of the modules is not installed, and cannot be installed now. `what` needs them, and begins
    the message; `instead` says at its end what does without them.

    >>> need("this example", "json")
    """
    missing = [module for module in modules if not is_installed(module)]
    if missing and not _brought(what, missing):
        raise _missing(what, missing, instead)


def _brought(what: str, modules: Sequence[str]) -> bool:
    """Have modules installed, if this process was told how, and say so; whether they are here now."""
    program, extras = os.environ.get(INSTALLER), _extras(modules)
    if not program or not extras:
        return False
    import subprocess  # Hardly ever.

    print(
        f"tiler: {what} needs {', '.join(modules)}: installing {' and '.join(extras)}, once (a minute)",
        file=sys.stderr,
        flush=True,
    )
    with suppress(OSError):
        subprocess.run([program, *extras], stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False)
    invalidate_caches()
    return all(map(is_installed, modules))


def _extras(modules: Collection[str]) -> list[str]:
    return sorted({EXTRAS[module] for module in modules if module in EXTRAS})


def _missing(what: str, modules: Sequence[str], instead: str = "") -> MissingDependency:
    rest = f"; {instead}" if instead else ""
    return MissingDependency(f"{what} needs {', '.join(modules)}; install with: {pip_install(modules)}{rest}")
