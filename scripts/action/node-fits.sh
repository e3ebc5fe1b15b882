#!/usr/bin/env bash
# Succeeds where `node` is 20.19 or newer (`engines` of package.json) and brings npm. Prints nothing.
# Written for bash 3.2, which macOS has.
set -euo pipefail

version=$(node --version 2>/dev/null) || exit 1
[[ "$version" =~ ^v([0-9]+)\.([0-9]+)\. ]] || exit 1
major=${BASH_REMATCH[1]}
minor=${BASH_REMATCH[2]}
[ "$major" -gt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; } || exit 1
npm --version >/dev/null 2>&1
