#!/usr/bin/env bash
# Packs what was built and tested, without building again. Outputs: `tarball`, its file name, and `sha256`.
set -euo pipefail

# Of the project's scripts, only the check that the build is complete.
npm run --if-present --silent prepack
tarball=$(npm pack --ignore-scripts --silent)
{
  echo "tarball=$tarball"
  echo "sha256=$(sha256sum "$tarball" | cut -d ' ' -f 1)"
} >> "$GITHUB_OUTPUT"
