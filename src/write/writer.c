#include "write/writer.h"

#include "table/table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const eti_writer *const writers[] = {
    &eti__writer_fancy_grid,
    &eti__writer_tsv,
    &eti__writer_csv,
    &eti__writer_text,
    &eti__writer_json,
    &eti__writer_ndjson,
    &eti__writer_markdown,
    &eti__writer_sqlite,
    &eti__writer_dot,
    &eti__writer_model_explorer,
    &eti__writer_model_explorer_data,
    &eti__writer_chrome,
    &eti__writer_perfetto,
    &eti__writer_speedscope,
    &eti__writer_folded,
    &eti__writer_pprof,
    &eti__writer_junit,
    &eti__writer_github,
    &eti__writer_benchmark,
    &eti__writer_codequality,
    &eti__writer_html,
    &eti__writer_openmetrics,
};

#define N_WRITERS (sizeof writers / sizeof *writers)

const eti_writer *eti__writer_at(size_t i) {
    return i < N_WRITERS ? writers[i] : NULL;
}

const eti_writer *eti__writer_find(const char *name) {
    for (size_t i = 0; i < N_WRITERS; i++) {
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    }
    return NULL;
}

eti_status eti__writer_get(const eti_writer **out, const char *name, eti_error *err) {
    *out = eti__writer_find(name);
    return *out ? ETI_OK : eti_fail(err, ETI_ERROR_USAGE, "there is no format %s", name);
}

/* ---- suffixes -------------------------------------------------------------------------------- */

/* Returns whether the name ends with a dot and the suffix, in upper or lower case, and has a part before them. */
static bool ends_with(eti_text name, const char *suffix, size_t n) {
    return name.size > n + 1 && name.data[name.size - n - 1] == '.' &&
           strncasecmp(name.data + name.size - n, suffix, n) == 0;
}

static bool is_compressed(const char *path) {
    return ends_with(eti__text_file_name(eti__text_of(path)), "gz", 2);
}

/* Returns the length of the longest of these suffixes of the writer that the name has; 0: none. The suffix of a trace may be
 * followed by ".gz" if the writer takes only traces. */
static size_t suffix_length(const eti_writer *writer, const char *suffixes, const char *path,
                            unsigned takes) {
    const eti_text name = eti__text_file_name(eti__text_of(path));
    bool is_packed = (writer->takes & takes & ETI_TAKES_SLICES) && is_compressed(path);
    const eti_text unpacked = {name.data, is_packed ? name.size - 3 : name.size};
    size_t longest = 0;
    for (const char *at = suffixes; at && *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n > longest && (ends_with(name, at, n) || ends_with(unpacked, at, n)))
            longest = n;
        at += n;
    }
    return longest;
}

/* Finds the writer with the longest suffix among those that take any of `takes`; `usual` are the parts of the usual
 * format. */
static const eti_writer *find_by_suffix(const char *path, unsigned takes, unsigned usual) {
    const eti_writer *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < N_WRITERS; i++) {
        size_t n = writers[i]->takes & takes
                       ? suffix_length(writers[i], writers[i]->suffixes, path, usual)
                       : 0;
        if (n > longest) {
            longest = n;
            found = writers[i];
        }
    }
    return found;
}

bool eti__writer_compresses(const eti_writer *writer, const char *path) {
    return (writer->takes & ETI_TAKES_SLICES) && is_compressed(path);
}

bool eti__has_foreign_suffix(const char *path) {
    static const char *const suffixes[] = {"xlsx", "xls", "ods", "parquet", "arrow",
                                           "pdf",  "png", "svg", "yaml",    "yml"};
    const eti_text name = eti__text_file_name(eti__text_of(path));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (ends_with(name, suffixes[i], strlen(suffixes[i])))
            return true;
    }
    return false;
}

/* Lists the known suffixes. A command whose usual format is a trace writes nothing else. */
static eti_status fail_foreign_suffix(const char *path, unsigned usual, eti_error *err) {
    const unsigned takes =
        usual & ETI_TAKES_SLICES ? ETI_TAKES_SLICES : ~(unsigned)ETI_TAKES_SLICES;
    eti_buffer list = {0};
    for (size_t i = 0; i < N_WRITERS; i++) {
        const char *at = writers[i]->takes & takes ? writers[i]->suffixes : NULL;
        for (size_t n; at && *at; at += n + (at[n] == ',')) {
            char name[32];
            n = strcspn(at, ",");
            (void)snprintf(name, sizeof name, "x.%.*s", (int)n, at);
            if (find_by_suffix(name, takes, usual) == writers[i])
                eti__buffer_printf(&list, "%s%s", list.size > 0 ? ", " : "", name + 1);
        }
    }
    eti_status status =
        list.failed ? eti_fail_memory(err)
                    : eti_fail(err, ETI_ERROR_USAGE,
                               "%s: there is no format of this suffix: the known ones are %.*s",
                               path, ETI_TEXT_ARGS(eti__buffer_text(&list)));
    eti__buffer_free(&list);
    return status;
}

/* Rejects tables if the usual format is a trace: the tables of its report only list the events that are shown. */
static eti_status check_trace(const eti_writer *writer, unsigned usual, eti_error *err) {
    if (!writer || !(usual & ETI_TAKES_SLICES) || !(writer->takes & ETI_TAKES_TABLES))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "the format %s shows tables, not traces: leave it out, or list the time of "
                    "each event in each run with etinspect runs %sevents",
                    writer->name, eti__option_prefix());
}

/* Rejects a file whose name says that it is compressed although it would not be. */
static eti_status check_compression(const char *format, const char *path, eti_error *err) {
    const eti_writer *writer = eti__writer_find(format);
    if (!is_compressed(path) || !writer || (writer->takes & ETI_TAKES_SLICES))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE, "%s: only traces are compressed: leave out .gz", path);
}

eti_status eti__format_choose(const char **out, const char *format, const char *path,
                              const char *standard, eti_error *err) {
    const eti_writer *asked, *standard_writer = eti__writer_find(standard);
    unsigned usual = standard_writer ? standard_writer->takes : 0;
    const eti_writer *named = find_by_suffix(path, usual, usual);
    if (!named)
        named = find_by_suffix(path, ~0u, usual);
    *out = named ? named->name : standard;
    if (!format) {
        if (!named && eti__has_foreign_suffix(path))
            return fail_foreign_suffix(path, usual, err);
        ETI_TRY(check_trace(named, usual, err));
        return check_compression(*out, path, err);
    }
    ETI_TRY(eti__writer_get(&asked, format, err));
    ETI_TRY(check_trace(asked, usual, err));
    if (named && suffix_length(asked, asked->suffixes, path, usual) == 0 &&
        suffix_length(asked, asked->other_suffixes, path, usual) == 0)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sformat %s: %s has the suffix of %s: leave out %sformat, or choose another file name",
            eti__option_prefix(), format, path, named->name, eti__option_prefix());
    *out = format;
    return check_compression(format, path, err);
}

/* ---- parts of reports ------------------------------------------------------------------------ */

eti_status eti__writer_check_parts(const eti_writer *writer, unsigned parts, eti_error *err) {
    unsigned missing = writer->takes & ~(parts | ETI_TAKES_TABLES);
    if (missing & ETI_TAKES_GATE)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the format %s lists failures: it is for etinspect gate, and for etinspect "
                        "numerics with %sfail_on",
                        writer->name, eti__option_prefix());
    if (missing & ETI_TAKES_GRAPH)
        return eti_fail(err, ETI_ERROR_USAGE, "the format %s is for etinspect graph", writer->name);
    if (missing & ETI_TAKES_SLICES)
        return eti_fail(err, ETI_ERROR_USAGE, "the format %s is for etinspect trace", writer->name);
    return ETI_OK;
}

eti_status eti__writer_check(const eti_writer *writer, const eti_report *report, eti_error *err) {
    if ((writer->takes & (ETI_TAKES_GATE | ETI_TAKES_GRAPH | ETI_TAKES_SLICES)) &&
        report->has_one_table)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%stable: the format %s does not consist of tables: leave out %stable",
                        eti__option_prefix(), writer->name, eti__option_prefix());
    if (report->n_sections > 0 && report->sections[0].parts.open && !writer->write_rows &&
        !writer->takes_parts)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the format %s needs all rows at once: choose csv, tsv, json or ndjson",
                        writer->name);
    return eti__writer_check_parts(writer,
                                   (report->gate ? ETI_TAKES_GATE : 0) |
                                       (report->graph ? ETI_TAKES_GRAPH : 0) |
                                       (report->slices ? ETI_TAKES_SLICES : 0),
                                   err);
}

eti_status eti__writer_check_output(const eti_writer *writer, const eti_output *output,
                                    eti_error *err) {
    if (writer->is_file && eti__output_is_terminal(output))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sformat %s cannot be printed on a terminal: name a file with %soutput",
                        eti__option_prefix(), writer->name, eti__option_prefix());
    return ETI_OK;
}
