// modules.js - an icicle chart of the time: modules inside modules, lines in files, or operators.
function moduleTree() {
    const root = {name: "all", share: 0, children: []};
    const path = [root];
    for (const row of rowsOf("tree", "modules")) {
        const node = {name: row.module, method: row.method, test: event => event.module === row.module, type: row.type, share: row.share || 0, self: row.self_share || 0, time: row.typical, children: [],
            query: searchOf("module", row)};
        path.length = Math.min(path.length, row.level + 1);
        path[path.length - 1].children.push(node);
        path.push(node);
    }
    return root;
}
// Returns the tree of a table whose rows have the events with the same value in `column`.
function flatTree(view, table, name, column) {
    const nodeOf = row => ({name: String(row[name]), method: row.method, share: row.share || 0, self: row.share || 0, time: row.typical, children: [],
        get query() { return searchOf(name, row); }, test: event => event[column] === row[name]});
    return {has: () => hasTimes(view, table), make: () => ({name: "all", children: rowsOf(view, table).map(nodeOf)})};
}
function lineTree() {
    const root = {name: "all", children: []}, files = new Map();
    for (const row of rowsOf("source", "lines")) {
        if (!row.share)
            continue;
        const key = row.method + "\n" + row.file;
        if (!files.has(key)) {
            files.set(key, {name: row.file, method: row.method, share: 0, self: 0, children: [], query: row.path ? inMethod("source:" + quoted(row.path), row) : searchOf("source", row)});
            root.children.push(files.get(key));
        }
        const file = files.get(key);
        file.share += row.share;
        if (row.line)
            file.children.push({method: row.method, name: "line " + row.line + (row.code ? ": " + row.code : ""), share: row.share, self: row.share, time: row.typical, children: [],
                query: searchOf("source", row), test: event => event.source === row.path + ":" + row.line});
    }
    return root;
}
// Puts methods above their parts if there are several.
function byMethod(root) {
    const methods = [...new Set(root.children.map(node => node.method))];
    if (methods.length > 1)
        root.children = methods.map(name => {
            const children = root.children.filter(node => node.method === name);
            return {name: name || "", share: children.reduce((sum, child) => sum + child.share, 0), self: 0, children};
        });
    return root;
}
const trees = {
    module: {has: () => hasTimes("tree", "modules"), make: moduleTree},
    "source file": {has: () => hasTimes("source", "lines"), make: lineTree},
    operator: flatTree("ops", "ops", "op", "op_type"),
    backend: flatTree("delegates", "backends", "backend", "delegate_backend_name"),
};

// Returns the change of a part: of its own events and those of all parts inside.
function changeOfPart(node, events) {
    if (node.changedIn !== shownDiff) {
        const numbers = [];
        const collect = part => {
            events.forEach((event, i) => part.test && part.test(event) && (!part.method || isNamed(event.block, part.method, "block")) && numbers.push(i));
            part.children.forEach(collect);
        };
        collect(node);
        node.changed = changeOfEvents(new Set(numbers));
        node.changedIn = shownDiff;
    }
    return node.changed;
}

function buildModules(box) {
    const high = 26;
    let root, zoomed, chosen = null, rectangles = [];
    const choice = el("select", {"aria-label": "Shown by"}, ...Object.keys(trees).filter(name => trees[name].has()).map(name => el("option", {}, name)));
    const paint = el("select", {"aria-label": "Colours"}, el("option", {value: "change"}, "colours: change"), el("option", {value: "kind"}, "colours: kind"));
    paint.hidden = !hasComparison();
    const back = el("button", {type: "button", disabled: true}, "Back");
    const told = el("output", {class: "count"});

    // Returns the share of a node, at least that of its children, which may have been folded or rounded.
    function sumOf(node) {
        return Math.max(node.children.reduce((sum, child) => sum + child.share, 0), node.share || 0) || 1;
    }
    function depthOf(node) {
        return 1 + node.children.reduce((most, child) => Math.max(most, depthOf(child)), 0);
    }
    function place(node, x, width, level) {
        const whole = sumOf(node);
        for (const child of node.children) {
            const wide = width * child.share / whole;
            if (wide >= 0.5) {
                rectangles.push({node: child, parent: node, x, width: wide, level});
                place(child, x, wide, level + 1);
            }
            x += wide;
        }
        if (level > 0 && node.children.length > 0 && node.self / whole * width >= 4)
            rectangles.push({node, parent: node, isRest: true, x, width: width * Math.min(1, node.self / whole), level});
    }
    function draw(pen, width) {
        rectangles = [];
        if (zoomed !== root)
            rectangles.push({node: zoomed, x: 0, width, level: 0});
        place(zoomed, 0, width, zoomed === root ? 0 : 1);
        pen.textBaseline = "middle";
        for (const it of rectangles) {
            const y = it.level * high;
            const name = it.node.name;
            if (it.isRest) { // the share of no child
                setLine(pen, "line", 1);
                pen.strokeRect(it.x + 0.5, y + 0.5, Math.max(1, it.width - 2), high - 2);
                pen.fillStyle = colour("quiet");
                pen.fillText(fitText(pen, "own " + shareText(it.node.self), it.width - 10), it.x + 5, y + high / 2);
                continue;
            }
            const changed = paint.hidden || paint.value === "kind" ? undefined : changeOfPart(it.node, eventRows());
            pen.fillStyle = changed !== undefined ? "rgb(" + changeColour([205, 210, 214], changed ? changed.change : 0).join(" ") + ")"
                : colourOf(choice.value === "module" ? (it.node.type || name) : name);
            pen.fillRect(it.x, y, Math.max(1, it.width - 1), high - 1);
            if (it.node === chosen) {
                setLine(pen, "ink", 2);
                pen.strokeRect(it.x + 1, y + 1, Math.max(1, it.width - 3), high - 3);
            }
            pen.fillStyle = "#14181b";
            const outer = it.parent ? it.parent.name + "." : null;
            const last = it.level === 0 ? withMethod(it.node, name) : outer && name.startsWith(outer) ? name.slice(outer.length) : name;
            const told = changed && changed.mark ? changeSign(changed.mark) + changeText(changed.change) + "  " : "";
            const text = fitText(pen, told + last + "  " + shareText(it.node.share), it.width - 10) || fitText(pen, last, it.width - 8);
            pen.fillText(text, it.x + 5, y + high / 2);
        }
    }
    function partChange(node) {
        const changed = paint.hidden ? null : changeOfPart(node, eventRows());
        return !changed ? "" : changed.mark ? "\n" + (changed.mark > 0 ? "slower: " : "faster: ") + changeText(changed.change) : changed.isTested ? "\nno change beyond noise" : "\nnot tested";
    }
    function found(x, y) {
        return rectangles.find(it => x >= it.x && x < it.x + it.width && Math.floor(y / high) === it.level);
    }
    const canvas = drawing("icicle", 100, draw, (x, y) => {
        const it = found(x, y);
        return it ? withMethod(it.node, it.node.name) + (it.node.type ? " (" + it.node.type + ")" : "") + "\n" + shareText(it.node.share) + (it.node.time !== undefined ? ", " + timeText(it.node.time) + " per run" : "") +
            partChange(it.node) + (it.node.children.length > 0 ? "\nwithout submodules: " + shareText(it.node.self) : "") : null;
    });
    function zoom(node) {
        zoomed = node;
        back.disabled = zoomed === root;
            canvas.height = Math.max(1, depthOf(zoomed) - (zoomed === root ? 1 : 0)) * high + 1;
        const parts = zoomed.children.slice(0, 5).map(child => child.name + " " + shareText(child.share));
        canvas.canvas.setAttribute("aria-label", "time by " + choice.value + ": " + cut(parts.join(", "), 400));
        canvas.change();
    }
    function choose(node) {
        chosen = node;
        told.replaceChildren(nameOf(withMethod(node, node.name), 120), " " + shareText(node.share));
    }
    function pickNode(node) {
        choose(node);
        if (node.children.length > 0 && node !== zoomed)
            zoom(node);
        else if (hasEvents() && node.query)
            filterOperators(node.query);
        canvas.change();
    }
    function show() {
        root = byMethod(trees[choice.value].make());
        chosen = null;
        told.replaceChildren();
        zoom(root);
    }
    canvas.canvas.addEventListener("click", event => {
        const it = found(event.offsetX, event.offsetY);
        if (it)
            pickNode(it.node);
    });
    // Arrow keys move through the rectangles in their order, Enter picks one.
    canvas.canvas.addEventListener("keydown", event => {
        const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (by && rectangles.length > 0) {
            event.preventDefault();
            const now = rectangles.findIndex(it => it.node === chosen);
            choose(rectangles[Math.max(0, Math.min(rectangles.length - 1, now + by))].node);
            canvas.change();
        } else if (event.key === "Enter" && chosen)
            pickNode(chosen);
    });
    choice.addEventListener("change", show);
    paint.addEventListener("change", () => canvas.change());
    back.addEventListener("click", () => zoom(root));
    actions.back = () => {
        const isZoomed = zoomed !== root;
        if (isZoomed)
            zoom(root);
        return isZoomed;
    };
    box.append(el("div", {class: "controls"}, choice, paint, back, told), canvas.canvas,
        el("p", {class: "quiet"}, "Width is the share of the typical time. A click opens a module, or shows the events of one without submodules. Esc goes back."));
    show();
}
keys.push(["← → Enter", "in the drawing of modules: move around, open a module"]);

section({id: "modules", title: "Modules", has: () => Object.values(trees).some(tree => tree.has()), build: buildModules});
