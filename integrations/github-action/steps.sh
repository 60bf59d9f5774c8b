#!/usr/bin/env bash
# The steps of the action: steps.sh review|results|comment|verdict. Inputs come in variables.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
integrations=$(dirname "$here")
# shellcheck source=integrations/review-arguments.sh
source "$integrations/review-arguments.sh"

reports() { absolute "${REVIEW_OUTPUT:-redpen-report}"; }

# Sets an output of the step. A value of several lines needs a delimiter that it cannot contain.
set_output() {
  local delimiter
  delimiter="end-$(random)"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# True for a report of this review, rather than of an earlier job in the same folder.
is_new() { [ -f "$1" ] && [ "$1" -nt "${RUNNER_TEMP:-/tmp}/redpen-start" ]; }

# Becomes a program of Redpen: `redpen` itself, or `node` with one of the scripts of this folder. Call it in a subshell.
become() {
  local program=$1
  shift
  if [ -n "${REVIEW_IMAGE:-}" ]; then
    become_container "$program" "$@"
  else
    become_checkout "$program" "$@"
  fi
}

# Files of the job have the same paths in the container, and the container has the user of the job, so that reports
# belong to it. PostgreSQL asks for the name of its user, hence the user list.
become_container() {
  local program=$1 users="${RUNNER_TEMP:-/tmp}/redpen-users" options
  shift
  printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$users"
  if [ "$(id -u)" != 0 ]; then printf 'redpen:x:%s:%s::/tmp:/bin/sh\n' "$(id -u)" "$(id -g)" >>"$users"; fi
  options=(
    --rm --init --shm-size=1g --network "${REVIEW_NETWORK:-host}"
    --user "$(id -u):$(id -g)" --volume "$users:/etc/passwd:ro" --env HOME=/tmp
    --volume "$GITHUB_WORKSPACE:$GITHUB_WORKSPACE" --volume "$integrations:$integrations:ro" --workdir "$PWD"
    # Chromium cannot make user namespaces in a container with the usual restrictions; the container confines it.
    --env "REDPEN_BROWSER_SANDBOX=${REDPEN_BROWSER_SANDBOX:-off}"
  )
  if [ -n "${GITHUB_EVENT_PATH:-}" ]; then options+=(--volume "$GITHUB_EVENT_PATH:$GITHUB_EVENT_PATH:ro"); fi
  if [ -f "${login_file:-}" ]; then options+=(--volume "$login_file:$login_file:ro"); fi
  local name
  # Without a value, docker takes it from the environment, so that no secret is in the list of processes.
  for name in $(passed_variables); do options+=(--env "$name"); done
  exec docker run "${options[@]}" --entrypoint "$program" -- "$REVIEW_IMAGE" "$@"
}

# Names of variables for the container: those of this action, of GitHub, and those that the workflow lists.
passed_variables() {
  local name
  compgen -e | grep -E '^(REVIEW_COMMENT_|REVIEW_PULL_REQUEST$|REDPEN_(API_KEY|AUTH_TOKEN)$|GITHUB_(ACTIONS|API_URL|EVENT_NAME|EVENT_PATH|REPOSITORY|RUN_ID|SERVER_URL)$|NO_PROXY$|HTTPS?_PROXY$)'
  IFS=$', \t\n' read -r -d '' -a names <<<"${REVIEW_ENV:-}" || true
  for name in ${names[@]+"${names[@]}"}; do
    if [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]]; then printf '%s\n' "$name"; fi
  done
}

become_checkout() {
  local program=$1 source
  source=$(absolute "${REVIEW_SOURCE:-$(dirname "$integrations")}")
  shift
  if [ "$program" = redpen ]; then exec node "$source/bootstrap.mjs" redpen "$@"; fi
  # The scripts need the Node of the project, since that of the runner may be older.
  PATH="$source/node_modules/.bin:$PATH" exec "$program" "$@"
}

# Runs the review. It ends well whatever the review finds, so that the reports are kept; the last step fails the job.
review() {
  local code token
  : >"${RUNNER_TEMP:-/tmp}/redpen-start"
  if ! is_ready; then
    code=2
  elif ! mkdir -p -- "$(reports)"; then
    code=3
  else
    # Pages are quoted in the output, and a line of theirs must not become a command to the runner.
    token=$(random)
    printf '::stop-commands::%s\n' "$token"
    run_forwarding_signals
    code=$?
    printf '\n::%s::\n' "$token"
  fi
  forget_login
  set_output exit-code "$code"
  set_output reports "$(reports)"
}

# Checks what can be wrong before the review starts, and collects its arguments.
is_ready() {
  local program=node
  if [ -n "${REVIEW_IMAGE:-}" ]; then program=docker; fi
  if ! command -v "$program" >/dev/null; then
    printf '::error title=Redpen::The runner has no %s.\n' "$program"
    return 2
  fi
  # The container sees no other folder.
  if [ -n "${REVIEW_IMAGE:-}" ] && [[ $(reports)/ != "$GITHUB_WORKSPACE"/* ]]; then
    echo '::error title=Redpen::With an image, the folder for the reports must be in the workspace.'
    return 2
  fi
  collect_arguments
}

# A cancelled job interrupts only this script, and the review needs the signal to write what it knows.
run_forwarding_signals() {
  local child code interrupted
  (become redpen "${arguments[@]}") &
  child=$!
  trap 'interrupted=1; kill -TERM "$child" 2>/dev/null' INT TERM
  # A signal ends `wait` before the review ends.
  while :; do
    interrupted=
    wait "$child"
    code=$?
    if [ -z "$interrupted" ]; then break; fi
  done
  trap - INT TERM
  return "$code"
}

# Writes the outputs, the summary and the annotations of the job, as far as there are reports.
results() {
  local folder
  folder=$(reports)
  if is_new "$folder/report.md"; then cat -- "$folder/report.md" >>"$GITHUB_STEP_SUMMARY"; fi
  if is_new "$folder/report.html"; then set_output report "$folder/report.html"; fi
  if is_new "$folder/report.sarif"; then set_output sarif "$folder/report.sarif"; fi
  if is_new "$folder/report.json"; then
    (become node "$here/print-results.ts" outputs "$folder/report.json") >>"$GITHUB_OUTPUT" || return
    if [ "${REVIEW_ANNOTATIONS:-true}" = true ]; then
      (become node "$here/print-results.ts" annotations "$folder/report.json")
    fi
  fi
}

comment() {
  local file
  file=$(reports)/report.md
  if is_new "$file"; then
    (become node "$integrations/comment/post-comment.ts" "$file")
  else
    echo 'There is no report to comment with.'
  fi
}

# Ends the action as the review ended.
verdict() {
  local code=${REVIEW_EXIT_CODE:-}
  case $code in
    0) echo 'The review passes.' ;;
    1) echo '::error title=Redpen::The review has findings at or above the threshold.' ;;
    2) echo '::error title=Redpen::The review was not started, because an input is wrong. Its step says which.' ;;
    130 | 143) echo '::error title=Redpen::The review was interrupted.' ;;
    *) echo '::error title=Redpen::The review could not be done. Its step says why.' ;;
  esac
  exit "${code:-3}"
}

case ${1:-} in
  review | results | comment | verdict) "$1" ;;
  *)
    echo 'usage: steps.sh review|results|comment|verdict' >&2
    exit 2
    ;;
esac
