#!/usr/bin/env bash
# Push the image that docker/build.sh built to a registry, and print its name and digest as outputs of a workflow's step.
#   REGISTRY_USER=... REGISTRY_PASSWORD=... docker/push.sh ghcr.io/someone/yardkit v0.1.0
set -euo pipefail
cd "$(dirname "$0")/.."

# build.sh builds as root, and each user has images of their own.
if [ "$(id -u)" != 0 ]; then exec sudo --preserve-env=REGISTRY_USER,REGISTRY_PASSWORD "$0" "$@"; fi

name=${1,,} # names of images are in small letters, those of accounts are not
tag=$2
digest=$(mktemp)
trap 'rm -f "$digest"' EXIT
buildah login --username "$REGISTRY_USER" --password-stdin "${name%%/*}" <<<"$REGISTRY_PASSWORD" >&2
for tag in "$tag" latest; do
  buildah push --quiet --digestfile "$digest" localhost/yardkit:latest "docker://$name:$tag" >&2
done
echo "name=$name"
echo "digest=$(cat "$digest")"
