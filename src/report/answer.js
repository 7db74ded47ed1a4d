// answer.js - the first screen: how long a run takes and what takes it, the slowest layers as bars, and what to do. A click on a
// layer opens its facts. On the page of a comparison, the sentence is that of the comparison, and the layers are in a section.
const actionTitles = {__proto__: null, delegate: "Delegate more", copies: "Avoid copies between layouts", "delegate overhead": "Reduce delegate overhead",
    framework: "Run fewer operators", "first run": "Run once before serving", memory: "Lower the peak of memory", interruptions: "Measure without interruptions"};
const unsteadyNote = "* mean and typical time differ by more than half: runs were interrupted or have two speeds (runs shows which)";

function isRest(row) {
    return !row.kernel && /^\(\d+ more\)$/.test(row.layer);
}
// Returns the backend of a layer: that of its event with the most time, if the row has none.
function backendOfLayer(row) {
    const event = !row.backend && !row.layer.startsWith("(") ? eventRows().find(it => it.event_name === row.kernel || it.event_name === row.layer) : null;
    return event ? backendOfEvent(event) : row.backend || null;
}
function lineOf(source) {
    return source ? String(source).replace(/^.*[/\\]/, "") : "";
}
function layerName(row) {
    return withMethod(row, row.layer);
}
// Returns the parts of a text that may break after the dots of a module and the slashes of a path, but not in numbers.
function breakable(text, most) {
    return unbroken(text, most || 200).split(/(?<=[/_])|(?<=\.)(?=[^\d\s])|(?<=[^\d]\.)(?=\d)/).flatMap((part, i) => i === 0 ? [part] : [el("wbr"), part]);
}
// Keeps numbers and their units on one line.
function unbroken(text, most) {
    return cut(text, most).replace(/(\d) (?=(?:%|[nµm]?s|[KMG]?i?B|x)(?![\p{L}\d]))/gu, "$1\u00a0");
}
// Returns the events whose time a layer has.
function eventsOfLayer(row) {
    return eventRows().map((event, number) => ({event, number})).filter(({event}) => layerOf(event) === row.layer && (!row.method || isNamed(event.block, row.method, "block") || plainBlock(event.block) === row.method));
}

// ---- facts ----

function factOf(name, text, help) {
    return text === null || text === undefined || text === "" ? null : el("div", {}, el("dt", {title: help}, name), el("dd", {}, nameOf(text, 400)));
}
function showLayer(row) {
    const events = eventsOfLayer(row), query = searchOf("layer", row);
    const facts = columnsOf("summary", "layers").filter(column => column.name !== "layer" && column.name !== "method" && column.name !== "source" && column.name !== "total")
        .map(column => factOf(headingOf(column), inWords(column.name, cellText(column.kind, row[column.name])) + (column.mark && row[column.mark] ? column.markSign : ""), column.help));
    const links = events.slice(0, 12).map(({event, number}) => el("li", {}, el("button", {type: "button", class: "link", onclick: () => select({op: number, section: null})}, nameOf(event.event_name, 120)), " " + timeText(event.typical)));
    showPanel(layerName(row), [el("dl", {}, ...facts.concat(factOf("source", row.source)).filter(Boolean)),
        links.length > 0 && el("h3", {}, "Events"), links.length > 0 && el("ul", {class: "links"}, ...links, events.length > 12 ? el("li", {}, "and " + countText(events.length - 12) + " more") : null),
        query && el("p", {}, el("button", {type: "button", onclick: () => filterOperators(query)}, "Show in Operators"))]);
}

// ---- layers ----

function layerRow(row, form, most) {
    const bar = el("span", {class: "meter"}), fill = el("span"), kernel = row.kernel === row.layer ? "" : row.kernel, line = lineOf(row.source);
    fill.style.width = Math.max(0.4, 100 * row.share / most) + "%";
    fill.style.background = backendColour(backendOfLayer(row));
    bar.append(fill);
    const share = shareText(row.share) + (row.unsteady ? "*" : ""), time = fixed(row.typical * form.unit.factor, form.decimals) + " " + form.unit.name;
    const place = [kernel && el("span", {class: "kernel"}, ...breakable(kernel)), line && el("span", {}, ...breakable(line))].filter(Boolean);
    return el("li", {}, el("button", {type: "button", class: "layer", title: "Show the facts about this layer", onclick: () => showLayer(row)},
        el("span", {class: "label name"}, ...breakable(layerName(row))), bar, el("span", {class: "number"}, share), el("span", {class: "number"}, time),
        el("span", {class: "place name"}, ...place.flatMap((it, i) => i === 0 ? [it] : [" · ", it]))));
}
function restText(row, form) {
    return row.layer.slice(1, -1) + ": " + fixed(row.typical * form.unit.factor, form.decimals) + " " + form.unit.name + ", " + shareText(row.share) + (row.unsteady ? "*" : "");
}
function backendLegend(names) {
    return el("span", {class: "legend"}, ...[...new Set(names)].slice(0, 8).map(name => swatchOf(backendName(name), backendColour(name))));
}
function layerList(rows) {
    const named = rows.filter(row => !isRest(row)), rest = rows.find(isRest), times = named.map(row => row.typical).sort((a, b) => a - b);
    const unit = unitFor(times[times.length >> 1]), form = {unit: times[times.length - 1] * unit.factor >= 1e5 ? unitFor(times[times.length - 1] / 100) : unit, decimals: 1};
    const isOfKernels = named.every(row => row.kernel === row.layer || /^\(/.test(row.layer)) && (Boolean(data.absent.tree) || named.some(row => row.kernel === row.layer)), most = named.reduce((sum, row) => Math.max(sum, row.share), 0) || 1;
    const more = rest && (hasEvents() ? el("button", {type: "button", class: "link", onclick: () => showGroup(data.tables.layers ? "layer" : "event")}, restText(rest, form)) : restText(rest, form));
    return [el("div", {class: "over"}, el("h2", {}, isOfKernels ? "Kernels" : "Layers"), backendLegend(named.map(backendOfLayer))),
        el("ol", {class: "layers"}, ...named.map(row => layerRow(row, form, most))), more && el("p", {class: "quiet"}, more),
        rows.some(row => row.unsteady) && el("p", {class: "quiet"}, unsteadyNote),
        isOfKernels && data.absent.tree && el("p", {class: "quiet"}, "Add the ETRecord to see layers and lines.")].filter(Boolean);
}

// ---- what to do ----

function actionItem(row) {
    const at = row.text.lastIndexOf(" Saves at most "), text = at < 0 ? row.text : row.text.slice(0, at), bound = at < 0 ? "" : row.text.slice(at + 1);
    return el("li", {}, actionTitles[row.action] ? el("b", {}, actionTitles[row.action]) : null, el("span", {class: "name"}, ...breakable(text, 600)), bound && el("span", {class: "bound"}, unbroken(bound, 200)));
}
function actionList() {
    const rows = rowsOf("summary", "actions");
    return [el("h2", {}, "What to do"), rows.length > 0 ? el("ol", {class: "actions"}, ...rows.map(actionItem)) : el("p", {class: "quiet"}, "No single change is known to save 3 % of the time or more.")];
}

// ---- the sentence ----

// Returns the sentences of the headlines, each of a method; a method's first one is about its runs.
function sentencesOf(row) {
    const told = remarksOf("summary", "headline").find(text => row.text.startsWith(text + " "));
    return told ? [told, row.text.slice(told.length + 1)] : [row.text];
}
// Makes a sentence of the title; the layers that may be slower than the first, and remarks, are in smaller letters.
function titleLine(text) {
    const at = text.search(/ (Too close to tell: |Up to [\d.]+ % of the delegate overhead |Mixed methods: )/), line = told => el("span", {class: "name"}, ...breakable(told, 400));
    return at < 0 ? [line(text)] : [line(text.slice(0, at)), el("small", {}, line(text.slice(at + 1)))];
}
function buildHeadline() {
    const title = document.getElementById("headline"), heads = rowsOf("summary", "headline"), answer = hasComparison() || comparedTables().length > 0 ? answerOf() : null;
    const of = document.querySelector(".of"), below = el("p", {class: "quiet"});
    if (answer) {
        title.replaceChildren(el("span", {class: "name"}, ...breakable(answer, 500)));
        title.className = comparisonMark();
    } else if (heads.length > 0) {
        title.replaceChildren(...sentencesOf(heads[0]).flatMap((text, i) => i === 0 ? titleLine(text) : [el("br"), ...titleLine(text)]));
        heads.slice(1).reverse().forEach(row => title.after(el("p", {class: "lead name"}, ...breakable(row.text, 600))));
    } else
        of.hidden = true;
    if (!answer && heads.length === 1 && !heads[0].text.includes(" without interruptions"))
        below.append("All parts together: " + unbroken(timeText(heads[0].typical), 40) + " of typical time. ");
    const warnings = data.notes.filter(note => note.kind === "warning").length;
    if (warnings > 0)
        below.append(el("button", {type: "button", class: "link warning", onclick: () => goTo("overview")}, warnings === 1 ? "1 warning: see Facts" : warnings + " warnings: see Facts"));
    if (title.textContent.length > 160) // names without end leave room for the rest of the first screen
        title.classList.add("long");
    if (below.childNodes.length > 0)
        document.getElementById("fold").append(below);
}
function hasLayers() {
    return countOf("summary", "layers") > 0;
}
function buildLayers(box) {
    box.append(el("div", {class: "answer-grid"}, el("div", {}, ...layerList(rowsOf("summary", "layers"))), el("div", {}, ...actionList())));
}
function buildFold() {
    buildHeadline();
    if (hasLayers() && comparedTables().length === 0)
        buildLayers(document.getElementById("fold"));
}

section({id: "slowest", title: "Slowest layers", has: () => hasLayers() && comparedTables().length > 0, build: buildLayers});
