// timeline.js - the slices of a run on its tracks, and those of another run below them; zoomed and moved.
const line = data.slices || null;

// Returns the absolute starts of all slices; the column has differences.
function startsOf() {
    const starts = new Float64Array(line.start.length);
    let at = 0;
    for (let i = 0; i < starts.length; i++) {
        at += Number(line.start[i]);
        starts[i] = at;
    }
    return starts;
}

// Pattern of lines over slices whose positions a backend made up.
let hatch = null;
function hatchOf(pen) {
    if (!hatch) {
        const tile = el("canvas", {width: "6", height: "6"}), lines = tile.getContext("2d");
        lines.strokeStyle = "rgb(255 255 255 / .6)";
        lines.lineWidth = 1.5;
        lines.moveTo(-1, 7);
        lines.lineTo(7, -1);
        lines.stroke();
        hatch = pen.createPattern(tile, "repeat");
    }
    return hatch;
}
function buildTimeline(box) {
    const starts = startsOf(), events = eventRows(), high = 19;
    const rowOf = new Map(events.map((row, i) => [row.block + "\u0000" + row.event, i]));
    let shown = 0, other = -1, from = 0, span = 1, rows = [], rectangles = [], measured = null;

    function eventOf(run, i) {
        const number = rowOf.get(run.block + "\u0000" + line.event[i]);
        return line.event[i] < 0 || number === undefined ? null : number;
    }
    function nameOfSlice(run, i) {
        const number = eventOf(run, i);
        return line.event[i] < 0 ? run.name : number === null ? "OPERATOR_CALL" : events[number].event_name;
    }
    // Returns the slices of a run by track and depth, in the order of their starts.
    function rowsOfRun(number) {
        const run = line.runs[number], found = new Map();
        let least = Infinity;
        for (let i = run.first; i < run.first + run.n; i++)
            least = starts[i] < least ? starts[i] : least;
        for (let i = run.first; i < run.first + run.n; i++) {
            const key = line.track[i] * 2 ** 21 + line.depth[i];
            if (!found.has(key))
                found.set(key, {run, track: line.track[i], depth: line.depth[i], slices: [], base: least});
            found.get(key).slices.push(i);
        }
        return [...found.entries()].sort((a, b) => a[0] - b[0]).map(entry => entry[1]);
    }
    function lengthOf(number) {
        let most = 1;
        for (const row of rowsOfRun(number))
            for (const i of row.slices)
                most = Math.max(most, starts[i] + Number(line.duration[i]) - row.base);
        return most;
    }
    function layOut() {
        rows = rowsOfRun(shown).concat(other >= 0 ? rowsOfRun(other) : []);
        let y = 20, track = null;
        for (const row of rows) {
            const key = row.run.name + row.track;
            row.title = key === track ? null : (other >= 0 ? row.run.name + ": " : "") + line.tracks[row.track].name;
            y += row.title === null ? 0 : 17;
            row.y = y;
            y += high;
            track = key;
        }
        canvas.height = Math.min(1200, y + 4);
    }
    function fit() {
        from = 0;
        span = Math.max(lengthOf(shown), other >= 0 ? lengthOf(other) : 0);
    }
    function clockText(time) {
        const unit = unitFor(span, line.unit);
        return fixed(time * unit.factor, line.unit === "ns" ? decimalsFor(span * unit.factor) : 0) + " " + unit.name;
    }
    // Returns the first slice of a row that ends after a time; slices of a row do not overlap.
    function firstAfter(row, time) {
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
    function drawRow(pen, row, width) {
        const scaleX = width / span, isSynthetic = line.tracks[row.track].name.includes("synthetic");
        if (row.title !== null) {
            pen.fillStyle = colour("quiet");
            pen.fillText(fitText(pen, row.title, width - 8), 4, row.y - 8);
        }
        for (let k = firstAfter(row, from); k < row.slices.length; k++) {
            const i = row.slices[k], start = starts[i] - row.base;
            const x = (start - from) * scaleX, wide = Number(line.duration[i]) * scaleX;
            if (x > width)
                break;
            const left = Math.max(-2, x), shownWidth = Math.max(1, Math.min(width + 2, x + wide) - left);
            const number = eventOf(row.run, i), name = nameOfSlice(row.run, i);
            pen.fillStyle = colourOf(number === null || events[number].op_type === "(framework)" ? "(framework)" : name);
            pen.fillRect(left, row.y, shownWidth > 2 ? shownWidth - 0.6 : shownWidth, high - 1.5);
            if (isSynthetic && shownWidth > 2) {
                pen.fillStyle = hatchOf(pen);
                pen.fillRect(left, row.y, shownWidth - 0.6, high - 1.5);
            }
            if (number !== null && number === selection.op) {
                pen.strokeStyle = colour("ink");
                pen.lineWidth = 2;
                pen.strokeRect(left + 1, row.y + 1, Math.max(1, shownWidth - 2), high - 3.5);
            }
            if (shownWidth > 30) {
                pen.fillStyle = "#14181b";
                pen.fillText(fitText(pen, name, shownWidth - 8), left + 4, row.y + high / 2);
            }
            rectangles.push({x: left, width: shownWidth, y: row.y, i, run: row.run, number, name});
            if (shownWidth <= 1) // nothing else is visible in this pixel
                k = Math.max(k, firstAfter(row, from + (Math.floor(x) + 1) / scaleX) - 1);
        }
    }
    function draw(pen, width, height) {
        rectangles = [];
        pen.textBaseline = "middle";
        pen.lineWidth = 1;
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
        rows.forEach(row => drawRow(pen, row, width));
        if (measured) {
            pen.fillStyle = colour("accent");
            pen.globalAlpha = 0.2;
            pen.fillRect((measured[0] - from) / span * width, 0, (measured[1] - measured[0]) / span * width, height);
            pen.globalAlpha = 1;
        }
    }
    function found(x, y) {
        return rectangles.find(it => x >= it.x && x < it.x + Math.max(2, it.width) && y >= it.y && y < it.y + high);
    }
    const canvas = drawing("timeline", 200, draw, (x, y) => {
        const it = found(x, y);
        if (!it)
            return null;
        const row = it.number === null ? {} : events[it.number];
        return it.name + "\n" + clockText(Number(line.duration[it.i])) + (row.op_type ? "\n" + row.op_type : "") + (row.module ? "\n" + row.module : "");
    });
    const told = el("output", {class: "count"});
    const isWhole = line.runs.length === line.n_runs;
    const pickRun = el("select", {"aria-label": "Run"}, ...line.runs.map((run, i) => el("option", {value: String(i)}, cut(run.name, 60))));
    const pickOther = el("select", {"aria-label": "Run to compare with"}, el("option", {value: "-1"}, "no other run"), ...line.runs.map((run, i) => el("option", {value: String(i)}, "and " + cut(run.name, 60))));
    function show(run, second) {
        shown = run;
        other = second;
        pickRun.value = String(run);
        pickOther.value = String(second);
        measured = null;
        layOut();
        fit();
        canvas.canvas.setAttribute("aria-label", "timeline of " + cut(line.runs[shown].name, 80) + ", " + clockText(span) + ", " + countText(line.runs[shown].n) + " slices; the table of operators has the same events");
        told.textContent = (isWhole ? "" : line.runs.length + " of " + countText(line.n_runs) + " runs, ") + countText(line.runs[shown].n) + " slices";
        canvas.change();
    }
    function zoom(factor, at) {
        const time = from + at * span;
        span = Math.max(1, span * factor);
        from = time - at * span;
        canvas.change();
    }
    function measure() {
        const sums = new Map();
        let n = 0;
        for (const it of rectangles) {
            const start = starts[it.i] - rows.find(row => row.run === it.run).base, end = start + Number(line.duration[it.i]);
            if (start >= measured[0] && end <= measured[1]) {
                sums.set(it.name, (sums.get(it.name) || 0) + Number(line.duration[it.i]));
                n++;
            }
        }
        const most = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([name, sum]) => cut(name, 40) + " " + clockText(sum));
        told.textContent = clockText(measured[1] - measured[0]) + ", " + n + " slices inside" + (most.length > 0 ? ": " + most.join(", ") : "");
    }
    const timeAt = event => from + event.offsetX / canvas.canvas.clientWidth * span;
    let dragged = null, moved = false;
    canvas.canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && document.activeElement !== canvas.canvas)
            return;
        event.preventDefault();
        zoom(Math.exp(event.deltaY / 400), event.offsetX / canvas.canvas.clientWidth);
    }, {passive: false});
    canvas.canvas.addEventListener("pointerdown", event => {
        dragged = {x: event.offsetX, from, time: timeAt(event), measures: event.shiftKey};
        moved = false;
    });
    canvas.canvas.addEventListener("pointermove", event => {
        if (!dragged || Math.abs(event.offsetX - dragged.x) + moved < 3)
            return;
        moved = 9;
        if (dragged.measures) {
            measured = [Math.min(dragged.time, timeAt(event)), Math.max(dragged.time, timeAt(event))];
            measure();
        } else
            from = dragged.from - (event.offsetX - dragged.x) / canvas.canvas.clientWidth * span;
        canvas.change();
    });
    addEventListener("pointerup", () => { dragged = null; });
    canvas.canvas.addEventListener("click", event => {
        const it = !moved && found(event.offsetX, event.offsetY);
        if (it && it.number !== null)
            select({op: it.number, section: null});
    });
    canvas.canvas.addEventListener("keydown", event => {
        const moves = {w: () => zoom(0.7, 0.5), s: () => zoom(1 / 0.7, 0.5), a: () => { from -= span / 8; }, d: () => { from += span / 8; },
            ArrowUp: () => zoom(0.7, 0.5), ArrowDown: () => zoom(1 / 0.7, 0.5), ArrowLeft: () => { from -= span / 8; }, ArrowRight: () => { from += span / 8; }, 0: fit};
        const act = !event.ctrlKey && !event.metaKey && moves[event.key];
        if (!act)
            return;
        event.preventDefault();
        event.stopPropagation();
        act();
        canvas.change();
    });
    pickRun.addEventListener("change", () => show(Number(pickRun.value), other));
    pickOther.addEventListener("change", () => show(shown, Number(pickOther.value)));
    onSelect(chosen => {
        const run = chosen.run === null ? null : rowsOf("runs", "runs")[chosen.run];
        const number = run ? line.runs.findIndex(it => it.block === run.block && it.number === run.run) : -1;
        if (number >= 0 && number !== shown)
            show(number, other);
        canvas.change();
    });
    box.append(el("div", {class: "controls"}, pickRun, pickOther, told), canvas.canvas,
        el("p", {class: "quiet"}, "Drag to move, Ctrl and wheel to zoom, Shift and drag to measure; with the focus on the drawing, W A S D or arrow keys move and zoom, 0 shows all."),
        notesList([...new Set(line.tracks.map(track => track.help).filter(help => help))]) || "");
    const longest = line.runs.findIndex(run => rowsOf("runs", "runs").some(row => row.block === run.block && !row.flag && row.run === run.number));
    show(longest >= 0 ? longest : 0, -1);
}
keys.push(["W A S D 0", "in the timeline: zoom, move, show all"]);

section({id: "timeline", title: "Timeline", has: () => line !== null && line.runs.length > 0, build: buildTimeline});
