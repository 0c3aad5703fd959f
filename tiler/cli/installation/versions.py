"""Print the text of `tiler --version --verbose`: versions of Python, the compiler and every engine, and how to install what is
missing."""

from __future__ import annotations

import platform

from tiler.kernels.cache_folders import has_library
from tiler.render import table
from tiler.version import __version__


def verbose() -> str:
    """A line each, in columns: what it is, its version or how to install it, and the solvers that need it."""
    from tiler.backends.registry import backends
    from tiler.bench.environment import version_of
    from tiler.optional_packages import distribution, pip_install

    users: dict[str, list[str]] = {} if has_library() else {"numba": ["the compiled searches"]}
    for name, backend in backends().items():
        for module in backend.requires:
            users.setdefault(module, []).append(name)
        for (option, value), module in backend.extras.items():
            users.setdefault(module, []).append(f"{name}:{option}={value}")
    rows = [("tiler", __version__, ""), ("Python", platform.python_version(), f"{platform.system()} {platform.machine()}")]
    for module, names in users.items():
        found = version_of(distribution(module))
        rows.append((distribution(module), found or f"not installed: {pip_install([module])}", ", ".join(names)))
    return table.draw(rows, texts=3)
