/*
 * Workflow commands of GitHub, for a gate: annotations at the lines of the model that got slower.
 *
 *     ::error file=model.py,line=12,title=op%3Ap50>+5%25::native_call_addmm.out: ...
 *
 * GitHub shows ten annotations of a step: if there are more, the last has their number.
 */
#include "gate/gate.h"
#include "write/writer.h"

#define MOST 10

/* Adds a text, escaped: a property ends at a colon or a comma, a command at the end of its line.
 * Other characters that act on a terminal become '?'. */
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

/* Returns the i-th selected finding. */
static const eti_finding *finding_at(const eti_report *report, size_t i) {
    return &report->gate->findings[eti__report_chosen(report, i)];
}

/* Annotations, at most MOST; the rest is counted. */
typedef struct annotations {
    eti_buffer text;
    size_t n; /* number of annotations that are printed */
    size_t n_said;
} annotations;

static void begin(annotations *a, const char *command) {
    eti__buffer_printf(&a->text, "::%s ", command);
    a->n_said++;
}

static void end(annotations *a, eti_text title, eti_text message) {
    eti__buffer_add_string(&a->text, "title=");
    add_escaped(&a->text, title, true);
    eti__buffer_add_string(&a->text, "::");
    add_escaped(&a->text, message, false);
    eti__buffer_add_char(&a->text, '\n');
}

static void add_finding(annotations *a, const eti_finding *of) {
    begin(a, of->kind == ETI_FINDING_FAILED ? "error" : "notice");
    if (of->file.size > 0) {
        eti__buffer_add_string(&a->text, "file=");
        add_escaped(&a->text, of->file, true);
        eti__buffer_add_char(&a->text, ',');
    }
    if (of->file.size > 0 && of->line > 0)
        eti__buffer_printf(&a->text, "line=%u,", (unsigned)of->line);
    end(a, of->rule->rule, of->message);
}

/* Returns whether a finding has a message of its own: it failed, or is allowed to. */
static bool has_message(const eti_finding *of) {
    return of->kind == ETI_FINDING_FAILED || of->kind == ETI_FINDING_ALLOWED;
}

/* Returns whether a finding has a warning. Rules that lack files lack the same files, and rules of a
 * measurement that is not complete lack the same pairs, so only the first has one. */
static bool has_warning(const eti_gate_result *gate, size_t i) {
    const eti_rule_findings *rule = &gate->rules[i];
    bool is_shared = rule->outcome == ETI_RULE_FEW_FILES || rule->outcome == ETI_RULE_CUT_SHORT;
    for (size_t k = 0; k < i && is_shared; k++) {
        if (gate->rules[k].outcome == rule->outcome)
            return false;
    }
    return rule->message.data != NULL;
}

static void count(annotations *a, const eti_report *report) {
    for (size_t i = 0; i < eti__report_chosen_count(report); i++)
        a->n += has_message(finding_at(report, i));
    for (size_t i = 0; i < report->gate->n_rules; i++)
        a->n += has_warning(report->gate, i);
}

static void add_all(annotations *a, const eti_report *report) {
    const eti_gate_result *gate = report->gate;
    size_t most = a->n > MOST ? MOST - 1 : a->n;
    for (size_t i = 0; i < eti__report_chosen_count(report) && a->n_said < most; i++) {
        if (has_message(finding_at(report, i)))
            add_finding(a, finding_at(report, i));
    }
    for (size_t i = 0; i < gate->n_rules && a->n_said < most; i++) {
        if (!has_warning(gate, i))
            continue;
        begin(a, "warning");
        end(a, gate->rules[i].rule, gate->rules[i].message);
    }
    if (a->n > a->n_said)
        eti__buffer_printf(
            &a->text,
            "::warning title=etinspect gate::%zu more messages are left out, because "
            "GitHub shows at most %d of a step\n",
            a->n - a->n_said, MOST);
}

static eti_status write_github(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    annotations a = {.n = 0};
    (void)options;
    count(&a, report);
    add_all(&a, report);
    bool failed = a.text.failed;
    if (!failed)
        eti__output_add_text(output, eti__buffer_text(&a.text));
    eti__buffer_free(&a.text);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

const eti_writer eti__writer_github = {
    .name = "github",
    .summary = "annotations of a gate for GitHub",
    .takes = ETI_TAKES_GATE,
    .write_report = write_github,
};
