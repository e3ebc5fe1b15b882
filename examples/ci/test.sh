#!/bin/sh
# Starts a server in any language, waits until it accepts connections, tests it, and stops it:
#   ./test.sh python3 python_server.py 8090
#   ./test.sh sh -c 'cd go-server && go build -o /tmp/notes . && exec /tmp/notes 8090'
set -eu

if ! npx --yes --package=record-auth-conformance conformance --version; then
  echo 'record-auth-conformance is missing: npm finds it neither in this project nor in the registry.' >&2
  echo 'Run "npm install --save-dev record-auth-conformance" here, or install the tarball of "npm pack" in a clone.' >&2
  exit 2
fi

"$@" &
server=$!
trap 'kill "$server"' EXIT

code=0
npx --yes --package=record-auth-conformance conformance --target conformance.yaml --wait 60 \
  --only 'record,create,view,update,delete' --report junit=conformance.xml --report html=conformance.html || code=$?
# 3: nothing failed, but some requirements could not be judged with what the server has.
test "$code" -eq 0 -o "$code" -eq 3
