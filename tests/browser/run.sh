#!/bin/sh
# run.sh BUILD - opens pages of etinspect report in Chromium and uses them, by chromedriver and curl: nothing on the console,
# no request but the page's own, sections, search, order, selection, addresses, keys, dark, print, hostile names; with npm
# available also axe-core's rules of accessibility. Times are printed and fail nothing. Pictures are left in BUILD/browser.
set -u
export LC_ALL=C.UTF-8

build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/browser
work=$(mktemp -d)
n_passed=0
n_failed=0
n_skipped=0

for program in chromium chromedriver curl jq; do
    if ! command -v $program >/dev/null; then
        echo "skipped: browser: there is no $program: see make browser"
        echo 'browser: 0 passed, 0 failed, 1 skipped'
        exit 0
    fi
done
mkdir -p "$out"

# shellcheck source=tests/browser/driver.sh
. "$top/tests/browser/driver.sh"
trap finish EXIT
trap 'exit 1' HUP INT TERM

# check NAME EXPECTED FOUND
check() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED browser/$1: expected $2, found $3"
    fi
}

# Prints everything since the last call: messages of the console, and requests beyond the pages.
check_quiet() {
    # Chromium's advice about how the test itself reads drawings does not concern the page
    messages=$(ask /se/log '{"type": "browser"}' | jq -c '[.value[].message | select(contains("willReadFrequently") | not)]')
    check "$1: console" '[]' "$messages"
    requests=$(ask /se/log '{"type": "performance"}' | jq -c '[.value[].message | fromjson | .message |
        select(.method == "Network.requestWillBeSent") | .params.request.url |
        select(startswith("file:///") and (split("#")[0] | endswith(".html")) or startswith("about:") or startswith("data:") | not)]')
    check "$1: requests" '[]' "$requests"
}

# ---- pages ---------------------------------------------------------------------------------------

t=$top/testdata/transformer
page=$work/page.html
"$build/etinspect" report "$t/run.etdp" "$t/record.etrecord" "$t/model.pte" -o "$page" 2>/dev/null || exit 1
"$build/etinspect" diff "$t/run.etdp" "$t/run.etdp" -o "$work/diff.html" 2>/dev/null || exit 1
# Names, metadata, modules, source lines and labels that contain markup, and 10^5 names.
hostile() {
    printf '{"run_data": [{"name": "</script><img src=x onerror=alert(1)>", "events": ['
    printf '{"profile_event": {"name": "</script><script>alert(2)</script><img src=http://127.0.0.1:1/x>", "instruction_id": 0, "start_time": 5, "end_time": 10}},'
    printf '{"profile_event": {"name": "<!--\\u2028\\u202e\\u0000\\xff\\xc0", "instruction_id": 1, "start_time": 10, "end_time": 20}},'
    printf '{"profile_event": {"name": "x", "delegate_debug_id_str": "</script><iframe src=x>", "delegate_debug_metadata": [60, 33, 45, 45, 60, 115, 99, 114, 105, 112, 116, 62, 255, 0], "instruction_id": 1, "start_time": 12, "end_time": 14}},'
    printf '{"profile_event": {"name": "%s", "instruction_id": 2, "start_time": 20, "end_time": 21}}]}]}' "$(head -c 1000000 /dev/zero | tr '\0' a)"
}
# A record whose modules and source lines are markup.
hostile_record() {
    sh "$top/tests/cli/bin/unpack" "$top/testdata/mlp-many-runs/record.etrecord" "$work/record" &&
        sed -i 's|L__self__hidden,hidden,|L__self__hidden,</script><img src=x onerror=alert(5)>\\u2028\\u202e<!--,|g
            s|/tmp/etinspect-models/models.py|/tmp/</script><img src=x onerror=alert(6)>.py|g
            s|return self.head(torch|<!--<script>alert(7)</script>(torch|g' "$work/record/edge_dialect_exported_program/forward" &&
        sh "$top/tests/cli/bin/pack" "$work/record" "$work/hostile.etrecord"
}
# Counters of events, the names of which may be those of JavaScript, and a mark.
counted() {
    metadata() { printf '%s' "$1" | od -An -v -tu1 | tr -s ' \n' ',' | sed 's/^,//; s/,$//'; }
    printf '{"run_data": [{"name": "Execute", "events": ['
    printf '{"profile_event": {"name": "conv", "instruction_id": 0, "start_time": 10000, "end_time": 20000, "delegate_debug_metadata": [%s]}},' \
        "$(metadata 'etcapture: cycles=1200; energy [uJ]=-30; constructor=1; __proto__=2')"
    printf '{"profile_event": {"name": "clock changes", "instruction_id": 1, "start_time": 15000, "end_time": 15000, "delegate_debug_metadata": [%s]}},' \
        "$(metadata 'etcapture mark: cycles=7')"
    printf '{"profile_event": {"name": "matmul", "instruction_id": 2, "start_time": 20000, "end_time": 30000}}]}]}'
}
if command -v flatc >/dev/null; then
    counted | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/counted.etdp" &&
        "$build/etinspect" report "$work/counted.etdp" -o "$work/counted.html" 2>/dev/null
    hostile | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/hostile.etdp" --size-prefixed --allow-non-utf8 &&
        "$build/etinspect" report "$work/hostile.etdp" --label 'a<b=</script><img src=x onerror=alert(8)>' --title '</title><script>alert(3)</script>' \
            -o "$work/hostile.html" 2>/dev/null
    echo '{"run_data": []}' | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/nothing.etdp" &&
        "$build/etinspect" report "$work/nothing.etdp" -o "$work/nothing.html" 2>/dev/null
    for name in a b; do
        echo "{\"run_data\": [{\"name\": \"$name\", \"events\": [{\"profile_event\": {\"name\": \"op $name\", \"instruction_id\": 0, \"start_time\": 5, \"end_time\": 10}}]}]}" |
            SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/$name.etdp"
    done
    "$build/etinspect" report "$work/a.etdp" "$work/b.etdp" -o "$work/unlike.html" 2>/dev/null
    many_names | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/names.etdp" &&
        "$build/etinspect" report "$work/names.etdp" --max_size 200000000 -o "$work/names.html" 2>/dev/null
fi
if hostile_record; then
    "$build/etinspect" report "$top/testdata/mlp-many-runs/run.etdp" "$work/hostile.etrecord" --title '</title><script>alert(3)</script>' -o "$work/record.html" 2>/dev/null
fi

# stretched FILE NTH FACTOR: makes another process of the small network, in which the NTH addmm takes FACTOR times as long.
m=$top/testdata/mlp-many-runs
stretched() {
    jq -c --arg name native_call_addmm --argjson nth "$2" --argjson factor "$3" -f "$top/tests/browser/stretch.jq" "$work/run.json" |
        sed 's/18446744073709552000/18446744073709551615/g' | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$1"
}
compare() { # OUT COMMAND NEW OPTION...
    page_of_sides=$1
    shift
    "$build/etinspect" "$@" --one_process "$m/record.etrecord" >/dev/null 2>&1
    [ -s "$page_of_sides" ]
}
if command -v flatc >/dev/null && flatc --json --size-prefixed --strict-json --defaults-json -o "$work" "$top/schema/etdump.fbs" -- "$m/run.etdp"; then
    { stretched "$work/slow.etdp" 0 3 && stretched "$work/same.etdp" 0 1 &&
        compare "$work/slow.html" diff "$m/run.etdp" "$work/slow.etdp" -o "$work/slow.html" &&
        compare "$work/gate.html" gate "$m/run.etdp" "$work/slow.etdp" --report "html=$work/gate.html" &&
        compare "$work/back.json" diff "$work/slow.etdp" "$m/run.etdp" -o "$work/back.json" &&
        "$build/etinspect" diff --base "$m/run.etdp" "$work/same.etdp" --new "$work/slow.etdp" -o "$work/three.html" 2>/dev/null &&
        compare "$work/same.html" diff "$m/run.etdp" "$work/same.etdp" -o "$work/same.html" &&
        "$build/etinspect" report "$m/run.etdp" "$work/slow.etdp" "$work/same.etdp" "$m/record.etrecord" -o "$work/files.html" 2>/dev/null; } || {
        echo 'FAILED browser: the pages of comparisons cannot be written'
        exit 1
    }
fi

if ! "$build/etinspect" tensors "$t/run.etdp" "$t/record.etrecord" --debug_buffer_path "$t/debug_buffer.bin" --save "$work/own.npz" >/dev/null 2>&1 ||
    ! "$build/etinspect" report "$t/run.etdp" "$t/record.etrecord" --debug_buffer_path "$t/debug_buffer.bin" --reference "$work/own.npz" -o "$work/numerics.html" 2>/dev/null; then
    echo 'FAILED browser: the page with numerics cannot be written'
    exit 1
fi

# bad.html: the first output is compared with zeros, and an element of an output of the second instruction is NaN.
poke() { # FILE OFFSET BYTES
    printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
{ cp "$t/debug_buffer.bin" "$work/zero.bin" && cp "$t/debug_buffer.bin" "$work/nan.bin" && poke "$work/nan.bin" 512 '\0000\0000\0300\0177' &&
    head -c 384 /dev/zero | dd of="$work/zero.bin" conv=notrunc 2>/dev/null &&
    "$build/etinspect" tensors "$t/run.etdp" "$t/record.etrecord" --debug_buffer_path "$work/zero.bin" --save "$work/zero.npz" >/dev/null 2>&1 &&
    "$build/etinspect" report "$t/run.etdp" "$t/record.etrecord" --debug_buffer_path "$work/nan.bin" --reference "$work/zero.npz" -o "$work/bad.html" 2>/dev/null; } || {
    echo 'FAILED browser: the page with bad numerics cannot be written'
    exit 1
}

no_page() {
    n_failed=$((n_failed + 1))
    echo "FAILED browser/$1: the page cannot be written"
}

# Pages whose total is not called Method::execute, of several methods, and in cycles.
of_testdata() { # NAME FILE...
    name=$1
    shift
    for file in "$@"; do
        set -- "$@" "$top/testdata/$file"
        shift
    done
    "$build/etinspect" report "$@" -o "$work/$name.html" 2>/dev/null || no_page "$name"
}
of_testdata outside allocation-events/run.etdp
of_testdata ids delegate-ids/run.etdp
of_testdata two mlp/run.etdp mlp-many-runs/run.etdp mlp/record.etrecord
of_testdata methods multi-method/run.etdp multi-method/record.etrecord multi-method/model.pte
of_testdata flow control-flow/run.etdp control-flow/record.etrecord
of_testdata decode prefill-decode/run.etdp prefill-decode/record.etrecord prefill-decode/model.pte
"$build/etinspect" report --source_time_scale cycles --target_time_scale cycles "$t/run.etdp" "$t/record.etrecord" -o "$work/cycles.html" 2>/dev/null ||
    no_page cycles

begin_session || {
    echo 'FAILED browser: chromedriver gives no session'
    exit 1
}

# texts SECTION: prints what its drawings write, as [text, left, right, y].
texts() {
    run "const id = '$1', found = [], pen = CanvasRenderingContext2D.prototype, write = pen.fillText;
        pen.fillText = function (text, x, y) { const w = this.measureText(text).width; found.push([text, this.textAlign === 'right' ? x - w : x, this.textAlign === 'right' ? x : x + w, y]); write.call(this, text, x, y); };
        showTabOf(id);
        canvases.filter(c => document.getElementById(id).contains(c.canvas)).forEach(c => c.paint());
        pen.fillText = write;
        return found.filter(it => it[0])"
}

# ---- the first screen ------------------------------------------------------------------------------

tour=$top/doc/tour
"$build/etinspect" report "$tour/model.etdp" "$tour/model.etrecord" "$tour/model.pte" -o "$work/tour.html" 2>/dev/null || no_page tour
"$build/etinspect" summary "$tour/model.etdp" "$tour/model.etrecord" "$tour/model.pte" -f json >"$work/summary.json" 2>/dev/null
summary() { # FILTER: prints a part of what the command prints
    jq -c "$1" "$work/summary.json"
}
# The picture of the README shows what this program draws; make screenshots writes it.
open_readme_page || no_page readme
first_screen >"$work/readme.txt"
check 'README: the picture has the texts of the page' '' "$(describe_picture "$top/doc/report.png" "$work/readme.txt" | diff "$top/doc/report.txt" -)"
view 1280 720
open_whole "$work/tour.html"
check 'fold: the sentence is that of the command' "$(summary '.tables.headline[0].text')" "$(run 'return JSON.stringify([...document.querySelectorAll("h1 .name")].map(e => e.textContent).join(" ").replace(/\u00a0/g, " "))')"
check 'fold: it has 28 pixels' 28px "$(run 'return getComputedStyle(document.querySelector("h1")).fontSize')"
check 'fold: layers and their shares are those of the command' "$(summary '[.tables.layers[] | select(.kernel) | [.layer, (.share * 1000 | round / 10)]]')" \
    "$(run 'return [...document.querySelectorAll("#fold .layer")].map(b => [b.querySelector(".label").textContent, parseFloat(b.querySelector(".number").textContent)])')"
check 'fold: so are their kernels and lines' "$(summary '[.tables.layers[] | select(.kernel) | [.kernel, (.source // "" | sub(".*/"; ""))] | map(select(. != "")) | join(" · ")]')" \
    "$(run 'return [...document.querySelectorAll("#fold .layer .place")].map(e => e.textContent)')"
check 'fold: and their times' "$(summary '[.tables.layers[] | select(.kernel) | .typical * 10000 | round]')" \
    "$(run 'return [...document.querySelectorAll("#fold .layer .number:nth-child(4)")].map(e => Math.round(10 * parseFloat(e.textContent)))')"
check 'fold: bars are as long as the shares' true \
    "$(run 'const bars = [...document.querySelectorAll("#fold .meter span")].map(e => e.getBoundingClientRect().width), rows = rowsOf("summary", "layers"); return bars.every((wide, i) => Math.abs(wide / bars[0] - rows[i].share / rows[0].share) < 0.02)')"
check 'fold: the actions are those of the command' "$(summary '[.tables.actions[].text]')" \
    "$(run 'return [...document.querySelectorAll("#fold .actions li")].map(li => [...li.querySelectorAll(".name, .bound")].map(e => e.textContent).join(" ").replace(/\u00a0/g, " "))')"
check 'fold: layers take two thirds' true "$(run 'const [left, right] = [...document.querySelector(".answer-grid").children].map(e => e.getBoundingClientRect()); return left.right < right.left && Math.abs(left.width / right.width - 2) < 0.1')"
check 'fold: search and tabs are on the first screen' true "$(run 'return document.getElementById("bar").getBoundingClientRect().bottom <= 720')"
check 'fold: tabs' 'Timeline Modules Operators Memory Facts' "$(run 'return [...document.querySelectorAll("[role=tab]")].map(e => e.textContent).join(" ")')"
check 'fold: one search' 1 "$(run 'return document.querySelectorAll("input[type=search]").length')"
check 'fold: one tab is open' '["Timeline",1]' "$(run 'return [document.querySelector("[role=tab][aria-selected=true]").textContent, [...document.querySelectorAll("[role=tabpanel]")].filter(e => e.getBoundingClientRect().height > 0).length]')"
check 'fold: backends have a legend' true "$(run 'return document.querySelectorAll("#fold .legend .swatch").length === new Set(rowsOf("summary", "layers").filter(row => row.kernel).map(row => row.backend)).size')"
picture fold
run 'document.querySelectorAll("#fold .layer")[0].click(); return ""' >/dev/null
check 'a click on a layer opens its facts' '[false,"features.2",true]' \
    "$(run 'const panel = document.getElementById("panel"); return [panel.hidden, panel.querySelector("h2").textContent, panel.textContent.includes("Convolution (NHWC, F32) IGEMM #2")]')"
picture panel
run 'document.getElementById("unpick").click(); return ""' >/dev/null
check 'and the cross closes them' true "$(run 'return document.getElementById("panel").hidden')"
run 'document.querySelector("#fold .layer").parentNode.parentNode.nextElementSibling.querySelector("button").click(); return ""' >/dev/null
check 'the other layers are in a table' "$("$build/etinspect" layers "$tour/model.etdp" "$tour/model.etrecord" "$tour/model.pte" -f json 2>/dev/null | jq -c '[.tables.layers[].layer]')" \
    "$(run 'return [...document.querySelectorAll("#operators tbody tr")].map(row => row.children[0].textContent)')"

# the timeline: the representative run, layers and kernels, colours of backends, one search
open_whole "$work/tour.html"
check 'timeline: it opens on the representative run' "$("$build/etinspect" runs "$tour/model.etdp" -f json | jq -c '[.tables.runs[] | select(.representative) | .run]')" \
    "$(run 'const run = line.runs[Number(document.querySelector("#timeline select").value)]; return [run.number]')"
check 'timeline: a slice names its layer and, below it, its kernel' true \
    "$(texts timeline | jq 'map(select(.[0] == "features.2")) as $layer | map(select(.[0] == "Convolution (NHWC, F32) IGEMM #2")) as $kernel | ($layer | length) == 2 and ($kernel | length) == 1 and $layer[0][1] == $kernel[0][1] and $kernel[0][3] > $layer[0][3]')"
check 'timeline: the legend has the backends' '["XNNPACK","CPU","runtime"]' "$(run 'return [...document.querySelectorAll("#timeline .legend > span")].filter(e => e.querySelector(".swatch:not(.hatched)")).map(e => e.textContent)')"
check 'timeline: a click opens the facts' true \
    "$(run "canvases.forEach(c => c.paint()); const c = document.querySelector('#timeline canvas'), r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent('click', {clientX: r.left + r.width * 0.5, clientY: r.top + 66, bubbles: true})); return !document.getElementById('panel').hidden")"
run 'searchFor("norm"); return ""' >/dev/null
check 'search: tables and the graph follow' '[1,true,true]' \
    "$(run 'const rows = id => [...document.querySelectorAll("#" + id + " tbody tr")].filter(row => row.children.length > 1); return [rows("operators").length, rows("source").length < rowsOf("source", "lines").length, / of [1-9]/.test(document.querySelector("#graph .count").textContent)]')"
run 'searchFor("op:norm"); return ""' >/dev/null
check 'search: a table without the column shows all' true "$(run 'return [...document.querySelectorAll("#source tbody tr")].filter(row => row.children.length > 1).length === rowsOf("source", "lines").length')"
check_quiet tour

# No label of the first screen is cut, however narrow the page and long the names.
cut_labels='return [...document.querySelectorAll("h1, #fold *, .of, [role=tab]")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline" || e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("#tabs")).map(e => e.className + ": " + e.textContent.slice(0, 40))'
sed 's/features\.2/model.language_model.decoder.layers.17.self_attention.output_projection/g; s/features\.0/a_module_that_has_a_name_of_many_letters_but_nodots/g
    s/Convolution (NHWC, F32) IGEMM #2/quantized_convolution_batchnorm_relu6_nhwc_f32_igemm_4x16c8__avx512skx_without_blanks #2/g; s/export\.py:19/modeling_with_a_very_long_file_name.py:1934/g' "$work/tour.html" >"$work/long.html"
for width in 1400 390; do
    view $width 844
    for it in tour methods record long; do
        [ -f "$work/$it.html" ] || continue
        open_whole "$work/$it.html"
        check "$it: no label of the first screen is cut at $width" '[]' "$(run "$cut_labels")"
    done
done
open_whole "$work/tour.html"
picture fold-narrow
view 1400 900

# ---- behaviour of a page ----------------------------------------------------------------------------

open_whole "$page"
echo "ready after $ready"
check sections 'timeline runs modules graph operators source rates delegates memory overview time about' \
    "$(run 'return [...document.querySelectorAll("#panels section")].map(s => s.id).join(" ")')"
check 'one h1' 1 "$(run 'return document.querySelectorAll("h1").length')"
check 'no horizontal scrolling' true "$(run 'return document.documentElement.scrollWidth <= innerWidth')"
check 'data' etinspect-report/2 "$(run 'return data.schema')"
check 'drawings have ink' true "$(run 'shownTabs.forEach((it, i) => { showTab(i); canvases.forEach(c => c.paint()); }); showTab(0); return [...document.querySelectorAll("canvas")].every(c => c.width > 0 && c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(v => v > 0))')"
picture light

# search, as typed
element=$(ask /element '{"using": "css selector", "value": "#search"}' | jq -r '.value[]')
ask "/element/$element/value" '{"text": "op:addmm share>1"}' >/dev/null
check 'search finds' true "$(run 'const rows = [...document.querySelectorAll("#operators tbody tr")]; return rows.length > 0 && rows.every(r => r.textContent.includes("addmm"))')"
check 'count is shown' true "$(run 'return / of \d+ events/.test(document.querySelector("#found").textContent)')"
# searched WORDS: prints what the page says about a search, and whether the field is marked as wrong.
searched() {
    run "const s = document.querySelector('#search'); s.value = '$1'; s.dispatchEvent(new Event('input')); return document.querySelector('#found').textContent.split(',')[0] + ' ' + s.getAttribute('aria-invalid')"
}
filtered() { # EXPRESSION: prints the number of events that --filter finds
    "$build/etinspect" events "$t/run.etdp" "$t/record.etrecord" --filter "$1" --format csv 2>/dev/null | tail -n +2 | wc -l
}
n_events=$(run 'return eventRows().length')
for query in 'p50>1us' 'p50 >= 0.001ms' 'p50>1000ns' 'p50<1e-6s' 'self_time > 1us' 'share>5%' 'module==mlp'; do
    expression=$(echo "$query" | sed 's/==mlp/ =~ "^mlp(\\.|$)"/; s/>=/ >= /; s/> *\([0-9]\)/ > \1/; s/</ < /')
    check "search $query, as --filter $expression" "$(filtered "$expression") of $n_events events false" "$(searched "$query")"
done
check 'a time without a unit is in that of the tables' "$(searched 'p50>1us')" "$(searched 'p50>0.001')"
check 'a share without a sign is in percent' "$(searched 'share>5%')" "$(searched 'share>5')"
check 'a heading is a key' "$(searched 'op_type:addmm')" "$(searched 'operator:addmm')"
check 'a heading is a key before a hidden column' "$(searched 'event_name:addmm')" "$(searched 'event:addmm')"
check 'a heading with a space' "$(searched 'self_time>1us')" "$(searched '"self time">1us')"
for same in 'p50>1us|p50>1 us' 'p50>1us|p50 > 1 us' 'p50>1us|p50>"1 us"' 'p50>1us share>5|p50 > 1 us share > 5 %' 'share>5|share>5 %' 'op:addmm|op : addmm' '-op:addmm|-op: addmm'; do
    check "blanks: ${same#*|}" "$(searched "${same%|*}")" "$(searched "${same#*|}")"
done
check 'a letter is a word, also if it is a unit' true "$(run 'return parseQuery("s", eventColumns(), columnNames, [])({event_name: "softmax"})')"
check 'two colons are text' "0 of $n_events events false" "$(searched 'aten::addmm')"
sed 's/^ *//' >"$work/wrong" <<'END'
    operatr:addmm	no column operatr: searched as text
    operatr>1	no column operatr
    p50>x	x is not a number
    p50>5%	p50 is not a column of shares
    share>1us	share is not a column of times
    event>1	event is not a column of numbers
END
while IFS='	' read -r query told; do
    check "search $query says so" "0 of $n_events events true" "$(searched "$query")"
    check "search $query: why" "; $told" "$(run 'return document.querySelector("#found .warning").textContent')"
done <"$work/wrong"
while read -r query; do
    check "search $query: all, and says so" "$n_events events; $query is not finished true" "$(searched "$query")"
done <<'END'
op:
-op:
"self time":
p50>
p50 >=
op!=
-
-""
>
END
check 'search 5 us: a unit alone' '["; us is a unit without a number: searched as text"]' "$(searched '5 us' >/dev/null; run 'return [...document.querySelectorAll("#found .warning")].map(e => e.textContent)')"
check 'the search says what it takes' true "$(run 'const s = document.querySelector("#search"); return /without a unit they are in ms/.test(s.title)')"
took=$(run 'const s = document.querySelector("#search"); s.value = ""; const begun = performance.now(); s.dispatchEvent(new Event("input")); return (performance.now() - begun).toFixed(1)')
echo "a search takes $took ms"

# order
run 'document.querySelectorAll("#operators th button")[0].click(); return ""' >/dev/null
check 'sorted by name' ascending "$(run 'return document.querySelectorAll("#operators th")[0].getAttribute("aria-sort")')"
check 'names ascend' true "$(run 'const names = [...document.querySelectorAll("#operators tbody tr td:first-child")].map(c => c.textContent).filter(n => n); return names.every((n, i) => i === 0 || names[i - 1] <= n)')"
check 'groups' true "$(run 'const choice = document.querySelector("#operators select"); return [...choice.options].length >= 4 && [...choice.options].every(o => { choice.value = o.value; choice.dispatchEvent(new Event("change")); return document.querySelectorAll("#operators tbody tr").length > 0; })')"
run 'const choice = document.querySelector("#operators select"); choice.value = "event"; choice.dispatchEvent(new Event("change")); return ""' >/dev/null

# samples belong to the event: their median is its p50
check 'samples' '[]' "$(run 'const runs = rowsOf("runs", "runs"); return eventRows().map((row, i) => [row, samplesOf(i)]).filter(([row, s]) => s && s.length === runs.length && Math.abs(medianOf(s.filter((v, k) => runs[k].flag !== "warm-up")) - row.p50) > 1e-9).map(([row]) => row.event_name)')"

# one selection, kept in the address
run 'document.querySelectorAll("#operators tbody tr")[1].click(); return ""' >/dev/null
check 'row is selected' 1 "$(run 'return document.querySelectorAll("#operators tr[aria-selected=true]").length')"
check 'address has it' true "$(run 'return /#op=\d+/.test(location.href)')"
check 'details' true "$(run 'return !document.querySelector("#panel").hidden')"
open_whole "$page" '#op=3&run=2&runs'
check 'address restores the event' 3 "$(run 'return selection.op')"
check 'and the run' 2 "$(run 'return selection.run')"
check 'and shows it' true "$(run 'return Math.abs(document.getElementById("runs").getBoundingClientRect().top) < innerHeight')"
open_whole "$page" '#%'
check 'an address that no page wrote' true "$(run 'return document.documentElement.dataset.ready !== undefined')"
open_whole "$page" '#op=99999999&run=x&nothing'
check 'a wrong address is no selection' '[null,null]' "$(run 'return [selection.op, selection.run]')"

# keys
press() {
    jq -n --arg key "$1" '{actions: [{type: "key", id: "keys", actions: [{type: "keyDown", value: $key}, {type: "keyUp", value: $key}]}]}' |
        curl -s -H 'Content-Type: application/json' -d @- "$session/actions" >/dev/null
}
# Sends a key by its number in WebDriver: E007 Enter, E00C Escape, E014 right, E015 down.
press_code() {
    press "$(printf '"\\u%s"' "$1" | jq -r .)"
}
press '?'
check 'keys are listed' true "$(run 'return document.getElementById("keys").open && document.querySelectorAll("#keys dt").length > 4')"
run 'document.getElementById("keys").close(); return ""' >/dev/null
press '/'
check 'slash goes to the search' true "$(run 'return document.activeElement === document.querySelector("#search")')"
run 'document.activeElement.blur(); return ""' >/dev/null
before=$(run 'return getComputedStyle(document.body).backgroundColor')
press d
after=$(run 'return getComputedStyle(document.body).backgroundColor')
check 'd changes the colours' true "$([ "$before" != "$after" ] && echo true)"
run 'scrollTo(0, 0); return ""' >/dev/null
painted
picture dark
press d
run 'showTabOf("modules"); document.querySelector("#modules canvas").focus(); return ""' >/dev/null
press_code E015
press_code E007
check 'Enter looks into a module' false "$(run 'return document.querySelector("#modules .controls button").disabled')"
run 'document.activeElement.blur(); return ""' >/dev/null
press_code E00C
check 'Escape goes back' true "$(run 'return document.querySelector("#modules .controls button").disabled')"
run 'showTabOf("timeline"); document.querySelector("#timeline canvas").focus(); return ""' >/dev/null
drawn='const c = document.querySelector("#timeline canvas"); return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.reduce((sum, v, i) => (sum * 31 + v * i) % 1000003, 7)'
before=$(run "$drawn")
is_drawn=$(printf '%s' "$drawn" | sed 's/return c\.\(.*\)$/return (c.\1) === '"$before"'/')
press w
check 'w zooms the timeline' false "$(becomes false "$is_drawn")"
press 0
check '0 shows all of it' "$before" "$(becomes "$before" "$drawn")"
run 'showTabOf("runs"); document.querySelector("#runs canvas").focus(); return ""' >/dev/null
press_code E014
check 'arrows choose a run' true "$(run 'return selection.run !== null')"

# the graph, with keys only: its depths, edges, modules, zoom; then its search
run 'select({op: null, run: null}); const depth = document.querySelector("#graph select"); depth.value = String(depth.options.length - 1); depth.dispatchEvent(new Event("change")); showTabOf("graph"); document.querySelector("#graph canvas").focus(); return ""' >/dev/null
check 'depths of the graph' 'Modules, depth 1|Modules, depth 2|All operators' \
    "$(run 'return [...document.querySelectorAll("#graph select:first-child option")].map(o => o.textContent.replace(/ \(\d+\)$/, "")).join("|")')"
press_code E015
check 'an arrow chooses the first box' x "$(run 'return document.querySelector("#graph .detail h3").textContent')"
press_code E015
check 'arrows follow edges' true "$(run 'return /layer_norm/.test(document.querySelector("#graph .detail h3").textContent) && selection.op !== null && rowsOf("events", "events")[selection.op].op_type.includes("layer_norm")')"
before=$(run 'return document.querySelector("#graph canvas").toDataURL().length')
press +
check 'plus zooms' false "$(becomes false "return document.querySelector(\"#graph canvas\").toDataURL().length === $before")"
run 'const depth = document.querySelector("#graph select"); depth.value = "0"; depth.dispatchEvent(new Event("change")); return ""' >/dev/null
press_code E015
module=$(run 'return document.querySelector("#graph .detail h3").textContent')
press_code E007
check 'Enter shows what is inside of a module' "1 true" \
    "$(run "return document.querySelector(\"#graph select\").value + \" \" + document.querySelector(\"#graph .detail h3\").textContent.startsWith(\"$module\")")"
run 'const search = document.querySelector("#search"); search.value = "softmax"; search.dispatchEvent(new Event("input")); return ""' >/dev/null
check 'the search counts boxes' true "$(run 'return /^1 of [1-9]/.test(document.querySelector("#graph .count").textContent)')"
check 'the same nodes are in a table' true "$(run 'searchFor(""); document.querySelector("#graph details").open = true; return ""')$(becomes true 'return document.querySelectorAll("#graph details tbody tr").length > 50')"
run 'select({op: rowsOf("events", "events").findIndex(e => /layer_norm/.test(e.op_type || ""))}); document.activeElement.blur(); return ""' >/dev/null
check 'the graph follows the selection' true "$(run 'return !document.querySelector("#graph .detail").hidden')"
check 'the legend holds for light and dark' true "$(run 'const legend = document.querySelector("#graph .legend").textContent; return /more colour means more: full colour at/.test(legend) && !/dark|bright/.test(legend)')"
run 'goTo("graph"); return ""' >/dev/null
painted
picture graph
run 'scrollTo(0, 0); return ""' >/dev/null

# memory: the object under the pointer is named, and a click selects the event that makes it
over='showTabOf("memory"); canvases.forEach(it => it.paint()); const c = document.querySelector("#memory canvas"); c.scrollIntoView({block: "center"}); const r = c.getBoundingClientRect(), at = {clientX: r.left + r.width * 0.08, clientY: r.top + 100, bubbles: true};'
check 'a tensor is named' true "$(run "$over c.dispatchEvent(new PointerEvent('pointermove', at)); return /permute_copy.*\\n3.0 KiB float32/.test(document.querySelector('.tip').textContent)")"
check 'and its event selected' native_call_permute_copy.out "$(run "$over c.dispatchEvent(new MouseEvent('click', at)); return eventRows()[selection.op].event_name")"
run 'select({op: null, run: null}); scrollTo(0, 0); return ""' >/dev/null

# print
pdf=$(ask /print '{}' | jq -r .value | base64 -d | head -c 4)
check print %PDF "$pdf"
printed='dispatchEvent(new Event("beforeprint")); const found = [...document.querySelectorAll("#operators .table p")].filter(p => !p.hidden).map(p => p.textContent), n = document.querySelectorAll("#operators tbody tr").length; dispatchEvent(new Event("afterprint")); return [n, ...found]'
check 'print: a whole table says nothing' "[$n_events]" "$(run "$printed")"
check 'print: a search is named' "[4,\"found by the search event:addmm: 4 of $n_events rows\"]" "$(run "const s = document.querySelector('#search'); s.value = 'event:addmm'; s.dispatchEvent(new Event('input')); $printed")"
check 'print: and only there' 0 "$(run 'return [...document.querySelectorAll(".table p")].filter(p => !p.hidden).length')"

# narrow
view 390 844
for it in page numerics slow files two names; do
    [ -f "$work/$it.html" ] || continue
    open_whole "$work/$it.html"
    check "$it: nothing overflows at 390" '[390,true]' "$(run 'return [innerWidth, document.documentElement.scrollWidth <= 390]')"
done
open_whole "$page"
picture narrow
view 1400 900
check_quiet page

open_whole "$work/diff.html"
check 'a comparison has tables' true "$(run 'return document.querySelectorAll("#compare table").length > 0')"
check 'a drawing cuts a kernel before its number' '["Convoluti…#19","Convolution #19",true]' \
    "$(run 'const pen = {measureText: text => ({width: 10 * text.length})}; return [fitText(pen, "Convolution #19", 130), fitText(pen, "Convolution #19", 150), fitText(pen, "Convolution #19", 14) === ""]')"
check 'a comparison of single files has no finding' '[true,0,true,false]' \
    "$(run 'const rows = barRows(), told = document.querySelector("#compare .legend").textContent; return [rows.every(row => !row.isTested), rows.filter(row => row.mark !== 0).length, told.includes("not tested"), told.includes("tested: within noise")]')"
check 'its bars are hatched' true \
    "$(run 'let stripes = 0; const fill = CanvasRenderingContext2D.prototype.fillRect; CanvasRenderingContext2D.prototype.fillRect = function (...of) { stripes += this.fillStyle instanceof CanvasPattern; fill.apply(this, of); };
        canvases.filter(c => document.getElementById("compare").contains(c.canvas)).forEach(c => c.paint()); CanvasRenderingContext2D.prototype.fillRect = fill; return stripes === barRows().length && stripes > 0')"
check_quiet diff

# Returns whether a drawing has pixels of the colour for slower nodes.
has_red() { # SELECTOR
    run "const c = document.querySelector('$1'); showTabOf(c.closest('section').id); canvases.forEach(it => it.paint()); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] > 215 && d[i + 1] < 135 && d[i + 2] < 125 && d[i + 3] > 250; return n > 200"
}
if [ -f "$work/slow.html" ]; then
    for kind in slow gate; do
        open_whole "$work/$kind.html"
        check "$kind: the page of the new side" 'compare timeline runs slowest modules graph operators source rates delegates overview time about' \
            "$(run 'return [...document.querySelectorAll("#panels section")].map(s => s.id).join(" ")')"
        heads='const heads = [...document.querySelectorAll("#compare table[aria-label=\"changes of events\"] th")].map(h => h.textContent.replace(/ \(.*/, ""));'
        cell="$heads const cell = name => document.querySelector('#compare table[aria-label=\"changes of events\"] tbody tr').children[heads.indexOf(name)].textContent;"
        if [ $kind = slow ]; then name='event name' word=slower; else name=name word=failed; fi
        check "$kind: the slower event is the first" "[\"native_call_addmm.out\",\"▲ $word\",\"+199.1%\"]" "$(run "$cell return [cell('$name'), cell('verdict'), cell('change')]")"
        if [ $kind = slow ]; then
            check 'slow: one change is shown' '["+199.1%",false]' "$(run "$cell return [cell('change'), heads.includes('ratio')]")"
        else
            check 'gate: one change is shown' '["+199.1%",false]' "$(run "$cell return [cell('change'), heads.includes('relative change')]")"
        fi
        check "$kind: only it is marked" 1 "$(run 'return comparedEvents().filter(row => row.mark !== 0).length')"
        check "$kind: bars are red" true "$(has_red '#compare canvas')"
        check "$kind: its modules are red" true "$(has_red '#modules canvas')"
        check "$kind: its box is red" true "$(has_red '#graph canvas')"
        run 'document.querySelector("#compare tbody tr").click(); return ""' >/dev/null
        check "$kind: a click selects the event" '["native_call_addmm.out","hidden"]' "$(run 'const row = eventRows()[selection.op]; return [row.event_name, row.module]')"
        [ $kind = slow ] || check "$kind: cannot be swapped" 0 "$(run 'return document.querySelectorAll("#compare button:not(th button)").length')"
        run 'scrollTo(0, 0); return ""' >/dev/null
        picture "compare-$kind"
        check_quiet "$kind"
    done
    # after a click, the section is that of the command with its files exchanged; after another it is as before
    swap() {
        run 'const button = [...document.querySelectorAll("#compare button")].find(b => b.textContent === "Swap base"); button.click(); return new Promise(done => setTimeout(() => done(button.getAttribute("aria-pressed")), 300))'
    }
    back() { # FILTER: prints a part of what the command prints
        jq -c "$1" "$work/back.json"
    }
    told='const texts = selector => [...document.querySelectorAll("#compare " + selector)].map(e => e.textContent);
        const cells = (label, name) => { const table = document.querySelector("#compare table[aria-label=\"" + label + "\"]"), heads = [...table.querySelectorAll("th")].map(h => h.textContent.replace(/ \(.*/, ""));
            return [...table.querySelectorAll("tbody tr")].map(row => row.children[heads.indexOf(name)].textContent); };'
    open_whole "$work/slow.html"
    before=$(run 'return document.getElementById("compare").innerText')
    check 'swap: the base is named' '["base: run.etdp · new: slow.etdp","false"]' "$(run "$told"'return [texts("p")[0], texts("button")[0] === "Swap base" && document.querySelector("#compare button").getAttribute("aria-pressed")]')"
    check 'swap: the button is pressed' true "$(swap)"
    check 'swap: all numbers and notes are those of the command' true \
        "$([ "$(back '[.tables, .notes]' | jq -cS .)" = "$(run 'return [data.tables.diff_swapped, data.remarks.diff_swapped]' | jq -cS .)" ] && echo true)"
    check 'swap: the sides are named' '"base: slow.etdp · new: run.etdp; the sections below are about the base"' "$(run "$told"'return JSON.stringify(texts("p")[0])')"
    check 'swap: the answer' "$(back '[.tables.summary[0].answer, "answer faster"]')" "$(run "$told"'return [texts(".answer")[0], document.querySelector("#compare .answer").className]')"
    check 'swap: the totals' "$(back '[.tables.total[] | [.total, .verdict]]')" "$(run "$told"'const all = cells("Total", "verdict"); return cells("Total", "total").map((name, i) => [name, all[i]])')"
    check 'swap: their changes' "$(back '[.tables.total[].change * 1000 | round]')" "$(run "$told"'return cells("Total", "change").map(text => Math.round(10 * parseFloat(text.replace("−", "-"))))')"
    check 'swap: the verdicts of events' "$(back '[.tables.events[].verdict | if . == "faster" then "▼ faster" elif . == "slower" then "▲ slower" else . end] | sort')" \
        "$(run "$told"'return cells("changes of events", "verdict")' | jq -c sort)"
    check 'swap: the bars' true "$(run "$told"'return /addmm.out −66.6 %/.test(document.querySelector("#compare canvas").getAttribute("aria-label"))')"
    check 'swap: every note is shown' "$(back '[.notes[] | select(.table != "summary").text] | sort')" "$(run "$told"'return texts(".notes li")' | jq -c sort)"
    check 'swap: the files' "$(back '[.tables.files[] | [.side, .file]]')" "$(run "$told"'document.querySelector("#compare details").open = true; const sides = cells("Files", "side"); return cells("Files", "file").map((_, i) => [sides[i], rowsOf("diff_swapped", "files")[i].file])')"
    run 'document.querySelector("#compare details").open = false; return ""' >/dev/null
    check 'swap: what was red is not' '[false,false,false]' "[$(has_red '#compare canvas'),$(has_red '#modules canvas'),$(has_red '#graph canvas')]"
    check 'swap: events belong to those of the page' '["native_call_addmm.out","hidden"]' "$(run 'document.querySelector("#compare tbody tr").click(); const row = eventRows()[selection.op]; return [row.event_name, row.module]')"
    run 'select({op: null, run: null}); scrollTo(0, 0); return ""' >/dev/null
    picture compare-swapped
    check 'swap: the button is not pressed' false "$(swap)"
    check 'swap: all is as before' "$before" "$(run 'showTabOf("compare"); return document.getElementById("compare").innerText')"
    check 'swap: and red again' '[true,true,true]' "[$(has_red '#compare canvas'),$(has_red '#modules canvas'),$(has_red '#graph canvas')]"
    check_quiet swap
    open_whole "$work/three.html"
    check 'swap: several files' '["base: run.etdp, same.etdp · new: slow.etdp","true","base: slow.etdp · new: run.etdp, same.etdp; the sections below are about the base"]' \
        "[$(run "$told"'return JSON.stringify(texts("p")[0])'),\"$(swap)\",$(run "$told"'return JSON.stringify(texts("p")[0])')]"
    check_quiet three
    open_whole "$work/same.html"
    check 'A/A: nothing is marked' '[0,false,false,false]' \
        "[$(run 'return comparedEvents().filter(row => row.mark !== 0).length'),$(has_red '#compare canvas'),$(has_red '#modules canvas'),$(has_red '#graph canvas')]"
    check_quiet same
    open_whole "$work/files.html"
    check 'files side by side' 'event,run.etdp (ns),slow.etdp,same.etdp,module' "$(run 'return [...document.querySelectorAll("#compare th")].map(h => h.textContent).join(",")')"
    check 'what they differ by' 'native_call_addmm.out691.0+200.0%0.0%hidden' "$(run 'return [...document.querySelectorAll("#compare tbody tr")].map(r => r.textContent).find(t => t.includes("addmm") && t.includes("hidden"))')"
    run 'const base = document.querySelector("#compare select"); base.value = "1"; base.dispatchEvent(new Event("change")); return ""' >/dev/null
    check 'with another base' 'native_call_addmm.out−66.7%2,073.0−66.7%hidden' "$(run 'return [...document.querySelectorAll("#compare tbody tr")].map(r => r.textContent).find(t => t.includes("addmm") && t.includes("hidden"))')"
    check_quiet files
else
    echo 'skipped: browser: comparisons: there is no flatc'
    n_skipped=$((n_skipped + 1))
fi

# ---- several files, and none ---------------------------------------------------------------------------

# blocks of one name are numbered, because their runs differ; the events of both files are the same
open_whole "$work/two.html"
check 'two: blocks of one name are side by side' '[7,true]' \
    "$(run 'const rows = [...document.querySelectorAll("#compare tbody tr")].map(r => [...r.children].map(c => c.textContent)); return [rows.length, rows.every(([name, base, other]) => name && parseFloat(base) > 0 && /%$/.test(other))]')"
check 'two: medians are those of the events' '[]' \
    "$(run 'return mediansByDump().filter(row => row.numbers.length !== 2 || row.numbers.some((n, i) => Math.abs(eventRows()[n].p50 - row["file" + i]) > 1e-9)).map(row => row.name)')"
check 'two: either event is in its row' '[1,1]' \
    "$(run 'return mediansByDump()[1].numbers.map(op => { select({op}); return document.querySelectorAll("#compare tr[aria-selected=true]").length; })')"
check 'two: the overview says which median run it is' 1 \
    "$(run 'return [...document.querySelectorAll("#overview .notes li")].filter(l => l.textContent.startsWith("the median run is that of the EventBlock of the first run")).length')"
check_quiet two
if [ -f "$work/nothing.html" ]; then
    open_whole "$work/counted.html"
    check 'counted: the events have a column for each counter' '["cycles","energy [uJ]","constructor","  proto  "]' \
        "$(run 'return [...document.querySelectorAll("#operators thead th")].map(h => h.textContent).slice(-4)')"
    check 'counted: with its values' '["1,200","-30","1","2"]' \
        "$(run 'const row = [...document.querySelectorAll("#operators tbody tr")].find(row => row.textContent.startsWith("conv")); return [...row.children].map(c => c.textContent).slice(-4)')"
    check 'counted: a row of the timeline for each counter' '["cycles, 0 to 1,200 ","energy, -30 to 0 uJ"]' \
        "$(texts timeline | jq -c 'map(.[0]) | map(select(test(" to "))) | .[:2]')"
    # what the pointer meets at a part of the width of the timeline, from its top to its bottom
    tips="const c = document.querySelector('#timeline canvas'), r = c.getBoundingClientRect(), found = new Set();
        const tipsAt = part => { for (let y = 0; y < r.height; y += 3) { c.dispatchEvent(new PointerEvent('pointermove', {clientX: r.left + r.width * part, clientY: r.top + y, bubbles: true})); const tip = document.querySelector('.tip'); if (tip) found.add(tip.textContent); } return [...found]; };"
    check 'counted: a mark is a few pixels wide' '[true,true,false]' \
        "$(run "$tips const near = [0.25, 0.25 + 3 / r.width, 0.25 + 9 / r.width]; return near.map(part => { found.clear(); return tipsAt(part).some(text => text.startsWith('clock changes\\nmark at 5')); })")"
    check 'counted: a slice and the counters below it say the values' '[true,true,true,true]' \
        "$(run "$tips const all = tipsAt(0.1); return [/^conv\\n[^]*cycles: 1,200\\nenergy .uJ.: -30/, /^cycles\\n1,200/, /^energy\\n-30 uJ/, /^__proto__\\n2/].map(text => all.some(tip => text.test(tip)))")"
    check 'counted: a counter has its value until the next' true "$(run "$tips return tipsAt(0.9).some(tip => /^cycles\\n7/.test(tip))")"
    check_quiet counted
    open_whole "$work/unlike.html"
    check 'unlike: a note in place of an empty table' '[0,true]' \
        "$(run 'const box = document.getElementById("compare"); return [box.querySelectorAll("table").length, box.textContent.includes("No event is in more than one of the files")]')"
    check_quiet unlike
    open_whole "$work/nothing.html"
    check 'nothing: a section without data is left out' 'overview about' "$(run 'return [...document.querySelectorAll("#panels section")].map(s => s.id).join(" ")')"
    check_quiet nothing
fi
open_whole "$work/ids.html"
check 'ids: no section is said to be missing that is there' '[]' \
    "$(run 'const heads = [...document.querySelectorAll("h2")].map(h => h.textContent.toLowerCase()); return [...document.querySelectorAll("#about li")].map(l => l.textContent.split(":")[0]).filter(name => heads.includes(name))')"

# ---- totals, methods and units -----------------------------------------------------------------------

for it in page outside ids methods decode; do
    open_whole "$work/$it.html"
    check "$it: the parts of the time add up to 100 %" '[true,0]' "$(run 'const bar = [...document.querySelector("#time .bar").children], sum = bar.reduce((s, b) => s + parseFloat(b.style.width), 0);
        return [Math.abs(sum - 100) < 0.1, bar.filter(b => /^(all |Method)/.test(b.title)).length]')"
done

for it in methods:encode:forward decode:prefill:decode; do
    open_whole "$work/${it%%:*}.html"
    both=${it#*:} it=${it%%:*}
    for place in '#time .bar button' '#time .legend > span'; do
        check "$it: $place has the method" true \
            "$(run "const names = [...document.querySelectorAll('$place')].map(e => e.title || e.textContent); return names.length > 3 && new Set(names).size === names.length && names.every(n => '$both'.split(':').some(m => n.startsWith(m + ': ')))")"
    done
    check "$it: no two cards are alike" true \
        "$(run "const names = [...document.querySelectorAll('#overview .card span')].map(e => e.textContent).filter(n => n !== 'method'); return new Set(names).size === names.length && '$both'.split(':').every(m => names.includes(m + ': p90 of runs after the warm-up'))")"
    check "$it: the graph names its method" true \
        "$(run 'return document.querySelector("#graph .legend").textContent.startsWith("method " + data.layouts[0].method)')"
    check "$it: methods are above their modules" "$(echo "$both" | tr : ' ')" \
        "$(texts modules | jq -r '(map(.[3]) | min) as $top | map(select(.[3] == $top)[0] | split(" ")[0]) | join(" ")')"
    check "$it: a part shows the events of its method" '[true,"'"${both#*:}"'"]' \
        "$(run "document.querySelector('#time .bar button[title^=\"${both#*:}: operators\"]').click(); const rows = [...document.querySelectorAll('#operators tbody tr')], at = [...document.querySelectorAll('#operators th')].findIndex(h => h.textContent.startsWith('block')); return [rows.length > 0, [...new Set(rows.filter(r => r.children.length > 1).map(r => r.children[at].textContent))].join(' ')]")"
done

# Shares of events are parts of their blocks, of which a method has its own: the count says the part of all methods.
for it in methods decode; do
    open_whole "$work/$it.html"
    check "$it: all events that a search finds take at most 100 %" '100.0 %' \
        "$(run 'actions.filterOperators("share>=0"); return document.querySelector("#found").textContent.match(/[0-9.]+ %/)[0]')"
    check "$it: the events of an operator take its share" '[]' \
        "$(run 'return rowsOf("ops", "ops").filter(row => !row.op.startsWith("(")).map(row => { actions.filterOperators("op=" + quoted(row.op) + " block=" + quoted(row.method)); return [row.op, shareText(row.share), document.querySelector("#found").textContent.split(", ")[1]]; }).filter(([op, share, told]) => told !== share + " of the time")')"
done

# A row is offered for a click only if that shows the events whose time it has; rows in parentheses often have no such search.
for it in page methods decode flow; do
    open_whole "$work/$it.html"
    check "$it: a click on a row shows events with its share" '[]' \
        "$(run 'const told = document.querySelector("#found"), choice = document.querySelector("#operators select"), wrong = []; let clicks = 0;
        for (const group of ["op", "module", "backend", "source"].filter(name => [...choice.options].some(o => o.value === name)))
            for (let i = 0, n = 1; i < n; i++) {
                choice.value = group; choice.dispatchEvent(new Event("change"));
                const rows = [...document.querySelectorAll("#operators tbody tr")], at = [...document.querySelectorAll("#operators th")].findIndex(h => h.textContent === "share");
                n = rows.length;
                const share = rows[i].children[at].textContent, name = rows[i].textContent;
                rows[i].click();
                if (choice.value === "event" && !told.textContent.replace(" %", "%").endsWith(", " + share + " of the time") || (choice.value === "event") !== rows[i].classList.contains("pick"))
                    wrong.push([group, name, told.textContent]);
                clicks += choice.value === "event";
            }
        return clicks > 5 ? wrong : clicks')"
    check "$it: so does a part of the time" '[]' \
        "$(run 'return [...document.querySelectorAll("#time .bar button")].filter(b => !b.hasAttribute("aria-disabled")).map(b => { b.click(); return [b.getAttribute("aria-label"), document.querySelector("#found").textContent.split(", ")[1]]; }).filter(([name, told]) => !told || !name.endsWith(" " + told.replace(" of the time", "")))')"
    check "$it: and a line of the section Source" '[]' \
        "$(run 'const at = [...document.querySelectorAll("#source th")].findIndex(h => h.textContent === "share"); return [...document.querySelectorAll("#source tbody tr.pick")].map(r => { r.click(); return [r.children[at].textContent, document.querySelector("#found").textContent.split(", ")[1].replace(" %", "%")]; }).filter(([share, told]) => told !== share + " of the time")')"
    check "$it: the time around operators cannot be searched" 0 \
        "$(run 'document.querySelector("#operators select").value = "op"; document.querySelector("#operators select").dispatchEvent(new Event("change")); return [...document.querySelectorAll("#operators tr.pick")].filter(r => r.textContent.includes("(framework)")).length')"
done
open_whole "$work/flow.html"
check 'flow: the unknown module is found without the framework' '[true,false]' \
    "$(run 'const row = rowsOf("tree", "modules").find(row => row.module === "(unknown)"); actions.filterOperators(searchOf("module", row)); return [/^[1-9]/.test(document.querySelector("#found").textContent), document.querySelector("#operators tbody").textContent.includes("(framework)")]')"

open_whole "$work/methods.html"
check 'methods: the time of the other method is apart' '[true,true]' \
    "$(run 'const {other_share, rest_share} = data.layouts[0], told = document.querySelector("#graph .legend").textContent, sum = name => rowsOf("summary", "account").filter(row => row.method === name).reduce((s, row) => s + row.share, 0);
        return [told.includes("(" + shareText(other_share) + ") are of other methods: --method"), rest_share + other_share < 0.6]')"

# The name of a method that begins with that of another: names in the data are not part of what the policy of the page hashes.
sed 's/"encode"/"forward_2"/g' "$work/methods.html" >"$work/similar.html"
open_whole "$work/similar.html"
check 'similar: a part shows only the events of its method' '[["forward"],["forward_2"]]' \
    "$(run 'return ["forward", "forward_2"].map(name => { [...document.querySelectorAll("#time .bar button")].find(b => b.title.startsWith(name + ": operators")).click();
        const at = [...document.querySelectorAll("#operators th")].findIndex(h => h.textContent.startsWith("block")); return [...new Set([...document.querySelectorAll("#operators tbody tr")].filter(r => r.children.length > 1).map(r => r.children[at].textContent))]; })')"
check 'similar: so does a module' '[true,true]' \
    "$(run 'const roots = byMethod(trees.module.make()).children; return ["forward", "forward_2"].map(name => { const node = roots.find(r => r.name === name).children[0]; actions.filterOperators(node.query, node);
        return /^[1-9][0-9]* of/.test(document.querySelector("#found").textContent) && document.querySelector("#search").value.endsWith(" block=\"" + name + "\""); })')"
check 'a name is whole, or the first part of a path' '[true,true,true,false,false,false]' \
    "$(run 'return [isNamed("forward", "forward", "block"), isNamed("forward [1]", "forward", "block"), isNamed("layers.1.mlp", "layers.1", "module"), isNamed("layers.10", "layers.1", "module"), isNamed("forward_2", "forward", "block"), isNamed("forward.x", "forward", "block")]')"

# Axes: texts are inside of their drawings and do not overlap, one tick has the unit, and it is that of the page.
of_axis='[.[] | select(.[0] | test("^[0-9][0-9.,]*( [kMG]?[^0-9]*)?$"))]'
for it in page:µs cycles:'k cycles'; do
    unit=${it#*:} it=${it%%:*}
    for width in 1400 390; do
        view $width 900
        open_whole "$work/$it.html"
        check "$it: no text of Runs is cut at $width" 0 "$(texts runs | jq '[.[] | select(.[1] < 0)] | length')"
        check "$it: the ticks of Runs have one unit at $width" "120 $unit" "$(texts runs | jq -r "$of_axis"' | map(select(.[0] | endswith(" '"$unit"'"))[0]) | join("|")')"
        check "$it: the ticks of the timeline have one unit at $width" "0 $unit" \
            "$(texts timeline | jq -r 'map(select(.[3] == 9)[0]) | map(select(test(" "))) | join("|")')"
        check "$it: ticks of the timeline are apart at $width" '[true,true]' \
            "$(texts timeline | jq -c 'map(select(.[3] == 9)) | [length >= 3, ([.[:-1], .[1:]] | transpose | all(.[0][2] < .[1][1]))]')"
        check "$it: nothing is in another unit at $width" 0 \
            "$( (texts runs; texts timeline) | jq -s 'add | map(select(.[0] | test("[0-9] '"$([ "$unit" = µs ] && echo cycles || echo '(ns|µs|ms|s)')"'$"))) | length')"
    done
    check "$it: a tip has the unit of the page" true \
        "$(run "showTabOf('timeline'); canvases.forEach(it => it.paint()); const c = document.querySelector('#timeline canvas'), r = c.getBoundingClientRect(); c.dispatchEvent(new PointerEvent('pointermove', {clientX: r.left + r.width / 2, clientY: r.top + 50, bubbles: true})); return new RegExp('[0-9] ${unit#k }').test(document.querySelector('.tip').textContent)")"
done
view 1400 900

# Each run is looked at a few times, not once per run: the reads of a run are counted while a page of 200 runs is built.
if command -v flatc >/dev/null; then
    { awk 'BEGIN { printf "{\"run_data\": ["
        for (i = 0; i < 200; i++)
            printf "%s{\"name\": \"forward\", \"events\": [{\"profile_event\": {\"name\": \"Method::execute\", \"start_time\": %d, \"end_time\": %d}}]}", i ? "," : "", 1000 * i, 1000 * i + 500 + i
        print "]}" }' | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/runs.etdp" &&
        "$build/etinspect" report "$work/runs.etdp" -o "$work/runs.html" 2>/dev/null; } || no_page runs
    counting=$(ask /goog/cdp/execute "$(jq -n '{cmd: "Page.addScriptToEvaluateOnNewDocument", params: {source: "const parse = JSON.parse; JSON.parse = text => {
        const all = parse(text), cells = all.tables && all.tables.runs && all.tables.runs.runs.columns.elapsed, time = cells && cells[7]; window.reads = 0;
        if (cells) Object.defineProperty(cells, 7, {enumerable: true, get: () => { window.reads++; return time; }}); return all; };"}}')" | jq -r .value.identifier)
    open_whole "$work/runs.html"
    check 'runs: the page has them' 200 "$(run 'return rowsOf("runs", "runs").length')"
    cells='return rowsOf("runs", "runs").map(row => Object.fromEntries(data.columns.runs.runs.map(([name]) => [name, row[name]])))'
    check 'runs: rows are those of the command' "$("$build/etinspect" runs "$work/runs.etdp" --format json | jq -cS .tables.runs)" "$(run "$cells" | jq -cS .)"
    check 'runs: each is read a few times' true "$(run 'return window.reads > 0 && window.reads < 40 ? true : window.reads')"
    ask /goog/cdp/execute "{\"cmd\": \"Page.removeScriptToEvaluateOnNewDocument\", \"params\": {\"identifier\": \"$counting\"}}" >/dev/null
fi

# A warning about the inputs is also a note of the view summary: the page says it once.
if command -v flatc >/dev/null; then
    { echo '{"run_data": [{"name": "forward", "events": [{"profile_event": {"name": "a", "instruction_id": 0, "start_time": 50, "end_time": 90}},
        {"profile_event": {"name": "Method::execute", "start_time": 100, "end_time": 200}}]}]}' | SCHEMA=$top/schema sh "$top/tests/cli/bin/make-etdump" "$work/odd.etdp" &&
        "$build/etinspect" report "$work/odd.etdp" -o "$work/odd.html" 2>/dev/null; } || no_page odd
    open_whole "$work/odd.html"
    check 'a warning is given once' '[1,1]' "$(run 'const notes = [...document.querySelectorAll("#overview .notes li")].map(it => it.textContent); return [notes.filter(text => text.includes("starts before its Method::execute")).length, notes.filter(text => text.startsWith("Warning: ")).length]')"
fi

open_whole "$work/numerics.html"
check 'numerics: equal to itself' true "$(run 'const rows = rowsOf("numerics", "numerics").length; return document.querySelector("#numerics output").textContent === "no output of " + rows + " is below the limit"')"
check 'numerics: an equal ratio is infinite' inf "$(run 'const head = [...document.querySelectorAll("#numerics th")].map(h => h.textContent).indexOf("snr"); return document.querySelector("#numerics tbody tr").children[head].textContent')"
check_quiet numerics
open_whole "$work/bad.html"
check 'numerics: NaN and minus infinity are below any limit' true \
    "$(run 'const limit = document.querySelector("#numerics input"); limit.value = "-1000"; limit.dispatchEvent(new Event("input")); return document.querySelector("#numerics output").textContent.startsWith("2 of " + rowsOf("numerics", "numerics").length + " outputs are below the limit; the first: native_call_native_layer_norm.out")')"
check 'numerics: numbers that JSON does not have are numbers' true \
    "$(run 'const values = rowsOf("numerics", "numerics").flatMap(row => [row.snr, row.mse, row.psnr]); return values.includes(-Infinity) && values.every(value => value === null || typeof value === "number") && Number.isNaN(finiteOf("NaN")) && plainText(NaN) === "nan" && fixed(-Infinity, 1) === "-inf"')"
check 'numerics: the label of the drawing says the same' true \
    "$(run 'return document.querySelector("#numerics canvas").getAttribute("aria-label").includes(": " + document.querySelector("#numerics output").textContent + "; ")')"
check 'numerics: they are listed' '["native_call_native_layer_norm.out, layer_norm: -inf dB","native_call_permute_copy.out, linear: NaN or infinities on one side, 1 NaN"]' \
    "$(run 'return [...document.querySelector("#numerics .notes").children].map(it => it.textContent)')"
check 'numerics: and in the drawing' 2 "$(texts numerics | jq '[.[] | select(.[0] == "✕")] | length')"
check 'numerics: the table tells equal from worst' '["-inf","inf"]' \
    "$(run 'const head = [...document.querySelectorAll("#numerics th")].map(h => h.textContent).indexOf("snr"), found = [...document.querySelectorAll("#numerics table")[0].querySelectorAll("tbody tr")].map(row => row.children[head] && row.children[head].textContent); return [found[0], found[1]]')"
check 'numerics: a ratio that is not known is called unknown' '[null,"unknown"]' "$(run 'const row = {snr: null, max_abs: 101, status: null, identical: false}; return [snrOf(row), snrText(row)]')"
check_quiet bad

for it in hostile names record; do
    if ! [ -f "$work/$it.html" ] && command -v flatc >/dev/null && command -v zip >/dev/null; then
        no_page "$it"
        continue
    fi
    if ! [ -f "$work/$it.html" ]; then
        echo "skipped: browser: hostile names: there is no flatc, or no zip ($it)"
        n_skipped=$((n_skipped + 1))
        continue
    fi
    # sections that are built when their tabs are opened follow an earlier search and selection; printing builds all sections
    if [ $it = names ]; then
        open_page "$work/$it.html"
        check 'names: what is not open is not built' '[0,false]' "$(run 'return [document.querySelectorAll("#operators table, #modules canvas, #overview .card").length, Boolean(data.tables.ops.ops.rows)]')"
        check 'names: the search counts events before their table is built' '19 of 100,000 events, 0.0 % of the time' "$(run 'searchFor("name 7777"); return document.querySelector("#found").textContent')"
        check 'names: a tab that is opened follows the search and the selection' '[19,1,"19 of 100,000 events, 0.0 % of the time"]' \
            "$(run 'select({op: 7777}); openTab("Operators"); const rows = [...document.querySelectorAll("#operators tbody")].map(body => [...body.children].filter(row => row.children.length > 1)); return [rows[0].length, rows[0].filter(row => row.getAttribute("aria-selected") === "true").length, document.querySelector("#found").textContent]')"
        check 'names: printing builds all' true "$(run 'dispatchEvent(new Event("beforeprint")); const built = document.querySelectorAll("#modules canvas, #overview .card").length; dispatchEvent(new Event("afterprint")); return built > 1')"
        check 'names: rows that are made are those of the data' true "$(run 'const {rows} = data.tables.ops.ops; const numbers = rows.map(row => Number(/^<b>name (\d+)<.b>$/.exec(row.op)[1])); return rows.length === 1e5 && new Set(numbers).size === 1e5 && rows.every((row, i) => row.events === 1 && Math.abs(row.typical * 1e6 - 90 - numbers[i] * 7919 % 601) < 1e-6 && (i === 0 || row.share <= rows[i - 1].share))')"
    fi
    open_whole "$work/$it.html"
    echo "$it: ready after $ready"
    check "$it: is ready" true "$([ -n "$ready" ] && echo true)"
    check "$it: no element" 0 "$(run 'return document.querySelectorAll("img, iframe, object, link, b:not(.card b, .actions b)").length')"
    check "$it: two scripts" 2 "$(run 'return document.querySelectorAll("script").length')"
    [ $it = names ] || check "$it: the title is unharmed" '</title><script>alert(3)</script>' "$(run 'return document.title')"
    # numbers that grow evenly are steps
    [ $it != names ] || check 'names: steps are numbers' '[[5,3,1,-1,-1],true,true,true]' \
        "$(run 'return [numbersOf({steps: [1, 5, 3, -2, 1, 0]}), eventRows().length === 1e5 && eventRows().every((row, i) => row.event_name === "<b>name " + i + "</b>" && row.op_type === row.event_name && row.instruction_id === i && row.event === i && row.is_delegated_op === false && row.module === null && Math.abs(row.p50 * 1e6 - 90 - i * 7919 % 601) < 1e-6),
            line.depth.length === 100001 && line.depth.every((depth, i) => depth === Math.sign(i)) && line.track.every(track => track === 0),
            sumsOf(line.start).every((start, i) => start === (i === 0 ? 0 : 1000 * (i - 1))) && sumsOf(line.event).every((event, i) => event === i - 1)]')"
    # rows that read columns: each different text is searched once
    [ $it != names ] || check 'names: a search finds one of many, and excludes' "1 $(seq 0 99999 | grep -vc 999)" \
        "$(for words in '"name 99998<"' 'name -999'; do searched "$words" >/dev/null; run 'return parseInt(document.querySelector("#found").textContent.replace(/,/g, ""))'; done | paste -sd ' ')"
    [ $it != names ] || searched '' >/dev/null
    [ $it != names ] || check 'print: the rows that are left out are counted' '[100,"first 100 of 100,000 rows"]' "$(run "$printed")"
    check_quiet "$it"
done
if [ -f "$work/record.html" ]; then
    open_whole "$work/record.html"
    check 'a hostile module is a text' true "$(run 'return rowsOf("events", "events").some(e => e.module === "</script><img src=x onerror=alert(5)>\u2028\u202e<!--") && document.getElementById("source").textContent.includes("<script>alert(7)</script>")')"
fi

# ---- other eyes ----------------------------------------------------------------------------------

# the opinion of Debian's tidy about the markup
if command -v tidy >/dev/null; then
    for it in page diff slow; do
        [ -f "$work/$it.html" ] && check "tidy: $it" '' "$(tidy -e -q "$work/$it.html" 2>&1)"
    done
else
    echo 'skipped: browser: markup: there is no tidy'
    n_skipped=$((n_skipped + 1))
fi

# Debian has no driver for Firefox: the size of the picture shows that it draws more than an empty page.
if command -v firefox-esr >/dev/null; then
    (cd "$work" && HOME=$work timeout 120 firefox-esr --headless --window-size=1400,900 --screenshot "$out/firefox.png" "file://$page" >/dev/null 2>&1)
    size=$(wc -c <"$out/firefox.png" 2>/dev/null || echo 0)
    check 'Firefox draws it' true "$([ "$size" -gt 60000 ] && echo true || echo "false: $size bytes")"
else
    echo 'skipped: browser: Firefox is not installed'
    n_skipped=$((n_skipped + 1))
fi

# ---- accessibility -------------------------------------------------------------------------------

if command -v npm >/dev/null && (cd "$work" && npm pack axe-core@4.14.1 >/dev/null 2>&1 && tar -xzf axe-core-*.tgz package/axe.min.js); then
    jq -n --rawfile axe "$work/package/axe.min.js" '{script: ($axe + "\nconst done = arguments[0]; axe.run().then(r => done(r.violations.map(v => v.id + \": \" + v.nodes.length + \" \" + v.nodes[0].html.slice(0, 120))));"), args: []}' >"$work/axe.json"
    for it in page slow numerics; do
        [ -f "$work/$it.html" ] || continue
        open_whole "$work/$it.html"
        for tab in $(run 'return shownTabs.map(it => it.name).join(" ")'); do
            run "openTab('$tab'); select({op: '$tab' === 'Operators' ? 3 : null}); return ''" >/dev/null
            for theme in light dark; do
                check "axe: $it, $tab, $theme" '[]' "$(curl -s -m 120 -H 'Content-Type: application/json' -d @"$work/axe.json" "$session/execute/async" | jq -c .value)"
                run 'toggleTheme(); return ""' >/dev/null
            done
        done
    done
else
    echo 'skipped: browser: accessibility: npm cannot get axe-core'
    n_skipped=$((n_skipped + 1))
fi

echo "browser: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
