/*
 * Workflow commands of GitHub, of a gate: annotations at the lines of the model that got slower.
 *
 *     ::error file=model.py,line=12,title=op%3Ap50>+5%25::native_call_addmm.out: ...
 *
 * GitHub shows ten of a step: where there are more, the last says how many.
 */
#include "gate/result.h"
#include "write/writer.h"

#define MOST 10

/* A property ends at a colon or a comma, a command at its line. What else acts on a terminal becomes '?'. */
static void add_escaped(eti_buffer *out, eti_text text, bool is_property) {
    for (size_t at = 0, size; at < text.size; at += size) {
        uint32_t c;
        size = eti__text_decode(text, at, &c);
        if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
            eti__buffer_printf(out, "%%%02X", (unsigned)c);
        else if (eti__is_control(c))
            eti__buffer_add_char(out, '?');
        else if (c == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else
            eti__buffer_add(out, text.data + at, size);
    }
}

/* NULL: nothing is to be said. */
static const char *const commands[ETI_N_FINDING_KINDS] = {
    [ETI_FINDING_FAILED] = "error",
    [ETI_FINDING_TOO_FEW] = "warning",
    [ETI_FINDING_ALLOWED] = "notice",
};

/* The i-th that was selected. */
static const eti_finding *finding_at(const eti_report *report, size_t i) {
    return &report->gate->findings[eti__report_chosen(report, i)];
}

static void add_annotation(eti_buffer *out, const eti_finding *of) {
    eti__buffer_printf(out, "::%s ", commands[of->kind]);
    if (of->file.size > 0) {
        eti__buffer_add_string(out, "file=");
        add_escaped(out, of->file, true);
        eti__buffer_add_char(out, ',');
    }
    if (of->file.size > 0 && of->line > 0)
        eti__buffer_printf(out, "line=%u,", (unsigned)of->line);
    eti__buffer_add_string(out, "title=");
    add_escaped(out, of->rule->rule, true);
    eti__buffer_add_string(out, "::");
    add_escaped(out, of->message, false);
    eti__buffer_add_char(out, '\n');
}

static eti_status write_github(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    eti_buffer text = {0};
    size_t n = 0, n_said = 0;
    (void)options;
    for (size_t i = 0; i < eti__report_chosen_count(report); i++)
        n += commands[finding_at(report, i)->kind] != NULL;
    size_t most = n > MOST ? MOST - 1 : n;
    for (size_t i = 0; n_said < most; i++) {
        if (!commands[finding_at(report, i)->kind])
            continue;
        add_annotation(&text, finding_at(report, i));
        n_said++;
    }
    if (n > n_said)
        eti__buffer_printf(
            &text, "::warning title=etinspect gate::%zu more checks were not passed\n", n - n_said);
    bool failed = text.failed;
    if (!failed)
        eti__output_add_text(output, eti__buffer_text(&text));
    eti__buffer_free(&text);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

const eti_writer eti__writer_github = {
    .name = "github",
    .summary = "annotations of GitHub, of a gate",
    .takes = ETI_TAKES_GATE,
    .write_report = write_github,
};
