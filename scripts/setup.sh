# Sourced by the scripts beside it: `install core` makes .venv with the project and what it needs, if it is missing or stale;
# `install EXTRA...` does so with these extras of pyproject.toml, and keeps those that are there.
# Needs Python 3.11 or newer with pip, nothing else. PYTHON=... chooses another interpreter.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
# Python keeps the modules that it compiles, whatever the user says of others: each command and each run is a process.
unset PYTHONDONTWRITEBYTECODE

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
    "$python" -m venv --without-pip "$venv" || return 1
    # The pip that is here installs another one in a quarter of the time that ensurepip takes, which some systems lack.
    logged "$python" -m pip --python "$venv/bin/python" install --quiet --no-compile pip || logged "$venv/bin/python" -m ensurepip
}

# Runs a command, and keeps what it says in .venv/setup.log.
logged() {
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$@" >>"$venv/setup.log" 2>&1
}

failed() {
    cat "$venv/setup.log" >&2 2>/dev/null
    echo "the installation failed: the lines above say why" >&2
    return 1
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
        flock --nonblock 9 || {
            echo "another script sets up .venv; waiting for its end" >&2
            flock 9
        }
        if is_ready "$@"; then
            exec 9>&-
            return
        fi
    fi
    local extras
    extras=$(printf '%s\n' core $(extras_there) "$@" | sort -u | paste -sd ' ' -)
    local takes="half a minute"
    case " $* " in *" dev "* | *" docs "* | *" all "*) takes="a minute or two" ;; esac
    # A command that has something installed has said so (tiler/optional_packages.py).
    [ -n "${TILER_INSTALLER:-}" ] || echo "setting up .venv with $*, once: $takes, or what the downloads take" >&2
    rm -f "$venv/stamp" "$venv/setup.log"
    "$venv/bin/python" -c 'import pip' 2>/dev/null || make_venv || failed || return 1
    # The core is no extra.
    local list
    list=$(printf '%s\n' $extras | grep -vx core | paste -sd , -)
    # Python compiles a module when it is first imported: most are not soon, and pip would compile all by one core.
    logged "$venv/bin/python" -m pip install --quiet --no-compile --editable "$root${list:+[$list]}" || failed || return 1
    # Developers have what the pages need too.
    printf '%s\n%s\n' "$(stamp_key)" "${extras/dev/dev docs}" >"$venv/stamp"
    command -v flock >/dev/null && exec 9>&-
    return 0
}
