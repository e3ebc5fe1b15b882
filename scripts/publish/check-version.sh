#!/usr/bin/env bash
# Fails unless the pushed tag is `v` and the version of package.json and of its lock file. The output `dist-tag` is
# `next` for a version such as 1.0.0-beta.1, which npm must not give to everyone, and `latest` for any other.
set -euo pipefail

version=$(node -p 'require("./package.json").version')
locked=$(node -p 'const { version, packages } = require("./package-lock.json"); `${version} ${packages[""].version}`')
if [ "$GITHUB_REF_NAME" != "v$version" ]; then
  echo "::error title=Wrong tag::The tag $GITHUB_REF_NAME is not the version of package.json ($version)." \
    "Set the version with \"npm version --no-git-tag-version\", commit it, and tag that commit."
  exit 1
fi
if [ "$locked" != "$version $version" ]; then
  echo "::error title=Wrong lock file::package-lock.json is of version $locked, package.json of $version." \
    "Run \"npm install --package-lock-only\" and tag the commit that has both."
  exit 1
fi
case "$version" in
  *-*) echo 'dist-tag=next' ;;
  *) echo 'dist-tag=latest' ;;
esac >> "$GITHUB_OUTPUT"
