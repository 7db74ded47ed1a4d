// compare.js - the tables of a comparison: what is slower, what is faster.
function comparedTables() {
    return ["diff", "gate"].flatMap(view => Object.keys(data.tables[view] || {}).map(name => [view, name])).filter(([view, name]) => rowsOf(view, name).length > 0);
}
function buildCompare(box) {
    for (const [view, name] of comparedTables())
        box.append(viewTable(view, name, cut(name.replace(/_/g, " "), 60), {wide: {event: 16, event_name: 16, op: 14, verdict: 7, what: 16, rule: 16}}));
}

section({id: "compare", title: "Comparison", has: () => comparedTables().length > 0, build: buildCompare});
