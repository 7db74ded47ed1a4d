// operators.js - events, operators, modules, backends or lines as one table: searched, sorted, copied; an event's details.
const groupings = {
    event: {view: "events", table: "events", title: "events", by: "share",
        columns: ["event_name", "module", "typical", "share", "p50", "p90", "delegate_backend_name", "op_type", "calls", "source"]},
    layer: {view: "layers", table: "layers", title: "layers", by: "share", find: "layer", columns: ["layer", "kernel", "typical", "share", "backend", "source", "type", "p50", "avg"]},
    op: {view: "ops", table: "ops", title: "operators", by: "share", find: "op", columns: ["op", "typical", "share", "p50"]},
    kernel: {view: "by_kernel", table: "groups", title: "kernels", by: "share", find: "kernel"},
    hardware: {view: "by_unit", table: "groups", title: "parts of the hardware", by: "share", find: "compute_unit"},
    module: {view: "tree", table: "modules", title: "modules", by: "share", find: "module"},
    backend: {view: "delegates", table: "backends", title: "backends", by: "share", find: "backend"},
    source: {view: "source", table: "lines", title: "source lines", by: "share", find: "source"},
};
// Short names of columns for searches.
const columnNames = {op: "op_type", name: "event_name", layer: "module", backend: "delegate_backend_name", delegated: "is_delegated_op", time: "self_time"};
const eventLabels = {__proto__: null, event_name: "event", op_type: "operator", self_time: "self time", delegate_backend_name: "backend", is_delegated_op: "delegated",
    event: "number"};

// Returns the times of an event in each run of its block, including the warm-up; null if they are not on the page.
function samplesOf(number) {
    const row = eventRows()[number], place = row && row.event !== null ? listedEvents().get(row.block).indexOf(row.event) : -1;
    const sample = place >= 0 && sampleBlocks().get(row.block)[place];
    return sample && sample.raw || null;
}
// Numbers of the events of each block that have a row in samples: all except those of the runtime around operators.
let listed = null;
function listedEvents() {
    if (!listed) {
        listed = Map.groupBy(eventRows().filter(row => row.event !== null), row => row.block);
        listed.forEach((rows, block) => listed.set(block, [...new Set(rows.map(row => row.event))].sort((a, b) => a - b)));
    }
    return listed;
}
// Returns the name of a block, without the number that distinguishes blocks of one name.
function plainBlock(block) {
    return block.replace(/ \[\d+\]$/, "");
}
// Rows of samples by block: they have the plain name, so that blocks of one name follow each other.
let sampled = null;
function sampleBlocks() {
    if (!sampled) {
        const named = Map.groupBy(rowsOf("samples", "events"), row => row.event_block_name);
        sampled = new Map();
        listedEvents().forEach((numbers, block) => sampled.set(block, (named.get(block) || named.get(plainBlock(block)) || []).splice(0, numbers.length)));
    }
    return sampled;
}
function eventRows() {
    return rowsOf("events", "events");
}
function hasEvents() {
    return countOf("events", "events") > 0;
}
function eventColumns() {
    return columnsOf("events", "events").filter(column => column.kind !== "series").map(column => Object.assign(column, {label: eventLabels[column.name]}));
}
// Returns the layer whose time an event is, as the view layers names it; null for the runtime.
let roots = null;
function layerOf(event) {
    const type = event.op_type;
    if (type === null || type.startsWith("(framework") || event.event_name === "(around operators)")
        return "(framework)";
    if (type.startsWith("(delegate") && event.share > 0 && hasLayerNamed("(delegate overhead)"))
        return "(delegate overhead)";
    roots = roots || new Set(rowsOf("tree", "modules").filter(row => row.level === 0).map(row => row.module));
    if (!event.module)
        return countOf("tree", "modules") > 0 ? "(unknown)" : event.event_name;
    return roots.has(event.module) ? "(model)" : event.module;
}
// Returns the backend that ran an event: "delegate" if only that is known, "CPU" outside of delegates, null for the runtime.
function backendOfEvent(event) {
    const type = event.op_type || "", isDelegated = event.is_delegated_op;
    if (!type && !isDelegated || type.startsWith("(framework"))
        return type || event.event === null ? null : "CPU";
    return event.delegate_backend_name || (isDelegated || type.startsWith("(delegate") ? "delegate" : "CPU");
}
function hasLayerNamed(name) {
    return distinctOf("layers", "layers", "layer").includes(name);
}
// Returns the part of the time of all methods that events take, as the tables of operators and modules have it: the column share
// of an event is its part of its block.
function timeOfEvent(row) {
    return typeof row.share === "number" ? row.typical * row.run_count : 0;
}
let timesOfEvents = null, timeOfAll = 0;
function shareOf(events) {
    const sum = rows => rows.reduce((total, row) => total + (row[rowNumber] === undefined ? timeOfEvent(row) : timesOfEvents[row[rowNumber]]), 0);
    timesOfEvents = timesOfEvents || Float64Array.from(eventRows(), timeOfEvent);
    timeOfAll = timeOfAll || sum(eventRows());
    return timeOfAll > 0 ? sum(events) / timeOfAll : 0;
}
// Shows the number of operators that the search of the page finds.
function tellFound({shown, rows, problems}, grouping) {
    const search = document.getElementById("search"), count = document.getElementById("found"), nests = grouping.view === "tree";
    const found = (shown.length === rows.length ? countText(rows.length) : countText(shown.length) + " of " + countText(rows.length)) + " " + grouping.title;
    const sum = () => grouping.view === "events" ? shareOf(shown) : shown.reduce((total, row) => total + (row.share || 0), 0);
    if (search.value.trim() === "") // the number of all rows would say nothing beside the tabs
        count.replaceChildren();
    else
        count.replaceChildren(found + (shown.length < rows.length && !nests ? ", " + shareText(sum()) + " of the time" : ""), ...problems.map(text => el("span", {class: "warning"}, "; ", nameOf(text, 100))));
    search.setAttribute("aria-invalid", problems.length > 0);
}
// Searches the events without the table until it is built.
let isOperatorsBuilt = false;
onSearch(query => {
    if (isOperatorsBuilt || !hasEvents())
        return;
    const rows = eventRows(), problems = [], test = query ? parseQuery(query, eventColumns(), columnNames, problems) : null;
    tellFound({rows, shown: test ? rows.filter(test) : rows, problems}, groupings.event);
});
// Searches once in idle time, so that texts and times are ready for the first keystroke.
function prepareEvents() {
    if (hasEvents())
        shareOf(eventRows().filter(parseQuery("a", eventColumns(), columnNames, [])));
}
// Shows the events that a search finds; showGroup() shows the rows of a grouping.
function filterOperators(query) {
    buildTabOf("operators");
    actions.filterOperators(query);
}
function showGroup(name) {
    buildTabOf("operators");
    actions.showGroup(name);
}
function buildOperators(box) {
    const search = document.getElementById("search");
    const choice = el("select", {"aria-label": "Rows"});
    const columnMenu = el("div");
    const place = el("div");
    const copy = el("button", {type: "button", title: "Copy the shown rows as tab-separated values with all digits"}, "Copy");
    let table, grouping, columns;

    for (const [name, it] of Object.entries(groupings)) {
        if (countOf(it.view, it.table) > 0)
            choice.append(el("option", {value: name}, "by " + name));
    }
    const tellCount = () => tellFound(table.state, grouping);
    function chooseColumns(names) {
        table.state.columns = inOrder(names);
        table.update();
        tellCount();
    }
    // Orders columns: the method, those of a grouping as it lists them, then the others.
    function inOrder(names) {
        const place = name => name === "method" || name === "block" ? -1 : grouping.columns && grouping.columns.includes(name) ? grouping.columns.indexOf(name) : 100;
        return columns.filter(c => names.includes(c.name)).sort((a, b) => place(a.name) - place(b.name));
    }
    function fillMenu() {
        columnMenu.replaceChildren(...columns.map(column => {
            const check = el("input", {type: "checkbox", onchange: () => {
                const names = table.state.columns.map(c => c.name);
                chooseColumns(check.checked ? names.concat(column.name) : names.filter(name => name !== column.name));
            }});
            check.checked = table.state.columns.includes(column);
            return el("label", {title: column.help}, check, cut(headingOf(column), 60));
        }));
    }
    function show(name) {
        grouping = groupings[name];
        choice.value = name;
        const rows = rowsOf(grouping.view, grouping.table);
        const isEvents = name === "event";
        const all = isEvents ? eventColumns() : columnsOf(grouping.view, grouping.table);
        columns = all.filter(c => c.kind !== "series");
        const wanted = c => hasValues(grouping.view, grouping.table, c) && !isOfAllRuns(c, all);
        const names = isEvents ? grouping.columns.concat(columns.filter(c => c.isCounter).map(c => c.name), countOf("summary", "methods") > 1 ? "block" : []) : columns.filter(wanted).map(c => c.name);
        table = makeTable({columns, chosen: inOrder(names), query: search.value.trim(), rows, label: grouping.title, sort: {name: grouping.by, descending: true}, names: isEvents ? columnNames : {},
            wide: {__proto__: null, event_name: 18, op_type: 16, op: 16, layer: 18, kernel: 18, module: 18, source: 18, code: 22, file: 12},
            pick: isEvents ? row => select({op: eventRows().indexOf(row), section: null}) : row => filter(searchOf(grouping.find, row)),
            canPick: isEvents ? null : row => searchOf(grouping.find, row) !== null, isPicked: isEvents ? row => row === eventRows()[selection.op] : null});
        tellCount();
        fillMenu();
        place.replaceChildren(table.element);
    }
    function filter(query) {
        show("event");
        searchFor(query);
        goTo("operators");
    }
    actions.filterOperators = filter;
    actions.showGroup = name => {
        searchFor("");
        show(name);
        goTo("operators");
    };
    onSearch(query => {
        table.state.query = query;
        table.search();
        tellCount();
    });
    choice.addEventListener("change", () => {
        show(choice.value);
        searchFor("");
    });
    copy.addEventListener("click", () => copyText(table.tsv(), () => {
        copy.textContent = "Copied";
        setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    }));
    onSelect(chosen => {
        if (chosen.op !== null && grouping !== groupings.event)
            show("event");
        table.repaint();
        if (chosen.op === null)
            return;
        const at = table.find(row => row === eventRows()[chosen.op]);
        if (at >= 0)
            table.reveal(at);
    });
    isOperatorsBuilt = true;
    box.append(el("div", {class: "controls"}, choice, el("details", {class: "menu"}, el("summary", {}, "Columns"), columnMenu), copy), place,
        notesList(remarksOf("ops", "ops")) || "");
    show("event");
}

function hasOperatorsOfGraph() {
    return !data.tables.events && countOf("ops", "ops") > 0;
}
// Before a run there are no events: the table has the operators of the graph.
function buildOperatorsOfGraph(box) {
    box.append(viewTable("ops", "ops", null, {label: "operators", wide: {op: 18, backends: 14, lines: 18}}));
}

section({id: "operators", title: "Operators", has: () => hasEvents() || hasOperatorsOfGraph(), build: box => (hasEvents() ? buildOperators : buildOperatorsOfGraph)(box), searches: true});
