#!/bin/sh
# Provides the Chromium that the browser tests drive. Playwright's own builds are not used: a
# distribution's package comes with the libraries and fonts it needs.
set -eu

command -v chromium >/dev/null 2>&1 && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    # Another installation may be under way: wait for its lock rather than fail.
    wait_for_lock="-o DPkg::Lock::Timeout=600"
    # shellcheck disable=SC2086 # two words on purpose
    apt-get $wait_for_lock -qq update &&
        apt-get $wait_for_lock -qq install -y --no-install-recommends \
            chromium fonts-dejavu-core fonts-stix || true
    command -v chromium >/dev/null 2>&1 && exit 0
fi

# Not an error here: all other tests are worth running. The test run says it again at its end.
cat >&2 <<'MESSAGE'
************************************************************************
*  There is no `chromium` on the PATH: THE BROWSER TESTS WILL BE       *
*  SKIPPED. To run them, install it, for example on Debian:            *
*      sudo apt-get install chromium fonts-dejavu-core fonts-stix      *
************************************************************************
MESSAGE
