#!/usr/bin/env bash
# The job of redpen.gitlab-ci.yml: reviews, comments on the merge request, and ends as the review ended. It runs in the
# image of Redpen.
set -uo pipefail

integrations=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=integrations/review-arguments.sh
source "$integrations/review-arguments.sh"

trap forget_login EXIT
collect_arguments || exit
reports=$(absolute "${REVIEW_OUTPUT:-redpen-report}")
mkdir -p -- "$reports" || exit 3
# A report of the repository itself must not pass for one of this job.
started=$(mktemp) || exit 3

# The token for the comment is of no concern to the review.
env --unset=REVIEW_COMMENT_TOKEN redpen "${arguments[@]}"
code=$?

if [ "${REVIEW_COMMENT:-true}" = true ] && [ "$reports/report.md" -nt "$started" ]; then
  node "$integrations/comment/post-comment.ts" "$reports/report.md"
  comment_code=$?
  if [ "$code" -eq 0 ]; then code=$comment_code; fi
fi
rm -f -- "$started"
exit "$code"
