// start.js - makes tabs for the sections that have data, builds the sections of a tab when it is opened, and restores the state from
// the address.
const shownTabs = []; // {name, tab, panel, ids}
let currentTab = -1;

function buildSections() {
    const bar = document.getElementById("tabs"), panels = document.getElementById("panels");
    sections.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    for (const [name, ids] of Object.entries(tabs)) {
        const some = sections.filter(it => ids.includes(it.id) && it.has()), key = name.toLowerCase();
        if (some.length === 0)
            continue;
        const tab = el("button", {type: "button", role: "tab", id: "tab-" + key, "aria-controls": "sections-" + key, "aria-selected": "false", tabindex: "-1", onclick: () => openTab(name)}, name);
        const panel = el("div", {role: "tabpanel", id: "sections-" + key, "aria-labelledby": "tab-" + key, hidden: true});
        shownTabs.push({name, tab, panel, ids: some.map(it => it.id)});
        bar.append(tab);
        panels.append(panel);
        for (const it of some) {
            const box = el("section", {id: it.id, "aria-labelledby": it.id + "-title"}, el("h2", {id: it.id + "-title", class: it.title === name && it === some[0] ? "unseen" : null}, it.title));
            panel.append(box);
            it.box = box;
        }
    }
    document.getElementById("bar").hidden = shownTabs.length === 0;
    document.getElementById("find").hidden = !sections.some(it => it.box && it.searches);
}
// Builds the sections of a tab when it is opened for the first time, and passes them the selection and the search, which may be older.
let isRestored = false;
function buildTab(at) {
    const query = document.getElementById("search").value.trim(), n = listeners.length, m = searchers.length;
    for (const it of sections.filter(it => it.box && !it.isBuilt && shownTabs[at] && shownTabs[at].ids.includes(it.id))) {
        it.isBuilt = true;
        it.build(it.box);
    }
    if (isRestored)
        listeners.slice(n).forEach(listener => listener(selection));
    if (query)
        searchers.slice(m).forEach(searcher => searcher(query));
}
function buildTabOf(id) {
    buildTab(shownTabs.findIndex(it => it.ids.includes(id)));
}
function buildTabs() {
    shownTabs.forEach((_, at) => buildTab(at));
}

// ---- tabs ----

function showTab(at) {
    shownTabs.forEach(({tab, panel}, i) => {
        tab.setAttribute("aria-selected", i === at ? "true" : "false");
        tab.tabIndex = i === at ? 0 : -1;
        panel.hidden = i !== at;
    });
    currentTab = at;
    buildTab(at);
    // browsers tell drawings late that they have a size
    canvases.filter(state => shownTabs[at] && shownTabs[at].panel.contains(state.canvas)).forEach(state => state.change());
}
function showTabOf(id) {
    const at = shownTabs.findIndex(it => it.ids.includes(id));
    if (at >= 0 && at !== currentTab)
        showTab(at);
}
// Opens a tab where the reader is: below the first screen, or at the top of the tab if that has been left.
function openTab(name) {
    const at = shownTabs.findIndex(it => it.name === name), bar = document.getElementById("bar"), wasLeft = bar.getBoundingClientRect().top <= 0;
    showTab(at);
    if (wasLeft)
        document.getElementById(shownTabs[at].ids[0]).scrollIntoView();
    select({section: shownTabs[at].ids[0]});
}
function stepTab(by, isFocused) {
    const it = shownTabs[Math.max(0, Math.min(shownTabs.length - 1, currentTab + by))];
    if (!it)
        return;
    openTab(it.name);
    if (isFocused)
        it.tab.focus();
}

// Restores a state such as "op=12&run=3&runs", which select() writes.
function restore() {
    const change = {op: null, run: null, section: null};
    let hash = location.hash.slice(1);
    try {
        hash = decodeURIComponent(hash);
    } catch (error) {
        hash = ""; // "%" and other text that select() does not write
    }
    for (const part of hash.split("&")) {
        const [name, value] = part.split("=");
        if ((name === "op" || name === "run") && /^\d+$/.test(value || ""))
            change[name] = Number(value);
        else if (sections.some(it => it.box && it.id === name))
            change.section = name;
    }
    if (change.op !== null && change.op >= countOf("events", "events"))
        change.op = null;
    if (change.run !== null && change.run >= countOf("runs", "runs"))
        change.run = null;
    select(change);
    const target = change.section || (change.op !== null ? "operators" : change.run !== null ? "runs" : null);
    if (target && document.getElementById(target)) {
        showTabOf(target);
        document.getElementById(target).scrollIntoView();
    }
}

// ---- dark and light ----

function isDark() {
    const chosen = document.documentElement.style.colorScheme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
function repaintAll() {
    colourCache.clear();
    canvases.forEach(state => state.change());
}
function showTheme() {
    const button = document.getElementById("theme");
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", isDark() ? "true" : "false");
    repaintAll();
}
function toggleTheme() {
    document.documentElement.style.colorScheme = isDark() ? "light" : "dark";
    showTheme();
}

// ---- keys ----

function showKeys() {
    const list = document.getElementById("keys-list");
    list.replaceChildren(...keys.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)]));
    document.getElementById("keys").showModal();
}
const actionsOfKeys = {
    "?": showKeys,
    "/": () => document.getElementById("search").focus(),
    "[": () => stepTab(-1, false),
    "]": () => stepTab(1, false),
    "d": toggleTheme,
    "Escape": () => !closePanel() && ((actions.back && actions.back()) || select({op: null, run: null})),
};
function takeKey(event) {
    const isTyping = event.target.matches && event.target.matches("input:not([type=checkbox]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("keys").open)
        return;
    if (isTyping && event.key !== "Escape")
        return;
    const act = actionsOfKeys[event.key];
    if (act) {
        event.preventDefault();
        act();
    }
}

function closePanel() {
    const wasOpen = !document.getElementById("panel").hidden;
    hidePanel();
    if (wasOpen && selection.op !== null)
        select({op: null});
    return wasOpen;
}
function takeTabKey(event) {
    const by = {ArrowRight: 1, ArrowLeft: -1, Home: -shownTabs.length, End: shownTabs.length}[event.key];
    if (by) {
        event.preventDefault();
        stepTab(by, true);
    }
}
function prepareSearch() {
    const input = document.getElementById("search");
    input.setAttribute("aria-label", "Search all tables and drawings");
    input.title = searchHelp;
    input.addEventListener("input", () => searchers.forEach(searcher => searcher(input.value.trim())));
    // Enter and Shift with Enter move through the boxes of the graph that were found
    input.addEventListener("keydown", event => event.key === "Enter" && actions.nextFound && actions.nextFound(event.shiftKey ? -1 : 1));
}

prepareSearch();
buildSections();
buildFold();
showTab(0);
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("close").addEventListener("click", () => document.getElementById("keys").close());
document.getElementById("help").addEventListener("click", showKeys);
addEventListener("keydown", takeKey);
addEventListener("hashchange", restore);
document.getElementById("tabs").addEventListener("keydown", takeTabKey);
document.getElementById("unpick").addEventListener("click", closePanel);
// all tabs are printed
addEventListener("beforeprint", () => {
    buildTabs();
    document.documentElement.classList.add("printed");
    printers.forEach(printer => printer.before());
    canvases.forEach(state => state.paint());
});
addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printed");
    printers.forEach(printer => printer.after());
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
showTheme();
restore();
isRestored = true;
performed.built = Math.round(performance.now() - begun);
requestAnimationFrame(() => requestAnimationFrame(() => {
    document.documentElement.dataset.ready = JSON.stringify({built: performed.built, ready: Math.round(performance.now())});
    (window.requestIdleCallback || setTimeout)(prepareEvents);
}));
