#!/bin/sh
# Provides what package.json lists: axe-core, which looks for what keeps people out of the
# explorers' pages, and Pyodide, a Python 3.14 that runs in Node.js. They come from npm by name,
# into tests/node_modules; the tests themselves need no network.
set -eu
cd "$(dirname "$0")"

there() {
    for name in axe-core pyodide; do
        wanted=$(sed -n "s/.*\"$name\": \"\([^\"]*\)\".*/\1/p" package.json)
        grep -qs "\"version\": \"$wanted\"" "node_modules/$name/package.json" || return 1
    done
}
there && exit 0

if ! command -v npm >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    # Another installation may be under way: wait for its lock rather than fail.
    wait_for_lock="-o DPkg::Lock::Timeout=600"
    # shellcheck disable=SC2086 # two words on purpose
    apt-get $wait_for_lock -qq update &&
        apt-get $wait_for_lock -qq install -y --no-install-recommends npm || true
fi
if command -v npm >/dev/null 2>&1; then
    npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts || true
    there && exit 0
fi

# Not an error here: all other tests are worth running. The test run says it again at its end.
cat >&2 <<'MESSAGE'
************************************************************************
*  axe-core or Pyodide is missing in tests/node_modules: THE TESTS OF  *
*  ACCESSIBILITY AND OF PYTHON 3.14 WILL BE SKIPPED. To run them,      *
*  install npm, and then:                                              *
*      sh tests/ensure_axe.sh                                          *
************************************************************************
MESSAGE
