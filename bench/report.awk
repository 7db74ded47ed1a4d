# report.awk - prints the tables and the limits from results.tsv. README.md explains the columns.
#
# Everything is kept by key (kind, case, events) and label: wall[key, label] and so on.

BEGIN {
    FS = "\t"
    n_keys = 0
}

NR > 1 && $1 == "instructions" {
    instructions[$7] = $14
    next
}

NR > 1 {
    key = $1 SUBSEP $2 SUBSEP $3
    if (!(key in bytes))
        keys[n_keys++] = key
    kind[key] = $1; name[key] = $2; events[key] = $3; samples[key] = $4; bytes[key] = $5; json[key] = $6
    wall[key, $7] = $9; quartile1[key, $7] = $10; quartile3[key, $7] = $11
    memory[key, $7] = $13; output[key, $7] = $14; outcome[key, $7] = $15; least[key, $7] = $16
}

function raw(key) {
    return wall[key, "raw-mmap"] < wall[key, "raw-read"] ? wall[key, "raw-mmap"] : wall[key, "raw-read"]
}

# Baseline of a label: for output to a file, reading the dump and writing as many bytes.
function floor_of(key, label) {
    return (key, "raw-" label) in wall ? wall[key, "raw-" label] : raw(key)
}

function log10(x) {
    return log(x) / log(10)
}

function ratio(a, b) {
    return a == "" || b == "" || b == 0 ? "-" : sprintf(a / b < 100 ? "%.1f" : "%.0f", a / b)
}

function was_asked(key) {
    return outcome[key, "peer"] == "ok" || outcome[key, "peer"] == "capped"
}

# Time of the Inspector, measured or extrapolated: beyond the largest dump that it read, time grows with the events and its
# start-up does not. Sets peer_mark to the prefix of the number: ~ extrapolated, > killed before it ended.
function peer_time(key, i, other, largest) {
    peer_mark = ""
    if (was_asked(key)) {
        peer_mark = outcome[key, "peer"] == "ok" ? "" : ">"
        return wall[key, "peer"]
    }
    for (i = 0; i < n_keys; i++) {
        other = keys[i]
        if (kind[other] == "dump" && name[other] == name[key] && was_asked(other) && events[other] < events[key])
            largest = other
    }
    if (largest == "")
        return ""
    peer_mark = outcome[largest, "peer"] == "ok" ? "~" : ">"
    return peer_start + (wall[largest, "peer"] - peer_start) * events[key] / events[largest]
}

function peer_ratio(key, label, time) {
    time = peer_time(key)
    return time == "" ? "-" : peer_mark ratio(time, wall[key, label])
}

function flatc_ratio(key, label) {
    return (outcome[key, "flatc"] == "ok" ? "" : ">") ratio(wall[key, "flatc"], wall[key, label])
}

# Bytes per sample: resident memory beyond the program itself and the input.
function beyond(key, label) {
    return (memory[key, label] - program_memory - bytes[key]) / samples[key]
}

# ---- tables --------------------------------------------------------------------------------------

function print_dump(key, label, time) {
    time = wall[key, label]
    printf "%-10s %9d %7.1f  %-10s %10.2f %4.0f%%  %7s %7s %9s  %7.2f %6.2f  %8.1f %9.1f\n",
        name[key], events[key], bytes[key] / 1e6, label, time * 1e3,
        50 * (quartile3[key, label] - quartile1[key, label]) / time, ratio(time, floor_of(key, label)),
        flatc_ratio(key, label), peer_ratio(key, label), events[key] / time / 1e6, bytes[key] / time / 1e9,
        memory[key, label] / 1e6, beyond(key, label)
}

function print_dumps(i, j, key, labels, n) {
    printf "%-10s %9s %7s  %-10s %10s %5s  %7s %7s %9s  %7s %6s  %8s %9s\n", "dump", "events", "MB", "output", "ms", "+-",
        "/raw", "flatc/", "peer/", "Mev/s", "GB/s", "peak MB", "B/sample"
    n = split("table tsv check table-file tsv-file limited", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "dump")
            continue
        for (j = 1; j <= n; j++) {
            if ((key, labels[j]) in wall)
                print_dump(key, labels[j])
        }
        printf "%-10s %9d %7.1f  raw %.2f ms (%s), flatc %.0f ms and %.0f MB, peer %s\n", name[key], events[key],
            bytes[key] / 1e6, raw(key) * 1e3, raw(key) == wall[key, "raw-mmap"] ? "mmap" : "read", wall[key, "flatc"] * 1e3,
            memory[key, "flatc"] / 1e6, peer_text(key)
    }
}

function peer_text(key) {
    if (!((key, "peer") in wall))
        return "not asked"
    return sprintf("%.1f s and %.0f MB, %s", wall[key, "peer"], memory[key, "peer"] / 1e6, outcome[key, "peer"])
}

# Returns the slope of log(y) over log(events) from 10^3 on, by least squares; sets last_step to that of the last two sizes.
function growth(case_name, label, values, i, key, n, x, y, sx, sy, sxx, sxy, old_x, old_y) {
    n = sx = sy = sxx = sxy = 0
    last_step = "-"
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "dump" || name[key] != case_name || events[key] < 1000)
            continue
        x = log10(events[key])
        y = log10(values == "time" ? wall[key, label] : memory[key, label])
        if (n > 0)
            last_step = (y - old_y) / (x - old_x)
        n++
        sx += x; sy += y; sxx += x * x; sxy += x * y
        old_x = x; old_y = y
    }
    return n < 2 ? "-" : (n * sxy - sx * sy) / (n * sxx - sx * sx)
}

function print_growth(i, j, n, labels, key, time, time_step, space) {
    printf "\n%-10s %-10s %8s %9s  %8s %9s   exponents, from 10^3 events\n", "growth", "output", "time", "last step",
        "memory", "last step"
    n = split("table tsv check flatc", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "dump" || events[key] != 1000)
            continue
        for (j = 1; j <= n; j++) {
            time = growth(name[key], labels[j], "time")
            time_step = last_step
            space = growth(name[key], labels[j], "memory")
            printf "%-10s %-10s %8.2f %9.2f  %8.2f %9.2f\n", name[key], labels[j], time, time_step, space, last_step
            if (labels[j] != "flatc") {
                judge("growth", time <= 1.05, time, name[key] "/" labels[j])
                judge("last step", time_step <= 1.05, time_step, name[key] "/" labels[j])
                judge("memory growth", space <= 1.05, space, name[key] "/" labels[j])
            }
        }
    }
}

function print_graphs(i, j, n, labels, key, label) {
    printf "\n%-12s %8s %8s  %-6s %9s %7s %8s  %8s %6s\n", "graph", "JSON MB", "MB", "output", "ms", "/raw", "peer/",
        "peak MB", "/JSON"
    n = split("table tsv check alone", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "graph")
            continue
        for (j = 1; j <= n; j++) {
            label = labels[j]
            printf "%-12s %8.2f %8.2f  %-6s %9.2f %7s %8s  %8.1f %6.2f\n", name[key], json[key] / 1e6,
                bytes[key] / 1e6, label, wall[key, label] * 1e3, ratio(wall[key, label], raw(key)), peer_ratio(key, label),
                memory[key, label] / 1e6, memory[key, label] / json[key]
        }
        printf "%-12s raw %.2f ms (%s), peer %s\n", name[key], raw(key) * 1e3,
            raw(key) == wall[key, "raw-mmap"] ? "mmap" : "read", peer_text(key)
        if (json[key] > 5e7) {
            judge("graph time", wall[key, "tsv"] <= 8 * raw(key), wall[key, "tsv"] / raw(key), name[key])
            judge("graph memory", memory[key, "tsv"] < 1.5 * json[key], memory[key, "tsv"] / json[key], name[key])
        }
    }
}

# Views and formats compared with TSV; a row for every sample is more than TSV writes.
function print_views(i, j, n, labels, key, label, beside, times) {
    printf "\n%-12s %9s  %-14s %9s %6s %8s\n", "views", "events", "view", "ms", "/tsv", "peak MB"
    n = split("tsv summary runs alloc tree ops graph source group-op group-module group-source sort all-columns table text " \
        "markdown csv json ndjson json-samples tsv-file sqlite runs-events sqlite-samples", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        for (j = 1; j <= n && kind[key] ~ /^(views|formats)$/; j++) {
            label = labels[j]
            if (!((key, label) in wall))
                continue
            beside = label ~ /^sqlite/ ? "tsv-file" : "tsv"
            times = wall[key, label] / wall[key, beside]
            printf "%-12s %9d  %-14s %9.1f %6.2f %8.1f\n", name[key], events[key], label, wall[key, label] * 1e3, times,
                memory[key, label] / 1e6
            judge(label ~ /runs-events|sqlite-samples/ ? "view samples" : "views", times <= 3, times, name[key] "/" label)
        }
    }
}

# Two dumps compared with the table of one.
function print_diffs(i, j, n, labels, key, label, times) {
    printf "\n%-12s %9s  %-14s %9s %6s %8s\n", "diff", "events", "command", "ms", "/table", "peak MB"
    n = split("table diff diff-all one-process gate", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        for (j = 1; j <= n && kind[key] == "diff"; j++) {
            label = labels[j]
            times = wall[key, label] / wall[key, "table"]
            printf "%-12s %9d  %-14s %9.1f %6.2f %8.1f\n", name[key], events[key], label, wall[key, label] * 1e3, times,
                memory[key, label] / 1e6
            if (label == "diff")
                judge("diff", times <= 3, times, name[key])
        }
    }
}

# Processor time: the least of all runs, beside reading and summing or as it is.
function print_limits(i, key, raw_least, times, limit, ms, is_done) {
    printf "\n%-12s %9s %9s %8s %8s   least processor time\n", "limits", "size", "ms", "/raw", "limit"
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "limits")
            continue
        if (name[key] == "json") {
            raw_least = least[key, "raw-mmap"] < least[key, "raw-read"] ? least[key, "raw-mmap"] : least[key, "raw-read"]
            times = least[key, "json"] / raw_least
            printf "%-12s %9d %9.1f %8.2f %8s\n", "json", events[key], least[key, "json"] * 1e3, times, "9 x"
            judge("json", times <= 9, times, events[key] " events")
        } else if (name[key] == "ops") {
            times = least[key, "ops"] / least[key, "table"]
            printf "%-12s %9d %9.1f %8s %8s   %.2f x table\n", "ops", events[key], least[key, "ops"] * 1e3, "", "1.1 x", times
            judge("ops", times <= 1.1, times, events[key] " blocks")
        } else {
            limit = events[key] == 1000 ? 150 : 320
            ms = least[key, "trend"] * 1e3
            is_done = outcome[key, "trend"] == "ok"
            printf "%-12s %9d %9.1f %8s %5d ms %s\n", "trend", events[key], ms, "", limit, is_done ? "" : outcome[key, "trend"]
            judge("trend", ms <= limit && is_done, ms, events[key] " files")
            printf "%-12s %9d %9.1f %8s %8s %s\n", "changed", events[key], least[key, "changed"] * 1e3, "", "-",
                outcome[key, "changed"] == "ok" ? "" : outcome[key, "changed"]
        }
    }
}

function print_small(key, i, n, labels, label) {
    printf "\n%-10s %9s %19s %7s %8s %13s %8s   the smallest work, whole processes\n", "small", "ms", "quartiles",
        "/true", "peer/", "instructions", "peak MB"
    n = split("true start dump table tsv check peer", labels, " ")
    for (i = 1; i <= n; i++) {
        label = labels[i]
        printf "%-10s %9.3f %9.3f %9.3f %7s %8s %13s %8.1f\n", label, wall[key, label] * 1e3, quartile1[key, label] * 1e3,
            quartile3[key, label] * 1e3, ratio(wall[key, label], wall[key, "true"]),
            ratio(wall[key, "peer"], wall[key, label]),
            label in instructions ? instructions[label] : "-", memory[key, label] / 1e6
    }
    judge("small peer", wall[key, "peer"] >= 2000 * wall[key, "table"], wall[key, "peer"] / wall[key, "table"], "table")
    judge("small true", wall[key, "table"] <= 3 * wall[key, "true"], wall[key, "table"] / wall[key, "true"], "table")
}

function print_many(key, i, n, labels, label, each) {
    printf "\n%-10s %9s %9s %7s %8s   10,000 dumps at once, of %d bytes each\n", "many", "s", "us each", "/cat",
        "peak MB", bytes[key] / 10000
    n = split("table tsv check", labels, " ")
    for (i = 1; i <= n; i++) {
        label = labels[i]
        each = wall[key, label] * 1e6 / 10000
        printf "%-10s %9.3f %9.1f %7s %8.1f %s\n", label, wall[key, label], each,
            ratio(wall[key, label], wall[key, "cat"]), memory[key, label] / 1e6, outcome[key, label] == "ok" ? "" : outcome[key, label]
        judge("many", each < 100 && outcome[key, label] == "ok", each, label)
    }
}

# ---- bars ----------------------------------------------------------------------------------------

# `worst` is the largest value, except for ratios that should be large.
function judge(bar, is_reached, value, what) {
    judged[bar]++
    reached[bar] += is_reached
    if (!(bar in worst) || (bar ~ /peer|flatc/ ? value < worst[bar] : value > worst[bar])) {
        worst[bar] = value
        worst_name[bar] = what
    }
}

function judge_million(i, j, key, n, labels, label, what) {
    n = split("table tsv", labels, " ")
    for (i = 0; i < n_keys; i++) {
        key = keys[i]
        if (kind[key] != "dump" || events[key] != 1000000)
            continue
        for (j = 1; j <= n; j++) {
            label = labels[j]
            what = name[key] "/" label
            if (peer_time(key) != "")
                judge("peer", peer_time(key) >= 1000 * wall[key, label], peer_time(key) / wall[key, label], what)
            judge("raw", wall[key, label] <= 4 * raw(key), wall[key, label] / raw(key), what)
            judge("flatc", wall[key, "flatc"] >= 10 * wall[key, label], wall[key, "flatc"] / wall[key, label], what)
            if ((key, label "-file") in wall) {
                judge_memory(key, label "-file", what)
                judge_files(key, label "-file", what)
            }
        }
    }
}

function judge_files(key, label, what, times) {
    times = wall[key, label] / floor_of(key, label)
    judge("file", times <= 4, times, what)
}

function judge_memory(key, label, what, left) {
    left = beyond(key, label) - output[key, label] / samples[key]
    judge("memory", left <= 24, left, what)
}

function print_bar(bar, text) {
    if (!(bar in judged))
        printf "%-68s not measured\n", text
    else
        printf "%-68s %-11s %d of %d; worst %.2f (%s)\n", text,
            reached[bar] == judged[bar] ? "REACHED" : "not reached", reached[bar], judged[bar],
            worst[bar], worst_name[bar]
}

function print_bars() {
    judge_million()
    printf "\nbars\n"
    print_bar("small peer", "small dump + record: >= 2000 x faster than the Inspector")
    print_bar("small true", "small dump + record: <= 3 x /bin/true")
    print_bar("peer", "10^6 events: >= 1000 x faster than the Inspector (measured, or ~)")
    print_bar("raw", "10^6 events: <= 4 x reading and summing")
    print_bar("file", "10^6 events into a file: <= 4 x reading, summing and writing (not asked)")
    print_bar("flatc", "10^6 events: >= 10 x faster than flatc to JSON")
    print_bar("memory", "10^6 events: <= 24 bytes per sample beyond input and output")
    print_bar("growth", "growth of time: exponent <= 1.05")
    print_bar("last step", "growth of time, the last step alone (not asked for)")
    print_bar("memory growth", "growth of memory: exponent <= 1.05")
    print_bar("graph time", "100 MB graph: <= 8 x reading and summing")
    print_bar("graph memory", "100 MB graph: peak memory < 1.5 x the JSON")
    print_bar("views", "views and formats: <= 3 x TSV")
    print_bar("view samples", "a row for every sample: <= 3 x TSV of the events")
    print_bar("diff", "diff of two dumps of 10^5 events: <= 3 x the table of one")
    print_bar("json", "JSON: <= 9 x reading and summing, with instructions for SHA-256")
    print_bar("ops", "operators of a graph: <= 1.1 x the table")
    print_bar("trend", "trend of 1,000 and 2,000 dumps: <= 150 and 320 ms")
    print_bar("many", "10,000 small dumps: < 100 us each")
}

END {
    for (i = 0; i < n_keys; i++) {
        if (kind[keys[i]] == "small")
            small = keys[i]
        if (kind[keys[i]] == "many")
            many = keys[i]
    }
    peer_start = wall[small, "peer"]
    program_memory = memory[small, "start"]
    print_dumps()
    print_growth()
    print_graphs()
    print_views()
    print_diffs()
    print_limits()
    print_small(small)
    if (many != "")
        print_many(many)
    print_bars()
}
