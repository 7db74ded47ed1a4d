/*
 * rows.c - the rows of many ETDumps: lists the ETDumps, collects their labels, opens them one by
 * one, and makes a table from each.
 */
#include "api/api.h"

#include "api/request.h"
#include "view_events/view_events.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Every row has all label columns, so their number is limited. */
#define MOST_LABELS 256

struct eti_rows {
    eti_references references;
    void (*on_free)(void *context);
    void *on_free_context;
    void (*on_warning)(void *context, size_t number, const char *text);
    void *on_warning_context;
    eti_arena arena; /* of paths and labels */
    eti_request *request;
    eti_record *record; /* NULL: none */
    eti_source *dumps;
    size_t n_dumps, dump_capacity;
    eti_text_table keys;       /* of the labels */
    const eti_text *constants; /* values of the option label, per key; absent: none */
    eti_rows_form form;
    eti_rows_form whole; /* with all columns, for filters */
    eti_table *columns;
    atomic_size_t n_failed; /* by the last writer of the rows */
};

/* ---- life ------------------------------------------------------------------------------------ */

void eti_rows_free(eti_rows *rows) {
    if (!rows || !eti__references_drop(&rows->references))
        return;
    eti_table_free(rows->columns);
    eti_record_close(rows->record);
    eti_request_free(rows->request);
    eti__text_table_free(&rows->keys);
    free(rows->dumps);
    eti__arena_free(&rows->arena);
    if (rows->on_free)
        rows->on_free(rows->on_free_context);
    free(rows);
}

static void drop_rows(void *rows) {
    eti_rows_free(rows);
}

static eti_kept keep_rows(const eti_rows *rows) {
    eti__references_add(&rows->references);
    return (eti_kept){(eti_rows *)rows, drop_rows};
}

void eti_rows_on_free(eti_rows *rows, void (*function)(void *context), void *context) {
    rows->on_free = function;
    rows->on_free_context = context;
}

void eti__rows_on_warning(eti_rows *rows,
                          void (*function)(void *context, size_t number, const char *text),
                          void *context) {
    rows->on_warning = function;
    rows->on_warning_context = context;
}

size_t eti_rows_dump_count(const eti_rows *rows) {
    return rows->n_dumps;
}

const eti_table *eti_rows_columns(const eti_rows *rows) {
    return rows->columns;
}

size_t eti_rows_failed_count(const eti_rows *rows) {
    return atomic_load(&rows->n_failed);
}

/* ---- the ETDumps ----------------------------------------------------------------------------- */

static eti_status add_dump(eti_rows *rows, eti_source source, eti_error *err) {
    if (!ETI_GROW(rows->dumps, rows->dump_capacity, rows->n_dumps + 1) ||
        !eti__arena_copy_string(&rows->arena, &source.path))
        return eti_fail_memory(err);
    rows->dumps[rows->n_dumps++] = source;
    return ETI_OK;
}

static eti_status take_file(void *context, const char *path, eti_error *err) {
    return add_dump(context, (eti_source){.path = path}, err);
}

static eti_status add_source(eti_rows *rows, const eti_source *source, eti_error *err) {
    static const char *const suffixes[] = {".etdp", ".etdp.gz", NULL};
    eti_source named = *source;
    if (!source->path && !source->data)
        return eti_fail(err, ETI_ERROR_USAGE, "an ETDump has neither a path nor data");
    if (!source->path)
        named.path = "(memory)";
    if (!source->data && strcmp(source->path, "-") == 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "-: rows are read from files: name them, a folder, or a list of them with "
                        "%sfiles_from",
                        eti__option_prefix());
    if (eti__source_is_folder(source))
        return eti__find_files(source->path, suffixes, take_file, rows, err);
    return add_dump(rows, named, err);
}

/* Adds the paths of a list, which are separated by NULs if it has any, otherwise by line feeds. */
static eti_status add_list(eti_rows *rows, const struct eti_file *file, eti_error *err) {
    const char *at = (const char *)file->data, *end = at + file->size;
    char separator = file->size > 0 && memchr(at, '\0', file->size) ? '\0' : '\n';
    while (at < end) {
        const char *found = memchr(at, separator, (size_t)(end - at));
        eti_text path = {at, (size_t)((found ? found : end) - at)};
        at += path.size + 1;
        if (path.size == 0)
            continue;
        const char *copy = eti__arena_string_of(&rows->arena, path);
        if (!copy)
            return eti_fail_memory(err);
        ETI_TRY(add_source(rows, &(eti_source){.path = copy}, err));
    }
    return ETI_OK;
}

static eti_status add_lists(eti_rows *rows, eti_error *err) {
    const eti__sources *lists = &rows->request->meaning.file_lists;
    for (size_t i = 0; i < lists->n; i++) {
        struct eti_file file;
        ETI_TRY(eti__file_open_source(&file, &lists->values[i], err));
        eti_status status = add_list(rows, &file, err);
        eti__file_release(&file);
        ETI_TRY(status);
    }
    return ETI_OK;
}

static eti_status list_dumps(eti_rows *rows, const eti_source *dumps, size_t n, eti_error *err) {
    for (size_t i = 0; i < n; i++)
        ETI_TRY(add_source(rows, &dumps[i], err));
    ETI_TRY(add_lists(rows, err));
    if (rows->n_dumps > 0)
        return ETI_OK;
    if (n == 1)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s: there is no file *.etdp or *.etdp.gz in this folder", dumps[0].path);
    if (n > 1)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s and %zu more folder%s: there is no file *.etdp or *.etdp.gz in them",
                        dumps[0].path, n - 1, n == 2 ? "" : "s");
    return eti_fail(err, ETI_ERROR_USAGE,
                    "no ETDump was given: name ETDumps, or folders that contain them");
}

bool eti__rows_next_input(const eti_rows *rows, size_t *i, const char **out) {
    const eti__sources *lists = &rows->request->meaning.file_lists;
    size_t at = (*i)++;
    if (at >= rows->n_dumps + lists->n)
        return false;
    *out = at < rows->n_dumps ? rows->dumps[at].path : lists->values[at - rows->n_dumps].path;
    return true;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static eti_status add_key(eti_rows *rows, eti_text key, eti_error *err) {
    uint32_t ignored;
    if (!eti__text_table_add(&rows->keys, key, &rows->arena, &ignored))
        return eti_fail_memory(err);
    if (rows->keys.count <= MOST_LABELS)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT, "the ETDumps have more than %d labels, such as %.*s",
                    MOST_LABELS, ETI_TEXT_ARGS(key));
}

static eti_status add_keys_of(eti_rows *rows, const char *path, eti_arena *arena, eti_error *err) {
    eti_text rest = eti__text_of(path);
    eti_path_label label;
    bool found;
    while (eti__path_label_next(&rest, arena, &label, &found)) {
        if (!found)
            return ETI_OK;
        ETI_TRY(add_key(rows, label.key, err));
    }
    return eti_fail_memory(err);
}

/* Collects the keys of all labels; the keys of the option come first. */
static eti_status collect_keys(eti_rows *rows, eti_error *err) {
    const eti__meaning *meaning = &rows->request->meaning;
    eti_arena scratch = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < meaning->labels.n; i++) {
        eti_text key;
        if (!eti__arena_own_text(&rows->arena, eti__text_of(meaning->labels.values[i].key), &key))
            return eti_fail_memory(err);
        ETI_TRY(add_key(rows, key, err));
    }
    for (size_t i = 0; meaning->labels_from_path && status == ETI_OK && i < rows->n_dumps; i++) {
        eti__arena_reset(&scratch);
        status = add_keys_of(rows, rows->dumps[i].path, &scratch, err);
    }
    eti__arena_free(&scratch);
    return status;
}

/* Sets the values of the labels from the option, which are the same for every ETDump. */
static bool set_constants(eti_rows *rows) {
    const eti__labels *labels = &rows->request->meaning.labels;
    eti_text *constants =
        eti__arena_alloc_zero(&rows->arena, rows->keys.count + 1, sizeof *constants);
    for (size_t i = 0; constants && i < labels->n; i++) {
        eti_text key;
        uint32_t number;
        if (!eti__arena_own_text(&rows->arena, eti__text_of(labels->values[i].key), &key) ||
            !eti__text_table_find(&rows->keys, key, &number))
            return false;
        constants[number] = eti__text_of(labels->values[i].value);
    }
    rows->constants = constants;
    return constants != NULL;
}

/* Finds the labels of an ETDump, in the arena; if several folders have the same key, the innermost counts. */
static eti_status find_labels(const eti_rows *rows, const char *path, eti_arena *arena,
                              const eti_text **out, eti_error *err) {
    eti_text rest = eti__text_of(path);
    eti_text *labels = eti__arena_alloc_zero(arena, rows->keys.count + 1, sizeof *labels);
    bool found = labels && rows->request->meaning.labels_from_path;
    eti_path_label label;
    *out = labels;
    while (found) {
        uint32_t number;
        if (!eti__path_label_next(&rest, arena, &label, &found))
            return eti_fail_memory(err);
        if (found && eti__text_table_find(&rows->keys, label.key, &number))
            labels[number] = label.value;
    }
    for (size_t i = 0; labels && i < rows->keys.count; i++) {
        if (rows->constants[i].data)
            labels[i] = rows->constants[i];
    }
    return labels ? ETI_OK : eti_fail_memory(err);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Chooses the columns, and checks the filter. Only the chosen columns are made, unless a filter may
 * need the others. */
static eti_status choose_columns(eti_rows *rows, eti_error *err) {
    const eti_selection *selection = &rows->request->meaning.selection;
    eti_table *whole;
    ETI_TRY(eti__rows_form_table(&whole, &rows->whole, err));
    eti_status status = eti__table_select(
        &rows->columns, whole, rows->request->meaning.opening.target_time_scale, selection, err);
    if (status != ETI_OK) {
        eti_table_free(whole);
        return status;
    }
    size_t n = rows->columns->n_columns;
    size_t *columns = eti__arena_alloc(&rows->arena, n, sizeof *columns);
    for (size_t i = 0; columns && i < n; i++)
        columns[i] = rows->columns->columns[i].number;
    rows->form = rows->whole;
    return columns && eti__rows_form_choose(&rows->form, &rows->arena, columns, n)
               ? ETI_OK
               : eti_fail_memory(err);
}

static eti_status make_columns(eti_rows *rows, eti_error *err) {
    ETI_TRY(collect_keys(rows, err));
    if (!set_constants(rows))
        return eti_fail_memory(err);
    ETI_TRY(eti__rows_form_make(&rows->whole, &rows->arena,
                                (eti_granularity)rows->request->meaning.granularity,
                                rows->keys.texts, rows->keys.count, err));
    return choose_columns(rows, err);
}

/* ---- making ---------------------------------------------------------------------------------- */

static eti_options opening_of(const eti_rows *rows) {
    eti_options options = eti__request_opening(rows->request);
    options.no_debug_data = true;
    options.merges_ids = true;
    return options;
}

/* Opens the record, and checks the options about it and about time. */
static eti_status open_record(eti_rows *rows, eti_error *err) {
    const eti_inputs inputs = eti__request_inputs(rows->request);
    const eti_options options = opening_of(rows);
    eti_inspector *inspector;
    if (inputs.record)
        rows->record = eti__record_keep(inputs.record);
    else if (inputs.etrecord)
        ETI_TRY(eti_record_open(&rows->record, inputs.etrecord, err));
    const eti_inputs alone = {.record = rows->record,
                              .programs = inputs.programs,
                              .n_programs = inputs.n_programs,
                              .data = inputs.data,
                              .n_data = inputs.n_data};
    if (!rows->record && inputs.n_programs == 0)
        return eti__options_check(&options, err);
    ETI_TRY(eti__inspector_open(&inspector, &alone, &options, err));
    eti_inspector_close(inspector);
    return ETI_OK;
}

static eti_status check_selection(const eti_selection *selection, eti_error *err) {
    if (selection->sort || selection->top > 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s%s: rows are written one ETDump at a time, so they cannot be sorted or "
                        "limited: sort or limit the output",
                        eti__option_prefix(), selection->sort ? "sort" : "top");
    return ETI_OK;
}

static eti_status fill_rows(eti_rows *rows, const eti_source *dumps, size_t n,
                            const eti_request *request, eti_error *err) {
    ETI_TRY(eti_request_copy(&rows->request, request, err));
    eti_request_set_progress(rows->request, NULL,
                             NULL); /* the callers are gone when rows are read */
    ETI_TRY(check_selection(&rows->request->meaning.selection, err));
    ETI_TRY(list_dumps(rows, dumps, n, err));
    ETI_TRY(make_columns(rows, err));
    return open_record(rows, err);
}

eti_status eti_rows_new(eti_rows **out, const eti_source *dumps, size_t n,
                        const eti_request *request, eti_error *err) {
    const char *before = eti__set_option_prefix(request ? request->prefix : "");
    *out = calloc(1, sizeof **out);
    eti_status status = *out ? fill_rows(*out, dumps, n, request, err) : eti_fail_memory(err);
    if (status != ETI_OK) {
        eti_rows_free(*out);
        *out = NULL;
    }
    eti__set_option_prefix(before);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

enum { PERMISSIVE, DROP_MALFORMED, FAIL_FAST };

struct eti_rows_reader {
    const eti_rows *rows;
    eti_kept kept; /* the rows */
    size_t next;   /* ETDump */
    size_t n_failed;
    eti_arena names;
};

eti_status eti_rows_reader_open(eti_rows_reader **out, const eti_rows *rows, eti_error *err) {
    *out = calloc(1, sizeof **out);
    if (!*out)
        return eti_fail_memory(err);
    (*out)->rows = rows;
    (*out)->kept = keep_rows(rows);
    return ETI_OK;
}

void eti_rows_reader_close(eti_rows_reader *reader) {
    if (!reader)
        return;
    eti__arena_free(&reader->names);
    eti__kept_drop(&reader->kept);
    free(reader);
}

size_t eti_rows_reader_failed_count(const eti_rows_reader *reader) {
    return reader->n_failed;
}

/* Chooses the rows and columns of a table with all columns, which it takes over. */
static eti_status select_rows(eti_table **out, eti_table *whole, const eti_rows *rows,
                              eti_error *err) {
    eti_status status =
        eti__table_select(out, whole, rows->request->meaning.opening.target_time_scale,
                          &rows->request->meaning.selection, err);
    if (status != ETI_OK)
        eti_table_free(whole);
    return status;
}

static const eti_rows_form *form_of(const eti_rows *rows) {
    return rows->request->meaning.selection.filter ? &rows->whole : &rows->form;
}

/* Warnings about an ETDump. */
enum { JOINED, MISMATCH, N_WARNINGS };

static void warn(const eti_rows *rows, const eti_source *source, size_t warning, const char *text) {
    rows->on_warning(rows->on_warning_context,
                     (size_t)(source - rows->dumps) * N_WARNINGS + warning, text);
}

/* Warns if the file of an ETDump has more of them, because their rows are missing, or if the ETRecord or the program does
 * not belong to it. Fails with ETI_ERROR_MEMORY. */
static eti_status warn_of_dump(const eti_rows *rows, const eti_source *source,
                               const eti_inspector *inspector, eti_error *err) {
    eti_error warning = ETI_ERROR_INIT;
    if (!rows->on_warning)
        return ETI_OK;
    if (eti__note_joined_dump(inspector, 0, &warning))
        warn(rows, source, JOINED, warning.message);
    if (!inspector->mismatch.data)
        return ETI_OK;
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%s: ", source->path);
    eti__buffer_add_text(&text, inspector->mismatch);
    eti__buffer_add_char(&text, '\0');
    eti_status status = text.failed ? eti_fail_memory(err) : ETI_OK;
    if (status == ETI_OK) {
        eti_make_one_line(text.data);
        warn(rows, source, MISMATCH, text.data);
    }
    eti__buffer_free(&text);
    return status;
}

static eti_status read_dump(eti_table **out, const eti_rows *rows, const eti_source *source,
                            const eti_dump_name *name, eti_error *err) {
    eti_inputs inputs = eti__request_inputs(rows->request);
    const eti_options options = opening_of(rows);
    const eti_view_options view = eti__request_view(rows->request);
    eti_inspector *inspector;
    eti_table *table;
    *out = NULL;
    inputs.etdumps = source;
    inputs.n_etdumps = 1;
    inputs.record = rows->record;
    inputs.etrecord = NULL;
    inputs.debug_buffer = NULL;
    inputs.n_more_debug_buffers = 0;
    ETI_TRY(eti__open_seen_through(&inspector, &inputs, &options, err));
    eti_status status = warn_of_dump(rows, source, inspector, err);
    if (status == ETI_OK)
        status = eti__view_dump_rows(&table, inspector, form_of(rows), &rows->form, name, &view,
                                     keep_rows(rows), err);
    eti_inspector_close(inspector); /* the table keeps it */
    if (status == ETI_OK && rows->request->meaning.selection.filter)
        status = select_rows(&table, table, rows, err);
    if (status == ETI_OK)
        *out = table;
    return status;
}

/* Makes the table that the mode requires for an ETDump that cannot be read; without a table, the caller goes on with the
 * next ETDump. */
static eti_status give_failed(eti_rows_reader *reader, eti_table **out, const eti_dump_name *name,
                              eti_status status, const eti_error *reason, eti_error *err) {
    const eti_rows *rows = reader->rows;
    reader->n_failed++;
    *out = NULL;
    switch (rows->request->meaning.rows_mode) {
    case PERMISSIVE:
        return eti__view_failed_dump(out, &rows->form, name, reason->message, keep_rows(rows), err);
    case DROP_MALFORMED:
        return ETI_OK;
    default:
        eti__error_copy(err, reason);
        return status;
    }
}

static eti_status read_next(eti_rows_reader *reader, eti_table **out, eti_error *err) {
    const eti_rows *rows = reader->rows;
    eti_error reason = ETI_ERROR_INIT;
    const eti_source *source = &rows->dumps[reader->next];
    eti_dump_name name = {.path = eti__text_of(source->path)};
    eti__arena_reset(&reader->names);
    ETI_TRY(find_labels(rows, source->path, &reader->names, &name.labels, err));
    reader->next++;
    eti_status status = read_dump(out, rows, source, &name, &reason);
    if (status == ETI_OK)
        return ETI_OK;
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(err);
    return give_failed(reader, out, &name, status, &reason, err);
}

eti_status eti_rows_reader_next(eti_rows_reader *reader, eti_table **out, eti_error *err) {
    const char *before = eti__set_option_prefix(reader->rows->request->prefix);
    eti_status status = ETI_OK;
    *out = NULL;
    while (status == ETI_OK && !*out && reader->next < reader->rows->n_dumps)
        status = read_next(reader, out, err);
    eti__set_option_prefix(before);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static eti_status open_pass(void **pass, const void *context, eti_error *err) {
    eti_rows_reader *reader;
    *pass = NULL;
    ETI_TRY(eti_rows_reader_open(&reader, context, err));
    *pass = reader;
    return ETI_OK;
}

static eti_status next_part(void *pass, eti_table **out, eti_error *err) {
    return eti_rows_reader_next(pass, out, err);
}

static void close_pass(void *pass) {
    eti_rows_reader *reader = pass;
    atomic_store(&((eti_rows *)reader->rows)->n_failed, reader->n_failed);
    eti_rows_reader_close(reader);
}

static eti_row_parts parts_of(const eti_rows *rows) {
    return (eti_row_parts){open_pass, next_part, close_pass, rows};
}

/* The pass keeps the rows alive, and the stream ends the pass. */
eti_status eti_rows_arrow_stream(struct ArrowArrayStream *out, const eti_rows *rows,
                                 eti_error *err) {
    const eti_row_parts parts = parts_of(rows);
    return eti__arrow_open_parts(out, rows->columns, &parts, eti__arrow_usual_limits, err);
}

static eti_status add_sources(eti_report *report, const eti_rows *rows, eti_error *err) {
    if (!rows->record)
        return ETI_OK;
    return eti__report_add_source(report, "etrecord", &rows->record->file, err);
}

eti_status eti_rows_report(eti_report **out, const eti_rows *rows, eti_error *err) {
    eti_table *table;
    eti_report *report;
    *out = NULL;
    ETI_TRY(
        eti__report_new(&report, "rows", rows->request->meaning.opening.target_time_scale, err));
    eti__report_keep(report, keep_rows(rows));
    eti_status status = eti__rows_form_table(&table, &rows->form, err);
    if (status == ETI_OK)
        status = eti__report_add(report, "rows", NULL, table, err);
    if (status == ETI_OK)
        status = add_sources(report, rows, err);
    if (status != ETI_OK) {
        eti_report_free(report);
        return status;
    }
    report->sections[0].parts = parts_of(rows);
    report->sections[0].has_chosen_columns = true;
    *out = report;
    return ETI_OK;
}
