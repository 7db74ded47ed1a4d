// memory.js - tensors in the memory that the program plans: instructions across, bytes down, an arena below the other.
function buildMemory(box) {
    const tensors = rowsOf("memory", "tensors").filter(row => typeof row.offset === "number" && row.alias_of === null);
    const arenas = rowsOf("memory", "arenas");
    const bands = arenas.filter(arena => arena.size > 0).map(arena => ({arena, rows: tensors.filter(row => row.memory_id === arena.memory_id && row.method === arena.method)}));
    for (const {arena, rows} of bands) {
        if (rows.length === 0)
            continue;
        const last = rows.reduce((most, row) => Math.max(most, row.last || 0), 1) + 1;
        let shown = [];
        const draw = (context, width, height) => {
            shown = [];
            context.textBaseline = "middle";
            for (const row of rows) {
                const x = (row.first || 0) / last * width, right = ((row.last === null ? last : row.last) + 1) / last * width;
                const y = row.offset / arena.size * height, high = Math.max(1, row.bytes / arena.size * height);
                const it = {row, x, y, width: Math.max(1, Math.min(width, right) - x), height: high};
                shown.push(it);
                context.fillStyle = colourOf(row.producer || row.role || "");
                context.fillRect(it.x, it.y, Math.max(1, it.width - 1), Math.max(1, it.height - 0.5));
                if (high >= 14) {
                    context.fillStyle = "#14181b";
                    context.fillText(fitText(context, row.producer || row.role || "", it.width - 8), it.x + 4, it.y + it.height / 2);
                }
            }
            if (typeof arena.at === "number") {
                context.strokeStyle = colour("slower");
                context.setLineDash([4, 3]);
                context.beginPath();
                context.moveTo((arena.at + 0.5) / last * width, 0);
                context.lineTo((arena.at + 0.5) / last * width, height);
                context.stroke();
                context.setLineDash([]);
            }
        };
        const told = "arena " + arena.memory_id + " of " + cut(arena.method, 80) + ": " + bytesText(arena.size) + ", at most " + bytesText(arena.peak) + " in use, at instruction " + arena.at;
        const canvas = drawing(told + "; the table below has all tensors", 200, draw, (x, y) => {
            const it = shown.find(r => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
            return it ? (it.row.producer || it.row.role) + "\n" + bytesText(it.row.bytes) + " " + plainText(it.row.dtype) + " " + plainText(it.row.shape) + "\noffset " + countText(it.row.offset) + ", instructions " + it.row.first + " to " + it.row.last +
                (it.row.module ? "\n" + it.row.module : "") : null;
        });
        box.append(el("h3", {}, told), canvas.canvas, el("p", {class: "quiet"}, "Instructions from left to right, offsets from top to bottom; the dashed line is where most is in use."));
    }
    for (const [view, name, title] of [["memory", "tensors", "Planned tensors"], ["alloc", "allocators", "Allocators"], ["program", "methods", "Methods of the program"], ["program", "categories", "Bytes of the program"]]) {
        const table = viewTable(view, name, title, {wide: {producer: 16, module: 14, source: 18, shape: 9}});
        if (table)
            box.append(table);
    }
}

section({id: "memory", title: "Memory", has: () => rowsOf("memory", "tensors").length > 0 || rowsOf("alloc", "allocators").length > 0, build: buildMemory});
