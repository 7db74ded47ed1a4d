// numerics.js - the distance of recorded tensors from the reference, in order of execution, and their statistics.
const mostSnr = 150; // dB: closer results are drawn as equal

function numericTables() {
    return ["numerics", "tensors"].flatMap(view => Object.keys(data.tables[view] || {}).map(name => [view, name])).filter(([view, name]) => rowsOf(view, name).length > 0);
}
function snrOf(row) {
    return row.identical || (row.max_abs === 0 && row.snr === null) ? mostSnr : typeof row.snr === "number" ? Math.max(0, Math.min(mostSnr, row.snr)) : null;
}
// Draws the line in order of execution, and marks the first output that is farther away than a limit.
function buildGapLine(rows) {
    const limit = el("input", {type: "number", value: "30", min: "0", max: String(mostSnr), step: "5", "aria-label": "Limit of the signal-to-noise ratio in dB"});
    const told = el("output", {class: "count"}), left = 52, high = 120, top = 8, bottom = 14;
    const x = (i, width) => left + (i + 0.5) / rows.length * (width - left - 8);
    const y = snr => top + (1 - snr / mostSnr) * (high - top - bottom);
    const eventOf = row => eventRows().findIndex(event => event.block === row.block && event.event_name === row.event_name && event.instruction_id === row.instruction);
    let first = -1;
    const canvas = drawing("signal-to-noise ratio along the order of execution", high, (pen, width) => {
        const most = Number(limit.value) || 0;
        pen.textBaseline = "middle";
        for (const snr of [0, 50, 100, mostSnr]) {
            pen.fillStyle = colour("quiet");
            pen.fillText(snr === mostSnr ? "equal" : snr + " dB", 4, y(snr));
            pen.fillStyle = colour("line");
            pen.fillRect(left, Math.round(y(snr)), width - left - 8, 1);
        }
        pen.strokeStyle = colour("slower");
        pen.setLineDash([4, 3]);
        pen.strokeRect(left, y(most), width - left - 8, 0);
        pen.setLineDash([]);
        pen.strokeStyle = colour("accent");
        pen.lineWidth = 1.5;
        pen.beginPath();
        rows.forEach((row, i) => snrOf(row) !== null && pen.lineTo(x(i, width), y(snrOf(row))));
        pen.stroke();
        rows.forEach((row, i) => {
            const snr = snrOf(row), isOver = snr === null || snr < most;
            pen.fillStyle = colour(isOver ? "slower" : "accent");
            pen.fillRect(x(i, width) - (isOver ? 3 : 1.5), y(snr || 0) - (isOver ? 3 : 1.5), isOver ? 6 : 3, isOver ? 6 : 3);
        });
        if (first >= 0) {
            pen.strokeStyle = colour("ink");
            pen.lineWidth = 2;
            pen.beginPath();
            pen.arc(x(first, width), y(snrOf(rows[first]) || 0), 8, 0, 7);
            pen.stroke();
        }
    }, at => {
        const row = rows[rowAt(at)];
        return [row.event_name, row.source_node, snrOf(row) === mostSnr ? "equal" : typeof row.snr === "number" ? fixed(row.snr, 1) + " dB" : row.reason || "no ratio", row.module].filter(Boolean).join("\n");
    });
    const rowAt = at => Math.max(0, Math.min(rows.length - 1, Math.floor((at - left) / (canvas.canvas.clientWidth - left - 8) * rows.length)));
    const pick = row => {
        const number = eventOf(row);
        if (number >= 0)
            select({op: number, section: null});
    };
    const find = () => {
        first = rows.findIndex(row => snrOf(row) === null ? row.nan_new > 0 : snrOf(row) < Number(limit.value));
        told.replaceChildren(...(first < 0 ? ["no output is below the limit"] : ["first: ", nameOf(rows[first].event_name + (rows[first].source_node ? ", " + rows[first].source_node : ""), 120)]));
        canvas.canvas.setAttribute("aria-label", "signal-to-noise ratio along the order of execution: " + rows.length + " outputs, " + told.textContent + "; the table below has all");
        canvas.change();
    };
    canvas.canvas.addEventListener("click", event => pick(rows[rowAt(event.offsetX)]));
    limit.addEventListener("input", find);
    find();
    return [el("div", {class: "controls"}, el("label", {}, "Limit (dB) ", limit), told), canvas.canvas,
        el("p", {class: "quiet"}, "Signal-to-noise ratio of outputs against the reference, in order of execution; points below the dashed line are below the limit.")];
}
function buildNumerics(box) {
    const rows = rowsOf("numerics", "numerics").filter(row => row.status === null || row.status === undefined);
    if (rows.length > 0)
        box.append(...buildGapLine(rows));
    for (const [view, name] of numericTables())
        box.append(viewTable(view, name, view === "tensors" ? "Recorded tensors" : cut(name.replace(/_/g, " "), 60), {wide: {event: 16, event_name: 16, module: 14, source: 18}}));
}

section({id: "numerics", title: "Numerics", has: () => numericTables().length > 0, build: buildNumerics});
