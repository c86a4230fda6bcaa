# Shared by the targets' scripts: folders, packages, Python, processes, ports. Sourced, never run.
# A target lives in a folder of its own: installed things in it stay, state of a run is in run/.
# shellcheck shell=bash

say() { printf '%s: %s\n' "$target" "$*" >&2; }
die() { say "$*"; exit 1; }

# init NAME: sets target, home (what is installed) and run (what one `up` makes).
init() {
  target=$1
  local base=${XDG_CACHE_HOME:-$HOME/.cache}
  # PostgreSQL refuses to run as root, and no other user can enter root's home.
  [ "$(id -u)" -ne 0 ] || base=/var/cache
  home=${ASSAY_TARGETS:-$base/assay/targets}/$target
  run=$home/run
}

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# need_packages PACKAGE…: installs the Debian packages that are missing.
need_packages() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  as_root apt-get update -qq >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    die "could not install ${missing[*]}"
}

# find_python MAJOR.MINOR…: the path of the first of these versions that runs, by PATH, then pyenv.
find_python() {
  local version candidate
  for version in "$@"; do
    for candidate in "$(command -v "python$version" || true)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python; do
      [ -x "$candidate" ] && "$candidate" -c 'import venv' 2>/dev/null || continue
      printf '%s\n' "$candidate"
      return
    done
  done
  die "needs Python $1 or one of ${*:2} (with venv), in PATH or below ~/.pyenv/versions: none was found"
}

# install_python_package NAME VERSION PYTHON…: into $home/venv, unless it is there.
install_python_package() {
  local name=$1 version=$2 python
  shift 2
  local probe="import importlib.metadata as m, sys; sys.exit(m.version('$name') != '$version')"
  "$home/venv/bin/python" -c "$probe" 2>/dev/null && return 0
  python=$(find_python "$@")
  say "installing $name $version for $("$python" --version)"
  rm -rf "$home/venv"
  "$python" -m venv "$home/venv" || die "$python could not make a virtual environment"
  "$home/venv/bin/pip" install --quiet --disable-pip-version-check "$name==$version" >&2 ||
    die "could not install $name $version"
}

free_port() {
  "$home/venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start NAME COMMAND…: in the background, in a process group of its own; its output in run/NAME.log.
start() {
  local name=$1
  shift
  setsid "$@" >"$run/$name.log" 2>&1 </dev/null &
  printf '%s\n' "$!" >"$run/$name.pid"
  # On a busy machine it is a while until it has its group, by which is_running knows it.
  while kill -0 "$!" 2>/dev/null && ! is_running "$name"; do sleep 0.05; done
}

is_running() { [ -f "$run/$1.pid" ] && kill -0 -- "-$(cat "$run/$1.pid")" 2>/dev/null; }

# stop NAME: TERM to its process group, KILL after ten seconds.
stop() {
  local name=$1 group tries
  is_running "$name" || { rm -f "$run/$name.pid"; return 0; }
  group=$(cat "$run/$name.pid")
  kill -TERM -- "-$group" 2>/dev/null || true
  for tries in $(seq 100); do
    is_running "$name" || break
    [ "$tries" -lt 100 ] || kill -KILL -- "-$group" 2>/dev/null || true
    sleep 0.1
  done
  rm -f "$run/$name.pid"
}

# wait_for NAME URL SECONDS: until URL answers 2xx; shows the log of a server that ended instead.
wait_for() {
  local name=$1 url=$2 seconds=$3 tries
  for tries in $(seq $((seconds * 4))); do
    curl --silent --fail --max-time 2 --output /dev/null "$url" && return 0
    is_running "$name" || break
    sleep 0.25
  done
  tail -n 30 "$run/$name.log" >&2
  die "$name is not healthy at $url after $tries tries"
}

# main ACTION: calls up, down or status of the script that sourced this.
main() {
  case "${1:-}" in
    up) up ;;
    down) down ;;
    status) status ;;
    *) echo "usage: scripts/targets/$target up|down|status" >&2; exit 2 ;;
  esac
}

# Prints the URL and succeeds where the server is running and healthy.
status() {
  if is_running server && curl --silent --fail --max-time 5 --output /dev/null "$(cat "$run/health")"; then
    cat "$run/url"
  else
    say "not running"
    return 1
  fi
}
