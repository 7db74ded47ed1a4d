#include "report/page.h"

#include "report/data.h"
#include "report/html_text.h"
#include "report/page_text.h"

#include <stdlib.h>
#include <string.h>

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

/* Adds the first view as text, for readers without scripts. */
static eti_status add_summary(eti_buffer *out, const eti_page *page, eti_error *err) {
    const eti_write_options options = {.color = ETI_COLOR_NEVER, .no_sha256 = true};
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

static eti_status add_piece(eti_buffer *out, const eti_page *page, eti_text name, eti_text data,
                            eti_error *err) {
    if (eti__text_is(name, "TITLE"))
        add_title(out, page);
    else if (eti__text_is(name, "STYLE_HASH"))
        add_hash(out, eti__page_style, eti__page_style_size);
    else if (eti__text_is(name, "SCRIPT_HASH"))
        add_hash(out, eti__page_script, eti__page_script_size);
    else if (eti__text_is(name, "STYLE"))
        eti__buffer_add(out, eti__page_style, eti__page_style_size);
    else if (eti__text_is(name, "SCRIPT"))
        eti__buffer_add(out, eti__page_script, eti__page_script_size);
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

eti_status eti__page_make(eti_page *page, eti_buffer *out, eti_error *err) {
    static const unsigned steps[] = {ETI_PAGE_NO_SLICES, ETI_PAGE_NO_SAMPLES,
                                     ETI_PAGE_NO_LARGE_GRAPHS, ETI_PAGE_NO_SWAPPED,
                                     ETI_PAGE_NO_SOURCE};
    if (page->options.no_source)
        page->omissions |= ETI_PAGE_NO_SOURCE;
    ETI_TRY(make_once(page, out, err));
    for (size_t i = 0; i < sizeof steps / sizeof *steps && is_too_large(page, out); i++) {
        if (is_omitted(page, steps[i]))
            continue;
        page->omissions |= steps[i];
        ETI_TRY(make_once(page, out, err));
    }
    if (is_too_large(page, out))
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "the page has more than %zu bytes, even without samples and source: raise "
                        "the limit with %smax_size, or show less with %sblock",
                        page->options.max_size, eti__option_prefix(), eti__option_prefix());
    return ETI_OK;
}
