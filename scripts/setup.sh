# Sourced by the scripts beside it: `install core` makes .venv with the project and what it needs, if it is missing or stale;
# `install EXTRA...` does so with these extras of pyproject.toml, and keeps those that are there.
# Needs Python 3.11 or newer with pip, nothing else. PYTHON=... chooses another interpreter.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "tiler needs Python 3.11 or newer; install it, or set PYTHON to it" >&2
    return 1
}

# Says whether .venv holds this checkout, as pyproject.toml wants it, with at least these extras.
is_ready() {
    local extra there
    there=" $(extras_there) "
    for extra; do
        case $there in *" $extra "*) ;; *) return 1 ;; esac
    done
}

# The extras in .venv; nothing if it is missing or stale.
extras_there() {
    [ -x "$venv/bin/python" ] && [ -f "$venv/stamp" ] || return 0
    local key extras
    { read -r key && read -r extras; } <"$venv/stamp"
    [ "$key" != "$(stamp_key)" ] || echo "$extras"
}

stamp_key() {
    echo "$(cksum <"$root/pyproject.toml") $root"
}

make_venv() {
    local python
    python=$(find_python) || return 1
    rm -rf "$venv"
    # Some systems ship Python without ensurepip: then their own pip installs into the new environment.
    "$python" -m venv "$venv" >/dev/null 2>&1 || {
        rm -rf "$venv"
        "$python" -m venv --without-pip "$venv" && "$python" -m pip --python "$venv/bin/python" install --quiet pip
    }
}

# Compiles the whole search where that has not been done since its sources changed.
compile() {
    local sources
    sources=$(find "$root/tiler" \( -path '*/kernels/*.py' -o -name 'kernel*.py' \) -print0 | sort -z | xargs -0 cat | cksum)
    [ "$(cat "$venv/compiled" 2>/dev/null)" = "$sources" ] && return
    "$venv/bin/python" -m tiler warm >&2 && echo "$sources" >"$venv/compiled"
}

install() {
    is_ready "$@" && return
    if command -v flock >/dev/null; then # Two scripts started at once take turns.
        exec 9>"$root/.venv.lock"
        flock 9
        if is_ready "$@"; then
            exec 9>&-
            return
        fi
    fi
    local extras
    extras=$(printf '%s\n' core $(extras_there) "$@" | sort -u | paste -sd ' ' -)
    echo "setting up .venv: $* (once; half a minute, or what the downloads take)" >&2
    rm -f "$venv/stamp"
    "$venv/bin/python" -c 'import pip' 2>/dev/null || make_venv || return 1
    # The core is no extra.
    local list
    list=$(printf '%s\n' $extras | grep -vx core | paste -sd , -)
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/python" -m pip install --quiet --no-compile --editable "$root${list:+[$list]}" >&2 || {
        echo "the installation failed: see the lines above" >&2
        return 1
    }
    # Python compiles a module when it is first imported: most are not soon, and pip would compile all by one core. Where Python
    # may not keep that, all are compiled now.
    [ -z "${PYTHONDONTWRITEBYTECODE:-}" ] || "$venv/bin/python" -m compileall -q -j 0 "$venv"/lib/python*/site-packages >/dev/null || true
    # Developers have what the pages need too.
    printf '%s\n%s\n' "$(stamp_key)" "${extras/dev/dev docs}" >"$venv/stamp"
    command -v flock >/dev/null && exec 9>&-
    return 0
}
