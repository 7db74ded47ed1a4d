#include "report/page.h"

#include "report/page_text.h"
#include "table/table.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* ==== html text =============================================================================== */

void eti__html_add_text(eti_buffer *out, eti_text text) {
    eti_buffer visible = {0};
    eti__add_visible(&visible, text, 0);
    if (visible.failed)
        out->failed = true;
    for (size_t at = 0; at < visible.size; at++) {
        char c = visible.data[at];
        const char *reference = c == '&'    ? "&amp;"
                                : c == '<'  ? "&lt;"
                                : c == '>'  ? "&gt;"
                                : c == '"'  ? "&quot;"
                                : c == '\'' ? "&#39;"
                                            : NULL;
        if (reference)
            eti__buffer_add_string(out, reference);
        else
            eti__buffer_add_char(out, c);
    }
    eti__buffer_free(&visible);
}

/* Appends < so that it neither ends a script nor begins a comment; also appends a / behind it. Returns the number of bytes taken
 * from `json`. */
static size_t add_less_than(eti_buffer *out, const char *json, size_t size) {
    char next = '\0';
    if (size > 1)
        next = json[1];
    if (next == '/') {
        eti__buffer_add_string(out, "<\\/");
        return 2;
    }
    eti__buffer_add_string(out, next == '!' || next == 's' || next == 'S' ? "\\u003c" : "<");
    return 1;
}

void eti__html_add_json(eti_buffer *out, eti_text json) {
    for (size_t at = 0; at < json.size;) {
        const char *found = memchr(json.data + at, '<', json.size - at);
        size_t n = found ? (size_t)(found - (json.data + at)) : json.size - at;
        eti__buffer_add(out, json.data + at, n);
        at += n;
        if (found)
            at += add_less_than(out, found, json.size - at);
    }
}

static unsigned digit_value(char digit) {
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

void eti__html_csp_hash(const void *data, size_t size, char out[ETI_CSP_HASH_SIZE + 1]) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char digits[ETI_SHA256_DIGITS + 1];
    unsigned bytes[33] = {0}; /* 32, and one to fill the last group */
    eti__sha256(data, size, digits);
    for (size_t i = 0; i < 32; i++)
        bytes[i] = digit_value(digits[2 * i]) << 4 | digit_value(digits[2 * i + 1]);
    for (size_t i = 0; i < 7; i++)
        out[i] = "sha256-"[i];
    char *to = out + 7;
    for (size_t i = 0; i < 33; i += 3) {
        unsigned group = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *to++ = alphabet[group >> shift & 63];
    }
    to[-1] = '=';
    *to = '\0';
}

/* ==== page ==================================================================================== */

void eti__page_add_view(eti_page *page, const char *name, const eti_report *report) {
    if (page->n_views < ETI_MOST_PAGE_VIEWS)
        page->views[page->n_views++] = (eti_page_view){.name = name, .report = report};
}

void eti__page_free(eti_page *page) {
    for (size_t i = 0; i < page->n_views; i++)
        eti_report_free(page->views[i].owned);
    eti__arena_free(&page->arena);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Replaces each `from`, which is not empty, by `to`. */
static void replace_all(eti_buffer *text, eti_text from, eti_text to) {
    eti_buffer out = {0};
    const char *at = text->data, *end = text->data + text->size;
    if (text->failed || from.size > text->size)
        return;
    for (const char *found; at < end; at = found + from.size) {
        found = memmem(at, (size_t)(end - at), from.data, from.size);
        if (!found)
            break;
        eti__buffer_add(&out, at, (size_t)(found - at));
        eti__buffer_add_text(&out, to);
    }
    if (at != text->data) {
        eti__buffer_add(&out, at, (size_t)(end - at));
        eti_buffer before = *text;
        *text = out;
        out = before;
    }
    text->failed = text->failed || out.failed;
    eti__buffer_free(&out);
}

/* Removes the folders of inputs from a text; if `is_json`, they are escaped as in JSON. */
static void leave_out_folders(const eti_page *page, eti_buffer *text, bool is_json) {
    const eti_report *report = page->views[0].report;
    for (size_t i = 0; page->options.no_paths && i < report->n_sources; i++) {
        eti_text path = report->sources[i].path, name = eti__text_file_name(path);
        eti_text folder = {path.data, path.size - name.size};
        eti_buffer from = {0};
        if (folder.size == 0)
            continue;
        if (is_json)
            eti__json_add_string(&from, path);
        else
            eti__buffer_add_text(&from, path);
        eti_text whole = eti__buffer_text(&from);
        if (is_json && whole.size > 1)
            whole = (eti_text){whole.data + 1, whole.size - 2};
        eti_buffer to = {0};
        eti__json_add_string(&to, name);
        eti_text short_name = eti__buffer_text(&to);
        short_name = is_json && short_name.size > 1
                         ? (eti_text){short_name.data + 1, short_name.size - 2}
                         : name;
        if (whole.size > 0)
            replace_all(text, whole, short_name);
        text->failed = text->failed || from.failed || to.failed;
        eti__buffer_free(&from);
        eti__buffer_free(&to);
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool append(void *context, const void *data, size_t size) {
    eti_buffer *out = context;
    eti__buffer_add(out, data, size);
    return !out->failed;
}

/* Number of characters of a line of the summary: without a limit, a long name would be repeated in each of its tables. */
#define SUMMARY_WIDTH 160

/* Adds the first view as text, for readers without scripts. */
static eti_status add_summary(eti_buffer *out, const eti_page *page, eti_error *err) {
    const eti_write_options options = {
        .color = ETI_COLOR_NEVER, .no_sha256 = true, .width = SUMMARY_WIDTH};
    eti_buffer text = {0};
    eti_status status =
        eti__report_write(page->views[0].report, "text", &options, append, &text, err);
    leave_out_folders(page, &text, false);
    eti__html_add_text(out, eti__buffer_text(&text));
    if (status == ETI_OK && (text.failed || out->failed))
        status = eti_fail_memory(err);
    eti__buffer_free(&text);
    return status == ETI_ERROR_WRITE ? eti_fail_memory(err) : status;
}

static void add_title(eti_buffer *out, const eti_page *page) {
    const eti_report *report = page->views[0].report;
    if (page->options.title && page->options.title[0] != '\0') {
        eti__html_add_text(out, eti__text_of(page->options.title));
        return;
    }
    eti_text name = report->n_sources > 0 ? eti__text_file_name(report->sources[0].path)
                                          : eti__text_of(report->view);
    if (report->measured && report->measured->n_dumps > 0) {
        eti__html_add_text(out,
                           eti__text_file_name(eti__text_of(report->measured->dump_files[0].name)));
        eti__buffer_add_string(out, " against ");
    }
    eti__html_add_text(out, name);
    eti__buffer_add_string(out, " · etinspect");
}

static void add_hash(eti_buffer *out, const unsigned char *data, size_t size) {
    char hash[ETI_CSP_HASH_SIZE + 1];
    eti__html_csp_hash(data, size, hash);
    eti__buffer_add_string(out, hash);
}

/* Scripts of sections that need one of these views; other pages do not have them. */
static const struct {
    const char *script, *views;
} scripts_of_views[] = {
    {"delegates", "delegates"},
    {"graph", "graph"},
    {"memory", "memory,alloc"},
    {"modules", "tree,source,ops,delegates"},
    {"numerics", "numerics,tensors"},
    {"rates", "kernels"},
    {"runs", "runs"},
    {"size", "size"},
    {"source", "source"},
    {"timeline", "runs"},
};

static bool has_script(const eti_page *page, const char *name) {
    for (size_t i = 0; i < sizeof scripts_of_views / sizeof *scripts_of_views; i++) {
        if (strcmp(scripts_of_views[i].script, name) != 0)
            continue;
        for (size_t k = 0; k < page->n_views; k++) {
            if (eti__is_listed(scripts_of_views[i].views, eti__text_of(page->views[k].name)))
                return true;
        }
        return false;
    }
    return true;
}

static void add_scripts(eti_buffer *out, const eti_page *page) {
    for (const eti_page_script *script = eti__page_scripts; script->name; script++) {
        if (has_script(page, script->name))
            eti__buffer_add(out, script->data, script->size);
    }
}

static void add_hash_of_scripts(eti_buffer *out, const eti_page *page) {
    eti_buffer scripts = {0};
    add_scripts(&scripts, page);
    if (!scripts.failed)
        add_hash(out, (const unsigned char *)scripts.data, scripts.size);
    out->failed = out->failed || scripts.failed;
    eti__buffer_free(&scripts);
}

static eti_status add_piece(eti_buffer *out, const eti_page *page, eti_text name, eti_text data,
                            eti_error *err) {
    if (eti__text_is(name, "TITLE"))
        add_title(out, page);
    else if (eti__text_is(name, "STYLE_HASH"))
        add_hash(out, eti__page_style, eti__page_style_size);
    else if (eti__text_is(name, "SCRIPT_HASH"))
        add_hash_of_scripts(out, page);
    else if (eti__text_is(name, "STYLE"))
        eti__buffer_add(out, eti__page_style, eti__page_style_size);
    else if (eti__text_is(name, "SCRIPT"))
        add_scripts(out, page);
    else if (eti__text_is(name, "DATA"))
        eti__html_add_json(out, data);
    else
        return add_summary(out, page, err);
    return ETI_OK;
}

/* Appends page.html with each @NAME@ replaced. */
static eti_status fill_in(eti_buffer *out, const eti_page *page, eti_text data, eti_error *err) {
    const char *at = (const char *)eti__page_html, *end = at + eti__page_html_size;
    for (const char *mark; (mark = memchr(at, '@', (size_t)(end - at)));) {
        const char *behind = memchr(mark + 1, '@', (size_t)(end - mark - 1));
        if (!behind)
            break;
        eti__buffer_add(out, at, (size_t)(mark - at));
        eti_text name = {mark + 1, (size_t)(behind - mark - 1)};
        ETI_TRY(add_piece(out, page, name, data, err));
        at = behind + 1;
    }
    eti__buffer_add(out, at, (size_t)(end - at));
    return out->failed ? eti_fail_memory(err) : ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status make_once(const eti_page *page, eti_buffer *out, eti_error *err) {
    eti_buffer data = {0};
    out->size = 0;
    eti_status status = eti__page_add_data(&data, page, err);
    if (status == ETI_OK) {
        leave_out_folders(page, &data, true);
        status =
            data.failed ? eti_fail_memory(err) : fill_in(out, page, eti__buffer_text(&data), err);
    }
    eti__buffer_free(&data);
    return status;
}

static bool is_too_large(const eti_page *page, const eti_buffer *out) {
    return out->size > page->options.max_size;
}

/* Returns whether a part need not be left out, because it already was or is not there. */
static bool is_omitted(const eti_page *page, unsigned omission) {
    bool is_there = omission != ETI_PAGE_NO_SWAPPED;
    for (size_t i = 0; i < page->n_views && !is_there; i++)
        is_there = strcmp(page->views[i].name, ETI_SWAPPED_VIEW) == 0;
    return !is_there || (page->omissions & omission);
}

/* Parts that are left out one after the other until the page is small enough. */
static const unsigned steps[] = {ETI_PAGE_NO_SLICES, ETI_PAGE_NO_SAMPLES, ETI_PAGE_NO_LARGE_GRAPHS,
                                 ETI_PAGE_NO_SWAPPED, ETI_PAGE_NO_SOURCE};

#define N_STEPS (sizeof steps / sizeof *steps)

enum { FEWEST_ROWS = 10 };

/* Estimates whether the rows alone take more than `percent` of the space of the page. */
static eti_status exceeds(const eti_page *page, unsigned percent, bool *out, eti_error *err) {
    size_t bytes, fixed = eti__page_html_size + eti__page_style_size;
    for (const eti_page_script *script = eti__page_scripts; script->name; script++)
        fixed += has_script(page, script->name) ? script->size : 0;
    size_t most = page->options.max_size / 100 * percent;
    if (!eti__page_estimate_rows(page, &bytes))
        return eti_fail_memory(err);
    *out = bytes > (most > fixed ? most - fixed : 0);
    return ETI_OK;
}

/* Leaves out what a page cannot have that is far too large, before anything is made: its tables are written for nothing
 * otherwise. Finds the largest number of rows for each table if nothing else is enough. */
static eti_status leave_out_first(eti_page *page, eti_error *err) {
    bool is_far_too_large;
    ETI_TRY(exceeds(page, 150, &is_far_too_large, err));
    for (size_t i = 0; i < N_STEPS && is_far_too_large; i++) {
        if (is_omitted(page, steps[i]))
            continue;
        page->omissions |= steps[i];
        ETI_TRY(exceeds(page, 150, &is_far_too_large, err));
    }
    if (!is_far_too_large)
        return ETI_OK;
    size_t fits = FEWEST_ROWS, too_many = eti__page_longest_table(page) + 1;
    while (too_many - fits > fits / 16 + 1) {
        bool is_too_large;
        page->most_rows = fits + (too_many - fits) / 2;
        ETI_TRY(exceeds(page, 85, &is_too_large, err));
        if (is_too_large)
            too_many = page->most_rows;
        else
            fits = page->most_rows;
    }
    page->most_rows = fits;
    return ETI_OK;
}

/* Halves the number of rows of a page from which all else was left out. Returns false if it has only few. */
static bool halve_rows(eti_page *page) {
    size_t n = page->most_rows ? page->most_rows : eti__page_longest_table(page);
    page->most_rows = n / 2;
    return page->most_rows >= FEWEST_ROWS;
}

eti_status eti__page_make(eti_page *page, eti_buffer *out, eti_error *err) {
    if (page->options.no_source)
        page->omissions |= ETI_PAGE_NO_SOURCE;
    ETI_TRY(leave_out_first(page, err));
    ETI_TRY(make_once(page, out, err));
    for (size_t i = 0; i < N_STEPS && is_too_large(page, out); i++) {
        if (is_omitted(page, steps[i]))
            continue;
        page->omissions |= steps[i];
        ETI_TRY(make_once(page, out, err));
    }
    while (is_too_large(page, out) && halve_rows(page))
        ETI_TRY(make_once(page, out, err));
    if (is_too_large(page, out))
        return eti_fail(
            err, ETI_ERROR_LIMIT,
            "the page has more than %zu bytes, even with few rows and without samples and "
            "source: raise the limit with %smax_size",
            page->options.max_size, eti__option_prefix());
    return ETI_OK;
}

/* ==== inspector page ========================================================================== */

/* Inputs that a view needs to show anything. */
typedef enum view_need {
    NEEDS_NOTHING,
    NEEDS_TIMES,
    NEEDS_LAYERS, /* times and a record */
    NEEDS_RECORD,
    NEEDS_PROGRAM,
    NEEDS_TENSORS,
} view_need;

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members are grouped by meaning */
typedef struct listed_view {
    const char *name; /* on the page */
    const char *view;
    view_need need;
    const char *columns; /* NULL: all that formats for programs have */
    const char *group;   /* of "groups" */
    bool kernels;        /* of "ops" */
} listed_view;

#define EVENT_COLUMNS                                                                              \
    "block,event_name,typical,p10,p50,p90,avg,min,max,share,self_time,op_type,module,source,"      \
    "delegate_backend_name,is_delegated_op,attribution,instruction_id,event,run_count,calls,"      \
    "unsteady,kernel,compute_unit,of_peak,bound_by"

#define LAYER_COLUMNS                                                                              \
    "method,layer,kernel,typical,share,unsteady,backend,source,type,p50,avg,events"

#define GRAPH_COLUMNS                                                                              \
    "node,op,typical,p50,share,shared,snr,snr_drop,max_abs,nan_new,module,shape,dtype,backend,"    \
    "source,debug_handle,inputs,unsteady"

/* Views of the page. The text of the first is shown if no script runs, and its inputs are those of the page. */
static const listed_view listed[] = {
    {"summary", "summary", NEEDS_TIMES, NULL, NULL, false},
    {"runs", "runs", NEEDS_TIMES, NULL, NULL, false},
    {"events", "event_list", NEEDS_TIMES, EVENT_COLUMNS, NULL, false},
    {"samples", "events", NEEDS_TIMES, "event_block_name,raw", NULL, false},
    {"layers", "layers", NEEDS_LAYERS, LAYER_COLUMNS, NULL, false},
    {"ops", "ops", NEEDS_NOTHING, NULL, NULL, false},
    {"kernels", "ops", NEEDS_TIMES, NULL, NULL, true},
    {"by_kernel", "groups", NEEDS_TIMES, NULL, "kernel", false},
    {"by_unit", "groups", NEEDS_TIMES, NULL, "compute_unit", false},
    {"tree", "tree", NEEDS_LAYERS, NULL, NULL, false},
    {"source", "source", NEEDS_LAYERS, NULL, NULL, false},
    {"delegates", "delegates", NEEDS_NOTHING, NULL, NULL, false},
    {"alloc", "alloc", NEEDS_TIMES, NULL, NULL, false},
    {"graph", "graph", NEEDS_RECORD, GRAPH_COLUMNS, NULL, false},
    {"program", "program", NEEDS_PROGRAM, NULL, NULL, false},
    {"memory", "memory", NEEDS_PROGRAM, NULL, NULL, false},
    {"tensors", "tensors", NEEDS_TENSORS, NULL, NULL, false},
};

/* Of a program before a run, the files are shown in place of times. */
static const listed_view of_files = {"size", "size", NEEDS_PROGRAM, NULL, NULL, false};

static const char *const reasons[] = {
    [NEEDS_NOTHING] = NULL,
    [NEEDS_TIMES] = "needs an ETDump",
    [NEEDS_LAYERS] = "needs the ETRecord of the export",
    [NEEDS_RECORD] = "needs the ETRecord of the export",
    [NEEDS_PROGRAM] = "needs the program (.pte)",
    [NEEDS_TENSORS] = "needs the debug buffer written with the ETDump",
};

static bool is_there(const eti_inspector *inspector, view_need need) {
    switch (need) {
    case NEEDS_TIMES:
        return inspector->n_dumps > 0;
    case NEEDS_LAYERS:
        return inspector->n_dumps > 0 && inspector->record != NULL;
    case NEEDS_RECORD:
        return eti__uses_record(inspector);
    case NEEDS_PROGRAM:
        return eti__uses_program(inspector);
    case NEEDS_TENSORS:
        return inspector->has_debug_buffer;
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

static eti_status add_absence(eti_page *page, const char *name, const char *reason,
                              eti_error *err) {
    eti_page_absence *absence = &page->absences[page->n_absences++];
    absence->name = name;
    if (!eti__arena_copy_text(&page->arena, eti__text_of(reason), &absence->reason))
        return eti_fail_memory(err);
    return ETI_OK;
}

/* Frees a report of kernels of which no row has the bytes of its tensors, which has no answer: it would be a second list of
 * operators. ETI_ERROR_DATA, ETI_ERROR_MEMORY. */
static eti_status require_rates(eti_report *report, eti_error *err) {
    const eti_table *table = report->sections[0].table;
    eti_row_reader rows;
    size_t traffic = 0;
    bool is_there = false;
    eti_status status = eti_fail_memory(err);
    while (traffic < table->n_columns && !eti__text_is(table->columns[traffic].name, "traffic"))
        traffic++;
    if (eti__row_reader_open(&rows, table)) {
        for (size_t i = 0; i < table->n_rows && traffic < table->n_columns && !is_there; i++)
            is_there = eti__row_reader_read(&rows, i)[traffic].kind != ETI_CELL_NONE;
        if (!rows.failed)
            status = is_there ? ETI_OK
                              : eti_fail(err, ETI_ERROR_DATA,
                                         "needs the shapes of the tensors of kernels");
    }
    eti__row_reader_close(&rows);
    if (status != ETI_OK)
        eti_report_free(report);
    return status;
}

/* Returns whether a view has no answer with this status: the page then shows the reason. */
static bool has_no_answer(eti_status status) {
    return status == ETI_ERROR_USAGE || status == ETI_ERROR_DATA || status == ETI_ERROR_TOO_FEW;
}

/* Adds a view of which the page becomes the owner, or the reason why it has no answer. */
static eti_status take_view(eti_page *page, const char *name, eti_report *report, eti_status status,
                            const eti_error *refusal, eti_error *err) {
    if (page->n_views > 0 && has_no_answer(status))
        return add_absence(page, name, refusal->message, err);
    if (status != ETI_OK) {
        eti__error_copy(err, refusal);
        return status;
    }
    eti__page_add_view(page, name, report);
    page->views[page->n_views - 1].owned = report;
    return ETI_OK;
}

static eti_status add_listed(eti_page *page, const listed_view *view,
                             const eti_view_options *options, eti_error *err) {
    eti_view_options asked = *options;
    eti_report *report;
    eti_error refusal = ETI_ERROR_INIT;
    if (!is_there(page->inspector, view->need)) {
        bool lacks_times = view->need == NEEDS_LAYERS && page->inspector->n_dumps == 0;
        const char *reason = reasons[lacks_times ? NEEDS_TIMES : view->need];
        if (view->need == NEEDS_PROGRAM && page->inspector->n_programs > 0)
            reason = "needs the program (.pte) that ran";
        return add_absence(page, view->name, reason, err);
    }
    asked.samples = strcmp(view->view, "events") == 0;
    asked.lines = false;
    asked.hides_source = page->options.no_source;
    asked.table.include_units = true;
    asked.kernels = view->kernels;
    asked.group = view->group;
    if (strcmp(view->view, "ops") == 0 && !view->kernels)
        asked.peak_flops = asked.peak_bandwidth = 0;
    eti_status status =
        eti__inspector_report(&report, page->inspector, view->view, &asked, &refusal);
    if (status == ETI_OK && view->kernels)
        status = require_rates(report, &refusal);
    size_t n_before = page->n_views;
    ETI_TRY(take_view(page, view->name, report, status, &refusal, err));
    if (page->n_views > n_before)
        page->views[n_before].columns = view->columns;
    return ETI_OK;
}

/* Adds the comparison `report` with its sides exchanged; does nothing if the report has none. If that comparison has no answer,
 * page->absences has the reason. Returns other statuses of the comparison. */
static eti_status add_swapped(eti_page *page, const eti_report *report, eti_error *err) {
    eti_report *swapped;
    eti_error refusal = ETI_ERROR_INIT;
    if (!report->swap.make)
        return ETI_OK;
    eti_status status = report->swap.make(&swapped, report->swap.context, &refusal);
    return take_view(page, ETI_SWAPPED_VIEW, swapped, status, &refusal, err);
}

/* Adds all views of page->inspector that have an answer, as below; page->absences has the reasons why others have none. */
static eti_status add_inspector_to_page(eti_page *page, const eti_view_options *view,
                                        eti_error *err) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        ETI_TRY(add_listed(page, &listed[i], view, err));
    return page->inspector->n_dumps == 0 ? add_listed(page, &of_files, view, err) : ETI_OK;
}

static eti_status make_page(eti_page *page, eti_buffer *out, const eti_view_options *options,
                            const eti_report *extra, eti_error *err) {
    ETI_TRY(add_inspector_to_page(page, options, err));
    if (extra)
        eti__page_add_view(page, extra->view, extra);
    return eti__page_make(page, out, err);
}

static eti_status save(const eti_buffer *text, const char *path, const eti_write_options *options,
                       eti_error *err) {
    eti_output *output;
    ETI_TRY(eti__output_open(&output, path, err));
    eti_status status = eti__writer_check_output(&eti__writer_html, output, err);
    if (status != ETI_OK) {
        eti__output_discard(output);
        return status;
    }
    eti__output_tell(output, options->progress);
    if (options->no_sync)
        eti__output_leave_unsynced(output);
    eti__output_add_text(output, eti__buffer_text(text));
    return eti__output_commit(output, err);
}

eti_status eti__inspector_page_save(const eti_inspector *inspector, const char *path,
                                    const eti_view_options *view, const eti_page_options *options,
                                    const eti_write_options *write, const eti_report *extra,
                                    eti_error *err) {
    eti_page page = {
        .inspector = inspector, .options = *options, .write = write, .block = view->block};
    eti_buffer text = {0};
    eti_status status = make_page(&page, &text, view, extra, err);
    if (status == ETI_OK)
        status = save(&text, path, write, err);
    eti__buffer_free(&text);
    eti__page_free(&page);
    return status;
}

/* ==== html ==================================================================================== */

/*
 * HTML: a page with the tables of one report of any command, in a file that needs nothing else. A comparison is on the page
 * of its new side, in both directions.
 */

static eti_status add_measured(eti_page *page, const eti_report *report, eti_error *err) {
    const eti_view_options view = ETI_VIEW_OPTIONS_DEFAULT;
    page->inspector = report->measured;
    return report->measured ? add_inspector_to_page(page, &view, err) : ETI_OK;
}

static eti_status write_html(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    eti_page page = {.options = ETI_PAGE_OPTIONS_DEFAULT, .write = options};
    eti_buffer text = {0};
    eti__page_add_view(&page, report->view, report);
    eti_status status = add_measured(&page, report, err);
    if (status == ETI_OK)
        status = add_swapped(&page, report, err);
    if (status == ETI_OK)
        status = eti__page_make(&page, &text, err);
    if (status == ETI_OK)
        eti__output_add_text(output, eti__buffer_text(&text));
    eti__buffer_free(&text);
    eti__page_free(&page);
    return status;
}

const eti_writer eti__writer_html = {
    .name = "html",
    .summary = "a single HTML page that opens offline in a browser",
    .suffixes = "html,htm",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_html,
    .is_for_programs = true,
    .is_file = true,
};
