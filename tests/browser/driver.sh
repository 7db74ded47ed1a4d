# driver.sh - controls Chromium through chromedriver, with curl. A script that reads it sets `work`, a folder that finish
# removes, and `out`, the folder for pictures.
# shellcheck shell=sh disable=SC2034,SC2154 # scripts that read this use and set them
port=$((20000 + $$ % 20000))
driver=
session=

finish() {
    if [ -n "$session" ]; then curl -s -X DELETE "$session" >/dev/null; fi
    if [ -n "$driver" ]; then kill "$driver" 2>/dev/null; fi
    rm -rf "$work"
}

# ask PATH JSON: prints the driver's answer to a command.
ask() {
    curl -s -m 60 -H 'Content-Type: application/json' -d "$2" "$session$1"
}

# run SCRIPT: prints the value that a script returns, strings bare, others as JSON.
run() {
    jq -n --arg script "$1" '{script: $script, args: []}' | curl -s -m 60 -H 'Content-Type: application/json' -d @- "$session/execute/sync" |
        jq -r '.value | if type == "string" then . else tojson end'
}

begin_session() {
    chromedriver --port=$port >"$work/driver.log" 2>&1 &
    driver=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        curl -s "http://127.0.0.1:$port/status" >/dev/null && break
        sleep 0.5
    done
    id=$(curl -s -m 60 -H 'Content-Type: application/json' -d '{"capabilities": {"alwaysMatch": {
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-precise-memory-info", "--window-size=1400,900",
            "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND"]}}}}' \
        "http://127.0.0.1:$port/session" | jq -r '.value.sessionId')
    session=http://127.0.0.1:$port/session/$id
    [ "$id" != null ] && [ -n "$id" ]
}

# open_page FILE [HASH]: loads the page anew and waits until it is drawn.
open_page() {
    ask /url '{"url": "about:blank"}' >/dev/null
    ask /url "{\"url\": \"file://$1${2:-}\"}" >/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        ready=$(run 'return document.documentElement.dataset.ready || ""')
        [ -n "$ready" ] && break
        sleep 0.3
    done
}

# view WIDTH HEIGHT: sets the size of the visible part of the page. Windows of Chromium have at least 500 pixels, but the
# visible part may be smaller.
view() {
    ask /goog/cdp/execute "{\"cmd\": \"Emulation.setDeviceMetricsOverride\",
        \"params\": {\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}}" >/dev/null
}

# picture NAME: saves the visible part as NAME.png in `out`.
picture() {
    curl -s "$session/screenshot" | jq -r .value | base64 -d >"$out/$1.png"
}
