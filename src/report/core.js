"use strict";
// core.js - shared by all sections: the data, elements, numbers as text, one selection, sections.
//
// A section is one file that calls section({id, title, has, build, searches}). build(box) fills its element when its tab is opened for
// the first time; `searches` says that the search of the page applies to the section. All text of the data goes into the page as text
// nodes or onto a canvas, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const scale = data.provenance.time_scale;
const line = data.slices || null; // of the timeline
// Tabs and their sections, in order. A tab without a section that has data is left out.
const tabs = {
    Comparison: ["compare"],
    Timeline: ["timeline", "runs"],
    Modules: ["slowest", "modules", "graph"],
    Operators: ["operators", "source", "rates", "delegates"],
    Memory: ["memory", "size"],
    Numerics: ["numerics"],
    Tables: ["tables"],
    Facts: ["overview", "time", "about"],
};
const order = Object.values(tabs).flat();
const sections = [];
const keys = [["?", "show these keys"], ["/", "search all tables"], ["[ and ]", "previous and next tab"],
    ["d", "dark or light"], ["Esc", "clear the selection, zoom out"]];
// JSON has no numbers for these: in columns of numbers they are strings, and null is a missing value.
const notFinite = new Map([["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]]);
const finiteOf = value => Array.isArray(value) ? value.map(finiteOf) : notFinite.has(value) ? notFinite.get(value) : value;
// Returns the numbers of a list. In their place, it may have steps: [n, step, n, step, ...], where n numbers are each larger by the step
// than the number before.
function numbersOf(list) {
    if (!list || !list.steps)
        return list;
    const {steps} = list, numbers = new Array(steps.reduce((sum, n, i) => i % 2 ? sum : sum + n, 0));
    let at = 0, number = 0;
    for (let i = 0; i < steps.length; i += 2) {
        for (let n = steps[i]; n > 0; n--) {
            number += steps[i + 1];
            numbers[at++] = number;
        }
    }
    return numbers;
}
for (const name of Object.keys(line || {}))
    line[name] = numbersOf(line[name]);
// Returns the cells of a column: an array; or {of, at}, the distinct cells and for each row the index of its cell; or {of}, the only cell
// of all rows. If the cells are texts of the page, {texts, of, at} also has their numbers; without `at`, each row has its own text. The
// name of another column stands for the cells of that column.
function cellsOf(columns, name) {
    return typeof columns[name] === "string" ? columns[columns[name]] : columns[name];
}
// Returns the numbers of a column that has differences.
function sumsOf(column) {
    const sums = new Float64Array(column.length);
    let at = 0;
    for (let i = 0; i < sums.length; i++) {
        at += Number(column[i]);
        sums[i] = at;
    }
    return sums;
}
// Returns a list of a column. {same: [view, table, column, part]} stands for a list of another column.
function listOf(list) {
    if (!list || !list.same)
        return numbersOf(list);
    const [view, table, column, part] = list.same, cells = readColumn(view, table, column);
    return part === "cells" ? cells : cells[part];
}
// Reads the cells of a column. With `isNumbers`, strings stand for numbers that JSON does not have.
function readCells(cells, isNumbers) {
    if (cells.texts && cells.texts.same) {
        const [view, table, column] = cells.texts.same, {texts, of} = readColumn(view, table, column);
        return {texts, of, at: listOf(cells.at)};
    }
    if (cells.texts) {
        const texts = Uint32Array.from(sumsOf(numbersOf(cells.texts))), of = new Array(texts.length);
        texts.forEach((number, i) => { of[i] = data.texts[number]; });
        return {texts, of, at: listOf(cells.at)};
    }
    const read = listOf(cells);
    if (read.of)
        return {of: isNumbers ? finiteOf(read.of) : read.of, at: listOf(read.at)};
    if (isNumbers && !cells.same)
        read.forEach((cell, i) => typeof cell === "number" || (read[i] = finiteOf(cell)));
    return read;
}
const rowNumber = Symbol("number"), rowTable = Symbol("table");
// Makes the rows of a table that has columns in place of rows. A row reads its cells from them when it is asked; a cell that is set is
// the row's own.
function rowsOfColumns(table) {
    const {n, columns} = table;
    function Row(number) {
        this[rowNumber] = number;
    }
    Row.prototype = {[rowTable]: table};
    for (const name of Object.keys(columns)) {
        const cells = cellsOf(columns, name), {of, at} = cells;
        const read = Array.isArray(cells) ? i => cells[i] : at ? i => of[at[i]] : of.length === n ? i => of[i] : () => of[0];
        Object.defineProperty(Row.prototype, name, {get() { return read(this[rowNumber]); }, enumerable: true,
            set(value) { Object.defineProperty(this, name, {value, writable: true, enumerable: true, configurable: true}); }});
    }
    return Array.from({length: n}, (_, i) => new Row(i));
}
// Returns the rows of a table, or {n, columns}; [] if there is no such table. Reads the table when it is first used.
const hasNumbers = kind => !["text", "list", "mark", "unit", "ranges"].includes(kind);
const tablesRead = new Set(), columnsRead = new Set();
function readColumn(view, name, column) {
    const {columns} = data.tables[view][name], cells = columns[column];
    if (typeof cells === "string" || columnsRead.has(cells))
        return cells;
    const [, kind] = data.columns[view][name].find(([name]) => name === column);
    columns[column] = readCells(cells, hasNumbers(kind));
    columnsRead.add(columns[column]);
    return columns[column];
}
function tableOf(view, name) {
    const table = data.tables[view] && data.tables[view][name];
    if (!table || tablesRead.has(table))
        return table || [];
    tablesRead.add(table);
    if (Array.isArray(table)) {
        const numbers = data.columns[view][name].filter(([, kind]) => hasNumbers(kind)).map(([name]) => name);
        table.forEach(row => numbers.forEach(name => { row[name] = finiteOf(row[name]); }));
    } else
        Object.keys(table.columns).forEach(column => readColumn(view, name, column));
    return table;
}
const performed = {};
const begun = performance.now();

function section(it) {
    sections.push(it);
}

// Returns the rows of a table, whose cells are those of --format json; none if there is no such table. Rows of columns have cells, but no keys.
function rowsOf(view, name) {
    const table = tableOf(view, name);
    return Array.isArray(table) ? table : table.rows = table.rows || rowsOfColumns(table);
}
// Returns the number of rows of a table.
function countOf(view, name) {
    const table = tableOf(view, name);
    return Array.isArray(table) ? table.length : table.n;
}
// Returns cells of a column that include each distinct cell at least once.
function distinctOf(view, name, column) {
    const table = tableOf(view, name), cells = Array.isArray(table) ? table.map(row => row[column]) : cellsOf(table.columns, column) || [];
    return Array.isArray(cells) ? cells : cells.of;
}
function hasTimes(view, table) {
    return distinctOf(view, table, "share").some(share => share > 0);
}
// Returns a name with the method of its row or part, which only those of several methods have.
function withMethod(part, name) {
    return part.method ? part.method + ": " + name : name;
}
// Returns the rows that are parts of a whole, without those that are sums of others.
function partsOf(view, table) {
    const sums = (data.sums[view] && data.sums[view][table]) || [];
    return rowsOf(view, table).filter((row, i) => !sums.includes(i));
}
// Returns the columns of a table; one of marks belongs to the column before it. Marks of a second meaning have a sign of their own.
function columnsOf(view, table) {
    const columns = ((data.columns[view] && data.columns[view][table]) || []).map(([name, kind, help, role]) => ({name, kind, help: help || "", isCounter: role === "counter"}));
    const first = columns.findIndex(column => column.kind === "mark");
    columns.forEach((column, i) => column.kind === "mark" && Object.assign(columns[i - 1], {mark: column.name, markSign: i === first ? "*" : "†", markHelp: column.help}));
    return columns.filter(column => column.kind !== "mark");
}
// Makes the header of a table; text that several sections would repeat is only in the first.
const said = new Map();
function remarksOf(view, table) {
    const texts = (data.remarks[view] || []).filter(note => !table || note.table === table).map(note => note.text);
    const owner = view.replace("_swapped", ""); // both directions of a comparison
    texts.forEach(text => said.has(text) || said.set(text, owner));
    return texts.filter(text => said.get(text) === owner);
}

// ---- text ----

// Spells out characters that act instead of being shown, as the commands do on a terminal.
function visible(text) {
    return String(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, c => {
        const code = c.charCodeAt(0);
        return code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0");
    });
}
function cut(text, most) {
    const shown = visible(String(text).slice(0, most + 1));
    return shown.length > most ? shown.slice(0, most - 1) + "…" : shown;
}

// Makes an element: attributes that begin with "on" are listeners, children are elements or text.
function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value === undefined || value === null || value === false)
            continue;
        if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else
            element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
}
function nameOf(text, most) {
    return el("span", {class: "name"}, cut(text, most || 200));
}
function notesList(texts) {
    if (texts.length === 0)
        return null;
    return el("ul", {class: "notes"}, ...texts.map(text => el("li", {}, nameOf(text, 1000))));
}

// ---- numbers ----

const nanoseconds = {ns: 1, us: 1e3, ms: 1e6, s: 1e9};
const units = ["ns", "µs", "ms", "s"];
function digits(value) {
    return value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
}
function decimalsFor(value) {
    return Math.max(0, Math.min(3, 4 - Math.max(1, digits(value))));
}
// Returns the text of NaN or an infinite number, as the commands print it.
function notFiniteText(value) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}
const formats = [];
function fixed(value, decimals) {
    if (!Number.isFinite(value))
        return notFiniteText(value);
    formats[decimals] = formats[decimals] || new Intl.NumberFormat("en-US", {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
    return formats[decimals].format(value);
}
// Returns the most readable unit for a time, in the unit of the tables unless another is given; on axes cycles have one too.
function unitFor(value, from = scale, isAxis) {
    const size = nanoseconds[from] || 1;
    let i = 0;
    while (i < 3 && Math.abs(value) * size >= 1000 ** (i + 1))
        i++;
    const name = from in nanoseconds ? units[i] : isAxis ? ["", "k ", "M ", "G "][i] + from : from || "";
    return {name, factor: from in nanoseconds || isAxis ? size / 1000 ** i : 1};
}
// Returns up to nine ticks at round distances, as numbers of one unit.
function ticksOf(start, span, from) {
    const {name, factor} = unitFor(span, from, true), least = span / 8 * 0.999, power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find(n => n * power >= least), ticks = [];
    for (let i = Math.ceil(start / step); i * step < start + span; i++)
        ticks.push({value: i * step, text: fixed(i * step * factor, Math.max(0, -Math.floor(Math.log10(step * factor * 1.001))))});
    return {unit: " " + name, ticks};
}
function timeText(value) {
    if (typeof value !== "number")
        return "–";
    const unit = unitFor(value);
    const shown = value * unit.factor;
    return fixed(shown, value === 0 ? 0 : decimalsFor(shown)) + " " + unit.name;
}
function shareText(value) {
    return typeof value === "number" ? fixed(100 * value, 1).replace("-", "−") + " %" : "–";
}
function countText(value) {
    if (typeof value !== "number")
        return "–";
    if (value !== 0 && Math.abs(value) < 0.001)
        return value.toExponential(1);
    return Number.isInteger(value) ? fixed(value, 0) : fixed(value, decimalsFor(value));
}
function bytesText(value) {
    const names = ["B", "KiB", "MiB", "GiB"];
    let shown = value, i = 0;
    if (typeof value !== "number")
        return "–";
    for (; Math.abs(shown) >= 1024 && i < 3; i++)
        shown /= 1024;
    return fixed(shown, i && 1) + " " + names[i];
}
function changeText(value) {
    return typeof value === "number" ? (value > 0 ? "+" : value < 0 ? "−" : "") + fixed(Math.abs(100 * value), 1) + " %" : "–";
}
function plainText(value) {
    if (value === null || value === undefined)
        return "";
    return Array.isArray(value) ? value.map(plainText).join(", ") : typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "number" && !Number.isFinite(value) ? notFiniteText(value) : String(value);
}
// Values and the words that people read in their place, as in base/names.c; "" stands for any column.
const words = [["", "(delegate, not logged)", "(delegate overhead)"], ["", "(delegate, overhead)", "(delegate overhead, logged)"],
    ["", "(delegate, transfers)", "(delegate transfers)"], ["", "(delegate, profiling)", "(delegate profiling)"],
    ["part", "delegate calls: not logged", "delegate overhead"], ["part", "delegate calls: overhead", "delegate overhead, logged"],
    ["part", "delegate calls: transfers", "delegate transfers"], ["part", "delegate calls: profiling", "delegate profiling"],
    ["attribution", "aligned", "matched by order"], ["heading", "delegate_not_logged", "delegate overhead"]];
const backendNames = {__proto__: null, XnnpackBackend: "XNNPACK", CoreMLBackend: "Core ML", QnnBackend: "QNN", EthosUBackend: "Ethos-U", VgfBackend: "VGF"};
const isBackend = column => column === "backend" || column === "delegate_backend_name";
// Returns whether texts of a column have words of their own.
function hasOwnWords(column) {
    return isBackend(column) || words.some(([of]) => of !== "" && of === column);
}
const wordsOfColumns = new Map();
function inWords(column, text) {
    if (isBackend(column))
        return backendNames[text] || text.replace(/(?<=.)Backend$/, "");
    if (!wordsOfColumns.has(column)) {
        const some = words.filter(([of]) => of === "" || of === column);
        wordsOfColumns.set(column, {some, begin: some.map(([, value]) => value[0]).join("")});
    }
    const {some, begin} = wordsOfColumns.get(column);
    const found = text !== "" && begin.includes(text[0]) && some.find(([, value]) => text.startsWith(value) && (text.length === value.length || text[value.length] === " "));
    return found ? found[2] + text.slice(found[1].length) : text;
}
const texts = {time: timeText, share: shareText, count: countText, number: countText, bytes: bytesText, change: changeText};
function cellText(kind, value) {
    return value === null || value === undefined ? "" : typeof value === "number" && texts[kind] ? texts[kind](value).replace(" %", "%") : plainText(value);
}
function isNumeric(kind) {
    return kind in texts;
}

// ---- colours ----

const colourCache = new Map();
function colour(name) {
    if (!colourCache.has(name)) {
        const probe = el("span", {class: "unseen"});
        probe.style.color = "var(--" + name + ")";
        document.body.append(probe);
        colourCache.set(name, getComputedStyle(probe).color);
        probe.remove();
    }
    return colourCache.get(name);
}
// Sets the colour and the width of lines.
function setLine(pen, name, width) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = width;
}
// Colours of backends: darker than white and lighter than black text by at least 3:1 and 4.5:1.
const backendColours = ["#4a8bf0", "#2f9e62", "#a06be0", "#d0589a", "#1d9aa5"];
let backends = null;
// Returns the colour of a backend; of the CPU without a delegate; of the runtime, which has no name.
function backendColour(name) {
    backends = backends || [...new Set(distinctOf("events", "events", "delegate_backend_name").concat(distinctOf("summary", "layers", "backend"), "delegate"))].filter(it => it && it !== "CPU");
    const at = backends.indexOf(name);
    return at >= 0 ? backendColours[at % backendColours.length] : name === "CPU" || name === "(not delegated)" ? "#cf7a0c" : "#858f9c";
}
function backendName(name) {
    return name ? cut(inWords("backend", name), 60) : "runtime";
}
function swatchOf(text, fill) {
    const mark = el("span", {class: "swatch"});
    mark.style.background = fill;
    return el("span", {}, mark, text);
}
// Returns a hue for a name, light enough for black text.
function colourOf(name) {
    if (/^\(|^framework/.test(name))
        return "hsl(210 8% 72%)";
    let hash = 0;
    for (let i = 0; i < name.length && i < 200; i++)
        hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
    return "hsl(" + (hash * 137 % 360) + " 48% 72%)";
}

// ---- canvas ----

const canvases = [];
// Makes a drawing: draw(pen, width, height) is called when something changed. The label has its main numbers.
function drawing(label, height, draw, tell) {
    const canvas = el("canvas", {role: "img", tabindex: "0", "aria-label": label});
    canvas.style.height = height + "px";
    const state = {canvas, asked: false, height};
    state.paint = () => {
        state.asked = false;
        const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
        if (width === 0)
            return;
        canvas.style.height = state.height + "px";
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(state.height * ratio);
        const pen = canvas.getContext("2d");
        pen.scale(ratio, ratio);
        pen.font = "12px system-ui, sans-serif";
        pen.clearRect(0, 0, width, state.height);
        draw(pen, width, state.height);
    };
    state.change = () => {
        if (!state.asked)
            requestAnimationFrame(state.paint);
        state.asked = true;
    };
    if (tell) {
        canvas.addEventListener("pointermove", event => showTip(tell(event.offsetX, event.offsetY), event.clientX, event.clientY));
        canvas.addEventListener("pointerleave", () => showTip(null));
    }
    canvases.push(state);
    new ResizeObserver(state.change).observe(canvas);
    return state;
}
let tip = null;
function showTip(text, x, y) {
    if (tip)
        tip.remove();
    tip = null;
    if (!text)
        return;
    tip = el("div", {class: "tip"}, visible(text.slice(0, 1000)));
    document.body.append(tip);
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}
// Returns as much text as fits into a width, with the number of a kernel, such as #19, if there is room.
function fitText(pen, text, width) {
    const shown = cut(text, 120), number = / #\d{1,6}$/.exec(shown);
    if (width < 14)
        return "";
    if (pen.measureText(shown).width <= width)
        return shown;
    for (const end of number ? ["…" + number[0].slice(1), "…"] : ["…"]) {
        let low = 0, high = shown.length;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (pen.measureText(shown.slice(0, middle) + end).width <= width)
                low = middle;
            else
                high = middle - 1;
        }
        if (low > 1)
            return shown.slice(0, low) + end;
    }
    return "";
}

// ---- selection ----

// One selection runs through all sections: `op` is a row of the table events, `run` one of runs; in the address.
const selection = {op: null, run: null, section: null};
const listeners = [];
function onSelect(listener) {
    listeners.push(listener);
}
function select(change) {
    Object.assign(selection, change);
    const parts = [];
    if (selection.op !== null)
        parts.push("op=" + selection.op);
    if (selection.run !== null)
        parts.push("run=" + selection.run);
    if (selection.section)
        parts.push(selection.section);
    try {
        history.replaceState(null, "", parts.length > 0 ? "#" + parts.join("&") : location.href.split("#")[0]);
    } catch (error) {
        // fails in a frame whose page has no address of its own
    }
    listeners.forEach(listener => listener(selection));
}
function say(text) {
    document.getElementById("status").textContent = text;
}
function goTo(id) {
    const target = document.getElementById(id);
    if (target) {
        showTabOf(id);
        target.scrollIntoView();
    }
    select({section: id});
}
const actions = {}; // functions that sections call in each other, once they are built
const printers = []; // {before, after}, called around printing

// ---- search ----

// One search is for all tables and drawings: each listener gets its text.
const searchers = [];
function onSearch(searcher) {
    searchers.push(searcher);
}
function searchFor(query) {
    document.getElementById("search").value = query;
    searchers.forEach(searcher => searcher(query.trim()));
}
