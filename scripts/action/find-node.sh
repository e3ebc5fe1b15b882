#!/usr/bin/env bash
# First step of action.yml: fails where the action cannot run, and says in the output `fits` whether the job's own Node
# will do. Where it will not, the next step of the action sets one up.
set -euo pipefail

case "${RUNNER_OS:-}" in
  Linux | macOS) ;;
  *)
    echo "::error title=Unsupported system::record-auth-conformance runs on Linux and macOS; this runner is" \
      "${RUNNER_OS:-of an unknown system}. Use \"runs-on: ubuntu-latest\" for this job."
    exit 2
    ;;
esac

if bash "$GITHUB_ACTION_PATH/scripts/action/node-fits.sh"; then
  echo 'fits=true' >> "$GITHUB_OUTPUT"
else
  echo "This job has no Node 20.19 or newer with npm: the action sets up Node 24, also for the steps that follow."
  echo 'fits=false' >> "$GITHUB_OUTPUT"
fi
