#include "view/source.h"

#include "base/names.h"
#include "base/python.h"
#include "base/sort.h"
#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view/groups.h"
#include "view_events/view_events.h"
#include "view_numerics/view_numerics.h"

#include <stdlib.h>
#include <string.h>

/* ==== source text ============================================================================= */
/* Finds and reads the source files that stack traces name.
 *
 * Only files whose names end in ".py" are read, only at the places that the traces or
 * --source_root give, and only if they are regular files of at most 4 MiB, 64 MiB in all. A record
 * is not trusted, so a file is used only if its lines are the code that the traces quote. */

typedef struct eti_source_reader {
    const char *root; /* no file outside it is read; NULL: names are complete paths */
    size_t n_read;    /* bytes so far */
    eti_buffer path, text;
    size_t *lines; /* start of each line of the file, and the end */
    size_t n_lines, line_capacity;
} eti_source_reader;

#define MOST_BYTES ((size_t)4 << 20)
#define MOST_IN_ALL ((size_t)64 << 20)
/* Most directories that are removed from a name, one after the other, to find the file below the
 * root. */
#define MOST_TRIES 64

static bool is_python(eti_text name) {
    return name.size > 3 && memcmp(name.data + name.size - 3, ".py", 3) == 0 &&
           !memchr(name.data, '\0', name.size);
}

static bool try_path(eti_source_reader *reader, eti_text name) {
    reader->path.size = 0;
    eti__buffer_add_text(&reader->path, name);
    eti__buffer_add_char(&reader->path, '\0');
    size_t left = MOST_IN_ALL - reader->n_read, most = left < MOST_BYTES ? left : MOST_BYTES;
    if (reader->path.failed || reader->path.size > 4096)
        return false;
    const char *path = reader->path.data;
    bool done = reader->root ? eti__small_file_read_below(reader->root, path, most, &reader->text)
                             : eti__small_file_read(path, most, &reader->text);
    reader->n_read += done ? reader->text.size : 0;
    return done;
}

/* Finds the file with the longest end of the name that exists below the root. */
static bool find_file(eti_source_reader *reader, eti_text name) {
    if (!reader->root)
        return try_path(reader, name);
    for (int i = 0; i < MOST_TRIES && name.size > 0; i++) {
        while (name.size > 0 && name.data[0] == '/')
            name = eti__text_from(name, 1);
        if (try_path(reader, name))
            return true;
        const char *slash = memchr(name.data, '/', name.size);
        if (!slash)
            return false;
        name = (eti_text){slash, name.size - (size_t)(slash - name.data)};
    }
    return false;
}

static bool split_lines(eti_source_reader *reader) {
    const eti_buffer *text = &reader->text;
    reader->n_lines = 0;
    for (size_t at = 0; at < text->size;) {
        if (!ETI_GROW(reader->lines, reader->line_capacity, reader->n_lines + 2))
            return false;
        const char *end = memchr(text->data + at, '\n', text->size - at);
        reader->lines[reader->n_lines++] = at;
        at = end ? (size_t)(end - text->data) + 1 : text->size;
        reader->lines[reader->n_lines] = at;
    }
    return true;
}

/* Starts as all zeros except `root`. Reads the file called `name`; false: it cannot be read, or out
 * of memory (source_failed()). */
static bool read_source(eti_source_reader *reader, eti_text name) {
    reader->n_lines = 0;
    if (!is_python(name) || !find_file(reader, name) ||
        eti__text_valid_utf8(eti__buffer_text(&reader->text)) != reader->text.size)
        return false;
    if (split_lines(reader))
        return true;
    reader->text.failed = true;
    return false;
}

static bool source_failed(const eti_source_reader *reader) {
    return reader->path.failed || reader->text.failed;
}

/* Returns a line of the file that was read, counted from 1, without its end; absent past the last
 * line. */
static eti_text source_line(const eti_source_reader *reader, uint32_t line) {
    if (line == 0 || line > reader->n_lines)
        return (eti_text){NULL, 0};
    size_t start = reader->lines[line - 1], end = reader->lines[line];
    while (end > start &&
           (reader->text.data[end - 1] == '\n' || reader->text.data[end - 1] == '\r'))
        end--;
    return (eti_text){reader->text.data + start, end - start};
}

static void free_source(eti_source_reader *reader) {
    eti__buffer_free(&reader->path);
    eti__buffer_free(&reader->text);
    free(reader->lines);
}

/* ==== source ================================================================================== */

/* Groups of the rollup: these first, then the lines by their numbers. */
enum { GROUP_FRAMEWORK, GROUP_SEVERAL, GROUP_UNKNOWN, FIRST_LINE };

static const char *const group_names[] = {
    [GROUP_FRAMEWORK] = ETI_GROUP_FRAMEWORK,
    [GROUP_SEVERAL] = ETI_GROUP_SEVERAL_LINES,
    [GROUP_UNKNOWN] = ETI_GROUP_UNKNOWN,
};

#define NO_GROUP SIZE_MAX

typedef struct source_row {
    eti_text file; /* absent: group_names[group] */
    eti_text code;
    uint32_t line;
    size_t group; /* NO_GROUP: a context line */
} source_row;

/* A line that has time, or compared results. */
typedef struct timed_line {
    uint32_t number; /* of places->lines */
    uint32_t file;
    uint32_t line;
} timed_line;

typedef struct listing {
    eti_method_part part; /* first: see groups.h */
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_arena arena; /* of code */
    eti_places places;
    eti_gap *gaps; /* per group of the rollup; NULL: there is no reference */
    eti_time_sum *file_times;
    timed_line *lines;
    size_t n_lines;
    source_row *rows; /* part.n_rows */
    size_t row_capacity;
    uint64_t n_bytes; /* of text in the rows */
    size_t n_changed; /* files that differ from those exported */
    eti_text changed; /* the first of them */
    size_t directory; /* bytes of the path of the directory that contains all files */
} listing;

/* ---- times ----------------------------------------------------------------------------------- */

static uint32_t group_of_place(const void *context, const eti_place *place) {
    const listing *l = context;
    if (place->frame != ETI_PREFIX_ROOT)
        return FIRST_LINE + l->places.frames.nodes[place->frame].item;
    return place->has_frames ? GROUP_SEVERAL : GROUP_UNKNOWN;
}

static uint32_t group_of(const listing *l, const eti_account *account, size_t event,
                         const eti_place *place) {
    if (eti__role_is_framework(eti__account_role(account, event)))
        return GROUP_FRAMEWORK;
    return group_of_place(l, place);
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    listing *l = context;
    size_t n = account->block->n_events;
    eti_place *places = eti__places_of_block(&l->places, account);
    for (size_t i = 0; places && i < n; i++)
        groups[i] = group_of(l, account, i, &places[i]);
    bool done = places != NULL;
    free(places);
    return done;
}

static const eti_group *group_at(const listing *l, size_t group) {
    static const eti_group none = {0};
    return group < l->part.rollup.n_groups ? &l->part.rollup.groups[group] : &none;
}

/* ---- gaps ------------------------------------------------------------------------------------ */

static size_t count_groups(const void *context) {
    const listing *l = context;
    return FIRST_LINE + l->places.lines.count;
}

/* Finds the gap of each line, the worst of its operators. */
static bool find_gaps(listing *l, const eti_gaps *gaps) {
    const eti_gap_grouping grouping = {group_of_place, count_groups, l};
    l->gaps = eti__gaps_of_groups(gaps, &l->places, l->options, &grouping);
    return l->gaps != NULL;
}

static eti_gap gap_at(const listing *l, size_t group) {
    return l->gaps && group != NO_GROUP ? l->gaps[group] : (eti_gap){0};
}

/* Returns whether the group has times or a gap. */
static bool is_listed(const listing *l, size_t group) {
    return group_at(l, group)->n_events > 0 || gap_at(l, group).is_known;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool shows_files(const listing *l) {
    return l->options->source_root || l->options->shows_files;
}

/* Compares lines. If the text of files is shown, files are ordered by their times, and lines as in the file; otherwise lines
 * are ordered by their times. */
static int compare_lines(const void *a, const void *b, void *context) {
    const listing *l = context;
    const timed_line *x = a, *y = b;
    if (!shows_files(l)) {
        int order = eti__time_sum_compare(&group_at(l, FIRST_LINE + y->number)->time,
                                          &group_at(l, FIRST_LINE + x->number)->time);
        if (order)
            return order;
    }
    if (x->file != y->file) {
        int order = eti__time_sum_compare(&l->file_times[y->file], &l->file_times[x->file]);
        return order ? order : x->file < y->file ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

static bool sort_lines(listing *l) {
    const eti_places *places = &l->places;
    l->file_times = calloc(places->files.count + 1, sizeof *l->file_times);
    l->lines = calloc(places->lines.count + 1, sizeof *l->lines);
    if (!l->file_times || !l->lines)
        return false;
    for (size_t i = 0; i < places->lines.count; i++) {
        const eti_group *group = group_at(l, FIRST_LINE + i);
        const eti_place_frame *frame = &places->lines.items[i];
        if (!is_listed(l, FIRST_LINE + i))
            continue;
        eti__time_sum_add(&l->file_times[frame->file], &group->time);
        l->lines[l->n_lines++] = (timed_line){(uint32_t)i, frame->file, frame->frame.line};
    }
    eti__sort(l->lines, l->n_lines, sizeof *l->lines, compare_lines, l);
    return true;
}

/* Finds the directory that contains all listed files, to leave it out of their names. */
static void find_directory(listing *l) {
    if (l->n_lines == 0)
        return;
    eti_text first = l->places.files.texts[l->lines[0].file];
    size_t size = first.size;
    for (size_t i = 0; i < l->n_lines; i++) {
        eti_text file = l->places.files.texts[l->lines[i].file];
        size_t same = 0;
        if (i > 0 && l->lines[i].file == l->lines[i - 1].file)
            continue;
        while (same < size && same < file.size && file.data[same] == first.data[same])
            same++;
        size = same;
    }
    while (size > 0 && first.data[size - 1] != '/')
        size--;
    l->directory = size;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool add_row(listing *l, source_row row) {
    if (!ETI_GROW(l->rows, l->row_capacity, l->part.n_rows + 1))
        return false;
    l->rows[l->part.n_rows++] = row;
    l->n_bytes += row.file.size + row.code.size;
    return true;
}

/* Adds the lines as the stack traces quote them. */
static bool add_quoted_lines(listing *l, const timed_line *lines, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const eti_stack_frame *frame = &l->places.lines.items[lines[i].number].frame;
        if (!add_row(l, (source_row){frame->file, frame->code, frame->line,
                                     FIRST_LINE + lines[i].number}))
            return false;
    }
    return true;
}

static bool add_file_line(listing *l, const eti_source_reader *reader, eti_text file, uint32_t line,
                          size_t group) {
    source_row row = {file, {NULL, 0}, line, group};
    return eti__arena_copy_text(&l->arena, source_line(reader, line), &row.code) && add_row(l, row);
}

/* Adds the lines of the file, with those around them. */
static bool add_file_lines(listing *l, const eti_source_reader *reader, const timed_line *lines,
                           size_t n) {
    uint64_t context = l->options->context;
    eti_text file = l->places.files.texts[lines[0].file];
    uint64_t next = 1; /* the first line that is not listed yet */
    for (size_t i = 0; i < n; i++) {
        uint64_t line = lines[i].line;
        uint64_t first = line > context ? line - context : 1;
        uint64_t end = line + context;
        if (end > reader->n_lines)
            end = reader->n_lines;
        if (i + 1 < n && end >= lines[i + 1].line)
            end = lines[i + 1].line - 1;
        for (next = first > next ? first : next; next <= end; next++) {
            size_t group = next == line ? FIRST_LINE + lines[i].number : NO_GROUP;
            if (!add_file_line(l, reader, file, (uint32_t)next, group))
                return false;
        }
    }
    return true;
}

/* Returns whether the traces quote all lines, and the file has them. */
static bool is_as_exported(const listing *l, const eti_source_reader *reader,
                           const timed_line *lines, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const eti_stack_frame *frame = &l->places.lines.items[lines[i].number].frame;
        if (frame->code.size == 0 ||
            !eti__text_equal(eti__python_strip(source_line(reader, frame->line)), frame->code))
            return false;
    }
    return true;
}

static bool add_file(listing *l, eti_source_reader *reader, const timed_line *lines, size_t n) {
    eti_text file = l->places.files.texts[lines[0].file];
    if (shows_files(l) && read_source(reader, file)) {
        if (is_as_exported(l, reader, lines, n))
            return add_file_lines(l, reader, lines, n);
        if (l->n_changed++ == 0)
            l->changed = file;
    }
    return !source_failed(reader) && add_quoted_lines(l, lines, n);
}

static bool add_files(listing *l) {
    eti_source_reader reader = {.root = l->options->source_root};
    bool done = true;
    for (size_t first = 0, end; first < l->n_lines && done; first = end) {
        for (end = first; end < l->n_lines && l->lines[end].file == l->lines[first].file;)
            end++;
        done = add_file(l, &reader, &l->lines[first], end - first);
    }
    free_source(&reader);
    for (size_t group = 0; group < FIRST_LINE && done; group++) {
        if (is_listed(l, group))
            done = add_row(l, (source_row){.group = group});
    }
    return done;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A row whose cells are being made. */
typedef struct shown_row {
    eti_group_row times;
    const listing *l;
    const source_row *of;
    eti_gap gap;
} shown_row;

static bool set_file(void *context, eti_cell *cell) {
    const shown_row *row = context;
    eti_text file = row->of->file;
    size_t directory = row->l->directory;
    *cell = file.data ? eti__text_cell(eti__text_from(file, directory))
                      : eti__string_cell(group_names[row->of->group]);
    return true;
}

static bool has_frame(const shown_row *row) {
    return row->of->group != NO_GROUP && row->of->group >= FIRST_LINE;
}

static eti_text function_of(const shown_row *row) {
    return row->l->places.lines.items[row->of->group - FIRST_LINE].frame.function;
}

ETI_CELL_SETTER_IF(shown_row, line, row->of->file.data, eti__count_cell(row->of->line))
ETI_CELL_SETTER(shown_row, code, eti__text_or_none(row->of->code))
ETI_CELL_SETTER_IF(shown_row, function, has_frame(row), eti__text_cell(function_of(row)))
ETI_CELL_SETTER(shown_row, path, eti__text_or_none(row->of->file))

ETI_GAP_SETTERS(shown_row, row->gap)

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"file", ETI_TEXTS, false, "path without the directory common to all files", set_file},
    {"line", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "line number, counting from 1", set_line},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    ETI_GAP_COLUMNS,
    {"code", ETI_TEXTS, false, "text of the line, from the file or the ETRecord", set_code},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
    {"events", ETI_COUNTS, true, "events of the line", eti__set_group_events},
    {"calls", ETI_COUNTS, true, "calls of events, after the warm-up", eti__set_group_calls},
    {"function", ETI_TEXTS, true, "functions that contain the line", set_function},
    {"path", ETI_TEXTS, true, "full path of the file", set_path},
    {"p50", ETI_TIMES, true, "median of the times per run", eti__set_group_p50},
    ETI_GROUP_MEAN_COLUMN,
};

static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    const listing *l = (const listing *)part;
    const source_row *of = &l->rows[number];
    const eti_group *group = of->group == NO_GROUP ? NULL : group_at(l, of->group);
    shown_row row = {
        .times = eti__group_row_of(&l->part.rollup, group, &out->texts), .l = l, .of = of};
    row.times.method = part->method;
    row.gap = gap_at(l, of->group);
    return eti__columns_set(specs, n_specs, &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_listing(eti_method_part *part) {
    listing *l = (listing *)part;
    eti__arena_free(&l->arena);
    eti__places_free(&l->places);
    free(l->gaps);
    free(l->file_times);
    free(l->lines);
    free(l->rows);
}

static eti_status make_listing(eti_method_part *part, const eti_inspector *inspector,
                               const eti_view_options *options, void *context, eti_error *err) {
    listing *l = (listing *)part;
    const eti_gaps *gaps = context;
    l->inspector = inspector;
    l->options = options;
    if (!eti__places_init(&l->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&l->part.rollup, l->inspector, l->options, group_events, l, err));
    if (gaps->is_asked && !find_gaps(l, gaps))
        return eti_fail_memory(err);
    if (!sort_lines(l) || !add_files(l))
        return eti_fail_memory(err);
    find_directory(l);
    return ETI_OK;
}

/* Leaves the directory that contains the files of all methods out of their names. */
static void share_directory(const eti_method_rows *rows) {
    eti_text first = {NULL, 0};
    for (size_t i = 0; i < rows->n_parts; i++) {
        const listing *l = (const listing *)rows->parts[i];
        if (l->n_lines == 0)
            continue;
        eti_text directory = {l->places.files.texts[l->lines[0].file].data, l->directory};
        size_t same = 0;
        if (!first.data)
            first = directory;
        while (same < first.size && same < directory.size &&
               first.data[same] == directory.data[same])
            same++;
        first.size = same;
    }
    while (first.size > 0 && first.data[first.size - 1] != '/')
        first.size--;
    for (size_t i = 0; i < rows->n_parts; i++)
        ((listing *)rows->parts[i])->directory = first.size;
}

/* Adds a note with the first file that has changed since the export. */
static eti_status note_changed(const eti_method_rows *rows, eti_report *report, eti_error *err) {
    eti_text changed = {NULL, 0};
    size_t n_changed = 0;
    for (size_t i = rows->n_parts; i-- > 0;) {
        const listing *l = (const listing *)rows->parts[i];
        if (l->n_changed > n_changed)
            n_changed = l->n_changed;
        if (l->n_changed > 0)
            changed = l->changed;
    }
    if (n_changed == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "%.*s differs from the file that was exported (files like this: %zu): "
                            "lines are shown as stored in the ETRecord",
                            ETI_TEXT_ARGS(changed), n_changed);
}

static eti_status add_listing(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_gaps *gaps, eti_error *err) {
    static const eti_method_view view = {sizeof(listing), make_listing, free_listing, make_row};
    eti_column_spec chosen[ETI_N_COLUMNS(columns)];
    const eti_method_rows *rows;
    eti_table *table;
    ETI_TRY(eti__gaps_find(gaps, inspector, options, err));
    eti__gap_columns_choose(chosen, columns, ETI_N_COLUMNS(columns), set_snr, gaps->is_asked);
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, chosen, ETI_N_COLUMNS(columns), inspector,
                                  options, gaps, err));
    share_directory(rows);
    table->most_drawn = eti__view_most_drawn(inspector);
    eti__table_give_heat(table, "share", "code");
    ETI_TRY(eti__report_add(report, "lines", NULL, table, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_unsteady(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    ETI_TRY(note_changed(rows, report, err));
    ETI_TRY(eti__view_note_record(report, inspector, "source lines", err));
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    ETI_TRY(eti__view_note_cycles(report, &rows->counts.cycles, err));
    return eti__gaps_note(gaps, report, err);
}

eti_status eti__view_source(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    eti_gaps gaps;
    eti_status status = add_listing(report, inspector, options, &gaps, err);
    eti__gaps_free(&gaps);
    return status;
}
