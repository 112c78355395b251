#!/bin/sh
# Provides axe-core, which looks for what keeps people out of the explorers' pages. It comes from
# npm by its name, into tests/node_modules; the tests themselves need no network.
set -eu
cd "$(dirname "$0")"

wanted=$(sed -n 's/.*"axe-core": "\([^"]*\)".*/\1/p' package.json)
there() {
    grep -qs "\"version\": \"$wanted\"" node_modules/axe-core/package.json
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
*  There is no axe-core in tests/node_modules: THE TESTS OF            *
*  ACCESSIBILITY WILL BE SKIPPED. To run them, install npm, and then:  *
*      sh tests/ensure_axe.sh                                          *
************************************************************************
MESSAGE
