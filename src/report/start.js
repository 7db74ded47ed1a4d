// start.js - builds the sections that have data, in their order, and restores the state from the address.
function buildSections() {
    const main = document.getElementById("main"), nav = document.getElementById("nav");
    sections.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    for (const it of sections) {
        if (!it.has())
            continue;
        const box = el("section", {id: it.id, "aria-labelledby": it.id + "-title"}, el("h2", {id: it.id + "-title"}, it.title));
        main.append(box);
        nav.append(el("a", {href: "#" + it.id, onclick: event => {
            event.preventDefault();
            goTo(it.id);
        }}, it.title));
        it.build(box);
        it.box = box;
    }
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
    if (change.op !== null && change.op >= rowsOf("events", "events").length)
        change.op = null;
    if (change.run !== null && change.run >= rowsOf("runs", "runs").length)
        change.run = null;
    select(change);
    const target = change.section || (change.op !== null ? "operators" : change.run !== null ? "runs" : null);
    if (target && document.getElementById(target))
        document.getElementById(target).scrollIntoView();
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
function step(by) {
    const built = sections.filter(it => it.box);
    const top = it => it.box.getBoundingClientRect().top;
    let at = 0;
    built.forEach((it, i) => { at = top(it) < 140 ? i : at; });
    goTo(built[Math.max(0, Math.min(built.length - 1, at + by))].id);
}
const actionsOfKeys = {
    "?": showKeys,
    "/": () => actions.search && actions.search(null),
    "[": () => step(-1),
    "]": () => step(1),
    "d": toggleTheme,
    "Escape": () => (actions.back && actions.back()) || select({op: null, run: null}),
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

function markSection() {
    let current = null;
    sections.filter(it => it.box).forEach(it => { current = it.box.getBoundingClientRect().top < 160 ? it.id : current; });
    for (const link of document.getElementById("nav").children) {
        if (link.getAttribute("href") === "#" + current)
            link.setAttribute("aria-current", "true");
        else
            link.removeAttribute("aria-current");
    }
}

buildSections();
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("close").addEventListener("click", () => document.getElementById("keys").close());
document.getElementById("help").addEventListener("click", showKeys);
addEventListener("keydown", takeKey);
addEventListener("hashchange", restore);
addEventListener("scroll", () => requestAnimationFrame(markSection), {passive: true});
addEventListener("beforeprint", () => canvases.forEach(state => state.paint()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
showTheme();
restore();
markSection();
performed.built = Math.round(performance.now() - begun);
requestAnimationFrame(() => requestAnimationFrame(() => {
    document.documentElement.dataset.ready = JSON.stringify({built: performed.built, ready: Math.round(performance.now())});
}));
