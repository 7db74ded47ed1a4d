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
    for _ in $(seq 100); do
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
    for _ in $(seq 100); do
        ready=$(run 'return document.documentElement.dataset.ready || ""')
        [ -n "$ready" ] && break
        sleep 0.3
    done
}

# open_whole FILE [HASH]: loads the page anew, and builds the sections of all tabs.
open_whole() {
    open_page "$@"
    run 'buildTabs(); return ""' >/dev/null
    painted
}

# painted: waits until the page has drawn what changed before.
painted() {
    run 'return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(""))))' >/dev/null
}

# becomes VALUE SCRIPT: waits until a script returns the value, for 30 seconds at most; prints what it returned last.
becomes() {
    for _ in $(seq 100); do
        found=$(run "$2")
        [ "$found" != "$1" ] || break
        sleep 0.3
    done
    printf '%s\n' "$found"
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

# many_names: prints a profile as JSON, with 10^5 events that have names of their own and 601 different times.
many_names() {
    awk 'BEGIN { printf "{\"run_data\": [{\"name\": \"forward\", \"events\": ["
        for (i = 0; i < 100000; i++)
            printf "%s{\"profile_event\": {\"name\": \"<b>name %d</b>\", \"instruction_id\": %d, \"start_time\": %d, \"end_time\": %d}}", i ? "," : "", i, i, 1000 * i, 1000 * i + 90 + i * 7919 % 601
        print "]}]}" }'
}

# ---- the picture of the README -------------------------------------------------------------------

# open_readme_page: opens the page of doc/report.png, as it is there. `top` is the project's folder, `build` that of the program.
open_readme_page() {
    "$build/etinspect" report "$top/doc/tour/model.etdp" "$top/doc/tour/model.etrecord" "$top/doc/tour/model.pte" \
        --title 'A small network on XNNPACK' --no_paths -o "$work/readme.html" 2>/dev/null || return 1
    view 1400 1012
    open_page "$work/readme.html"
}

# first_screen: prints the texts that the visible part of the page shows, in its order, then those of its drawings.
first_screen() {
    run 'const inside = box => box.width > 0 && box.height > 0 && box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0;
        const found = [], ends = {}, walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
        for (let node; (node = walker.nextNode());) {
            range.selectNodeContents(node);
            const text = node.data.replace(/\s+/g, " ").trim();
            if (text && node.parentElement.checkVisibility({opacityProperty: true, visibilityProperty: true}) && [...range.getClientRects()].some(inside)) {
                if (ends.parent === node.parentElement) found[found.length - 1] += text; /* names may break between two texts */
                else found.push(text);
                ends.parent = node.parentElement;
            }
        }
        const pen = CanvasRenderingContext2D.prototype, write = pen.fillText;
        for (const it of canvases) {
            const box = it.canvas.getBoundingClientRect();
            if (!inside(box)) continue;
            pen.fillText = function (text, x, y) { if (text && box.top + y < innerHeight) found.push(text); write.apply(this, arguments); };
            it.paint();
            pen.fillText = write;
        }
        return found.join("\n")'
}

# describe_picture PICTURE TEXT: prints what is kept beside a picture.
describe_picture() {
    echo "SHA-256 $(sha256sum <"$1" | cut -d ' ' -f 1)"
    cat "$2"
}
