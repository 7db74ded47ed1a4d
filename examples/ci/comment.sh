#!/bin/sh
# comment.sh - shows the report of gate.sh as a comment on the pull request (GitHub), a note at the merge request (GitLab) or an
# annotation of the build (Buildkite), and replaces the report of an earlier push. Exits with 0 even if the system refuses, so that
# the result of the job does not change.
#
# Settings are environment variables:
#   REPORTS        folder with gate.md (performance)
#   NAME           distinguishes several reports on one request (performance)
#   PULL_REQUEST, GITHUB_REPOSITORY, GH_TOKEN    GitHub: the number of the pull request, OWNER/NAME, and a token with the
#                                                permission pull-requests: write, which the program gh reads
#   CI_MERGE_REQUEST_IID, CI_PROJECT_ID, CI_API_V4_URL    set by GitLab; needs curl and jq
#   GITLAB_TOKEN   a project access token with the scope api and the role Reporter, as a masked variable that only the
#                  job of comment.sh has (see gitlab.yml)
#   BUILDKITE      set by Buildkite; needs buildkite-agent
#   STATUS         exit status of gate.sh, for the colour of the annotation
set -u
export LC_ALL=C

REPORTS=${REPORTS:-performance}
NAME=${NAME:-performance}
mark="<!-- etinspect $NAME -->"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# give_up WHY: prints the reason, and exits with 0.
give_up() {
    echo "The report is not shown at the request: $1"
    exit 0
}

# write_body BYTES: prints the report, without the last lines if it has more bytes.
write_body() {
    echo "$mark"
    awk -v most=$(($1 - 1000)) '{ size += length($0) + 1 }
        size > most { is_cut = 1; exit }
        { print }
        END { if (is_cut) print "\n\nThe rest is too long to be shown here: it is in gate.md among the artifacts." }' "$REPORTS/gate.md"
}

# Replaces only a comment of the owner of the token: a person who quotes the source of a comment also writes the mark. The tokens of
# Actions and of apps have no user, so GitHub answers 403 when asked for it; their comments are those of a bot.
at_github() {
    write_body 65536 >"$work/body"
    place=repos/$GITHUB_REPOSITORY/issues
    if gh api user --jq .login >"$work/user" 2>"$work/log"; then
        author=".user.login == \"$(cat "$work/user")\""
    elif grep -q 'HTTP 403' "$work/log"; then
        author='.user.type == "Bot"'
    else
        give_up "$(tail -n 1 "$work/log")"
    fi
    gh api --paginate "$place/$PULL_REQUEST/comments" \
        --jq ".[] | select($author and (.body | startswith(\"$mark\"))) | .id" >"$work/found" 2>"$work/log" ||
        give_up "$(tail -n 1 "$work/log")"
    id=$(head -n 1 "$work/found")
    if [ -n "$id" ]; then
        set -- --method PATCH "$place/comments/$id"
    else
        set -- --method POST "$place/$PULL_REQUEST/comments"
    fi
    gh api "$@" -F "body=@$work/body" >/dev/null 2>"$work/log" ||
        give_up "$(tail -n 1 "$work/log"). The job needs the permission pull-requests: write, which it never has for a fork"
}

# Looks, page by page, for a note that the owner of the token wrote, and replaces it.
at_gitlab() {
    write_body 1000000 >"$work/body"
    notes=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
    (umask 077 && printf 'PRIVATE-TOKEN: %s\n' "$GITLAB_TOKEN" >"$work/token")
    ask() { curl -sS --fail --retry 2 -H "@$work/token" "$@" 2>"$work/log"; }
    ask "$CI_API_V4_URL/user" >"$work/user" || give_up "$(tail -n 1 "$work/log")"
    me=$(jq .id "$work/user")
    id=''
    page=1
    while [ -z "$id" ]; do
        ask "$notes?per_page=100&page=$page" >"$work/page" || give_up "$(tail -n 1 "$work/log")"
        [ "$(jq length "$work/page")" -gt 0 ] || break
        id=$(jq -r --arg mark "$mark" --argjson me "$me" \
            '[.[] | select(.author.id == $me and (.body | startswith($mark))) | .id][0] // empty' "$work/page")
        page=$((page + 1))
    done
    if [ -n "$id" ]; then set -- --request PUT "$notes/$id"; else set -- --request POST "$notes"; fi
    ask "$@" --data-urlencode "body@$work/body" >/dev/null || give_up "$(tail -n 1 "$work/log")"
}

at_buildkite() {
    write_body 1048576 >"$work/body"
    case ${STATUS:-} in
    0) style=success ;;
    6) style=warning ;;
    '') style=info ;;
    *) style=error ;;
    esac
    buildkite-agent annotate --style "$style" --context "$NAME" <"$work/body" >"$work/log" 2>&1 || give_up "$(tail -n 1 "$work/log")"
}

# The code of the request wrote the report: a link could show another file, such as the token in /proc/self/environ.
if [ -L "$REPORTS" ] || [ -L "$REPORTS/gate.md" ]; then give_up "$REPORTS/gate.md is a symbolic link"; fi
[ -s "$REPORTS/gate.md" ] || give_up "there is no $REPORTS/gate.md"
if [ -n "${BUILDKITE:-}" ]; then
    at_buildkite
elif [ -n "${CI_MERGE_REQUEST_IID:-}" ]; then
    [ -n "${GITLAB_TOKEN:-}" ] || give_up 'GITLAB_TOKEN is not set'
    at_gitlab
elif [ -n "${PULL_REQUEST:-}" ]; then
    at_github
else
    give_up 'this is no pull request'
fi
