#include "write/json_provenance.h"

#include "table/provenance.h"
#include "write/json_text.h"

static void add_source(eti_buffer *out, const eti_report_source *source, bool has_sha256) {
    char digits[ETI_SHA256_DIGITS + 1];
    eti_text sha256 = eti__source_sha256(source, has_sha256, digits);
    eti__buffer_add_char(out, '{');
    eti__json_add_member(out, "kind", eti__text_of(source->kind));
    eti__buffer_add_string(out, ", ");
    eti__json_add_member(out, "path", source->path);
    eti__buffer_add_string(out, ", \"size\": ");
    eti__buffer_add_u64(out, source->size);
    eti__buffer_add_string(out, ", ");
    eti__json_add_member(out, "sha256", sha256);
    eti__buffer_add_char(out, '}');
}

/* Adds the labels: first those of the report, then those of the user. */
static void add_labels(eti_buffer *out, const eti_report *report,
                       const eti_write_options *options) {
    eti__buffer_add_string(out, "\"labels\": {");
    for (size_t i = 0; i < report->n_labels + options->n_labels; i++) {
        const eti_label *label =
            i < report->n_labels ? &report->labels[i] : &options->labels[i - report->n_labels];
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__json_add_member(out, label->key, eti__text_of(label->value));
    }
    eti__buffer_add_char(out, '}');
}

void eti__json_add_provenance(eti_buffer *out, const eti_report *report,
                              const eti_write_options *options, const char *separator) {
    eti__json_add_member(out, "schema", eti__text_of(ETI_OUTPUT_SCHEMA));
    eti__buffer_add_string(out, separator);
    eti__json_add_member(out, "version", eti__text_of(eti_version()));
    eti__buffer_add_string(out, separator);
    eti__json_add_member(out, "view", eti__text_of(report->view));
    eti__buffer_add_string(out, separator);
    eti__json_add_member(out, "time_scale", eti__report_time_scale(report));
    eti__buffer_add_string(out, separator);
    eti__buffer_add_string(out, "\"sources\": [");
    for (size_t i = 0; i < report->n_sources; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        add_source(out, &report->sources[i], !options->no_sha256);
    }
    eti__buffer_add_char(out, ']');
    eti__buffer_add_string(out, separator);
    add_labels(out, report, options);
}
