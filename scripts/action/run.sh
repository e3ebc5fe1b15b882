#!/usr/bin/env bash
# Last step of action.yml: runs the command that build.sh built, in the folder of the job, and keeps its reports.
set -euo pipefail

mkdir -p "$REPORTS"
rm -f "$REPORTS"/report.json
args=(run)
[ -z "$BASE_URL" ] || args+=(--base-url "$BASE_URL")
[ -z "$TARGET" ] || args+=(--target "$TARGET")
# A job starts its server in the background, and no one knows when it is ready.
if [ -n "$WAIT" ] && { [ -n "$BASE_URL" ] || { [ -f "$TARGET" ] && grep -q baseUrl "$TARGET"; }; }; then
  args+=(--wait "$WAIT")
fi
[ -z "$PROFILE" ] || args+=(--profile "$PROFILE")
[ -z "$BASELINE" ] || args+=(--baseline "$BASELINE")
while IFS= read -r line; do [ -z "$line" ] || args+=("$line"); done <<< "$ARGUMENTS"
code=0
node "$GITHUB_ACTION_PATH/dist/cli/main.js" "${args[@]}" \
  --report "json=$REPORTS/report.json" --report "junit=$REPORTS/junit.xml" \
  --report "html=$REPORTS/report.html" --report "badge=$REPORTS/badge.json" || code=$?
# The command itself appends the summary of the step.
if [ -f "$REPORTS/report.json" ]; then
  node -e 'console.log("outcome=" + JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).verdict.outcome)' \
    "$REPORTS/report.json" >> "$GITHUB_OUTPUT"
fi
exit "$code"
