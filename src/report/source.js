// source.js - the model's lines with their times.
function buildSource(box) {
    const table = viewTable("source", "lines", null, {wide: {file: 13, line: 4.5, code: 34, path: 18, function: 9},
        pick: row => filterOperators(searchOf("source", row)),
        canPick: row => searchOf("source", row) !== null});
    box.append(table);
}

section({id: "source", title: "Source", has: () => distinctOf("source", "lines", "line").some(Boolean), build: buildSource, searches: true});
