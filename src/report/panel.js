// panel.js - the panel of facts about what was clicked: an event, or a layer.
const panelState = {isQuiet: false}; // a drawing has facts of its own

function showPanel(title, content) {
    const panel = document.getElementById("panel");
    document.getElementById("panel-title").replaceChildren(nameOf(title, 200));
    document.getElementById("panel-facts").replaceChildren(...content.filter(Boolean));
    panel.hidden = false;
    panel.scrollTop = 0;
    say(cut(title, 200));
}
function hidePanel() {
    document.getElementById("panel").hidden = true;
}
// Lists what the row of an event says, its layer and kernel first.
function showEvent(number) {
    const row = eventRows()[number], first = ["module", "event_name", "typical", "share", "p50", "delegate_backend_name", "op_type", "source"];
    const columns = eventColumns().filter(column => !isEmptyValue(row[column.name])).sort((a, b) => (first.indexOf(a.name) + 1 || 99) - (first.indexOf(b.name) + 1 || 99));
    const layer = layerOf(row), facts = columns.filter(column => column.name !== "event_name")
        .map(column => factOf(column.name === "module" ? "layer" : column.name === "source" ? "line" : headingOf(column), column.name === "module" && layer === "(model)" ? "(model) " + row.module : inWords(column.name, cellText(column.kind, row[column.name])), column.help));
    showPanel(row.event_name, [el("dl", {}, ...facts.filter(Boolean)),
        el("p", {class: "controls"}, el("button", {type: "button", onclick: () => goTo("operators")}, "Show in Operators"),
            line && line.runs.length > 0 ? el("button", {type: "button", onclick: () => goTo("timeline")}, "Show in Timeline") : null)]);
}
onSelect(chosen => {
    if (chosen.op === null)
        hidePanel();
    else if (!panelState.isQuiet)
        showEvent(chosen.op);
});
