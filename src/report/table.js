// table.js - a table whose rows are drawn as they are needed: sorted by its headers, searched, copied as TSV.
const rowHeight = 29;
const most_drawn = 56;
const most_printed = 100;

// Returns a text in quotes, as searches take it.
function quoted(text) {
    return "\"" + String(text).replace(/"/g, "\"\"") + "\"";
}
function headingOf(column) {
    return column.label || inWords("heading", column.name).replace(/_/g, " ");
}
// Finds the column that a search means: by its heading, its name, or a short name.
function columnOf(key, columns, names) {
    const plain = key.toLowerCase().replace(/_/g, " ");
    return columns.find(c => headingOf(c).toLowerCase() === plain) || columns.find(c => c.name === (names[key] || key));
}
// Returns a text like "1.5us" as a number of a column, or, as a string, the reason why it is not a number. Without a unit, shares are in percent.
function numberOf(column, text) {
    const [, digits, unit] = text.match(/^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(ns|us|µs|μs|ms|s|%)?$/) || [];
    const isShare = column.kind === "share" || column.kind === "change";
    if (!isNumeric(column.kind))
        return headingOf(column) + " is not a column of numbers";
    if (digits === undefined)
        return text + " is not a number";
    if (unit === "%" || (!unit && isShare))
        return isShare || column.kind === "number" ? digits / 100 : headingOf(column) + " is not a column of shares";
    if (unit && column.kind !== "time")
        return headingOf(column) + " is not a column of times";
    if (unit && !(scale in nanoseconds))
        return "times are in " + scale;
    return unit ? digits / (nanoseconds[scale] / nanoseconds[unit.replace(/^[µμ]/, "u")]) : Number(digits);
}
// Returns whether a text is a name, or begins with it: the module of a submodule, a block of a method.
function isNamed(text, name, column) {
    return text === name || text.startsWith(name + (column === "block" ? " [" : "."));
}
const comparisons = {">": (a, b) => a > b, "<": (a, b) => a < b, ">=": (a, b) => a >= b, "<=": (a, b) => a <= b,
    "=": (a, b) => a === b, "==": (a, b) => a === b, "!=": (a, b) => a !== b};
const searchHelp = "Words must all occur. op:conv searches a column, which is named by its heading; module=mlp finds a whole name; -word excludes. p50>1us compares, also with " +
    ">= < <= = !=: times take ns, us, ms or s" + (scale in nanoseconds ? ", without a unit they are in " + scale : "") + ", and shares are in percent. Names with spaces are in quotes.";
keys.push(["op:conv p50>1us", searchHelp]);

// A word that is only a unit, or that ends before a value.
const isUnit = /^(?:ns|us|µs|μs|ms|s|%)$/, isUnfinished = /^\w*(?:[:=<>]|[<>=!]=)$|^-$/, isSign = /^(?:[:=<>]|[<>=!]=)$/;
// Parses a search into a test of rows; `problems` receives what it cannot mean.
function parseQuery(query, columns, names, problems) {
    const tests = [], texts = columns.filter(c => c.kind === "text" || c.kind === "list");
    const terms = [...query.matchAll(/(-?)(?:(?:"([^"]+)"|(\w+))(\s*(?::(?!:)|>=|<=|==|!=|>|<|=)\s*))?(?:"((?:[^"]|"")*)"?|(\S+))/g)];
    for (let i = 0; i < terms.length; i++) {
        const [whole, minus, quotedKey, plainKey, comparison, inQuotes, word] = terms[i];
        const key = quotedKey || plainKey, sign = (comparison || "").trim(), compare = comparisons[sign];
        const column = key && columnOf(key, columns, names);
        let exact = inQuotes === undefined ? word : inQuotes.replace(/""/g, "\"");
        const isWithout = inQuotes === undefined && (isUnfinished.test(whole.slice(minus.length)) || key && isSign.test(word)) || minus && exact === "";
        const next = terms[i + 1], isBeforeSign = !key && next && isSign.test(next[0]);
        if (isWithout || isBeforeSign) {
            problems.push(whole + (isBeforeSign ? next[0] : "") + " is not finished");
            i += isBeforeSign ? 1 : 0;
            continue;
        }
        // a number and its unit are two words if a blank is between them
        if (compare && column && isNumeric(column.kind) && /\d$/.test(exact) && next && isUnit.test(next[0]))
            exact += terms[++i][0];
        const wanted = exact.toLowerCase();
        if (!key && !minus && word !== "s" && isUnit.test(word))
            problems.push(word + " is a unit without a number: searched as text");
        let test = containing(texts, wanted);
        if (key && !column) {
            problems.push("no column " + key + (compare ? "" : ": searched as text"));
            test = compare ? () => false : containing(texts, whole.slice(minus.length).toLowerCase());
        } else if (column && !compare)
            test = containing([column], wanted);
        else if (column && (isNumeric(column.kind) || /[<>]/.test(sign))) {
            const limit = numberOf(column, wanted);
            if (typeof limit === "string")
                problems.push(limit);
            test = row => typeof row[column.name] === "number" && typeof limit === "number" && compare(row[column.name], limit);
        } else if (column) {
            const isMeant = row => [row[column.name]].flat().some(value => isNamed(plainText(value), exact, column.name) || inWords(column.name, plainText(value)) === exact);
            test = sign === "!=" ? row => row[column.name] !== null && !isMeant(row) : isMeant;
        }
        tests.push(minus ? row => !test(row) : test);
    }
    return tests.length === 1 ? tests[0] : row => tests.every(test => test(row));
}
// Returns the text of a cell, followed by the words that are shown in its place: searches compare it without regard to case.
function textAndWords(column, value) {
    const text = plainText(value), shown = inWords(column.name, text);
    return shown === text ? text : text + "\n" + shown;
}
function searchedText(column, value) {
    return textAndWords(column, value).toLowerCase();
}
const textsOfRows = new WeakMap();
function textOf(row, column) {
    const texts = textsOfRows.get(row) || new Map();
    textsOfRows.set(row, texts);
    if (!texts.has(column.name))
        texts.set(column.name, searchedText(column, row[column.name]));
    return texts.get(column.name);
}
// Returns {whole, starts}: all texts of the page as one text, and where each begins. One search of this text is faster than one of each.
const joined = new Map();
function joinedTexts(column) {
    const kind = hasOwnWords(column.name) ? column.name : "";
    if (!joined.has(kind)) {
        const join = texts => {
            const starts = new Uint32Array(texts.length + 1);
            texts.forEach((text, i) => { starts[i + 1] = starts[i] + text.length + 1; });
            return {whole: texts.join("\n").toLowerCase(), starts};
        };
        const texts = data.texts.map(text => Array.isArray(text) ? "" : textAndWords(column, text)), it = join(texts);
        // a few letters become two in lower case, which moves the starts: join lower-case texts then
        joined.set(kind, it.whole.length + 1 === it.starts[texts.length] || texts.length === 0 ? it : join(texts.map(text => text.toLowerCase())));
    }
    return joined.get(kind);
}
// Returns a mark for each text of the page that contains a word, by its number. Does not search lists.
const foundTexts = new Map(); // by the last words searched
function findTexts(column, wanted) {
    const it = joinedTexts(column), key = (hasOwnWords(column.name) ? column.name : "") + "\n" + wanted;
    if (foundTexts.has(key))
        return foundTexts.get(key);
    const marks = new Uint8Array(data.texts.length).fill(wanted === "" ? 1 : 0);
    for (let at = wanted === "" ? -1 : it.whole.indexOf(wanted), number = 0; at >= 0;) {
        while (it.starts[number + 1] <= at)
            number++;
        const isInside = at + wanted.length < it.starts[number + 1];
        marks[number] |= isInside;
        at = it.whole.indexOf(wanted, isInside ? it.starts[number + 1] : at + 1);
    }
    if (foundTexts.size > 20)
        foundTexts.clear();
    foundTexts.set(key, marks);
    return marks;
}
// Marks the rows of a table of columns whose cell in a column contains the word.
function markRows(marks, cells, column, wanted) {
    const {texts, at} = cells, some = Array.isArray(cells) ? cells : cells.of;
    let finds;
    if (texts && column.kind === "text") {
        const inTexts = findTexts(column, wanted);
        finds = i => inTexts[texts[i]];
    } else {
        cells.searched = cells.searched || some.map(value => searchedText(column, value));
        finds = i => cells.searched[i].includes(wanted) ? 1 : 0;
    }
    if (at) {
        const inCells = some.map((_, i) => finds(i));
        at.forEach((number, i) => { marks[i] |= inCells[number]; });
    } else if (some.length < marks.length)
        finds(0) && marks.fill(1);
    else
        marks.forEach((_, i) => { marks[i] |= finds(i); });
}
// Returns a test of rows: is the word in a cell of one of the columns?
function containing(columns, wanted) {
    let table = null, marks = null;
    return row => {
        const of = row[rowTable];
        if (!of)
            return columns.some(column => textOf(row, column).includes(wanted));
        if (of !== table) {
            table = of;
            marks = new Uint8Array(of.n);
            columns.forEach(column => markRows(marks, cellsOf(of.columns, column.name) || {of: [null]}, column, wanted));
        }
        return marks[row[rowNumber]] === 1;
    };
}

// Returns unit and decimals of a column of times, as for its median; in the unit of the first column unless that would be hard to read.
function formOf(column, rows, common) {
    const values = rows.slice(0, 2000).map(row => row[column.name]).filter(v => typeof v === "number" && v !== 0).map(Math.abs)
        .sort((a, b) => a - b);
    const median = values.length > 0 ? values[values.length >> 1] : 0;
    const most = values.length > 0 ? values[values.length - 1] : 0;
    let own = unitFor(median);
    if (most * own.factor >= 1e5)
        own = unitFor(most / 100);
    const isReadable = common && (median === 0 || (median * common.factor >= 0.01 && most * common.factor < 1e5));
    const unit = isReadable ? common : own;
    return {unit, decimals: decimalsFor(median * unit.factor)};
}

// Returns rows in the order of a column; rows without a value are last, and equal rows keep their order.
function sortedRows(rows, {name, descending}) {
    const isMissing = value => value === null || value === undefined || value === "" || Number.isNaN(value), sign = descending ? -1 : 1;
    const keys = rows.map(row => row[name]).map(value => typeof value === "number" || isMissing(value) ? value : plainText(value));
    const missing = keys.map(isMissing);
    function compare(a, b) {
        const x = keys[a], y = keys[b];
        if (missing[a] || missing[b])
            return missing[a] - missing[b];
        if (typeof x === "number" && typeof y === "number")
            return sign * (x - y);
        return sign * (plainText(x) < plainText(y) ? -1 : plainText(x) > plainText(y) ? 1 : 0);
    }
    return keys.map((_, i) => i).sort(compare).map(i => rows[i]);
}

function isEmptyValue(value) {
    return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
function hasValues(view, table, column) {
    return distinctOf(view, table, column.name).some(value => !isEmptyValue(value));
}
// `pick` is called when a row is chosen; if there is a `canPick`, it says which rows can be chosen. With `follows`, the table shows the
// rows that the search of the page finds, or all rows if the search names a column of other tables. `chosen` are the columns that are
// shown at first; without it, all are.
function makeTable({columns, chosen, rows, label, sort, pick, canPick, isPicked, wide, names, follows, query}) {
    const state = {columns: chosen || columns, rows, shown: rows, sort: sort || null, query: follows ? document.getElementById("search").value.trim() : query || "", problems: []};
    const head = el("tr"), body = el("tbody"), group = el("colgroup");
    const table = el("table", {"aria-label": label, "aria-rowcount": String(rows.length + 1)}, group, el("thead", {}, head), body);
    const printed = el("p", {class: "quiet", hidden: true});
    const searched = el("p", {class: "quiet", hidden: true});
    const wrapper = el("div", {class: "table", tabindex: "0", role: "region", "aria-label": "table: " + label}, searched, table, printed);
    let forms = {__proto__: null}, drawn = [-1, -1];

    function cellOf(column, row) {
        const value = row[column.name];
        const cell = el("td");
        if (isNumeric(column.kind))
            cell.className = "number";
        if (value === null || value === undefined || value === "")
            return cell;
        if (column.kind === "time" && typeof value === "number") {
            const form = forms[column.name];
            cell.textContent = fixed(value * form.unit.factor, form.decimals);
            cell.title = value + " " + scale;
        } else if (column.kind === "share" && typeof value === "number") {
            cell.textContent = cellText("share", value);
            cell.title = String(value);
            if (value <= 1 && column.name !== "deviation")
                cell.classList.add("share");
            cell.style.setProperty("--part", Math.max(0, Math.min(100, 100 * value)) + "%");
        } else {
            const text = inWords(column.name, cellText(column.kind, value));
            const shown = cut(text, 160), number = /^.{9,}?(?= #\d{1,6}$)/.exec(shown); // of a kernel: it stays if the name is cut
            cell.classList.add("name");
            if (number)
                cell.append(el("span", {class: "halves"}, el("span", {}, number[0]), el("span", {}, shown.slice(number[0].length))));
            else
                cell.textContent = shown;
            if (text.length > 12)
                cell.title = cut(inWords(column.name, plainText(value)), 1500);
        }
        if (column.mark && row[column.mark]) {
            cell.append(column.markSign);
            cell.title = column.markSign + ": " + column.markHelp;
        }
        return cell;
    }
    function rowOf(number) {
        const row = state.shown[number], isOffered = pick && (!canPick || canPick(row));
        const line = el("tr", {class: isOffered && "pick", "aria-rowindex": String(number + 2)}, ...state.columns.map(c => cellOf(c, row)));
        if (isPicked)
            line.setAttribute("aria-selected", isPicked(row) ? "true" : "false");
        if (isOffered)
            line.addEventListener("click", () => pick(row));
        return line;
    }
    function spacer(height) {
        const cell = el("td", {class: "spacer", colspan: String(state.columns.length)});
        cell.style.height = height + "px";
        return el("tr", {"aria-hidden": "true"}, cell);
    }
    function paint(force, most) {
        const n = state.shown.length;
        const limit = most || most_drawn;
        let first = 0, end = n;
        if (n > limit) {
            first = most ? 0 : Math.max(0, Math.min(n - limit, Math.floor(wrapper.scrollTop / rowHeight) - 20));
            end = first + limit;
        }
        if (!force && first === drawn[0] && end === drawn[1])
            return;
        drawn = [first, end];
        const lines = [];
        if (first > 0)
            lines.push(spacer(first * rowHeight));
        for (let i = first; i < end; i++)
            lines.push(rowOf(i));
        if (end < n && !most)
            lines.push(spacer((n - end) * rowHeight));
        body.replaceChildren(...lines);
    }
    function header(column) {
        const form = forms[column.name];
        const unit = form && form.unit.name ? " (" + form.unit.name + ")" : "";
        const sorted = state.sort && state.sort.name === column.name;
        const button = el("button", {type: "button", title: column.help, onclick: () => {
            const descending = sorted ? !state.sort.descending : isNumeric(column.kind);
            state.sort = {name: column.name, descending};
            update();
            say("sorted by " + column.name);
        }}, cut(headingOf(column) + unit, 60));
        return el("th", {scope: "col", class: isNumeric(column.kind) && "number",
            "aria-sort": sorted ? (state.sort.descending ? "descending" : "ascending") : "none"}, button);
    }
    function widthOf(column) {
        const width = (wide && wide[column.name]) || (column.kind === "share" ? Math.max(6.5, 2.2 + column.name.length * .6) : isNumeric(column.kind) ? Math.max(column.kind === "change" ? 7 : 6.2, 2.2 + ((column.label || column.name).length + (column.kind === "time" ? 5 : 0)) * .6) : 11);
        return width;
    }
    let common = null;
    for (const column of columns.filter(c => c.kind === "time")) {
        forms[column.name] = formOf(column, rows, common);
        common = common || forms[column.name].unit;
    }
    // Rows that are shown; sorted rows stay sorted when a search finds fewer.
    let sorted = null, sortedBy = "";
    function inOrder() {
        const by = state.sort ? state.sort.name + state.sort.descending : "";
        if (!sorted || by !== sortedBy)
            sorted = state.sort ? sortedRows(state.rows, state.sort) : state.rows;
        sortedBy = by;
        return sorted;
    }
    function search() {
        state.problems = [];
        const test = state.query ? parseQuery(state.query, columns, names || {}, state.problems) : null;
        state.shown = test && !(follows && state.problems.length > 0) ? inOrder().filter(test) : inOrder();
        searched.hidden = !follows || state.shown.length === rows.length;
        searched.textContent = searched.hidden ? "" : countText(state.shown.length) + " of " + countText(rows.length) + " rows: those that the search finds";
        table.setAttribute("aria-rowcount", String(state.shown.length + 1));
        wrapper.scrollTop = 0;
        paint(true);
    }
    function update() {
        const widths = state.columns.map(widthOf);
        const sum = widths.reduce((total, w) => total + w, 0);
        table.style.minWidth = sum + "em";
        table.style.width = "min(100%, " + sum * 1.35 + "em)";
        group.replaceChildren(...state.columns.map((c, i) => {
            const col = el("col");
            col.style.width = widths[i] + "em";
            return col;
        }));
        head.replaceChildren(...state.columns.map(header));
        search();
    }
    function tsv() {
        const clean = value => plainText(value).replace(/[\t\r\n]/g, " ");
        const lines = [state.columns.map(c => c.kind === "time" && scale ? c.name + " (" + scale + ")" : c.name).join("\t")];
        state.shown.forEach(row => lines.push(state.columns.map(c => clean(row[c.name])).join("\t")));
        return lines.join("\n") + "\n";
    }
    wrapper.addEventListener("scroll", () => requestAnimationFrame(() => paint(false)));
    wrapper.addEventListener("keydown", event => {
        if (!pick || (event.key !== "ArrowDown" && event.key !== "ArrowUp") || state.shown.length === 0)
            return;
        event.preventDefault();
        const at = isPicked ? state.shown.findIndex(isPicked) : -1;
        const next = at < 0 ? (canPick ? state.shown.findIndex(canPick) : 0) : Math.max(0, Math.min(state.shown.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
        if (next < 0)
            return;
        pick(state.shown[next]);
        reveal(next);
    });
    function reveal(number) {
        const top = number * rowHeight;
        if (top < wrapper.scrollTop || top > wrapper.scrollTop + wrapper.clientHeight - 3 * rowHeight)
            wrapper.scrollTop = Math.max(0, top - wrapper.clientHeight / 2);
    }
    const beforePrint = () => {
        const n = state.shown.length, found = n < rows.length ? "found by the search " + state.query + ": " + countText(n) + " of " + countText(rows.length) + " rows" : "";
        const first = n > most_printed ? "first " + most_printed + " of " + countText(n) + " rows" : "";
        printed.textContent = visible([found, first].filter(Boolean).join("; "));
        printed.hidden = !printed.textContent;
        paint(true, most_printed);
    };
    printers.push({before: beforePrint, after: () => {
        printed.hidden = true;
        paint(true);
    }});
    update();
    if (follows)
        onSearch(query => {
            state.query = query;
            search();
        });
    return {element: wrapper, state, update, search, tsv, repaint: () => paint(true), reveal, find: test => state.shown.findIndex(test)};
}

// Copies text; if the page may not, selects it for the user to copy.
function copyText(text, done) {
    const copied = () => say("copied") || done();
    const byHand = () => {
        const area = el("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
        copied();
    };
    if (navigator.clipboard && window.isSecureContext)
        navigator.clipboard.writeText(text).then(copied, byHand);
    else
        byHand();
}

// Returns whether a column has sums of all runs in a table that also has times of a typical run.
function isOfAllRuns(column, columns) {
    return columns.some(it => it.name === "typical") && /^(?:total|.*_total|share_mean)$/.test(column.name);
}
// Makes the table of a view, with its remarks; null without rows.
function viewTable(view, name, title, options) {
    if (countOf(view, name) === 0)
        return null;
    const all = columnsOf(view, name), rows = rowsOf(view, name);
    const columns = all.filter(column => column.kind !== "series" && hasValues(view, name, column) && !isOfAllRuns(column, all) && !(options && options.only && !options.only.includes(column.name)));
    const table = makeTable(Object.assign({columns, rows, label: title || name, follows: true}, options || {}));
    const box = el("div", {}, title ? el("h3", {}, title) : null, table.element, notesList(remarksOf(view, name)));
    box.table = table;
    return box;
}
