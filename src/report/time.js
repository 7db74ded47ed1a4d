// time.js - the distribution of an inference's time, as stacked bars; a segment filters the operators.
const partQueries = {
    "operators outside delegates": "delegated:no -op:(",
    "delegate calls: logged": "delegated:yes",
    "delegate calls: not logged": "op:\"(delegate, not logged)\"",
    "framework: around operators": "op:(framework)",
    "framework: between instructions": "op:(framework)",
};

function stackedBar(parts, label) {
    const bar = el("div", {class: "bar", role: "group", "aria-label": label});
    const legend = el("div", {class: "legend"});
    for (const part of parts) {
        if (!(part.share > 0))
            continue;
        const button = el("button", {type: "button", class: part.share < 0.06 ? "thin" : null, title: part.name + ": " + shareText(part.share) + (part.time !== undefined ? ", " + timeText(part.time) : ""),
            "aria-label": part.name + " " + shareText(part.share), onclick: () => part.query && actions.filterOperators && actions.filterOperators(part.query)},
        part.share < 0.06 ? "" : cut(part.name, 60) + " " + shareText(part.share));
        button.style.width = 100 * part.share + "%";
        button.style.background = part.colour;
        bar.append(button);
        const swatch = el("span", {class: "swatch"});
        swatch.style.background = part.colour;
        legend.append(el("span", {}, swatch, nameOf(part.name, 80), " " + shareText(part.share) + (part.time !== undefined ? ", " + timeText(part.time) : "")));
    }
    return [bar, legend];
}

function buildTime(box) {
    const colours = {"operators outside delegates": "hsl(205 62% 70%)", "delegate calls: logged": "hsl(150 42% 66%)", "delegate calls: not logged": "hsl(40 62% 70%)",
        "framework: around operators": "hsl(210 8% 72%)", "framework: between instructions": "hsl(210 8% 82%)"};
    const parts = partsOf("summary", "account")
        .map(row => ({name: row.part, share: row.share, time: row.avg, colour: colours[row.part] || colourOf(row.part), query: partQueries[row.part]}));
    box.append(...stackedBar(parts, "parts of the time"));
    const backends = rowsOf("summary", "backends");
    if (backends.length > 1)
        box.append(el("h3", {}, "By backend"), ...stackedBar(backends.map(row => ({name: row.backend, share: row.share, time: row.avg, colour: row.backend === "(not delegated)" ? colours["operators outside delegates"] : colourOf(row.backend),
            query: row.backend === "(framework)" ? "op:(framework)" : row.backend === "(not delegated)" ? partQueries["operators outside delegates"]
                : "backend:\"" + row.backend.replace(/"/g, "") + "\""})), "backends"));
    box.append(el("p", {class: "quiet"}, "Averages of the runs after the warm-up. A click shows the events."));
}

section({id: "time", title: "Time", has: () => rowsOf("summary", "account").some(row => row.share > 0), build: buildTime});
