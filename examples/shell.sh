# Helpers for the samples of the README and of docs/, for bash and zsh: `. examples/shell.sh`
#
#   call PATH [JSON]            calls an operation with the API key and JSON as `data`, and prints the answer
#   call_as_user PATH [JSON]    does the same with the token of a user, REDPEN_USER_TOKEN
#   pick PATH [FIELD...]        prints a value of the answer on standard input, or a table with these fields
#   follow EXECUTION            prints the log of a run until it ends
#
# If one fails, it prints the reason and its exit status is not 0.

redpen_examples=$(cd "$(dirname "${BASH_SOURCE:-$0}")" && pwd)
# The Node that the project installs, if there is one for this machine.
case ":$PATH:" in
  *":${redpen_examples%/*}/node_modules/.bin:"*) ;;
  *) export PATH="${redpen_examples%/*}/node_modules/.bin:$PATH" ;;
esac
export REDPEN_URL="${REDPEN_URL:-http://127.0.0.1:8080}"

call() {
  if [ -z "$REDPEN_API_KEY" ] || [ -z "$REDPEN_AUTH_TOKEN" ]; then
    echo 'REDPEN_API_KEY and REDPEN_AUTH_TOKEN are not set: "npm run redpen -- workspace create EMAIL" prints them.' >&2
    return 1
  fi
  redpen_post "$1" "$2" -H "x-service-api-key: $REDPEN_API_KEY" -H "x-service-auth-token: $REDPEN_AUTH_TOKEN"
}

call_as_user() {
  if [ -z "$REDPEN_USER_TOKEN" ]; then
    echo 'REDPEN_USER_TOKEN is not set: "npm run redpen -- user-token KEY USER" prints it.' >&2
    return 1
  fi
  redpen_post "$1" "$2" -H "authorization: Bearer $REDPEN_USER_TOKEN"
}

redpen_post() {
  local address="$REDPEN_URL$1" data="$2"
  [ -n "$data" ] || data='{}'
  shift 2
  curl -sS "$address" -H 'content-type: application/json' "$@" --data-binary "{\"data\": $data}" |
    node "$redpen_examples/shell.ts" show
}

pick() { node "$redpen_examples/shell.ts" pick "$@"; }

follow() { node "$redpen_examples/shell.ts" follow "$@"; }
