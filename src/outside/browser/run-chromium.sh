#!/bin/sh
# Runs Chromium and then removes its folders. Whoever started it usually does that, but not after a SIGKILL:
# then Chromium ends because its pipe closes, and only this script is left to clean up.
"$REDPEN_CHROMIUM" "$@"
status=$?
for argument in "$@"; do
  case "$argument" in
    --user-data-dir=*/playwright_chromiumdev_profile-*) rm -rf -- "${argument#--user-data-dir=}" ;;
  esac
done
rm -rf -- "$REDPEN_BROWSER_FOLDER"
exit "$status"
