// tables.js - tables of views that no other section shows: those of the command that wrote the page.
function otherTables() {
    const views = Object.keys(data.tables).filter(view => !/^(summary|diff|diff_swapped|gate|size)$/.test(view));
    const isAlone = Object.keys(data.tables).length === 1;
    return views.filter(view => isAlone || !/^(runs|events|samples|layers|ops|kernels|by_kernel|by_unit|tree|source|delegates|alloc|graph|program|memory|tensors|numerics)$/.test(view))
        .flatMap(view => Object.keys(data.tables[view]).map(name => [view, name]))
        .filter(([view, name]) => countOf(view, name) > 0);
}
function buildTables(box) {
    for (const [view, name] of otherTables())
        box.append(viewTable(view, name, cut(name, 60)));
}

section({id: "tables", title: "Tables", has: () => otherTables().length > 0, build: buildTables, searches: true});
