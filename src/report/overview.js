// overview.js - the main numbers as cards that lead to their sections, and the notes about the inputs.
function factText(fact) {
    const seconds = {ns: 1e-9, "µs": 1e-6, us: 1e-6, ms: 1e-3, s: 1};
    if (typeof fact.value !== "number")
        return cut(fact.value, 120);
    if (fact.unit in seconds && scale in nanoseconds)
        return timeText(fact.value * seconds[fact.unit] * 1e9 / nanoseconds[scale]);
    return countText(fact.value) + (fact.unit ? " " + fact.unit : "");
}
function cardOf(title, value, target, hint) {
    const isWide = String(value).length > 24 ? " wide" : "";
    const content = [el("b", {class: String(value).length > 14 ? "long" : null}, el("bdi", {}, value)), el("span", {}, cut(title, 160))];
    if (!target || !sections.some(it => it.id === target && it.has()))
        return el("div", {class: "card" + isWide, title: hint}, ...content);
    return el("a", {class: "card" + isWide, href: "#" + target, title: hint, onclick: event => {
        event.preventDefault();
        goTo(target);
    }}, ...content);
}
// Sections that facts lead to.
const targets = {runs: "runs", "warm-up runs": "runs", "first run": "runs", "median run after the warm-up": "runs", "first run / median run": "runs",
    "inferences per second (avg)": "runs", method: "modules", etdump: "about", etrecord: "about"};

function buildOverview(box) {
    const cards = el("div", {class: "cards"});
    for (const fact of rowsOf("summary", "facts")) {
        if (fact.fact !== "etdump" && fact.fact !== "etrecord" && fact.fact !== "program")
            cards.append(cardOf(fact.fact, factText(fact), targets[fact.fact]));
    }
    const isRun = name => name === "Method::execute", hasRuns = distinctOf("events", "events", "event_name").some(isRun);
    const runs = hasRuns ? eventRows().filter(row => isRun(row.event_name) && row.run_count > 1) : [];
    for (const run of runs.length <= 4 ? runs : []) {
        const card = (name, value) => cardOf(withMethod({method: runs.length > 1 && run.block}, name), timeText(value), "runs");
        cards.append(card("p90 of runs after the warm-up", run.p90), card("slowest run after the warm-up", run.max));
    }
    for (const row of rowsOf("summary", "backends")) {
        if (row.backend !== "(framework)" && typeof row.share === "number")
            cards.append(cardOf(withMethod(row, "of the time " + (row.backend === "(not delegated)" ? "not delegated" : "in " + backendName(row.backend))), shareText(row.share), "delegates"));
    }
    box.append(cards);
    const notes = data.notes.filter(note => note.kind !== "info"), told = new Set(notes.map(note => note.text));
    const list = el("ul", {class: "notes"}, ...notes.map(note => el("li", {class: note.kind}, note.kind === "warning" ? "Warning: " : "", nameOf(note.text, 1000))),
        ...remarksOf("summary", "facts").concat(remarksOf("summary", "account")).filter(text => !told.has(text)).map(text => el("li", {}, nameOf(text, 1000))));
    if (list.children.length > 0)
        box.append(list);
}

section({id: "overview", title: "Overview", has: () => countOf("summary", "facts") > 0, build: buildOverview});
