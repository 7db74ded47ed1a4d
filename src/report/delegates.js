// delegates.js - the times of delegates, and the operators outside of them.
function buildDelegates(box) {
    const titles = {backends: null, outside: "Operators outside of delegates", splits: "What splits the graph between delegates"};
    for (const [name, title] of Object.entries(titles)) {
        const table = viewTable("delegates", name, title, {wide: {op: 18, backend: 14, ops: 18, module: 16, source: 18}});
        if (table)
            box.append(table);
    }
}

section({id: "delegates", title: "Delegates", has: () => distinctOf("delegates", "backends", "calls").some(calls => calls > 0), build: buildDelegates, searches: true});
