// source.js - the model's lines with their times.
function buildSource(box) {
    const table = viewTable("source", "lines", null, {wide: {file: 13, line: 4.5, code: 34, path: 18, function: 9},
        pick: row => row.path && row.line && actions.filterOperators("source=" + quoted(sourceOf(row)), row)});
    box.append(table);
}

section({id: "source", title: "Source", has: () => rowsOf("source", "lines").some(row => row.line), build: buildSource});
