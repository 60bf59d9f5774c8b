#!/bin/sh
# Runs Chromium and then removes its folders. Whoever started it usually does that, but not after a SIGKILL:
# then Chromium ends because its pipe closes, and only this script is left to clean up.
for argument in "$@"; do
  case "$argument" in
    --user-data-dir=*/playwright_chromiumdev_profile-*) profile="${argument#--user-data-dir=}" ;;
  esac
done
printf '%s\n%s' "$$" "$profile" > "$REDPEN_BROWSER_FOLDER/runner"

# What answers requests goes first, also where the system groups processes by session.
renice -n 5 -p "$$" > /dev/null 2>&1
{ echo 5 > /proc/self/autogroup; } 2> /dev/null

# The shell may want to report how Chromium ended to an error stream that nobody holds any more.
trap : PIPE
"$REDPEN_CHROMIUM" "$@"
status=$?

# The browser's other processes end a little later, and may write until then.
for attempt in 1 2 3 4 5; do
  rm -rf -- "$REDPEN_BROWSER_FOLDER" ${profile:+"$profile"} 2> /dev/null && break
  sleep 0.2
done
exit "$status"
