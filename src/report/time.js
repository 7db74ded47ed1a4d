// time.js - the distribution of an inference's time, as stacked bars; a segment filters the operators.
// Searches for the events of parts and backends, and their colours.
const partForms = {
    __proto__: null,
    "operators outside delegates": ["delegated:no -op:(", "hsl(205 62% 70%)"],
    "delegate calls: logged": ["delegated:yes", "hsl(150 42% 66%)"],
    "delegate calls: not logged": ["op:\"(delegate, not logged)\"", "hsl(40 62% 70%)"],
    "framework: around operators": ["op:(framework)", "hsl(210 8% 72%)"],
    "framework: between instructions": ["op:(framework)", "hsl(210 8% 82%)"],
    "(not delegated)": ["delegated:no -op:(", "hsl(205 62% 70%)"],
    "(framework)": ["op:(framework)", "hsl(210 8% 72%)"],
};

function queryOf(key, name) {
    return partForms[name] ? partForms[name][0] : key + "=" + quoted(name);
}

// Returns a bar of the rows of a table, whose names are in the column `key`, and its legend.
function stackedBar(rows, key, label) {
    const bar = el("div", {class: "bar", role: "group", "aria-label": label});
    const legend = el("div", {class: "legend"});
    for (const row of rows) {
        if (!(row.share > 0))
            continue;
        const name = withMethod(row, row[key]), share = shareText(row.share), told = share + ", " + timeText(row.avg);
        const [query, colour] = partForms[row[key]] || [key === "backend" && queryOf(key, row[key]), colourOf(row[key])];
        const button = el("button", {type: "button", class: row.share < 0.06 ? "thin" : null, title: name + ": " + told,
            "aria-label": name + " " + share, onclick: () => query && actions.filterOperators && actions.filterOperators(query, row)},
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
    box.append(el("p", {class: "quiet"}, "Averages of the runs after the warm-up. A click shows the events."));
}

section({id: "time", title: "Time", has: () => rowsOf("summary", "account").some(row => row.share > 0), build: buildTime});
