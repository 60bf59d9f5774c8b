# What the samples of the README and of docs/ use, for bash and zsh: `. examples/shell.sh`
#
#   call PATH [JSON]            one call with the API key: JSON is its `data`, and the answer is printed
#   call_as_user PATH [JSON]    the same with the token of a user, REDPEN_USER_TOKEN
#   pick PATH [FIELD...]        from an answer on standard input: a value, or a table with these fields of each
#   follow EXECUTION            what a run does, until it is done
#
# Each ends with a status other than 0, and the reason in words, when it fails.

redpen_examples=$(cd "$(dirname "${BASH_SOURCE:-$0}")" && pwd)
# The Node that comes with the project, where there is one for this machine.
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
