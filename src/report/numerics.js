// numerics.js - the distance of recorded tensors from the reference, in order of execution, and their statistics.
const mostSnr = 150; // dB: closer results are drawn as equal
const comparedStatus = ["view", "nonfinite"]; // of outputs that were compared all the same

function numericTables() {
    return ["numerics", "tensors"].flatMap(view => Object.keys(data.tables[view] || {}).map(name => [view, name])).filter(([view, name]) => countOf(view, name) > 0);
}
// Returns the ratio of an output in dB: infinite if it is equal, minus infinity if only one side has NaN or infinities; null: unknown.
function snrOf(row) {
    const isEqual = row.identical || (row.max_abs === 0 && row.snr === null);
    return row.status === "nonfinite" ? -Infinity : isEqual ? Infinity : typeof row.snr === "number" ? row.snr : null;
}
function snrText(row) {
    const snr = snrOf(row);
    return row.status === "nonfinite" ? "NaN or infinities on one side" + (row.nan_new > 0 ? ", " + countText(row.nan_new) + " NaN" : "") :
        snr === null ? "unknown" + (row.reason ? ": " + row.reason : "") : snr === Infinity ? "equal" : fixed(snr, 1) + " dB";
}
function outputText(row) {
    return row.event_name + (row.source_node ? ", " + row.source_node : "");
}
// Draws the line in order of execution, and marks the first output that is farther away than a limit.
function buildGapLine(rows) {
    const limit = el("input", {type: "number", value: "30", min: "0", max: String(mostSnr), step: "5", "aria-label": "Limit of the signal-to-noise ratio in dB"});
    const told = el("output", {class: "count"}), listed = el("div"), left = 52, high = 120, top = 8, bottom = 14;
    const x = (i, width) => left + (i + 0.5) / rows.length * (width - left - 8);
    const y = snr => top + (1 - Math.max(0, Math.min(mostSnr, snr)) / mostSnr) * (high - top - bottom);
    const eventOf = row => eventRows().findIndex(event => event.block === row.block && event.event_name === row.event_name && event.instruction_id === row.instruction);
    const isBelow = row => snrOf(row) !== null && snrOf(row) < (Number(limit.value) || 0);
    let first = -1;
    const canvas = drawing("signal-to-noise ratio along the order of execution", high, (pen, width) => {
        pen.textBaseline = "middle";
        for (const snr of [0, 50, 100, mostSnr]) {
            pen.fillStyle = colour("quiet");
            pen.fillText(snr === mostSnr ? "equal" : snr + " dB", 4, y(snr));
            pen.fillStyle = colour("line");
            pen.fillRect(left, Math.round(y(snr)), width - left - 8, 1);
        }
        pen.strokeStyle = colour("slower");
        pen.setLineDash([4, 3]);
        pen.strokeRect(left, y(Number(limit.value) || 0), width - left - 8, 0);
        pen.setLineDash([]);
        setLine(pen, "accent", 1.5);
        pen.beginPath();
        rows.forEach((row, i) => snrOf(row) !== null && pen.lineTo(x(i, width), y(snrOf(row))));
        pen.stroke();
        pen.textAlign = "center";
        rows.forEach((row, i) => {
            const snr = snrOf(row), isOver = isBelow(row), at = x(i, width);
            pen.fillStyle = colour(snr === null ? "quiet" : isOver ? "slower" : "accent");
            if (snr === null)
                pen.fillText("?", at, y(0));
            else if (snr === -Infinity)
                pen.fillText("✕", at, y(0));
            else
                pen.fillRect(at - (isOver ? 3 : 1.5), y(snr) - (isOver ? 3 : 1.5), isOver ? 6 : 3, isOver ? 6 : 3);
        });
        pen.textAlign = "left";
        if (first >= 0) {
            setLine(pen, "ink", 2);
            pen.beginPath();
            pen.arc(x(first, width), y(snrOf(rows[first])), 8, 0, 7);
            pen.stroke();
        }
    }, at => {
        const row = rows[rowAt(at)];
        return [row.event_name, row.source_node, snrText(row), row.module].filter(Boolean).join("\n");
    });
    const rowAt = at => Math.max(0, Math.min(rows.length - 1, Math.floor((at - left) / (canvas.canvas.clientWidth - left - 8) * rows.length)));
    const pick = row => {
        const number = eventOf(row);
        if (number >= 0)
            select({op: number, section: null});
    };
    const find = () => {
        const below = rows.filter(isBelow), unknown = rows.filter(row => snrOf(row) === null).length;
        const counted = (below.length === 0 ? "no output of " : countText(below.length) + " of ") + countText(rows.length) + (below.length === 0 ? " is" : below.length === 1 ? " outputs is" : " outputs are") +
            " below the limit" + (unknown > 0 ? ", " + countText(unknown) + (unknown === 1 ? " is" : " are") + " unknown" : "");
        first = rows.findIndex(isBelow);
        told.replaceChildren(counted, ...(first < 0 ? [] : ["; the first: ", nameOf(outputText(rows[first]), 120)]));
        canvas.canvas.setAttribute("aria-label", "signal-to-noise ratio along the order of execution: " + told.textContent + "; the table below has all");
        canvas.change();
    };
    // The outputs that no limit lets pass, and those without an answer.
    const special = rows.filter(row => snrOf(row) === -Infinity).concat(rows.filter(row => snrOf(row) === null));
    listed.append(notesList(special.slice(0, 20).map(row => outputText(row) + ": " + snrText(row)).concat(special.length > 20 ? ["and " + countText(special.length - 20) + " more: see the table"] : [])) || "");
    canvas.canvas.addEventListener("click", event => pick(rows[rowAt(event.offsetX)]));
    limit.addEventListener("input", find);
    find();
    return [el("div", {class: "controls"}, el("label", {}, "Limit (dB) ", limit), told), canvas.canvas, listed,
        el("p", {class: "quiet"}, "Signal-to-noise ratio of outputs against the reference, in order of execution; points below the dashed line are below the limit. " +
            "✕: -inf dB, or NaN or infinities on one side only. ?: unknown.")];
}
function buildNumerics(box) {
    const rows = rowsOf("numerics", "numerics").filter(row => !row.status || comparedStatus.includes(row.status));
    if (rows.length > 0)
        box.append(...buildGapLine(rows));
    for (const [view, name] of numericTables())
        box.append(viewTable(view, name, view === "tensors" ? "Recorded tensors" : cut(name.replace(/_/g, " "), 60), {wide: {event: 16, event_name: 16, module: 14, source: 18}}));
}

section({id: "numerics", title: "Numerics", has: () => numericTables().length > 0, build: buildNumerics, searches: true});
