// compare.js - changes that got slower or faster: bars about a middle line, the tables of the comparison, files side by side.
// The drawings of modules and of the graph mark the same events. With the sides exchanged, all of this is from the view diff_swapped,
// which is the same comparison made in the other direction; its base is the side that the other sections are about.
let shownDiff = "diff";
const swappedDiff = "diff_swapped";
const markOf = {slower: 1, faster: -1, failed: 1, allowed: 1};
const verdictNames = {"~": "noise", passed: "not slower", failed: "slower", allowed: "slower, allowed"};

// Converts the rows of both kinds of comparison to one form.
function diffEvents() {
    return rowsOf(shownDiff, "events").map(row => ({of: row, block: row.block, name: row.event_name, verdict: row.verdict, change: row.change,
        low: row.low, high: row.high, p: row.p, base: row.base, new: row.new, op: row.op_type, module: row.module, match: row.match, reason: row.reason}));
}
// Takes the first rule of a gate that compares each event.
function gateEvents() {
    const seen = new Set();
    return rowsOf("gate", "checks").filter(row => row.scope === "op" && row.change !== null).map(row => ({of: row, block: row.block, name: row.name, verdict: row.verdict,
        change: row.change, low: row.low, high: row.high, p: row.p, base: row.base, new: row.new, op: row.op,
        module: row.module, match: null, reason: row.reason}))
        .filter(row => !seen.has(row.block + "\u0000" + row.name + "\u0000" + row.of.event) && seen.add(row.block + "\u0000" + row.name + "\u0000" + row.of.event));
}
function makeCompared() {
    const rows = diffEvents().concat(gateEvents());
    if (rows.length === 0)
        return rows;
    const numbers = new Map(rowsOf("events", "events").map((row, i) => [row.block + "\u0000" + row.event, i]).reverse());
    return rows.map(it => {
        const number = numbers.get(it.block + "\u0000" + it.of[shownDiff === "diff" ? "event" : "base_event"]);
        const isPair = typeof it.base === "number" && typeof it.new === "number";
        const known = number === undefined ? it : rowsOf("events", "events")[number];
        return Object.assign(Object.create(it), {op: known.op_type || it.op, mark: markOf[it.verdict] || 0, isTested: typeof it.p === "number" || Boolean(markOf[it.verdict]), number: number === undefined ? null : number, delta: isPair ? it.new - it.base : null});
    });
}
const compared = {}; // by direction
function comparedEvents() {
    return compared[shownDiff] = compared[shownDiff] || makeCompared();
}
// Returns the command that compared them.
function comparedBy() {
    return rowsOf("diff", "events").length > 0 ? "diff" : "gate";
}
function hasComparison() {
    return comparedEvents().length > 0;
}

// Sums the marked rows among given rows of events: {change, mark, n}; null: none of them was compared.
function changeOfEvents(numbers) {
    const rows = comparedEvents(), byNumber = rows.byNumber = rows.byNumber || new Map(rows.map(row => [row.number, row]));
    let base = 0, delta = 0, n = 0, marked = 0, tested = 0;
    for (const number of numbers) {
        const row = byNumber.get(number);
        if (!row || row.delta === null)
            continue;
        base += row.base;
        delta += row.mark ? row.delta : 0;
        marked += row.mark ? 1 : 0;
        tested += row.isTested ? 1 : 0;
        n++;
    }
    return n === 0 ? null : {isTested: tested > 0, change: marked > 0 && base > 0 ? delta / base : 0, mark: marked > 0 ? Math.sign(delta) : 0, n};
}
// Colours, from none to full at twice or half of the time.
const changeColours = {slower: [240, 96, 80], faster: [84, 186, 132]};
function changeColour(neutral, change) {
    const part = Math.min(1, Math.abs(Math.log2(Math.max(0.05, 1 + change)))) * 0.8 + 0.2;
    const full = change > 0 ? changeColours.slower : changeColours.faster;
    return neutral.map((c, i) => Math.round(change === 0 ? c : c + (full[i] - c) * part));
}
function changeSign(mark) {
    return mark > 0 ? "▲ " : mark < 0 ? "▼ " : "";
}
function pickEvent(row) {
    return row && row.number !== null && select({op: row.number, section: null});
}
function isPickedEvent(row) {
    return row.number !== null && row.number === selection.op;
}
function pText(p) {
    return p < 1e-9 ? "p < 1e-9" : "p " + Number(p.toPrecision(2));
}

// ---- bars ----

const mostBars = 30;
// Lists slower events from the top, faster ones from the bottom, and between them the noise that changed most, then events that
// were not tested.
function barRows() {
    const rows = comparedEvents().filter(row => row.delta !== null && row.change !== null);
    const size = row => Math.abs(row.delta);
    const marked = rows.filter(row => row.mark !== 0).sort((a, b) => size(b) - size(a)).slice(0, mostBars);
    const noise = rows.filter(row => row.mark === 0).sort((a, b) => b.isTested - a.isTested || size(b) - size(a)).slice(0, Math.max(0, Math.min(10, mostBars - marked.length)));
    return marked.filter(row => row.mark > 0).concat(noise.sort((a, b) => b.isTested - a.isTested || b.change - a.change), marked.filter(row => row.mark < 0).reverse());
}
// Makes a logarithmic scale: twice as slow is as far from the middle as twice as fast.
function barScale(rows) {
    const log = change => Math.log2(Math.max(1 / 1024, 1 + change));
    const far = rows.reduce((most, row) => Math.max(most, Math.abs(log(row.change)), row.mark && row.high !== null ? Math.abs(log(row.high)) : 0), 0);
    const least = 0.15, steps = [0.05, 0.1, 0.2, 0.5, 1, 3, 9, 99];
    const most = Math.max(least, Math.min(10, far * 1.08));
    return {at: change => Math.max(-1, Math.min(1, log(change) / most)), ticks: steps.filter(step => log(step) <= most).slice(-2)};
}
const noiseColour = "#858f9c";
// Pattern of the bars of events that no test judged: they are no findings, however long they are.
function stripesOf(pen) {
    const tile = el("canvas", {width: "6", height: "6"}), lines = tile.getContext("2d");
    lines.strokeStyle = noiseColour;
    lines.lineWidth = 1.3;
    for (const at of [-6, 0, 6]) {
        lines.moveTo(at - 1, 7);
        lines.lineTo(at + 7, -1);
    }
    lines.stroke();
    return pen.createPattern(tile, "repeat");
}
function barLegend(rows) {
    const marks = new Set(rows.map(row => row.mark)), untested = rows.filter(row => !row.isTested), reasons = [...new Set(untested.map(row => row.reason).filter(Boolean))];
    return el("div", {class: "legend"}, ...[
        marks.has(1) && swatchOf("▲ slower, tested", "rgb(" + changeColours.slower.join(" ") + ")"),
        marks.has(-1) && swatchOf("▼ faster, tested", "rgb(" + changeColours.faster.join(" ") + ")"),
        rows.some(row => row.isTested && !row.mark) && swatchOf("tested: within noise", noiseColour),
        untested.length > 0 && el("span", {}, el("span", {class: "swatch hatched"}), "not tested" + (reasons.length > 0 ? " (" + cut(reasons.join(", "), 80) + ")" : "") + ": no finding"),
        rows.some(row => row.low !== null) && el("span", {}, "lines: intervals"),
    ].filter(Boolean));
}
function drawBar(pen, row, y, f) {
    const x = f.x(row.change), middle = f.x(0);
    pen.textAlign = "left";
    pen.fillStyle = colour("ink");
    pen.font = (row.mark ? "600 " : "") + "12px system-ui, sans-serif";
    pen.fillText(fitText(pen, changeSign(row.mark) + row.name.replace(/^native_call_/, "") + (row.module ? " · " + row.module : ""), f.left - 12), 4, y + f.high / 2);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = row.mark ? "rgb(" + changeColour([200, 200, 200], row.mark).join(" ") + ")" : row.isTested ? noiseColour : stripesOf(pen);
    pen.fillRect(Math.min(x, middle), y + 4, Math.max(2, Math.abs(x - middle)), f.high - 8);
    if (row.low !== null && row.high !== null) {
        setLine(pen, "ink", 1.2);
        pen.beginPath();
        for (const [from, to, up] of [[f.x(row.low), f.x(row.high), 0], [f.x(row.low), f.x(row.low), 3], [f.x(row.high), f.x(row.high), 3]]) {
            pen.moveTo(from, y + f.high / 2 - up);
            pen.lineTo(to, y + f.high / 2 + up);
        }
        pen.stroke();
    }
    pen.textAlign = "right";
    pen.fillStyle = colour(row.mark > 0 ? "slower" : row.mark < 0 ? "faster" : "quiet");
    pen.fillText(changeText(row.change), f.width - 4, y + f.high / 2);
}
function barTip(row) {
    const interval = row.low !== null && row.high !== null ? " (" + changeText(row.low) + " to " + changeText(row.high) + ")" : "";
    return [row.name, (row.isTested ? verdictNames[row.verdict] || row.verdict : "not tested") + ": " + changeText(row.change) + interval, timeText(row.base) + " → " + timeText(row.new),
        typeof row.p === "number" ? pText(row.p) + ", adjusted" : row.reason, row.op, row.module].filter(Boolean).join("\n");
}
function changeBars() {
    const high = 22, top = 20;
    const rows = barRows();
    let chosen = -1;
    const frame = width => {
        const left = Math.min(260, width * 0.38), right = 64;
        const half = (width - left - right) / 2, scale = barScale(rows);
        return {left, width, high, ticks: scale.ticks, x: change => left + half + scale.at(change) * half};
    };
    const draw = (pen, width, height) => {
        const f = frame(width);
        pen.textBaseline = "middle";
        pen.textAlign = "center";
        for (const tick of [0, ...f.ticks, ...f.ticks.map(t => 1 / (1 + t) - 1)]) {
            setLine(pen, tick === 0 ? "quiet" : "line", 1);
            pen.beginPath();
            pen.moveTo(Math.round(f.x(tick)) + 0.5, top - 4);
            pen.lineTo(Math.round(f.x(tick)) + 0.5, height);
            pen.stroke();
            pen.fillStyle = colour("quiet");
            if (tick === 0 || width > 640 || Math.abs(tick) === Math.abs(f.ticks[f.ticks.length - 1]))
                pen.fillText(tick === 0 ? "0" : changeText(tick).replace(".0", ""), f.x(tick), 9);
        }
        rows.forEach((row, i) => {
            if (i === chosen || isPickedEvent(row)) {
                pen.fillStyle = colour("chosen");
                pen.fillRect(0, top + i * high, width, high);
            }
            drawBar(pen, row, top + i * high, f);
        });
    };
    const rowAt = y => rows[Math.floor((y - top) / high)];
    const canvas = drawing("changes", 100, draw, (x, y) => y >= top && rowAt(y) ? barTip(rowAt(y)) : null);
    canvas.canvas.addEventListener("click", event => event.offsetY >= top && pickEvent(rowAt(event.offsetY)));
    canvas.canvas.addEventListener("keydown", event => {
        const by = {ArrowUp: -1, ArrowDown: 1}[event.key];
        if (!by || rows.length === 0)
            return;
        event.preventDefault();
        chosen = Math.max(0, Math.min(rows.length - 1, chosen + by));
        say(barTip(rows[chosen]));
        pickEvent(rows[chosen]);
        canvas.change();
    });
    const first = rows.filter(row => row.mark !== 0).slice(0, 5).map(row => cut(row.name, 60) + " " + changeText(row.change));
    canvas.height = top + Math.max(1, rows.length) * high + 4;
    canvas.canvas.setAttribute("aria-label", "changes of events: " + (first.join(", ") || (rows.some(row => row.isTested) ? "no change beyond noise" : "no event was tested")) + "; the table below has all");
    onSelect(canvas.change);
    return canvas.canvas;
}

// ---- tables ----

// The columns of the command, in its order, where they say something.
const comparedColumns = {
    diff: ["block", "verdict", "event_name", "change", "low", "high", "base", "new", "base_value", "new_value", "unit", "p", "match", "op_type", "module", "reason"],
    gate: ["block", "verdict", "name", "change", "low", "high", "base", "new", "base_count", "new_count", "p", "rule", "op", "module", "reason"],
};
function comparedTable() {
    const by = comparedBy(), says = {block: new Set(comparedEvents().map(row => row.block)).size > 1};
    const rows = comparedEvents().slice().sort((a, b) => b.mark * b.mark - a.mark * a.mark || (b.delta || 0) * (b.mark || 1) - (a.delta || 0) * (a.mark || 1))
        .map(row => Object.assign(Object.create(row.of), {verdict: changeSign(row.mark) + row.verdict, number: row.number}));
    const columns = (by === "diff" ? columnsOf(shownDiff, "events") : columnsOf("gate", "checks")).filter(column => comparedColumns[by].includes(column.name) && says[column.name] !== false &&
        rows.some(row => row[column.name] !== null && row[column.name] !== ""));
    const table = makeTable({columns, rows, label: "changes of events", follows: true, wide: {event_name: 17, name: 17, verdict: 8, op_type: 15, op: 15, rule: 12, module: 14, reason: 9},
        pick: pickEvent, isPicked: isPickedEvent});
    table.element.style.maxHeight = "22rem";
    onSelect(table.repaint);
    return table.element;
}
// Lists the events that only one side has.
function oneSided(verdict, title, side) {
    const rows = comparedEvents().filter(row => row.verdict === verdict);
    const sum = rows.reduce((total, row) => total + (typeof row[side] === "number" ? row[side] : 0), 0);
    return rows.length === 0 ? [] : [el("h3", {}, title + ": " + countText(rows.length) + " events, " + timeText(sum)),
        el("ul", {class: "notes"}, ...rows.slice(0, 40).map(row => el("li", {}, nameOf(row.name, 100), " " + timeText(row[side]), row.module ? " in " : "", row.module ? nameOf(row.module, 100) : "")),
            rows.length > 40 ? el("li", {}, "and " + countText(rows.length - 40) + " more: see the table") : null)];
}

// ---- files side by side ----

// Medians of events by the file of their runs, without warm-up; one column per file.
const side = {dumps: null};
function dumpsOfRuns() {
    if (!side.dumps) {
        const names = [...new Set(rowsOf("runs", "runs").map(row => row.dump).filter(Boolean))];
        side.n_files = names.length;
        side.dumps = names.slice(0, 12).map((name, i) => ({name, key: "file" + i}));
    }
    return side.dumps;
}
function hasSideBySide() {
    return dumpsOfRuns().length > 1 && distinctOf("samples", "events", "raw").some(Boolean);
}
function medianOf(values) {
    const sorted = values.slice().sort((a, b) => a - b), n = sorted.length;
    return n === 0 ? null : n % 2 ? sorted[n >> 1] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}
// Matches events by the name of their block, their own name and their place among events of that name. Blocks of one name are
// one if no file has runs in two of them.
function mediansByDump() {
    const runs = Map.groupBy(rowsOf("runs", "runs"), run => run.block), rows = new Map(), seen = new Map();
    const dumpsIn = blocks => new Set(blocks.flatMap(block => runs.get(block).map(run => run.dump))).size;
    const areOne = Map.groupBy([...runs.keys()], plainBlock);
    areOne.forEach((blocks, name) => areOne.set(name, blocks.reduce((sum, block) => sum + dumpsIn([block]), 0) === dumpsIn(blocks)));
    eventRows().forEach((event, number) => {
        const samples = samplesOf(number), of = runs.get(event.block) || [], plain = plainBlock(event.block);
        const own = event.block + "\u0000" + event.event_name, nth = seen.get(own) || 0;
        const key = JSON.stringify([areOne.get(plain) ? plain : event.block, event.event_name, nth]);
        seen.set(own, nth + 1);
        if (!samples || samples.length !== of.length)
            return;
        const row = rows.get(key) || {name: event.event_name, module: event.module, numbers: [], times: {}};
        row.numbers.push(number);
        of.forEach((run, i) => run.flag !== "warm-up" && typeof samples[i] === "number" && (row.times[run.dump] = row.times[run.dump] || []).push(samples[i]));
        rows.set(key, row);
    });
    return [...rows.values()].map(row => {
        dumpsOfRuns().forEach(({name, key}) => { row[key] = medianOf(row.times[name] || []); });
        return row;
    });
}
function buildSideBySide() {
    const dumps = dumpsOfRuns(), place = el("div"), medians = mediansByDump();
    if (!medians.some(row => dumps.filter(({key}) => row[key] !== null).length > 1))
        return [el("h3", {}, "Files side by side"), el("p", {class: "quiet"}, "No event is in more than one of the files: their blocks or events have different names.")];
    const last = path => path.replace(/^.*\//, "");
    const areAlike = new Set(dumps.map(it => last(it.name))).size < dumps.length;
    const shortOf = it => cut(areAlike ? it.name : last(it.name), 60);
    const choice = el("select", {"aria-label": "Base"}, ...dumps.map((it, i) => el("option", {value: String(i)}, "base: " + shortOf(it))));
    const show = () => {
        const base = dumps[Number(choice.value)].key;
        const rows = medians.map(row => {
            const out = {name: row.name, module: row.module, numbers: row.numbers};
            dumps.forEach(({key}) => { out[key] = key === base ? row[base] : row[base] > 0 && row[key] !== null ? row[key] / row[base] - 1 : null; });
            return out;
        });
        const columns = [{name: "name", kind: "text", label: "event", help: "the event"},
            ...dumps.map(it => ({name: it.key, kind: it.key === base ? "time" : "change", label: shortOf(it), help: it.name})),
            {name: "module", kind: "text", help: "innermost module common to all its nodes"}];
        const table = makeTable({columns, rows, label: "files side by side", sort: {name: base, descending: true}, wide: {name: 17, module: 14},
            pick: row => select({op: row.numbers[0], section: null}), isPicked: row => row.numbers.includes(selection.op)});
        table.element.style.maxHeight = "22rem";
        place.replaceChildren(table.element);
        place.table = table;
    };
    choice.addEventListener("change", show);
    onSelect(() => place.table.repaint());
    show();
    return [el("h3", {}, "Files side by side"), el("div", {class: "controls"}, choice), place,
        el("p", {class: "quiet"}, "Medians of the runs after the warm-up, the base as a time and the others as changes from it. Nothing is judged here: etinspect diff distinguishes changes from noise." +
            (side.n_files > 12 ? " Shown: the first 12 of " + side.n_files + " files." : ""))];
}

// ---- the section ----

function answerOf() {
    const told = rowsOf(shownDiff, "summary")[0], gate = rowsOf("gate", "gate")[0];
    return told ? told.answer : gate ? gate.sentence : null;
}
function comparedTables() {
    return [shownDiff, "gate"].flatMap(view => Object.keys(data.tables[view] || {}).map(name => [view, name])).filter(([view, name]) => countOf(view, name) > 0);
}
const totalColumns = ["verdict", "total", "change", "low", "high", "base", "new", "p"];
// Returns the files of both sides: the inputs, the base first, if there is one for each side.
function sideFiles() {
    const inputs = kinds => data.provenance.sources.filter(it => kinds.includes(it.kind)), rows = rowsOf(shownDiff, "files");
    const pair = inputs(rows.length > 0 ? ["etdump", "baseline"] : ["program"]);
    return !data.tables.diff ? [] : pair.length !== 2 ? rows : pair.map((it, i) => ({side: !i === (shownDiff === "diff") ? "base" : "new", file: it.path}));
}
// Names the first files of a side, with as many folders as distinguish all files.
function sideText(side) {
    const rows = sideFiles(), pathsOf = some => [...new Set(some.map(row => row.file))], all = pathsOf(rows);
    const last = n => path => path.split("/").slice(-n).join("/");
    const n = [1, 2, 3, 4, 5, 6].find(n => new Set(all.map(last(n))).size === all.length) || 1;
    const files = pathsOf(rows.filter(row => row.side === side)).map(last(n));
    return side + ": " + cut(files.slice(0, 2).join(", "), 160) + (files.length > 2 ? " and " + countText(files.length - 2) + " more" : "");
}
function sideNames() {
    const other = shownDiff !== "diff" && data.tables.events ? "; the sections below are about the base" : "";
    return sideFiles().length > 0 ? el("p", {}, nameOf(sideText("base")), " · ", nameOf(sideText("new")), other) : "";
}
function swapButton(show) {
    const button = el("button", {type: "button", "aria-pressed": "false", onclick: () => {
        shownDiff = shownDiff === "diff" ? swappedDiff : "diff";
        button.setAttribute("aria-pressed", shownDiff !== "diff");
        say(show());
        canvases.forEach(state => state.change());
    }}, "Swap base");
    return el("div", {class: "controls"}, button);
}
function buildCompare(box) {
    const place = el("div"), made = {};
    const show = () => {
        if (!made[shownDiff])
            buildComparison(made[shownDiff] = el("div"));
        place.replaceChildren(made[shownDiff]);
        return made[shownDiff].firstChild.textContent;
    };
    show();
    box.append(data.tables[swappedDiff] ? swapButton(show) : "", place);
    if (hasSideBySide())
        box.append(...buildSideBySide());
}
function comparisonMark() {
    return comparedEvents().some(row => row.mark > 0) ? "slower" : comparedEvents().some(row => row.mark < 0) ? "faster" : "same";
}
function buildComparison(box) {
    box.append(sideNames());
    const answer = answerOf(), has = hasComparison();
    if (answer && (shownDiff !== "diff" || answer.length > 500)) // otherwise it is the title of the page
        box.append(el("p", {class: "answer " + comparisonMark()}, nameOf(answer, 1500)));
    if (has)
        box.append(el("p", {class: "quiet"}, "Bars: changes of the events that changed most."), barLegend(barRows()),
            changeBars(), ...oneSided("added", "New", "new"), ...oneSided("removed", "Gone", "base"), el("h3", {}, "All events"), comparedTable());
    const others = comparedTables().filter(([, name]) => !(has && (name === "events" || name === "summary" || name === "gate")));
    for (const [view, name] of others) {
        const title = cut(name[0].toUpperCase() + name.slice(1).replace(/_/g, " "), 60);
        const table = viewTable(view, name, title, {only: name === "total" && has ? totalColumns : null, wide: {event: 16, event_name: 16, op: 14, verdict: 7, what: 16, rule: 16, total: 16, name: 16, answer: 40}});
        if (name === "checks" || name === "files" || name === "rules") {
            table.firstChild.remove();
            box.append(el("details", {}, el("summary", {}, title), table));
        } else
            box.append(table);
    }
    box.append(notesList(has ? remarksOf(shownDiff, "events").concat(remarksOf("gate", "gate")).filter(text => text !== answer) : []) || "");
}

section({id: "compare", title: "Comparison", has: () => comparedTables().length > 0 || hasSideBySide(), build: buildCompare, searches: true});
