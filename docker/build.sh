#!/usr/bin/env bash
# Build the image on Debian or Ubuntu without Docker and without a registry: a base by debootstrap, the Dockerfile by buildah.
#   docker/build.sh TAG [MORE ARGUMENTS OF BUILDAH BUILD...]
#   docker/build.sh localhost/yardkit:sheets --build-arg SERVERS="files sheets calculator"
#   docker/build.sh localhost/yardkit:eyes --build-arg SERVERS="files detection" --build-arg MODELS=small
# IMAGE_STORAGE names a folder for images other than buildah's own. Certificates that this machine trusts besides the
# usual ones, such as those of a company's proxy, go into the base.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=${1:-localhost/yardkit:latest}
shift || true
release=bookworm
base=localhost/debian-base:$release

if [ "$(id -u)" != 0 ]; then exec sudo IMAGE_STORAGE="${IMAGE_STORAGE:-}" "$0" "$tag" "$@"; fi
missing=()
for program in buildah debootstrap; do command -v "$program" >/dev/null || missing+=("$program"); done
if [ "${#missing[@]}" -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

storage=(buildah)
if [ -n "${IMAGE_STORAGE:-}" ]; then
  mkdir -p "$IMAGE_STORAGE/tmp"
  export TMPDIR=$IMAGE_STORAGE/tmp
  storage+=(--root "$IMAGE_STORAGE/images" --runroot "$IMAGE_STORAGE/run" --storage-driver overlay)
fi

if [ -z "$("${storage[@]}" images -q "$base" 2>/dev/null || true)" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  debootstrap --variant=minbase "$release" "$folder/base" >"$folder/log" || { tail "$folder/log" >&2; exit 1; }
  rm -rf "$folder"/base/var/cache/apt/archives/*.deb "$folder"/base/var/lib/apt/lists/*
  mkdir -p "$folder/base/usr/local/share/ca-certificates"
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$folder/base/usr/local/share/ca-certificates/" \;
  container=$("${storage[@]}" from scratch)
  "${storage[@]}" copy -q "$container" "$folder/base" / >/dev/null
  "${storage[@]}" commit -q --rm "$container" "$base" >/dev/null
  rm -rf "$folder/base"
fi
"${storage[@]}" build --isolation chroot --format docker --pull=false --build-arg BASE="$base" "$@" -f docker/Dockerfile -t "$tag" .
