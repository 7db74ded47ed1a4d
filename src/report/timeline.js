// timeline.js - the slices, marks and counters of a run on its tracks, and those of another run below them; zoomed and moved.

// Pattern of lines over slices whose positions a backend made up.
let hatch = null;
function hatchOf(pen) {
    if (!hatch) {
        const tile = el("canvas", {width: "6", height: "6"}), lines = tile.getContext("2d");
        lines.strokeStyle = "rgb(255 255 255 / .3)";
        lines.lineWidth = 1.2;
        lines.moveTo(-1, 7);
        lines.lineTo(7, -1);
        lines.stroke();
        hatch = pen.createPattern(tile, "repeat");
    }
    return hatch;
}

// ---- slices ----

// A timeline is {starts, times, marks, counters, events, rowOf, layers, backends, shown, other, from, span, rows, rectangles, measured, state, told,
// pickRun, pickOther}: times of slices and samples, numbers of the slices that are marks, columns of counters, the runs shown and
// below them, the visible times, the rows of slices, and what was drawn of them.
const rowOfSlices = 19, rowOfLayers = 34, rowOfCounters = 30, halfOfMark = 5; // pixels
function eventOfSlice(t, run, i) {
    const rows = t.rowOf.get(run.block), number = rows && rows[t.numbers[i]];
    return number === undefined ? null : number;
}
function nameOfSlice(t, run, i) {
    const number = eventOfSlice(t, run, i);
    return t.numbers[i] < 0 ? run.name : number === null ? "OPERATOR_CALL" : t.events[number].event_name;
}
// Returns the layer of an event that is an operator; "" for other events, or if the layer is not known.
function layerOfOperator(row) {
    if (row.op_type === null || row.op_type.startsWith("("))
        return "";
    const layer = layerOf(row);
    return layer === row.event_name || layer.startsWith("(framework") ? "" : layer;
}
function layerOfSlice(t, number) {
    return number === null ? "" : t.layers[number];
}
// Returns the backend that ran a slice: null for the runtime.
function backendOfSlice(t, number) {
    return number === null ? null : t.backends[number];
}
// Returns the start of the first slice of a run.
function startOfRun({starts}, run) {
    let least = Infinity;
    for (let i = run.first; i < run.first + run.n; i++)
        least = Math.min(least, starts[i]);
    return least;
}
// Returns rows of a run's counters: their samples as [time, value], and the least and the largest value, or 0.
function countersOfRun({times}, run, base) {
    const found = new Map();
    for (let i = run.first_sample; i < run.first_sample + run.n_samples; i++) {
        const counter = line.counters[line.counter[i]], value = Number(line.value[i]);
        const row = found.get(counter) || {run, counter, samples: [], slices: [], marks: [], base, least: 0, most: 0};
        found.set(counter, row);
        row.samples.push([times[i] - base, value]);
        row.least = Math.min(row.least, value);
        row.most = Math.max(row.most, value);
    }
    return [...found.values()];
}
// Returns the slices and marks of a run by track and depth, in the order of their starts, then its counters.
function rowsOfRun(t, number) {
    const run = line.runs[number], found = new Map(), base = startOfRun(t, run);
    let row = {};
    for (let i = run.first; i < run.first + run.n; i++) {
        const track = line.track[i], depth = line.depth[i], key = track * 2 ** 21 + depth;
        if (track !== row.track || depth !== row.depth) {
            row = found.get(key) || {run, track, depth, slices: [], marks: [], base};
            found.set(key, row);
        }
        (t.marks.size > 0 && t.marks.has(i) ? row.marks : row.slices).push(i);
    }
    return [...found.entries()].sort((a, b) => a[0] - b[0]).map(entry => entry[1]).concat(countersOfRun(t, run, base));
}
function lengthOfRun(t, number) {
    const run = line.runs[number], base = startOfRun(t, run);
    let most = 1;
    for (let i = run.first; i < run.first + run.n; i++)
        most = Math.max(most, t.starts[i] + Number(line.duration[i]) - base);
    return most;
}
// Returns the first slice of a row that ends after a time; slices of a row do not overlap.
function firstAfter({starts}, row, time) {
    let low = 0, most = row.slices.length;
    while (low < most) {
        const middle = (low + most) >> 1, i = row.slices[middle];
        if (starts[i] - row.base + Number(line.duration[i]) < time)
            low = middle + 1;
        else
            most = middle;
    }
    return low;
}
function clockText({span}, time) {
    const unit = unitFor(span, line.unit);
    return fixed(time * unit.factor, line.unit === "ns" ? decimalsFor(span * unit.factor) : 0) + " " + unit.name;
}

// ---- drawing ----

// Places the rows of both runs below each other, each track with its title.
function placeRows(t) {
    t.rows = rowsOfRun(t, t.shown).concat(t.other >= 0 ? rowsOfRun(t, t.other) : []);
    const hasLayers = t.layers.some(Boolean);
    let y = 20, track = null;
    for (const row of t.rows) {
        const key = row.counter || row.run.name + row.track;
        row.title = key === track ? null : (t.other >= 0 ? row.run.name + ": " : "") + (row.counter ? row.counter.name + ", " + countText(row.least) + " to " + countText(row.most) + " " + (row.counter.unit || "") : line.tracks[row.track].name);
        y += row.title === null ? 0 : 17;
        row.y = y;
        row.high = row.counter ? rowOfCounters : hasLayers && row.slices.some(i => layerOfSlice(t, eventOfSlice(t, row.run, i))) ? rowOfLayers : rowOfSlices;
        y += row.high;
        track = key;
    }
    t.state.height = Math.min(1200, y + 4);
}
// Makes what a search does not find pale.
function dim({isFound, events}, pen, number) {
    pen.globalAlpha = isFound && !(number !== null && isFound(events[number])) ? 0.25 : 1;
}
// Draws a slice from `x` that is `wide`, and remembers what is visible of it: the layer and, below it, the kernel.
function drawSlice(t, pen, row, i, x, wide, width) {
    const {high} = row, left = Math.max(-2, x), shownWidth = Math.max(1, Math.min(width + 2, x + wide) - left);
    const number = eventOfSlice(t, row.run, i), name = nameOfSlice(t, row.run, i), layer = layerOfSlice(t, number);
    dim(t, pen, number);
    pen.fillStyle = backendColour(backendOfSlice(t, number));
    pen.fillRect(left, row.y, shownWidth > 2 ? shownWidth - 0.6 : shownWidth, high - 1.5);
    if (line.tracks[row.track].name.includes("not measured") && shownWidth > 2) {
        pen.fillStyle = hatchOf(pen);
        pen.fillRect(left, row.y, shownWidth - 0.6, high - 1.5);
    }
    if (number !== null && number === selection.op) {
        setLine(pen, "ink", 2);
        pen.strokeRect(left + 1, row.y + 1, Math.max(1, shownWidth - 2), high - 3.5);
    }
    if (shownWidth > 30) {
        const write = (text, y, font) => {
            pen.font = font;
            pen.fillText(fitText(pen, text, shownWidth - 8), left + 4, y);
        };
        pen.fillStyle = "#14181b";
        if (layer)
            write(layer, row.y + 10, "600 12px system-ui, sans-serif");
        write(name, row.y + (layer ? 24 : high / 2), (layer ? "11px" : "12px") + " system-ui, sans-serif");
        pen.font = "12px system-ui, sans-serif";
    }
    pen.globalAlpha = 1;
    t.rectangles.push({x: left, width: shownWidth, y: row.y, high, i, run: row.run, number, name, layer});
    return shownWidth;
}
function drawMarks(t, pen, row, width) {
    let before = -Infinity;
    for (const i of row.marks) {
        const x = (t.starts[i] - row.base - t.from) / t.span * width, number = eventOfSlice(t, row.run, i), {y, high} = row;
        if (x < -halfOfMark || x > width + halfOfMark || x - before < 1)
            continue;
        before = x;
        dim(t, pen, number);
        pen.fillStyle = colour(number !== null && number === selection.op ? "accent" : "ink");
        pen.fillRect(x - 0.75, y, 1.5, high - 1.5);
        pen.beginPath();
        pen.moveTo(x - halfOfMark, y);
        pen.lineTo(x + halfOfMark, y);
        pen.lineTo(x, y + 8);
        pen.fill();
        t.rectangles.push({x: x - halfOfMark, width: 2 * halfOfMark, y, high, i, run: row.run, number, name: nameOfSlice(t, row.run, i), isMark: true});
    }
    pen.globalAlpha = 1;
}
// Draws a counter as steps: each value holds until the next.
function drawCounter(t, pen, row, width) {
    const place = value => row.y + 1 + (row.high - 4) * (row.most - value) / (row.most - row.least || 1);
    pen.fillStyle = colour("line");
    pen.fillRect(0, place(0), width, 1);
    setLine(pen, "accent", 1.5);
    pen.beginPath();
    row.samples.forEach(([time, value], k) => {
        const x = (time - t.from) / t.span * width;
        pen.lineTo(x, place(k > 0 ? row.samples[k - 1][1] : value));
        pen.lineTo(x, place(value));
        pen.lineTo(k + 1 < row.samples.length ? x : width, place(value));
    });
    pen.stroke();
}
function drawRow(t, pen, row, width) {
    const scaleX = width / t.span;
    if (row.counter)
        drawCounter(t, pen, row, width);
    if (row.title !== null) {
        pen.fillStyle = colour("quiet");
        pen.fillText(fitText(pen, row.title, width - 8), 4, row.y - 8);
    }
    for (let k = firstAfter(t, row, t.from); k < row.slices.length; k++) {
        const i = row.slices[k], x = (t.starts[i] - row.base - t.from) * scaleX;
        if (x > width)
            break;
        const shownWidth = drawSlice(t, pen, row, i, x, Number(line.duration[i]) * scaleX, width);
        if (shownWidth <= 1) // nothing else is visible in this pixel
            k = Math.max(k, firstAfter(t, row, t.from + (Math.floor(x) + 1) / scaleX) - 1);
    }
}
function drawClock({from, span}, pen, width, height) {
    const axis = ticksOf(from, span, line.unit);
    let free = 0;
    for (const {value, text} of axis.ticks) {
        const x = Math.round((value - from) / span * width) + 0.5, told = text + axis.unit, end = x + pen.measureText(told).width + 4;
        pen.fillStyle = colour("line");
        pen.fillRect(x - 0.5, 16, 1, height);
        pen.fillStyle = colour("quiet");
        if (x > free && end < width) {
            pen.fillText(told, x + 3, 9);
            axis.unit = "";
            free = end;
        }
    }
}
function drawTimeline(t, pen, width, height) {
    t.rectangles = [];
    pen.textBaseline = "middle";
    pen.lineWidth = 1;
    drawClock(t, pen, width, height);
    t.rows.forEach(row => drawRow(t, pen, row, width));
    t.rows.forEach(row => drawMarks(t, pen, row, width));
    if (t.measured) {
        const [begin, end] = t.measured;
        pen.fillStyle = colour("accent");
        pen.globalAlpha = 0.2;
        pen.fillRect((begin - t.from) / t.span * width, 0, (end - begin) / t.span * width, height);
        pen.globalAlpha = 1;
    }
}
// Returns the slice at a place; marks are above slices.
function sliceAt(t, x, y) {
    const isThere = it => x >= it.x && x < it.x + Math.max(2, it.width) && y >= it.y && y < it.y + it.high;
    return t.rectangles.find(it => it.isMark && isThere(it)) || t.rectangles.find(isThere);
}
// Returns the time of the start of a slice since that of its run.
function startOf(t, it) {
    return t.starts[it.i] - t.rows.find(row => row.run === it.run).base;
}
// Returns the value of the counter at a place, or null.
function tellCounter(t, x, y) {
    const row = t.rows.find(it => it.counter && y >= it.y && y < it.y + it.high), at = t.from + x / t.state.canvas.clientWidth * t.span;
    const found = row && row.samples.findLast(([time]) => time <= at);
    return found ? row.counter.name + "\n" + countText(found[1]) + " " + (row.counter.unit || "") + "\nsince " + clockText(t, found[0]) : null;
}
function tellSlice(t, it) {
    const row = it.number === null ? {} : t.events[it.number];
    const counted = t.counters.filter(column => typeof row[column.name] === "number").map(column => "\n" + column.name + ": " + countText(row[column.name]) + (row.run_count > 1 ? ", mean" : "")).join("");
    if (it.isMark)
        return it.name + "\nmark at " + clockText(t, startOf(t, it)) + counted;
    const typical = typeof row.typical === "number" && row.run_count > 1 ? "\ntypical: " + timeText(row.typical) : "";
    return (it.layer ? it.layer + "\n" : "") + it.name + "\n" + clockText(t, Number(line.duration[it.i])) + typical + counted + (row.compute_unit ? "\non " + row.compute_unit : "") + (row.op_type ? "\n" + row.op_type : "") + (row.source ? "\n" + lineOf(row.source) : "");
}

// ---- moving around ----

function fitTimeline(t) {
    t.from = 0;
    t.span = Math.max(lengthOfRun(t, t.shown), t.other >= 0 ? lengthOfRun(t, t.other) : 0);
}
function showRuns(t, run, second) {
    Object.assign(t, {shown: run, other: second, measured: null});
    t.pickRun.value = String(run);
    t.pickOther.value = String(second);
    placeRows(t);
    fitTimeline(t);
    const {name, n} = line.runs[run];
    t.state.canvas.setAttribute("aria-label", "timeline of " + cut(name, 80) + ", " + clockText(t, t.span) + ", " + countText(n) + " slices; the table of operators has the same events");
    t.told.textContent = (line.runs.length === line.n_runs ? "" : line.runs.length + " of " + countText(line.n_runs) + " runs, ") + countText(n) + " slices";
    t.state.change();
}
function zoomTimeline(t, factor, at) {
    const time = t.from + at * t.span;
    t.span = Math.max(1, t.span * factor);
    t.from = time - at * t.span;
    t.state.change();
}
// Sums the slices that are drawn within the measured time.
function measureSlices(t) {
    const sums = new Map(), [begin, end] = t.measured;
    let n = 0;
    for (const it of t.rectangles) {
        const start = startOf(t, it), length = Number(line.duration[it.i]);
        if (start >= begin && start + length <= end) {
            sums.set(it.name, (sums.get(it.name) || 0) + length);
            n++;
        }
    }
    const most = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([name, sum]) => cut(name, 40) + " " + clockText(t, sum));
    t.told.textContent = clockText(t, end - begin) + ", " + n + " slices inside" + (most.length > 0 ? ": " + most.join(", ") : "");
}
function takeTimelinePointers(t) {
    const {canvas} = t.state;
    const timeAt = event => t.from + event.offsetX / canvas.clientWidth * t.span;
    let dragged = null, moved = false;
    canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && document.activeElement !== canvas)
            return;
        event.preventDefault();
        zoomTimeline(t, Math.exp(event.deltaY / 400), event.offsetX / canvas.clientWidth);
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
        dragged = {x: event.offsetX, from: t.from, time: timeAt(event), measures: event.shiftKey};
        moved = false;
    });
    canvas.addEventListener("pointermove", event => {
        if (!dragged || Math.abs(event.offsetX - dragged.x) + moved < 3)
            return;
        moved = 9;
        if (dragged.measures) {
            t.measured = [Math.min(dragged.time, timeAt(event)), Math.max(dragged.time, timeAt(event))];
            measureSlices(t);
        } else
            t.from = dragged.from - (event.offsetX - dragged.x) / canvas.clientWidth * t.span;
        t.state.change();
    });
    addEventListener("pointerup", () => { dragged = null; });
    canvas.addEventListener("click", event => {
        const it = !moved && sliceAt(t, event.offsetX, event.offsetY);
        if (it && it.number !== null)
            select({op: it.number, section: null});
    });
}
function takeTimelineKey(t, event) {
    const zoomIn = () => zoomTimeline(t, 0.7, 0.5), zoomOut = () => zoomTimeline(t, 1 / 0.7, 0.5), back = () => { t.from -= t.span / 8; }, forth = () => { t.from += t.span / 8; };
    const moves = {w: zoomIn, s: zoomOut, a: back, d: forth, ArrowUp: zoomIn, ArrowDown: zoomOut, ArrowLeft: back, ArrowRight: forth, 0: () => fitTimeline(t)};
    const act = !event.ctrlKey && !event.metaKey && moves[event.key];
    if (!act)
        return;
    event.preventDefault();
    event.stopPropagation();
    act();
    t.state.change();
}

// ---- the section ----

function timelineLegend(t) {
    const backends = [...new Set(t.backends)].sort((a, b) => (a === null) - (b === null));
    const isMadeUp = line.tracks.some(track => track.name.includes("not measured")), names = new Set(t.layers);
    const legend = backendLegend(backends);
    if (isMadeUp)
        legend.append(el("span", {}, el("span", {class: "swatch hatched"}), "positions are computed, not measured"));
    if (t.marks.size > 0)
        legend.append(el("span", {}, "▼ a time that the program marked"));
    legend.append(el("span", {}, names.size > 1 ? "a slice names its layer and, below it, the kernel" : "a slice names its kernel"));
    return legend;
}
// Returns, for each block, an array that gives the number of the row for the number of an event.
function rowsByEvent(events) {
    const found = new Map();
    events.forEach(({block, event}, i) => {
        if (!found.has(block))
            found.set(block, []);
        if (event !== null)
            found.get(block)[event] = i;
    });
    return found;
}
function buildTimeline(box) {
    const events = eventRows(), representative = line.runs.findIndex(run => run.representative);
    const choices = before => line.runs.map((run, i) => el("option", {value: String(i)}, before + cut(run.name, 60) + (i === representative && line.runs.length > 1 ? ", nearest the medians" : "")));
    const t = {starts: sumsOf(line.start), times: sumsOf(line.time || []), numbers: sumsOf(line.event), marks: new Set(line.mark), counters: eventColumns().filter(column => column.isCounter), events, rowOf: rowsByEvent(events), layers: events.map(layerOfOperator), backends: events.map(backendOfEvent), shown: 0, other: -1, from: 0, span: 1, rows: [], rectangles: [], measured: null,
        told: el("output", {class: "count"}), pickRun: el("select", {"aria-label": "Run"}, ...choices("")),
        pickOther: el("select", {"aria-label": "Run to compare with"}, el("option", {value: "-1"}, "no other run"), ...choices("and "))};
    t.state = drawing("timeline", 200, (...of) => drawTimeline(t, ...of), (x, y) => {
        const it = sliceAt(t, x, y);
        return it ? tellSlice(t, it) : tellCounter(t, x, y);
    });
    takeTimelinePointers(t);
    t.state.canvas.addEventListener("keydown", event => takeTimelineKey(t, event));
    t.pickRun.addEventListener("change", () => showRuns(t, Number(t.pickRun.value), t.other));
    t.pickOther.addEventListener("change", () => showRuns(t, t.shown, Number(t.pickOther.value)));
    onSelect(chosen => {
        const run = chosen.run === null ? null : rowsOf("runs", "runs")[chosen.run];
        const number = run ? line.runs.findIndex(it => it.block === run.block && it.number === run.run) : -1;
        if (number >= 0 && number !== t.shown)
            showRuns(t, number, t.other);
        t.state.change();
    });
    onSearch(query => {
        const problems = [], test = parseQuery(query, eventColumns(), columnNames, problems);
        t.isFound = query && problems.length === 0 ? test : null;
        t.state.change();
    });
    box.append(el("div", {class: "controls"}, t.pickRun, t.pickOther, t.told), timelineLegend(t), t.state.canvas,
        el("p", {class: "quiet"}, "Drag to move, Ctrl and wheel to zoom, Shift and drag to measure; with the focus on the drawing, W A S D or arrow keys move and zoom, 0 shows all."),
        notesList([...new Set(line.tracks.map(track => track.help).filter(help => help))]) || "");
    const settled = line.runs.findIndex(run => rowsOf("runs", "runs").some(row => row.block === run.block && !row.flag && row.run === run.number));
    showRuns(t, representative >= 0 ? representative : Math.max(0, settled), -1);
}
keys.push(["W A S D 0", "in the timeline: zoom, move, show all"]);

section({id: "timeline", title: "Timeline", has: () => line !== null && line.runs.length > 0, build: buildTimeline, searches: true});
