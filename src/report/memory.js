// memory.js - tensors in the memory that the program plans: instructions across, offsets down, and above it the live
// and the held bytes; the bytes that allocators gave in each run.
const liveHeight = 64, planHeight = 200, planGap = 16;

// Returns the bytes that are live while each instruction runs, and the highest end of live tensors.
function liveBytes(rows, n) {
    const live = new Float64Array(n + 1), held = new Float64Array(n);
    const ends = row => row.last === null ? n - 1 : row.last;
    for (const row of rows) {
        live[row.first || 0] += row.bytes;
        live[ends(row) + 1] -= row.bytes;
    }
    for (let i = 1; i < n; i++)
        live[i] += live[i - 1];
    // tensors with the highest ends come first, so that each instruction is set once
    const next = new Int32Array(n + 1).map((_, i) => i);
    const free = i => {
        while (next[i] !== i)
            i = next[i] = next[next[i]];
        return i;
    };
    for (const row of rows.slice().sort((a, b) => b.offset + b.bytes - a.offset - a.bytes)) {
        for (let i = free(row.first || 0); i <= ends(row); i = free(i)) {
            held[i] = row.offset + row.bytes;
            next[i] = i + 1;
        }
    }
    return {live: live.subarray(0, n), held};
}
// Returns the event that runs an instruction with this number; -1 with several methods, whose instructions have the same numbers.
function eventAt(instruction) {
    if (new Set(rowsOf("memory", "arenas").map(row => row.method)).size > 1)
        return -1;
    const number = eventRows().findIndex(row => row.instruction_id === instruction && row.op_type !== "(framework)");
    return number >= 0 ? number : eventRows().findIndex(row => row.instruction_id === instruction);
}
function tensorText(row) {
    return (row.name || row.producer || row.role) + "\n" + bytesText(row.bytes) + " " + plainText(row.dtype) + " " + plainText(row.shape) + "\noffset " + countText(row.offset) +
        ", instructions " + row.first + " to " + (row.last === null ? "the end" : row.last) + (row.module ? "\n" + row.module : "");
}

function drawLive(pen, {arena, live, held, n}, width) {
    const y = value => planGap + (1 - value / arena.size) * (liveHeight - planGap);
    const steps = values => {
        pen.beginPath();
        values.forEach((value, i) => {
            pen.lineTo(i / n * width, y(value));
            pen.lineTo((i + 1) / n * width, y(value));
        });
    };
    steps(live);
    pen.lineTo(width, liveHeight);
    pen.lineTo(0, liveHeight);
    pen.fillStyle = colour("bar");
    pen.fill();
    steps(held);
    setLine(pen, "ink", 1);
    pen.stroke();
    pen.fillStyle = colour("quiet");
    pen.fillText("in use, and with holes (line), of " + bytesText(arena.size), 4, 9);
}
function drawPlan(pen, plan, width, chosen) {
    const {rows, arena, n} = plan, top = liveHeight + 4;
    plan.shown = rows.map(row => {
        const x = (row.first || 0) / n * width, right = ((row.last === null ? n - 1 : row.last) + 1) / n * width;
        return {row, x, y: top + row.offset / arena.size * planHeight, width: Math.max(1, Math.min(width, right) - x), height: Math.max(1, row.bytes / arena.size * planHeight)};
    });
    for (const it of plan.shown) {
        pen.fillStyle = colourOf(it.row.producer || it.row.role || "");
        pen.fillRect(it.x, it.y, Math.max(1, it.width - 1), Math.max(1, it.height - 0.5));
        if (it.height >= 14) {
            pen.fillStyle = "#14181b";
            pen.fillText(fitText(pen, it.row.name || (it.row.producer || it.row.role || "").replace(/^aten::/, ""), it.width - 8), it.x + 4, it.y + it.height / 2);
        }
        if (it.row === chosen) {
            setLine(pen, "ink", 2);
            pen.strokeRect(it.x + 1, it.y + 1, Math.max(1, it.width - 3), Math.max(1, it.height - 2));
        }
    }
}
function drawPeak(pen, {arena, n}, width, height) {
    if (typeof arena.at !== "number")
        return;
    setLine(pen, "slower", 1);
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo((arena.at + 0.5) / n * width, planGap);
    pen.lineTo((arena.at + 0.5) / n * width, height);
    pen.stroke();
    pen.setLineDash([]);
}
function buildPlan(arena, rows) {
    const n = rows.reduce((most, row) => Math.max(most, row.last || 0, row.first || 0), 0) + 1;
    const plan = Object.assign({arena, rows, n, shown: []}, liveBytes(rows, n));
    const most = plan.held.reduce((found, value, i) => value - plan.live[i] > plan.held[found] - plan.live[found] ? i : found, 0);
    const told = "Arena " + arena.memory_id + " of " + cut(arena.method, 80) + ": " + bytesText(arena.size) + ", at most " + bytesText(arena.peak) + " in use, at instruction " + arena.at +
        "; fragmentation at most " + bytesText(plan.held[most] - plan.live[most]) + ", at instruction " + most;
    let chosen = null;
    const canvas = drawing(told + "; the table below has all tensors", liveHeight + planHeight + 5, (pen, width, height) => {
        pen.textBaseline = "middle";
        drawLive(pen, plan, width);
        drawPlan(pen, plan, width, chosen);
        drawPeak(pen, plan, width, height);
    }, (x, y) => {
        const it = found(x, y), at = Math.min(n - 1, Math.floor(x / canvas.canvas.clientWidth * n));
        return it ? tensorText(it.row) : y < liveHeight && at >= 0 ? "instruction " + at + ": " + bytesText(plan.live[at]) + " live, " + bytesText(plan.held[at]) + " held" : null;
    });
    const found = (x, y) => plan.shown.find(r => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
    const pick = row => {
        chosen = row;
        const number = eventAt(row.first);
        say(tensorText(row));
        select({op: number >= 0 ? number : null, section: null});
        canvas.change();
    };
    canvas.canvas.addEventListener("click", event => {
        const it = found(event.offsetX, event.offsetY);
        if (it)
            pick(it.row);
    });
    canvas.canvas.addEventListener("keydown", event => {
        const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (!by)
            return;
        event.preventDefault();
        pick(rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(chosen) + by))]);
    });
    return [el("h3", {}, told), canvas.canvas, el("p", {class: "quiet"}, "Instructions from left to right, offsets from top to bottom; the dashed line marks the peak. A click selects the event that writes a tensor.")];
}

// Draws the bytes of each run, one colour per allocator.
function buildAllocated(rows) {
    const names = [...new Set(rows.map(row => row.allocator))], runs = new Map();
    for (const row of rows) {
        const key = row.dump + "\u0000" + row.dump_run;
        if (!runs.has(key))
            runs.set(key, {name: row.block + ", run " + row.dump_run, parts: []});
        runs.get(key).parts.push(row);
    }
    const bars = [...runs.values()].map(run => Object.assign(run, {sum: run.parts.reduce((sum, part) => sum + part.bytes, 0)}));
    const most = bars.reduce((found, bar) => Math.max(found, bar.sum), 1);
    const left = 72, high = 110;
    const canvas = drawing("bytes of allocators in " + countText(bars.length) + " runs, at most " + bytesText(most) + "; the table below sums them up", high, (pen, width) => {
        const step = (width - left) / bars.length;
        pen.textBaseline = "middle";
        pen.fillStyle = colour("quiet");
        pen.fillText(bytesText(most), 4, 10);
        pen.fillText("0 B", 4, high - 8);
        bars.forEach((bar, i) => {
            let y = high - 4;
            for (const part of bar.parts) {
                const height = part.bytes / most * (high - 12);
                y -= height;
                pen.fillStyle = colourOf(part.allocator);
                pen.fillRect(left + i * step, y, Math.max(1, Math.min(40, step) - 1), height);
            }
        });
    }, x => {
        const bar = bars[Math.floor((x - left) / (canvas.canvas.clientWidth - left) * bars.length)];
        return bar ? bar.name + ": " + bytesText(bar.sum) + bar.parts.map(part => "\n" + part.allocator + " " + bytesText(part.bytes)).join("") : null;
    });
    return [el("h3", {}, "Bytes of allocators, run by run"), canvas.canvas, el("p", {class: "legend"}, ...names.slice(0, 8).map(name => {
        const mark = el("span", {class: "swatch"});
        mark.style.background = colourOf(name);
        return el("span", {}, mark, nameOf(name, 60));
    }))];
}

function buildMemory(box) {
    const tensors = rowsOf("memory", "tensors").filter(row => typeof row.offset === "number" && row.first !== null && row.role !== "alias" && row.alias_of === null);
    for (const arena of rowsOf("memory", "arenas").filter(arena => arena.size > 0)) {
        const rows = tensors.filter(row => row.memory_id === arena.memory_id && row.method === arena.method).sort((a, b) => a.first - b.first || a.offset - b.offset);
        if (rows.length > 0)
            box.append(...buildPlan(arena, rows));
    }
    if (rowsOf("alloc", "runs").length > 0)
        box.append(...buildAllocated(rowsOf("alloc", "runs")));
    for (const [view, name, title] of [["memory", "tensors", "Planned tensors"], ["memory", "delegates", "Memory that delegates take in a call"], ["alloc", "allocators", "Allocators"], ["program", "methods", "Methods of the program"], ["program", "categories", "Bytes of the program"]]) {
        const table = viewTable(view, name, title, {wide: {producer: 16, module: 14, source: 18, shape: 9}});
        if (table)
            box.append(table);
    }
}
keys.push(["arrows", "in the drawing of memory: from tensor to tensor"]);

section({id: "memory", title: "Memory", has: () => countOf("memory", "tensors") > 0 || countOf("alloc", "allocators") > 0, build: buildMemory, searches: true});
