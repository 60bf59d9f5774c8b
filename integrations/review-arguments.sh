# shellcheck shell=bash
# Turns variables of a pipeline into arguments of `redpen review`. The steps of the GitHub Action and the job of GitLab
# source it. Values come from people and other steps, so none is ever expanded or evaluated by the shell.

# Prints an absolute path for one that may be relative to the current folder.
absolute() {
  case $1 in
    '' | /*) printf '%s' "$1" ;;
    *) printf '%s/%s' "$PWD" "$1" ;;
  esac
}

# Fails with a sentence unless a variable is true, false or empty.
check_switch() {
  case $2 in
    '' | true | false) ;;
    *)
      printf 'The value of %s must be true or false.\n' "$1" >&2
      return 2
      ;;
  esac
}

# Adds `--name=value`. The equals sign keeps a value with a leading hyphen from becoming a flag.
add_value() { if [ -n "$2" ]; then arguments+=("$1=$2"); fi; }

# Adds `--name` if a switch is on.
add_switch() {
  check_switch "$1" "$2" || return 2
  if [ "$2" = true ]; then arguments+=("$1"); fi
}

# Adds `--name=line` for each line that is not empty.
add_lines() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line="${line#"${line%%[![:space:]]*}"}"
    line="${line%"${line##*[![:space:]]}"}"
    if [ -n "$line" ]; then arguments+=("$1=$line"); fi
  done <<<"$2"
}

# Joins words that commas, spaces or line ends separate, with commas.
joined() {
  local words word result=
  IFS=$', \t\n' read -r -d '' -a words <<<"$1" || true
  for word in ${words[@]+"${words[@]}"}; do
    if [ -n "$word" ]; then result+="${result:+,}$word"; fi
  done
  printf '%s' "$result"
}

# Sets `login_file` to the path of the login for the pages, which is a path or the JSON itself, as a secret has it.
find_login() {
  login_file='' login_made=''
  if [[ $1 =~ ^[[:space:]]*\{ ]]; then
    login_file=$(umask 077 && mktemp "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/redpen-login.XXXXXX") || return 3
    login_made=$login_file
    printf '%s\n' "$1" >"$login_file"
  else
    login_file=$(absolute "$1")
  fi
}

# Removes the file that `find_login` made.
forget_login() { if [ -n "${login_made:-}" ]; then rm -f -- "$login_made"; fi; }

# Sets the array `arguments`. Returns 2 for a value that cannot be meant.
collect_arguments() {
  local urls
  find_login "${REVIEW_AUTH:-}" || return
  arguments=(review)
  add_value --agents "$(joined "${REVIEW_AGENTS:-}")"
  add_value --preset "${REVIEW_PRESET:-}"
  add_lines --pages "${REVIEW_PAGES:-}"
  add_switch --sitemap "${REVIEW_SITEMAP:-}" || return 2
  add_value --max-pages "${REVIEW_MAX_PAGES:-}"
  add_value --device "${REVIEW_DEVICE:-}"
  add_value --auth "$login_file"
  add_value --fail-on "${REVIEW_FAIL_ON:-}"
  add_switch --fail-on-new "${REVIEW_FAIL_ON_NEW:-}" || return 2
  add_value --max-findings "${REVIEW_MAX_FINDINGS:-}"
  add_value --baseline "$(absolute "${REVIEW_BASELINE:-}")"
  add_lines --rule "${REVIEW_RULES:-}"
  add_value --document "${REVIEW_DOCUMENT:-}"
  add_value --server "${REVIEW_SERVER:-}"
  add_value --config "$(absolute "${REVIEW_CONFIG:-}")"
  add_value --format text,json,html,junit,sarif,markdown,csv,codequality
  add_value --output "$(absolute "${REVIEW_OUTPUT:-redpen-report}")"
  IFS=$' \t\n' read -r -d '' -a urls <<<"${REVIEW_URLS:-}" || true
  arguments+=(-- ${urls[@]+"${urls[@]}"})
}
