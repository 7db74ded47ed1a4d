// numerics.js - how far recorded tensors are from the reference, and their statistics.
function numericTables() {
    return ["numerics", "tensors"].flatMap(view => Object.keys(data.tables[view] || {}).map(name => [view, name])).filter(([view, name]) => rowsOf(view, name).length > 0);
}
function buildNumerics(box) {
    for (const [view, name] of numericTables())
        box.append(viewTable(view, name, view === "tensors" ? "Recorded tensors" : cut(name.replace(/_/g, " "), 60), {wide: {event: 16, event_name: 16, module: 14, source: 18}}));
}

section({id: "numerics", title: "Numerics", has: () => numericTables().length > 0, build: buildNumerics});
