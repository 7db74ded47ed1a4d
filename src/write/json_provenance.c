#include "write/json_provenance.h"

static void add_source(eti_json_writer *json, const eti_report_source *source, bool has_sha256) {
    char digits[ETI_SHA256_DIGITS + 1];
    eti__json_open_object(json);
    eti__json_add_member(json, "kind", eti__text_of(source->kind));
    eti__json_add_member(json, "path", source->path);
    eti__json_add_u64_member(json, "size", source->size);
    eti__json_add_member(json, "sha256", eti__source_sha256(source, has_sha256, digits));
    eti__json_close_level(json);
}

/* Adds the labels: first those of the report, then those of the user. */
static void add_labels(eti_json_writer *json, const eti_report *report,
                       const eti_write_options *options) {
    eti__json_add_key(json, "labels");
    eti__json_open_object(json);
    for (size_t i = 0; i < report->n_labels + options->n_labels; i++) {
        const eti_label *label =
            i < report->n_labels ? &report->labels[i] : &options->labels[i - report->n_labels];
        eti__json_add_member(json, label->key, eti__text_of(label->value));
    }
    eti__json_close_level(json);
}

/* Makes the next member begin a line, if the members have lines of their own. */
static void separate(eti_json_writer *json, bool has_lines) {
    if (has_lines)
        eti__json_add_line(json, 0);
}

void eti__json_add_provenance(eti_json_writer *json, const eti_report *report,
                              const eti_write_options *options, bool has_lines) {
    eti__json_add_member(json, "schema", eti__text_of(ETI_OUTPUT_SCHEMA));
    separate(json, has_lines);
    eti__json_add_member(json, "version", eti__text_of(eti_version()));
    separate(json, has_lines);
    eti__json_add_member(json, "view", eti__text_of(report->view));
    separate(json, has_lines);
    eti__json_add_member(json, "time_scale", eti__report_time_scale(report));
    separate(json, has_lines);
    eti__json_add_key(json, "sources");
    eti__json_open_array(json);
    for (size_t i = 0; i < report->n_sources; i++)
        add_source(json, &report->sources[i], !options->no_sha256);
    eti__json_close_level(json);
    separate(json, has_lines);
    add_labels(json, report, options);
}
