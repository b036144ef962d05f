#!/bin/sh
# Extract a schema from a document: upload both, wait for the task, print its result as indented JSON.
#
#     scripts/client.sh http://127.0.0.1:8000 datasheet.pdf schema.json > result.json
#
# Needs curl, or Docker where there is no curl. MCP_API_KEY is sent if it is set. Exits with 1 and the reason on
# standard error if anything fails.
set -eu

CURL_IMAGE=${CURL_IMAGE:-curlimages/curl:8.10.1}
POLL_SECONDS=${POLL_SECONDS:-1}

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

[ $# -eq 3 ] || fail "Usage: $0 BASE_URL FILE SCHEMA"
base=${1%/} file=$2 schema=$3
for given in "$file" "$schema"; do
    [ -f "$given" ] && [ -r "$given" ] || fail "There is no file $given."
done

absolute() {
    printf '%s/%s' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"
}

# A name in double quotes, as curl's --form reads it.
quoted() {
    printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

# Run curl with the key, which stands in no list of processes: it comes on standard input.
request() {
    key=
    [ -z "${MCP_API_KEY:-}" ] || key=$(printf 'header = %s' "$(quoted "x-api-key: $MCP_API_KEY")")
    if command -v curl >/dev/null 2>&1; then
        printf '%s\n' "$key" | curl --config - --silent --show-error --write-out '\n%{http_code}' "$@"
    elif command -v docker >/dev/null 2>&1; then
        printf '%s\n' "$key" | docker run --rm --interactive --network host \
            --volume "$(absolute "$file"):/in/document:ro" --volume "$(absolute "$schema"):/in/schema:ro" \
            "$CURL_IMAGE" --config - --silent --show-error --write-out '\n%{http_code}' "$@"
    else
        fail "Neither curl nor docker is there."
    fi
}

# Ask, and set `body` and `code`.
ask() {
    answer=$(request "$@") || fail "No answer from $base."
    code=${answer##*
}
    body=${answer%
*}
}

# A text field of the JSON in `body`; enough for identifiers and messages.
field() {
    printf '%s' "$body" | tr '\n' ' ' | sed -n "s/.*\"$1\" *: *\"\(\([^\"\\\\]\|\\\\.\)*\)\".*/\1/p"
}

indented() {
    printf '%s' "$body" | awk '
        { text = text $0 "\n" }
        END {
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (quoted) {
                    out = out c
                    if (c == "\\") { i++; out = out substr(text, i, 1) }
                    else if (c == "\"") quoted = 0
                } else if (c == "\"") { out = out c; quoted = 1 }
                else if (c ~ /[ \t\r\n]/) continue
                else if (c == "{" || c == "[") {
                    rest = substr(text, i + 1); sub(/^[ \t\r\n]+/, "", rest)
                    if (substr(rest, 1, 1) == (c == "{" ? "}" : "]")) {
                        out = out c substr(rest, 1, 1); i = length(text) - length(rest) + 1
                    } else { depth++; out = out c newline(depth) }
                } else if (c == "}" || c == "]") { depth--; out = out newline(depth) c }
                else if (c == ",") out = out c newline(depth)
                else if (c == ":") out = out ": "
                else out = out c
                if (length(out) > 4096) { printf "%s", out; out = "" }
            }
            print out
        }
        function newline(n,  spaces) { spaces = "\n"; while (n-- > 0) spaces = spaces "  "; return spaces }'
}

if command -v curl >/dev/null 2>&1; then
    document=$file fields=$schema
else
    document=/in/document fields=/in/schema
fi
ask --form "file=@$(quoted "$document");filename=$(quoted "$(basename "$file")")" --form "schema=<$(quoted "$fields")" \
    "$base/tasks"
[ "$code" = 202 ] || fail "The upload was refused ($code): $(field detail)"
task=$(field task_id)
[ -n "$task" ] || fail "The answer names no task: $body"

status=
while :; do
    ask "$base/tasks/$task"
    [ "$code" = 200 ] || fail "The task cannot be followed ($code): $(field detail)"
    now=$(field status)
    [ "$now" = "$status" ] || printf 'Task %s: %s\n' "$task" "$now" >&2
    status=$now
    case $status in
        queued | running) sleep "$POLL_SECONDS" ;;
        succeeded) break ;;
        *) fail "The task $status: $(field message)" ;;
    esac
done
ask "$base/tasks/$task/result"
[ "$code" = 200 ] || fail "There is no result ($code): $(field detail)"
indented
