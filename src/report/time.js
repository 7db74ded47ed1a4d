// time.js - the distribution of an inference's time, as stacked bars; a segment filters the operators.
const aroundOperators = "event=\"(around operators)\"", outsideFramework = "-op=(framework) -" + aroundOperators;
// Searches that may find the events of parts and backends, and their colours.
const partForms = {
    __proto__: null,
    "operators outside delegates": [["delegated:no -op:(", "delegated:no " + outsideFramework], "hsl(205 62% 70%)"],
    "delegate calls: logged": [["delegated:yes"], "hsl(150 42% 66%)"],
    "delegate calls: not logged": [["op=\"(delegate overhead)\""], "hsl(40 62% 70%)"],
    "framework: around operators": [[aroundOperators, "op=(framework)"], "hsl(210 8% 72%)"],
    "framework: between instructions": [["op=(framework)"], "hsl(210 8% 82%)"],
    "(not delegated)": [["delegated:no -op:(", "delegated:no " + outsideFramework], "hsl(205 62% 70%)"],
    "(framework)": [["op=(framework)", aroundOperators], "hsl(210 8% 72%)"],
};

// Returns a search with the method of a row, if it has one.
function inMethod(query, row) {
    return query + (row.method ? " block=" + quoted(row.method) : "");
}
// Returns a search for the events that a row counts, whose name is in the column `key`. The row of a line has a path. A name in
// parentheses, of folded modules or of all modules is in no event: null if no search finds events that take just its time, or there are none.
const searches = new WeakMap();
function searchOf(key, row) {
    const isLine = key === "source", name = String(isLine ? (row.line ? row.path + ":" + row.line : row.file) : row[key]);
    const plain = (key === "layer" ? "module" : key) + "=" + quoted(name), form = partForms[name];
    if (row.events === 0)
        return null;
    if (!form && key !== "layer" && row.level !== 0 && !/^\(.*\)$| \(\d+ more\)$/.test(name))
        return inMethod(plain, row);
    if (!searches.has(row)) {
        const tried = form ? form[0] : [plain].concat(key === "layer" ? ["event_name=" + quoted(name)] : []).concat(name === "(unknown)" ? key + "=\"\" " + outsideFramework : row.level === 0 ? outsideFramework : []);
        searches.set(row, tried.map(query => inMethod(query, row)).find(query => {
            const found = eventRows().filter(parseQuery(query, eventColumns(), columnNames, []));
            return found.length > 0 && Math.abs(shareOf(found) - row.share) < 1e-9;
        }) || null);
    }
    return searches.get(row);
}

// Returns the time that a part of a method takes in a typical run: the same part of the time of its headline.
function typicalOf(row, rows) {
    const head = rowsOf("summary", "headline").find(it => !row.method || it.method === row.method);
    const whole = rows.filter(it => it.method === row.method).reduce((sum, it) => sum + (it.share || 0), 0);
    return head && whole > 0 ? row.share / whole * head.typical : null;
}
// Returns a bar of the rows of a table, whose names are in the column `key`, and its legend.
function stackedBar(rows, key, label) {
    const bar = el("div", {class: "bar", role: "group", "aria-label": label});
    const legend = el("div", {class: "legend"});
    for (const row of rows) {
        if (!(row.share > 0))
            continue;
        const name = withMethod(row, inWords(key, row[key])), share = shareText(row.share), told = share + (row.unsteady ? "*" : "") + ", " + timeText(typicalOf(row, rows));
        const query = key === "backend" || partForms[row[key]] ? searchOf(key, row) : null, colour = key === "backend" ? backendColour(row.backend) : partForms[row[key]] ? partForms[row[key]][1] : colourOf(row[key]);
        const button = el("button", {type: "button", class: row.share < 0.06 ? "thin" : null, title: name + ": " + told,
            "aria-label": name + " " + share, "aria-disabled": query === null && "true", onclick: () => query && hasEvents() && filterOperators(query)},
        row.share < 0.06 ? "" : cut(name, 60) + " " + share);
        button.style.width = 100 * row.share + "%";
        const swatch = el("span", {class: "swatch"});
        button.style.background = swatch.style.background = colour;
        bar.append(button);
        legend.append(el("span", {}, swatch, nameOf(name, 80), " " + told));
    }
    return [bar, legend];
}

function buildTime(box) {
    box.append(...stackedBar(partsOf("summary", "account"), "part", "parts of the time"));
    const backends = rowsOf("summary", "backends");
    if (backends.length > 1)
        box.append(el("h3", {}, "By backend"), ...stackedBar(backends, "backend", "backends"));
    box.append(el("p", {class: "quiet"}, "Typical times per run, after the warm-up. A click shows the events."));
}

section({id: "time", title: "Time", has: () => hasTimes("summary", "account"), build: buildTime});
