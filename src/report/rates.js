// rates.js - the work of kernels per second: a roofline of those with operations, and the numbers of all.
function rateText(value, unit) {
    const prefixes = ["", "k", "M", "G", "T", "P"];
    let at = 0;
    for (; value >= 999.5 && at + 1 < prefixes.length; at++)
        value /= 1000;
    return value.toPrecision(3) + " " + prefixes[at] + unit;
}
// Returns the peaks that the command gave, as far as rows show them: the limit of a row is its rate / its part of the peak.
function peaksOf(rows) {
    const limit = (bound, rate) => rows.filter(row => row.bound_by === bound && row.of_peak > 0 && row[rate] > 0).map(row => row[rate] / row.of_peak)[0];
    return {flops: limit("compute", "flop_rate"), bandwidth: limit("memory", "byte_rate")};
}
function drawRoofline(rows, peaks) {
    const intensity = row => row.flop / row.traffic, decade = Math.log10;
    const knee = peaks.flops && peaks.bandwidth ? peaks.flops / peaks.bandwidth : null;
    const range = values => [Math.floor(decade(Math.min(...values)) - 0.1), Math.ceil(decade(Math.max(...values)) + 0.1)];
    const [left, right] = range(rows.map(intensity).concat(knee || [])), [low, high] = range(rows.map(row => row.flop_rate).concat(peaks.flops || []));
    const margin = {left: 78, right: 12, top: 10, bottom: 34}, height = 300;
    const frame = width => ({
        x: value => margin.left + (decade(value) - left) / (right - left) * (width - margin.left - margin.right),
        y: value => margin.top + (high - decade(value)) / (high - low) * (height - margin.top - margin.bottom),
    });
    function line(pen, f, points) {
        pen.beginPath();
        points.forEach(([x, y], i) => i === 0 ? pen.moveTo(f.x(x), f.y(y)) : pen.lineTo(f.x(x), f.y(y)));
        pen.stroke();
    }
    // The roof: bandwidth x intensity up to the peak of computing.
    function drawRoof(pen, f, width) {
        setLine(pen, "warn", 1.5);
        pen.save();
        pen.beginPath();
        pen.rect(margin.left, margin.top, width - margin.left - margin.right, height - margin.top - margin.bottom);
        pen.clip();
        if (peaks.bandwidth)
            line(pen, f, [[10 ** left, peaks.bandwidth * 10 ** left], [knee || 10 ** right, peaks.bandwidth * (knee || 10 ** right)]]);
        if (peaks.flops)
            line(pen, f, [[knee || 10 ** left, peaks.flops], [10 ** right, peaks.flops]]);
        pen.restore();
    }
    function draw(pen, width) {
        const f = frame(width);
        setLine(pen, "line", 1);
        pen.fillStyle = colour("quiet");
        for (let at = low; at <= high; at++) {
            line(pen, f, [[10 ** left, 10 ** at], [10 ** right, 10 ** at]]);
            pen.fillText(rateText(10 ** at, "FLOP/s"), 2, f.y(10 ** at) + 4);
        }
        for (let at = left; at <= right; at++) {
            line(pen, f, [[10 ** at, 10 ** low], [10 ** at, 10 ** high]]);
            pen.fillText(String(Number((10 ** at).toPrecision(1))), f.x(10 ** at) - 6, height - 20);
        }
        pen.fillText("FLOP per byte", margin.left, height - 4);
        drawRoof(pen, f, width);
        for (const row of rows) {
            pen.fillStyle = colourOf(row.kernel || row.op);
            pen.beginPath();
            pen.arc(f.x(intensity(row)), f.y(row.flop_rate), 4 + 8 * Math.sqrt(Math.max(0, row.share || 0)), 0, 7);
            pen.fill();
        }
    }
    function tell(x, y) {
        const f = frame(canvas.canvas.clientWidth), distance = row => Math.hypot(f.x(intensity(row)) - x, f.y(row.flop_rate) - y);
        const row = rows.reduce((a, b) => distance(b) < distance(a) ? b : a);
        return distance(row) > 20 ? null : (row.kernel || row.op) + ": " + rateText(row.flop_rate, "FLOP/s") + ", " + rateText(row.byte_rate, "B/s") + ", " + shareText(row.share) + " of the time" +
            (row.bound_by ? ", " + shareText(row.of_peak) + " of the limit of " + (row.bound_by === "memory" ? "the memory" : "computing") : "");
    }
    const canvas = drawing("roofline of " + countText(rows.length) + " kernels; the table below has their numbers", height, draw, tell);
    return canvas.canvas;
}
function buildRates(box) {
    const all = rowsOf("kernels", "kernels"), rows = all.filter(row => row.flop > 0 && row.traffic > 0 && row.flop_rate > 0);
    if (rows.length > 0)
        box.append(drawRoofline(rows, peaksOf(all)));
    box.append(viewTable("kernels", "kernels", null, {wide: {op: 18, kernel: 20},
        only: ["method", "op", "kernel", "typical", "share", "of_peak", "bound_by", "events", "compute_unit", "dtypes", "flop", "traffic", "flop_rate", "byte_rate"]}));
    box.append(el("p", {class: "quiet"}, "Floating-point operations and bytes follow from the shapes of tensors; bytes are a lower bound."));
}

section({id: "rates", title: "Rates", has: () => distinctOf("kernels", "kernels", "traffic").some(traffic => traffic > 0), build: buildRates, searches: true});
