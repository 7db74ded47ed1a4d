// runs.js - a dot for each run in the order of the table runs; percentiles as lines, a histogram at the right.
function buildRuns(box) {
    const rows = rowsOf("runs", "runs");
    const events = eventRows();
    const blocks = [...new Set(rows.map(row => row.block))];
    const execute = blocks.length === 1 && events.find(row => row.event_name === "Method::execute");
    const firstOf = new Map(blocks.map(block => [block, rows.findIndex(row => row.block === block)]));
    const bottom = 26, top = 10;
    const representative = rows.map((row, i) => row.representative ? i : -1).filter(i => i >= 0);
    const largest = list => list.reduce((a, b) => b > a ? b : a, 0);
    const most = largest(rows.map(row => row.elapsed)), usual = largest(rows.filter(row => !row.flag).map(row => row.elapsed));

    // Returns the second series: times of the selected event, run by run.
    function second() {
        const samples = selection.op === null ? null : samplesOf(selection.op);
        return samples ? {samples, first: firstOf.get(events[selection.op].block), name: events[selection.op].event_name} : null;
    }
    function frame(width, height) {
        const extra = second(), whole = extra ? Math.max(most, largest(extra.samples)) : most;
        // single runs that took many times as long would press all others to the bottom, so they are drawn at the top edge
        const isCut = usual > 0 && whole > 2.5 * usual;
        const high = (isCut ? usual * 1.6 : whole) * 1.05 || 1;
        const side = width < 500 ? 0 : 110;
        const axis = ticksOf(0, high, scale), last = axis.ticks[axis.ticks.length - 1];
        last.text += axis.unit;
        const left = 12 + canvas.canvas.getContext("2d").measureText(last.text).width;
        const wide = width - left - side - 12;
        return {high, side, left, wide, extra, ticks: axis.ticks, x: i => left + (rows.length > 1 ? i / (rows.length - 1) : 0.5) * wide,
            y: value => top + (1 - Math.min(1, value / high)) * (height - top - bottom)};
    }
    function mark(pen, row, x, y, isAbove) {
        if (isAbove) {
            pen.fillStyle = colour(row.flag === "warm-up" ? "quiet" : "slower");
            pen.beginPath();
            pen.moveTo(x, y - 6);
            pen.lineTo(x - 5, y + 3);
            pen.lineTo(x + 5, y + 3);
            pen.fill();
            return;
        }
        if (row.flag === "outlier") {
            pen.beginPath();
            pen.moveTo(x - 4, y - 4);
            pen.lineTo(x + 4, y + 4);
            pen.moveTo(x + 4, y - 4);
            pen.lineTo(x - 4, y + 4);
            setLine(pen, "slower", 2);
            pen.stroke();
            return;
        }
        pen.beginPath();
        pen.arc(x, y, 3.2, 0, 7);
        if (row.flag === "warm-up") {
            setLine(pen, "quiet", 1.5);
            pen.stroke();
        } else {
            pen.fillStyle = colour("accent");
            pen.fill();
        }
    }
    function drawAxes(pen, f, height) {
        const {left, wide} = f;
        pen.lineWidth = 1;
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        for (const {value, text} of f.ticks) {
            pen.strokeStyle = colour("line");
            pen.beginPath();
            pen.moveTo(left, Math.round(f.y(value)) + 0.5);
            pen.lineTo(left + wide, Math.round(f.y(value)) + 0.5);
            pen.stroke();
            pen.fillStyle = colour("quiet");
            pen.fillText(text, left - 8, f.y(value));
        }
        pen.textBaseline = "alphabetic";
        pen.textAlign = "left";
        pen.fillText("run 0", left, height - 8);
        pen.textAlign = "right";
        pen.fillText(String(rows.length - 1), left + wide, height - 8);
    }
    function drawLine(pen, f, value, name) {
        pen.setLineDash([5, 4]);
        pen.strokeStyle = pen.fillStyle = colour("quiet");
        pen.beginPath();
        pen.moveTo(f.left, f.y(value));
        pen.lineTo(f.left + f.wide, f.y(value));
        pen.stroke();
        pen.setLineDash([]);
        pen.textAlign = "right";
        pen.fillText(name + " " + timeText(value), f.left + f.wide - 4, f.y(value) - 4);
    }
    function drawHistogram(pen, f, height) {
        const bins = new Array(24).fill(0);
        rows.forEach(row => { bins[Math.min(23, Math.floor(row.elapsed / f.high * 24))]++; });
        const most = bins.reduce((a, b) => b > a ? b : a, 1);
        pen.fillStyle = colour("bar");
        bins.forEach((n, i) => {
            const high = (height - top - bottom) / 24;
            pen.fillRect(f.left + f.wide + 14, f.y(f.high * (i + 1) / 24) + 1, n / most * (f.side - 10), high - 1);
        });
    }
    function draw(pen, width, height) {
        const f = frame(width, height);
        drawAxes(pen, f, height);
        if (f.side > 0)
            drawHistogram(pen, f, height);
        if (execute) {
            drawLine(pen, f, execute.p50, "p50");
            if (f.y(execute.p50) - f.y(execute.p90) > 14)
                drawLine(pen, f, execute.p90, "p90");
        }
        rows.forEach((row, i) => mark(pen, row, f.x(i), f.y(row.elapsed), row.elapsed > f.high));
        for (const i of representative) {
            setLine(pen, "accent", 1.5);
            pen.beginPath();
            pen.arc(f.x(i), f.y(rows[i].elapsed), 6.5, 0, 7);
            pen.stroke();
        }
        if (f.extra) {
            pen.fillStyle = colour("warn");
            f.extra.samples.forEach((value, i) => pen.fillRect(f.x(f.extra.first + i) - 3, f.y(value) - 3, 6, 6));
        }
        if (selection.run !== null) {
            setLine(pen, "ink", 2);
            pen.beginPath();
            pen.arc(f.x(selection.run), f.y(rows[selection.run].elapsed), 7, 0, 7);
            pen.stroke();
        }
    }
    function at(x, width) {
        const f = frame(width, 220);
        return Math.max(0, Math.min(rows.length - 1, Math.round((x - f.left) / f.wide * (rows.length - 1) || 0)));
    }
    const label = countText(rows.length) + " runs, first " + timeText(rows[0].elapsed) + (execute ? ", p50 " + timeText(execute.p50) + ", p90 " + timeText(execute.p90) : "") + "; the table below has all";
    const canvas = drawing(label, 220, draw, x => {
        const number = at(x, canvas.canvas.clientWidth), row = rows[number];
        return "run " + row.run + (blocks.length > 1 ? " of " + row.block : "") + ": " + timeText(row.elapsed) + (row.flag ? " (" + row.flag + ")" : "") + (row.representative ? ", nearest to the medians" : "");
    });
    canvas.canvas.addEventListener("click", event => select({run: at(event.offsetX, canvas.canvas.clientWidth), section: null}));
    canvas.canvas.addEventListener("keydown", event => {
        const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (by) {
            event.preventDefault();
            select({run: selection.run === null ? 0 : Math.max(0, Math.min(rows.length - 1, selection.run + by)), section: null});
        }
    });
    const series = el("span", {hidden: true});
    const legend = el("div", {class: "legend"}, el("span", {}, "● run"), el("span", {}, "◉ run nearest to the medians"), el("span", {}, "○ warm-up"), el("span", {}, "✕ outlier"), el("span", {hidden: most <= frame(1000, 220).high}, "▲ beyond the top of the drawing"), series);
    const hidden = ["z", "start_time", "dump", "dump_run", "bundled_input_index"].concat(blocks.length > 1 ? [] : ["block"])
        .concat(["operators", "delegate", "delegate_not_logged", "framework", "loading"].filter(name => rows.every(row => !row[name])));
    const table = makeTable({columns: columnsOf("runs", "runs").filter(c => !hidden.includes(c.name)), rows, label: "runs",
        pick: row => select({run: rows.indexOf(row), section: null}), isPicked: row => row === rows[selection.run], wide: {flag: 6.5, block: 9}});
    table.element.style.maxHeight = "16rem";
    onSelect(chosen => {
        const extra = second();
        series.hidden = !extra;
        series.replaceChildren("■ ", extra ? nameOf(extra.name, 80) : "");
        canvas.change();
        table.repaint();
        if (chosen.run !== null)
            table.reveal(table.find(row => row === rows[chosen.run]));
    });
    box.append(canvas.canvas, legend, table.element, notesList(remarksOf("runs", "runs")) || "");
}
keys.push(["← →", "in the drawing of runs: previous and next run"]);

section({id: "runs", title: "Runs", has: () => countOf("runs", "runs") > 1, build: buildRuns});
