// graph.js - the drawing of the graph: boxes and lines where layout.c put them, coloured by cost. Modules stand for
// their operators down to a depth; Enter opens a module.
const heatColour = [255, 90, 54];
const mostLoss = 150; // dB
const mostToRead = 90; // boxes of the drawing that is shown first
const graphScale = {least: 0.05, most: 3, text: 0.42}; // from `text` on labels can be read
const graphLabel = "Graph of the model from inputs to outputs; the table below has the same nodes";

// Reads a drawing of the data, and indexes what is looked up often: boxes, links between stops, users and inputs of a box.
function readLayout(layout, rows) {
    const {nodes, points, lines, layers} = layout, n = nodes.row.length;
    const x = nodes.x.concat(points.x), layer = nodes.layer.concat(points.layer);
    const boxes = nodes.row.map((first, i) => {
        const members = nodes.members ? nodes.members[i] : [first], row = rows[first];
        const module = nodes.module ? nodes.module[i] : null;
        const drop = nodes.drop ? nodes.drop[i] : row.snr_drop;
        const backend = members.every(member => rows[member].backend === row.backend) ? row.backend : null;
        return {number: i, row, members, module, backend, label: module || (row.op && row.op !== "(input)" ? row.op : row.node) || "",
            isInput: row.op === "(input)", typical: nodes.typical && module ? nodes.typical[i] : row.typical,
            share: nodes.share && module ? nodes.share[i] : row.share, drop, x: x[i] - nodes.width[i] / 2, y: layers.y[layer[i]],
            width: nodes.width[i], height: layers.height[layer[i]], layer: layer[i], above: [], below: []};
    });
    const links = [];
    const topOf = stop => layers.y[layer[stop]];
    const bottomOf = stop => layers.y[layer[stop]] + layers.height[layer[stop]];
    const connect = (upper, lower, line) => links.push({x1: x[upper], y1: bottomOf(upper), x2: x[lower], y2: topOf(lower), line});
    points.above.forEach((upper, i) => {
        connect(upper, n + i, null);
        links.push({x1: points.x[i], y1: topOf(n + i), x2: points.x[i], y2: bottomOf(n + i), line: null});
    });
    lines.from.forEach((from, i) => {
        const to = lines.to[i], isUpwards = from > to;
        connect(lines.above[i], isUpwards ? from : to, {isUpwards});
        boxes[from].below.push(to);
        boxes[to].above.push(from);
    });
    const byX = (a, b) => boxes[a].x - boxes[b].x;
    boxes.forEach(box => box.above.sort(byX) && box.below.sort(byX));
    const boxOf = new Map();
    boxes.forEach(box => box.members.forEach(member => boxOf.set(member, box)));
    const largest = boxes.reduce((most, box) => Math.max(most, box.typical || 0), 0);
    return {layout, boxes, links, points, lines, boxOf, largest, x, topOf, bottomOf};
}

// Returns the path of an edge's line, from its lower end, as pairs of stops.
function pathOf(graph, line) {
    const {lines, points} = graph, n = graph.boxes.length;
    const pairs = [];
    let lower = lines.from[line] > lines.to[line] ? lines.from[line] : lines.to[line];
    for (let upper = lines.above[line]; ; upper = points.above[upper - n]) {
        pairs.push([upper, lower]);
        if (upper < n)
            return pairs;
        lower = upper;
    }
}

function boxFacts(box) {
    const facts = [];
    if (box.members.length > 1 || box.module)
        facts.push(box.members.length + (box.members.length === 1 ? " operator" : " operators"));
    if (typeof box.typical === "number" && box.typical > 0)
        facts.push(timeText(box.typical) + " · " + shareText(box.share));
    else if (!box.module && box.row.shape)
        facts.push(box.row.shape);
    return facts.join(" · ");
}
// Returns the change of the events in a box.
function boxChange(g, box) {
    if (box.changedIn !== shownDiff) {
        const members = new Set(box.members);
        box.changed = changeOfEvents(g.events.map((node, i) => members.has(node) ? i : -1).filter(i => i >= 0));
        box.changedIn = shownDiff;
    }
    return box.changed;
}
function heatOf(graph, box, by) {
    const value = {typical: (box.typical || 0) / (graph.largest || 1), share: box.share || 0, drop: (box.drop || 0) / mostLoss}[by];
    return Math.max(0, Math.min(1, value || 0));
}
// Returns black or white, whichever is more readable on a colour.
function inkOn(rgb) {
    const [r, g, b] = rgb.map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}
function rgbOf(name) {
    return (colour(name).match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).map(Number);
}

// ---- where things are ----

// A drawing on the page, `g` below: {rows, drawn, graph, view, picked, found, heat, state, ...}.
// Returns the width of the drawing; in a tab that is not shown, the last one.
function graphWidth(g) {
    return g.state.canvas.clientWidth || g.width || 800;
}
function fitGraph(g) {
    const {width, height} = g.graph.layout, seen = graphWidth(g);
    const scale = Math.max(graphScale.least, Math.min(1.25, (seen - 32) / width, (g.state.height - 32) / height));
    g.view = {scale, x: width / 2 - seen / 2 / scale, y: height / 2 - g.state.height / 2 / scale};
    g.isFitted = true;
    g.state.change();
}
// Shows the beginning of a graph that is too large to be read as a whole.
function showGraphStart(g) {
    const {width} = g.graph.layout, seen = graphWidth(g);
    fitGraph(g);
    if (g.view.scale >= 0.7)
        return;
    const scale = Math.max(0.62, Math.min(1, (seen - 32) / width)), first = g.graph.boxes[0];
    g.view = {scale, x: width / 2 - seen / 2 / scale, y: -16 / scale};
    if (width * scale > seen - 32)
        g.view.x = Math.max(-16 / scale, Math.min(width + (16 - seen) / scale, first.x + first.width / 2 - seen / 2 / scale));
    g.isFitted = false;
}
function zoomGraph(g, by, x, y) {
    const {view} = g, scale = Math.max(graphScale.least, Math.min(graphScale.most, view.scale * by));
    g.view = {scale, x: view.x + x / view.scale - x / scale, y: view.y + y / view.scale - y / scale};
    g.isFitted = false;
    g.state.change();
}
function moveGraph(g, dx, dy) {
    g.view.x += dx / g.view.scale;
    g.view.y += dy / g.view.scale;
    g.isFitted = false;
    g.state.change();
}
function revealBox(g, box) {
    const {view} = g, width = graphWidth(g), {height} = g.state;
    const left = (box.x - view.x) * view.scale, top = (box.y - view.y) * view.scale;
    if (left < 8 || left + box.width * view.scale > width - 8)
        view.x = box.x + box.width / 2 - width / 2 / view.scale;
    if (top < 8 || top + box.height * view.scale > height - 8)
        view.y = box.y + box.height / 2 - height / 2 / view.scale;
    g.state.change();
}
function boxAt(g, x, y) {
    const gx = g.view.x + x / g.view.scale, gy = g.view.y + y / g.view.scale;
    return g.graph.boxes.find(box => gx >= box.x && gx <= box.x + box.width && gy >= box.y && gy <= box.y + box.height) || null;
}

// ---- drawing ----

function traceLink(pen, x1, y1, x2, y2) {
    const middle = (y1 + y2) / 2;
    pen.moveTo(x1, y1);
    if (x1 === x2)
        pen.lineTo(x2, y2);
    else
        pen.bezierCurveTo(x1, middle, x2, middle, x2, y2);
}
function traceHead(pen, x, y, size, isUpwards) {
    const back = isUpwards ? y + size : y - size;
    pen.moveTo(x, y);
    pen.lineTo(x - size * 0.6, back);
    pen.lineTo(x + size * 0.6, back);
    pen.closePath();
}
function drawLinks(g, pen, bottom) {
    const seen = g.graph.links.filter(link => link.y2 >= g.view.y && link.y1 <= bottom);
    pen.strokeStyle = colour("quiet");
    pen.fillStyle = pen.strokeStyle;
    pen.lineWidth = Math.max(1, 0.7 / g.view.scale);
    pen.globalAlpha = 0.75;
    pen.beginPath();
    seen.forEach(link => traceLink(pen, link.x1, link.y1, link.x2, link.y2));
    pen.stroke();
    if (g.view.scale >= graphScale.text) {
        pen.beginPath();
        for (const {line, x1, y1, x2, y2} of seen) {
            if (line)
                traceHead(pen, line.isUpwards ? x1 : x2, line.isUpwards ? y1 : y2, 6, line.isUpwards);
        }
        pen.fill();
    }
    pen.globalAlpha = 1;
}
// Draws the lines of the picked box again, thicker.
function drawPickedLinks(g, pen) {
    const {lines, x, topOf, bottomOf} = g.graph;
    pen.strokeStyle = colour("accent");
    pen.fillStyle = pen.strokeStyle;
    pen.lineWidth = Math.max(2, 1.5 / g.view.scale);
    for (let i = 0; g.picked && i < lines.from.length; i++) {
        if (lines.from[i] !== g.picked.number && lines.to[i] !== g.picked.number)
            continue;
        const pairs = pathOf(g.graph, i), lower = pairs[0][1], upper = pairs[pairs.length - 1][0];
        pen.beginPath();
        pairs.forEach(([above, below]) => {
            traceLink(pen, x[above], bottomOf(above), x[below], topOf(below));
            if (below !== lower)
                traceLink(pen, x[below], topOf(below), x[below], bottomOf(below));
        });
        pen.stroke();
        const isUpwards = lines.from[i] > lines.to[i];
        pen.beginPath();
        traceHead(pen, x[isUpwards ? upper : lower], isUpwards ? bottomOf(upper) : topOf(lower), 9, isUpwards);
        pen.fill();
    }
}
function drawBox(g, pen, box, colours) {
    const radius = box.isInput ? box.height / 2 : 5, share = heatOf(g.graph, box, g.heat);
    const changed = g.heat === "change" ? boxChange(g, box) : null;
    const fill = changed ? changeColour(colours.box, changed.change) : colours.box.map((c, i) => Math.round(c + (heatColour[i] - c) * share));
    const sheet = (x, y, width, corners, style) => {
        pen.fillStyle = style;
        pen.beginPath();
        pen.roundRect(x, y, width, box.height, corners);
        pen.fill();
        pen.stroke();
    };
    pen.lineWidth = Math.max(1, 0.7 / g.view.scale);
    pen.strokeStyle = colours.border;
    if (box.module) // a second sheet below, because the box stands for several nodes
        sheet(box.x + 4, box.y + 4, box.width, radius, colours.sheet);
    sheet(box.x, box.y, box.width, radius, "rgb(" + fill.join(" ") + ")");
    if (box.backend)
        sheet(box.x, box.y, 6, [radius, 0, 0, radius], backendColour(box.backend));
    if (g.view.scale < graphScale.text)
        return;
    const left = box.x + 14, width = box.width - 22;
    const facts = changed && changed.mark ? changeSign(changed.mark) + changeText(changed.change) + " · " + boxFacts(box) : boxFacts(box);
    pen.fillStyle = inkOn(fill);
    pen.font = "600 12px system-ui, sans-serif";
    pen.fillText(fitText(pen, box.label, width), left, box.y + (facts ? 17 : box.height / 2 + 4));
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(fitText(pen, facts, width), left, box.y + 32);
}
// Draws a frame around a box that is picked or found.
function drawFrame(g, pen, box) {
    const isPicked = box === g.picked;
    setLine(pen, "accent", Math.max(isPicked ? 3 : 2, 2 / g.view.scale));
    pen.setLineDash(isPicked ? [] : [6, 4]);
    pen.beginPath();
    pen.roundRect(box.x - 3, box.y - 3, box.width + 6, box.height + 6, box.isInput ? box.height / 2 + 3 : 8);
    pen.stroke();
    pen.setLineDash([]);
}
function drawGraph(g, pen, width, height) {
    if (!g.width)
        showGraphStart(g);
    else if (g.isFitted && width !== g.width)
        fitGraph(g);
    g.width = width;
    const {view} = g, bottom = view.y + height / view.scale, right = view.x + width / view.scale;
    const colours = {box: rgbOf("paper"), sheet: colour("card"), border: colour("quiet")};
    pen.scale(view.scale, view.scale);
    pen.translate(-view.x, -view.y);
    drawLinks(g, pen, bottom);
    drawPickedLinks(g, pen);
    const found = new Set(g.found);
    for (const box of g.graph.boxes) {
        if (box.y + box.height + 8 < view.y || box.y > bottom || box.x + box.width + 8 < view.x || box.x > right)
            continue;
        drawBox(g, pen, box, colours);
        if (box === g.picked || found.has(box))
            drawFrame(g, pen, box);
    }
}
function tellBox(g, x, y) {
    const box = g.dragged ? null : boxAt(g, x, y);
    if (!box)
        return null;
    const {row} = box;
    const place = box.module ? [] : [row.node, row.module, row.shape && (row.dtype || "") + " " + row.shape, row.backend];
    return [box.label, ...place, boxFacts(box)].filter((text, i, all) => text && all.indexOf(text) === i).join("\n");
}

// ---- choosing ----

function neighboursOf(g, title, numbers) {
    const linkTo = number => el("button", {type: "button", onclick: () => pickBox(g, g.graph.boxes[number], true)}, nameOf(g.graph.boxes[number].label, 60));
    return numbers.length > 0 && el("p", {class: "controls"}, el("span", {class: "quiet"}, title), ...numbers.slice(0, 12).map(linkTo),
        numbers.length > 12 ? el("span", {class: "quiet"}, "and " + (numbers.length - 12) + " more") : null);
}
function showDetail(g) {
    const {picked, detail} = g, facts = [];
    const add = (name, text) => text !== null && text !== undefined && text !== "" &&
        facts.push(el("div", {}, el("dt", {}, name), el("dd", {}, nameOf(text, 300))));
    detail.hidden = !picked;
    if (!picked)
        return;
    if (picked.module) {
        add("operators", picked.members.length);
        add("typical", typeof picked.typical === "number" ? timeText(picked.typical) : null);
        add("share", typeof picked.share === "number" ? shareText(picked.share) : null);
    } else {
        columnsOf("graph", "nodes").filter(c => c.name !== "inputs").forEach(c => add(c.name.replace(/_/g, " "), cellText(c.kind, picked.row[c.name])));
    }
    const opener = picked.module && el("p", {}, el("button", {type: "button", onclick: () => openModule(g)}, "Show the contents"));
    detail.replaceChildren(...[el("h3", {}, nameOf(picked.label, 200)), el("dl", {}, ...facts), neighboursOf(g, "takes", picked.above),
        neighboursOf(g, "is used by", picked.below), opener].filter(Boolean));
}
// Chooses a box. With `isShared`, the other sections follow if an event belongs to its operator alone.
function pickBox(g, box, isShared) {
    g.picked = box;
    if (box)
        revealBox(g, box);
    showDetail(g);
    g.state.change();
    if (!isShared)
        return;
    const event = box && !box.module ? g.events.indexOf(box.members[0]) : -1;
    g.isSelecting = panelState.isQuiet = true;
    select({op: event >= 0 ? event : null});
    g.isSelecting = panelState.isQuiet = false;
    say(box ? box.label + ", " + (boxFacts(box) || "no time of its own") : "nothing chosen");
}
// Shows the members of a module, a level deeper.
function openModule(g) {
    const at = g.drawn.indexOf(g.graph.layout), module = g.picked;
    if (!module || !module.module || at + 1 >= g.drawn.length)
        return;
    showDepth(g, at + 1);
    const scale = Math.max(g.view.scale, 0.8), box = g.graph.boxOf.get(module.members[0]);
    g.view = {scale, x: box.x + box.width / 2 - graphWidth(g) / 2 / scale, y: box.y - 40 / scale};
    g.isFitted = false;
    pickBox(g, box, true);
    g.state.canvas.focus({preventScroll: true});
}
// Finds the boxes that the search of the page means, unless it names a column of other tables; `by` 1 and -1 move to the next
// and the previous one.
function findBoxes(g, by) {
    const problems = [], test = parseQuery(g.query, g.columns, {layer: "module", kernel: "node"}, problems), isSearch = g.query !== "" && problems.length === 0;
    g.found = isSearch ? g.graph.boxes.filter(box => box.members.some(member => test(g.rows[member]))) : [];
    g.at = by === 0 ? 0 : (g.at + by + g.found.length) % (g.found.length || 1);
    g.count.textContent = !isSearch ? "" : g.found.length === 0 ? "no box has what is searched" : (g.at + 1) + " of " + g.found.length + " boxes found";
    g.next.hidden = g.found.length < 2;
    if (g.found.length > 0 && by === 0)
        revealBox(g, g.found[0]);
    else if (g.found.length > 0)
        pickBox(g, g.found[g.at], true);
    g.state.change();
}
function showLegend(g) {
    const {rest_typical: rest, rest_share: share, method, other_typical: other, other_share: otherShare} = g.graph.layout;
    const backends = [...new Set(g.rows.map(row => row.backend).filter(Boolean))].slice(0, 4);
    const most = {typical: timeText(g.graph.largest), share: "100 %", drop: mostLoss + " dB"}[g.heat];
    g.legend.replaceChildren(...[
        method && nameOf("method " + method, 100),
        g.heat === "change" && swatchOf("slower ▲", "rgb(" + changeColours.slower.join(" ") + ")"),
        g.heat === "change" && swatchOf("faster ▼: full colour at half or twice the time; no colour: noise, or not compared", "rgb(" + changeColours.faster.join(" ") + ")"),
        most && swatchOf("more colour means more: full colour at " + most, "rgb(" + heatColour.join(" ") + ")"),
        g.rows.some(row => row.typical > 0) && el("span", {}, "times are of a typical run"),
        ...backends.map(name => swatchOf("taken by " + backendName(name), backendColour(name))),
        other > 0 && el("span", {}, timeText(other) + " (" + shareText(otherShare) + ") are of other methods: --method"),
        rest > 0 && el("span", {}, timeText(rest) + " (" + shareText(share) + ") belong to no single box: common to several nodes, or to none"),
    ].filter(Boolean));
}
function showDepth(g, number) {
    const before = g.picked;
    g.graph = readLayout(g.drawn[number], g.rows);
    g.depths.value = String(number);
    g.picked = before ? g.graph.boxOf.get(before.members[0]) || null : null;
    g.state.canvas.setAttribute("aria-label", graphLabel + ": " + g.graph.boxes.length + " boxes, " + g.graph.lines.from.length + " edges");
    findBoxes(g, 0);
    showGraphStart(g);
    showDetail(g);
    showLegend(g);
    if (g.picked)
        revealBox(g, g.picked);
}

// ---- keys and pointers ----

// Returns the box that an arrow key leads to: along the shortest edge, or beside the current box.
function nextBox(g, key) {
    const {picked} = g, {boxes} = g.graph;
    if (!picked)
        return boxes[0];
    if (key === "ArrowDown" || key === "ArrowUp") {
        const next = (key === "ArrowDown" ? picked.below : picked.above).map(number => boxes[number]);
        const distance = box => Math.abs(box.layer - picked.layer);
        const least = next.reduce((found, box) => Math.min(found, distance(box)), Infinity);
        const nearest = next.filter(box => distance(box) === least);
        return nearest[nearest.length >> 1];
    }
    const beside = boxes.filter(box => box.layer === picked.layer).sort((a, b) => a.x - b.x);
    return beside[beside.indexOf(picked) + (key === "ArrowRight" ? 1 : -1)];
}
function zoomMiddle(g, by) {
    zoomGraph(g, by, graphWidth(g) / 2, g.state.height / 2);
}
function takeGraphKey(g, event) {
    const act = {"+": () => zoomMiddle(g, 1.3), "=": () => zoomMiddle(g, 1.3), "-": () => zoomMiddle(g, 1 / 1.3), "0": () => fitGraph(g),
        "Enter": () => openModule(g), "Home": () => pickBox(g, g.graph.boxes[0], true)}[event.key];
    const arrow = {ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80]}[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!act && !arrow))
        return;
    event.preventDefault();
    if (act)
        act();
    else if (event.shiftKey)
        moveGraph(g, ...arrow);
    else if (nextBox(g, event.key))
        pickBox(g, nextBox(g, event.key), true);
}
function takeGraphPointers(g) {
    const {canvas} = g.state;
    canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && document.activeElement !== canvas)
            return;
        event.preventDefault();
        zoomGraph(g, Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
        if (event.button !== 0)
            return;
        g.dragged = {x: event.clientX, y: event.clientY, moved: 0};
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
        if (!g.dragged)
            return;
        const dx = event.clientX - g.dragged.x, dy = event.clientY - g.dragged.y;
        g.dragged = {x: event.clientX, y: event.clientY, moved: g.dragged.moved + Math.abs(dx) + Math.abs(dy)};
        if (g.dragged.moved < 4)
            return;
        canvas.style.cursor = "grabbing";
        moveGraph(g, -dx, -dy);
    });
    const release = event => {
        const isClick = event.type === "pointerup" && g.dragged && g.dragged.moved < 4;
        g.dragged = null;
        canvas.style.cursor = "grab";
        if (isClick)
            pickBox(g, boxAt(g, event.offsetX, event.offsetY), true);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("dblclick", () => openModule(g));
    // A finger scrolls the page until the drawing has been touched.
    canvas.addEventListener("focus", () => { canvas.style.touchAction = "none"; });
    canvas.addEventListener("blur", () => { canvas.style.touchAction = ""; });
    canvas.style.cursor = "grab";
}

// ---- the section ----

function graphHeats(g) {
    const hasTimes = g.rows.some(row => row.typical > 0), hasLoss = g.rows.some(row => typeof row.snr_drop === "number");
    const all = [hasComparison() && ["change", "Colour: change"], hasTimes && ["typical", "Colour: time, relative to the largest"], hasTimes && ["share", "Colour: share of the time"],
        hasLoss && ["drop", "Colour: snr drop"]].filter(Boolean);
    const heats = el("select", {"aria-label": "Colour by", onchange: () => {
        g.heat = heats.value;
        g.state.change();
        showLegend(g);
    }}, ...all.map(([value, text]) => el("option", {value}, text)));
    g.heat = all.length > 0 ? all[0][0] : null;
    return all.length > 1 ? heats : null;
}
function graphControls(g) {
    const nameOfDepth = layout => (layout.depth === 0 ? "All operators" : "Modules, depth " + layout.depth) + " (" + layout.nodes.row.length + ")";
    const button = (text, help, act) => el("button", {type: "button", title: help, "aria-label": help, onclick: act}, text);
    g.depths = el("select", {"aria-label": "Depth", onchange: () => showDepth(g, Number(g.depths.value))},
        ...g.drawn.map((layout, i) => el("option", {value: String(i)}, nameOfDepth(layout))));
    g.count = el("output", {class: "count"});
    g.next = button("Next", "Next box that the search found", () => findBoxes(g, 1));
    return el("div", {class: "controls"}, g.depths, graphHeats(g), el("span", {class: "tools"},
        button("−", "Zoom out", () => zoomMiddle(g, 1 / 1.3)), button("+", "Zoom in", () => zoomMiddle(g, 1.3)),
        button("Fit", "Fit the whole graph", () => fitGraph(g))), g.count, g.next);
}
function graphTable() {
    const table = el("details", {}, el("summary", {}, "Nodes as a table"));
    table.addEventListener("toggle", () => {
        if (table.open && table.children.length === 1)
            table.append(viewTable("graph", "nodes", null, {label: "nodes of the graph", wide: {node: 16, op: 14, module: 14, source: 16}}));
    });
    return table;
}
function buildGraph(box) {
    const rows = rowsOf("graph", "nodes"), drawn = data.layouts.filter(layout => layout.nodes);
    // rows of nodes, by the rows of the events that belong to that node alone
    const nodesOf = new Map((data.event_nodes || []).map(({block, nodes}) => [block, nodes]));
    const g = {rows, drawn, events: rowsOf("events", "events").map(event => (nodesOf.get(event.block) || [])[event.event]), query: "", columns: columnsOf("graph", "nodes"),
        view: {x: 0, y: 0, scale: 1}, picked: null, found: [], at: 0, dragged: null, detail: el("div", {class: "detail", hidden: true}),
        legend: el("p", {class: "legend"})};
    g.state = drawing(graphLabel, innerWidth < 640 ? 440 : 600, (...of) => drawGraph(g, ...of), (x, y) => tellBox(g, x, y));
    g.state.canvas.addEventListener("keydown", event => takeGraphKey(g, event));
    takeGraphPointers(g);
    const reasons = data.layouts.filter(layout => layout.reason)
        .map(layout => (layout.depth === 0 ? "All operators: " : "Depth " + layout.depth + ": ") + layout.reason);
    box.append(...[graphControls(g), g.state.canvas, g.legend, g.detail, notesList(reasons.concat(remarksOf("graph", "nodes"))), graphTable()]
        .filter(Boolean));
    const first = drawn.reduce((found, layout, i) => layout.nodes.row.length <= mostToRead ? i : found, 0);
    showDepth(g, first);
    actions.nextFound = by => findBoxes(g, by);
    onSearch(query => {
        g.query = query;
        findBoxes(g, 0);
    });
    onSelect(({op}) => {
        if (!g.isSelecting && op !== null && typeof g.events[op] === "number")
            pickBox(g, g.graph.boxOf.get(g.events[op]) || null, false);
    });
    keys.push(["arrows", "in the graph: follow edges; with Shift, move the drawing"], ["+ − 0", "in the graph: zoom, show all of it"],
        ["Enter", "in the graph: show the contents of a module"]);
}

section({
    id: "graph",
    title: "Graph",
    has: () => Array.isArray(data.layouts) && data.layouts.some(layout => layout.nodes),
    build: buildGraph,
    searches: true,
});
