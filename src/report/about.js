// about.js - the provenance of the numbers, and what the page leaves out.
const viewTitles = {summary: "overview", events: "operators", layers: "layers", ops: "operators", kernels: "rates of kernels", by_kernel: "kernels", by_unit: "parts of the hardware", tree: "tree of modules", source: "source", program: "program", memory: "memory", size: "sizes",
    delegates: "delegates", alloc: "allocators", tensors: "recorded tensors", runs: "runs", diff_swapped: "swapped comparison"};

function buildAbout(box) {
    const from = data.provenance;
    const line = (name, value) => [el("dt", {}, name), el("dd", {}, nameOf(value, 400))];
    const facts = [...line("etinspect", from.version), ...line("time scale", scale || "none")];
    for (const [key, value] of Object.entries(from.labels))
        facts.push(...line(cut(key, 100), value));
    box.append(el("dl", {class: "facts"}, ...facts));
    const columns = [{name: "kind", kind: "text", help: ""}, {name: "path", kind: "text", help: ""}, {name: "size", kind: "bytes", help: ""}, {name: "sha256", kind: "text", help: "of its bytes"}];
    if (from.sources.length > 0)
        box.append(el("h3", {}, "Inputs"), makeTable({columns, rows: from.sources, label: "inputs", wide: {path: 20, sha256: 34, kind: 7}}).element);
    const missing = Object.entries(data.absent).map(([name, reason]) => (viewTitles[name] || name) + ": " + reason);
    data.left_out.forEach(name => missing.push(name + ": left out on request, or to limit the size of the page"));
    if (missing.length > 0)
        box.append(el("h3", {}, "Not on this page"), notesList(missing));
    const infos = data.notes.filter(note => note.kind === "info").map(note => note.text);
    if (infos.length > 0)
        box.append(el("h3", {}, "About the inputs"), notesList(infos));
}

section({id: "about", title: "About", has: () => true, build: buildAbout});
