#include "write/writer.h"

#include "base/status.h"
#include "base/text.h"

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
    &eti__writer_junit,
    &eti__writer_github,
    &eti__writer_benchmark,
    &eti__writer_html,
    NULL,
};

const eti_writer *eti__writer_at(size_t i) {
    size_t at = 0;
    while (at < i && writers[at])
        at++;
    return writers[at];
}

const eti_writer *eti__writer_find(const char *name) {
    for (size_t i = 0; writers[i]; i++) {
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

/* Returns what follows the last dot of a file's name; empty if nothing stands before the dot. */
static const char *suffix_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? dot + 1 : "";
}

/* Whether it is one of the writer's, in capitals or not. */
static bool has_suffix(const eti_writer *writer, const char *suffix) {
    size_t length = strlen(suffix);
    for (const char *at = writer->suffixes; at && *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n == length && strncasecmp(at, suffix, n) == 0)
            return true;
        at += n;
    }
    return false;
}

static const eti_writer *find_by_suffix(const char *suffix) {
    for (size_t i = 0; writers[i]; i++) {
        if (has_suffix(writers[i], suffix))
            return writers[i];
    }
    return NULL;
}

eti_status eti__format_choose(const char **out, const char *format, const char *path,
                              const char *standard, eti_error *err) {
    const char *suffix = suffix_of(path);
    const eti_writer *named = find_by_suffix(suffix);
    const eti_writer *asked;
    *out = named ? named->name : standard;
    if (!format)
        return ETI_OK;
    ETI_TRY(eti__writer_get(&asked, format, err));
    if (named && !has_suffix(asked, suffix))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sformat %s: %s has the suffix of %s: leave out %sformat, or name the "
                        "file differently",
                        eti__option_prefix(), format, path, named->name, eti__option_prefix());
    *out = format;
    return ETI_OK;
}

/* ---- parts of reports ------------------------------------------------------------------------ */

eti_status eti__writer_check(const eti_writer *writer, const eti_report *report, eti_error *err) {
    if ((writer->takes & (ETI_TAKES_GATE | ETI_TAKES_GRAPH)) && report->has_one_table)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%stable: the format %s is not made of tables: leave out %stable",
                        eti__option_prefix(), writer->name, eti__option_prefix());
    if ((writer->takes & ETI_TAKES_GATE) && !report->gate)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the format %s shows what failed: it is for etinspect gate, and for "
                        "etinspect numerics with %sfail_on",
                        writer->name, eti__option_prefix());
    if ((writer->takes & ETI_TAKES_GRAPH) && !report->graph)
        return eti_fail(err, ETI_ERROR_USAGE, "the format %s is for etinspect graph", writer->name);
    return ETI_OK;
}
