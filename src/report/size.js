// size.js - the bytes of each part of the files, before a run.
function buildSize(box) {
    for (const [name, title] of [["parts", "Parts of the files"], ["categories", "Categories"]]) {
        const table = viewTable("size", name, title, {wide: {name: 24, users: 14, module: 16}});
        if (table)
            box.append(table);
    }
}

section({id: "size", title: "Size", has: () => countOf("size", "parts") > 0, build: buildSize, searches: true});
