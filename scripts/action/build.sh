#!/usr/bin/env bash
# Builds the command from the action's own checkout, so that a job runs the code of the tag or commit that it names.
#
# Packages come with the versions and checksums of package-lock.json, and none of their install scripts is run. The
# secrets of the job are in the environment of every step of this action; what is installed and built here gets only
# the variables below.
set -euo pipefail

fail() {
  echo "::error title=$1::$2"
  exit 2
}

cd "$GITHUB_ACTION_PATH"
bash scripts/action/node-fits.sh || fail 'No suitable Node' \
  "record-auth-conformance needs Node 20.19 or newer with npm; this job has $(node --version 2>/dev/null || echo none).\
 Add actions/setup-node with \"node-version: 24\" before this action."

passed=()
for name in PATH HOME TMPDIR LANG HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy \
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR "${!npm_config_@}" "${!NPM_CONFIG_@}"; do
  [ -z "${!name+set}" ] || passed+=("$name=${!name}")
done

echo '::group::Build record-auth-conformance'
env -i "${passed[@]}" npm ci --ignore-scripts --include=dev --no-audit --no-fund || fail 'npm ci failed' \
  'npm could not install the packages of the lock file; its own message is above. Check that this runner reaches the'\
' npm registry (proxy, certificates), then run the job again.'
env -i "${passed[@]}" npm run build || fail 'The build failed' \
  'The command could not be built; the message of the compiler is above. Name a released version of the action, and'\
' report this if it fails there, too.'
echo '::endgroup::'
