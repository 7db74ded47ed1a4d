#include "base/intern.h"
#include "base/json_writer.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "digest/digest.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "table/table.h"
#include "write/write.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

/* ==== junit =================================================================================== */

/*
 * JUnit XML, in the form that most readers understand: a suite per rule, a case per check. It validates against
 * schema/junit.xsd.
 *
 *     <testsuites name="etinspect gate" tests="2" failures="1" errors="0" skipped="0">
 *       <testsuite name="op:p50>+5%" tests="2" failures="1" errors="0" skipped="0">
 *         <testcase name="native_call_addmm.out" classname="Execute" file="model.py" line="12">
 *           <failure message="..." type="regression"/>
 *
 * Allowed failures are reported as skipped. A rule that is undecided is one error, in a case of its own; its undecided
 * checks are reported as skipped. So are failures and errors of an outcome whose exit status is mapped to 0: there is a
 * failure or an error exactly if the status is not 0.
 */

typedef struct counts {
    size_t n, n_failures, n_errors, n_skipped;
} counts;

typedef struct junit {
    const eti_report *report;
    eti_text made_by; /* the command */
    eti_output *output;
    eti_buffer text;
    eti_text_table suites; /* rules by their text: the same rule may be given twice */
    uint32_t *suite_of;    /* per rule */
    bool *has_case;        /* per rule: its outcome is that of no check */
    counts *of_suites;     /* cases of rules and of findings */
    size_t *n_findings;    /* per suite */
    size_t *order;         /* findings, by suite */
} junit;

/* ---- XML ------------------------------------------------------------------------------------- */

/* Returns whether a character is allowed in XML 1.0 (section 2.2) and has no effect on a terminal. */
static bool is_allowed(uint32_t c) {
    if (eti__is_control(c))
        return c == '\t' || c == '\n' || c == '\r';
    return c < 0xd800 || (c >= 0xe000 && c < 0xfffe) || c >= 0x10000;
}

/* Adds a text to an attribute or between tags. Line breaks are spelled out, because readers turn others into blanks; so is
 * the first character of a command of a CI runner. */
static void add_junit_escaped(eti_buffer *out, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t c;
        size_t size = eti__text_decode(text, at, &c);
        if (!is_allowed(c) || c == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else if (c < 0x20 || eti__begins_command(text, at, false) ||
                 strchr("&<>\"'", (int)(c < 0x80 ? c : 'x')))
            eti__buffer_printf(out, "&#%u;", (unsigned)c);
        else
            eti__buffer_add(out, text.data + at, size);
        at += size;
    }
}

static void add_attribute(junit *j, const char *name, eti_text value) {
    if (!value.data)
        return;
    eti__buffer_printf(&j->text, " %s=\"", name);
    add_junit_escaped(&j->text, value);
    eti__buffer_add_char(&j->text, '"');
}

static void add_counts(junit *j, const counts *n) {
    eti__buffer_printf(&j->text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                       n->n, n->n_failures, n->n_errors, n->n_skipped);
}

/* ---- suites ---------------------------------------------------------------------------------- */

/* Returns the i-th selected finding. */
static const eti_finding *junit_finding_at(const junit *j, size_t i) {
    return &j->report->gate->findings[eti__report_chosen(j->report, i)];
}

static uint32_t suite_of(const junit *j, const eti_finding *finding) {
    return j->suite_of[finding->rule - j->report->gate->rules];
}

/* Makes a suite for each rule, in their order, even for rules without findings. */
static bool list_suites(junit *j) {
    const eti_gate_result *gate = j->report->gate;
    j->suite_of = malloc((gate->n_rules + 1) * sizeof *j->suite_of);
    j->has_case = calloc(gate->n_rules + 1, sizeof *j->has_case);
    j->of_suites = calloc(gate->n_rules + 1, sizeof *j->of_suites);
    j->n_findings = calloc(gate->n_rules + 1, sizeof *j->n_findings);
    j->order = malloc((eti__report_chosen_count(j->report) + 1) * sizeof *j->order);
    if (!j->suite_of || !j->has_case || !j->of_suites || !j->n_findings || !j->order)
        return false;
    for (size_t i = 0; i < gate->n_rules; i++) {
        if (!eti__text_table_add(&j->suites, gate->rules[i].rule, NULL, &j->suite_of[i]))
            return false;
    }
    return true;
}

/* Returns the element for a failure; "skipped" if it is allowed. */
static const char *failure_of(const eti_gate_result *gate) {
    return gate->allowed_by.data ? "skipped" : "failure";
}

static const char *error_of(const eti_gate_result *gate) {
    return gate->allowed_by.data || gate->allows_undecided ? "skipped" : "error";
}

/* Returns the element of a case; NULL: it passed. */
static const char *element_of(const eti_gate_result *gate, const eti_finding *of) {
    if (of->kind == ETI_FINDING_FAILED)
        return failure_of(gate);
    return of->kind == ETI_FINDING_PASSED ? NULL : "skipped";
}

/* Returns the element of the case of a rule; NULL: it passed. */
static const char *element_of_rule(const eti_gate_result *gate, const eti_rule_findings *rule) {
    if (rule->outcome == ETI_RULE_PASSED)
        return NULL;
    return rule->outcome == ETI_RULE_FAILED ? failure_of(gate) : error_of(gate);
}

static void count_case(counts *n, const char *element) {
    n->n++;
    if (element)
        *(*element == 'f' ? &n->n_failures : *element == 'e' ? &n->n_errors : &n->n_skipped) += 1;
}

/* Finds the rules that have a case of their own: those without rows, and those that are undecided, unless all their
 * undecided checks were left out by a selection. */
static void find_rule_cases(junit *j, counts *all) {
    const eti_gate_result *gate = j->report->gate;
    for (size_t i = 0; i < gate->n_rules; i++) {
        const eti_rule_findings *rule = &gate->rules[i];
        bool has_reason = rule->message.data && (rule->n[ETI_FINDING_UNDECIDED] == 0 ||
                                                 rule->outcome == ETI_RULE_CUT_SHORT);
        j->has_case[i] = rule->has_no_rows || has_reason;
    }
    for (size_t i = 0; i < eti__report_chosen_count(j->report); i++) {
        const eti_finding *of = junit_finding_at(j, i);
        if (of->kind == ETI_FINDING_UNDECIDED && of->rule->message.data)
            j->has_case[of->rule - gate->rules] = true;
    }
    for (size_t i = 0; i < gate->n_rules; i++) {
        if (!j->has_case[i])
            continue;
        count_case(&j->of_suites[j->suite_of[i]], element_of_rule(gate, &gate->rules[i]));
        count_case(all, element_of_rule(gate, &gate->rules[i]));
    }
}

/* Sorts findings by suite, stably. False: out of memory. */
static bool sort_findings(junit *j, counts *all) {
    size_t n = eti__report_chosen_count(j->report), at = 0;
    size_t *next = malloc((j->suites.count + 1) * sizeof *next);
    if (!next)
        return false;
    for (size_t i = 0; i < n; i++) {
        const eti_finding *of = junit_finding_at(j, i);
        j->n_findings[suite_of(j, of)]++;
        count_case(&j->of_suites[suite_of(j, of)], element_of(j->report->gate, of));
        count_case(all, element_of(j->report->gate, of));
    }
    for (size_t suite = 0; suite < j->suites.count; suite++) {
        next[suite] = at;
        at += j->n_findings[suite];
    }
    for (size_t i = 0; i < n; i++)
        j->order[next[suite_of(j, junit_finding_at(j, i))]++] = i;
    free(next);
    return true;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void add_property(junit *j, const char *name, const char *unit, eti_cell cell) {
    eti_number_text number = {0};
    if (cell.kind == ETI_CELL_NONE)
        return;
    eti__buffer_printf(&j->text, "        <property name=\"%s", name);
    if (unit)
        eti__buffer_printf(&j->text, " (%s)", unit);
    eti__buffer_add_char(&j->text, '"');
    add_attribute(j, "value", eti__cell_text(&cell, &number));
    eti__buffer_add_string(&j->text, "/>\n");
}

static void add_properties(junit *j, const eti_finding *of) {
    const eti_gate_result *gate = j->report->gate;
    const char *unit = gate->includes_units ? eti_time_scale_name(gate->time_scale) : NULL;
    eti__buffer_add_string(&j->text, "      <properties>\n");
    add_property(j, "metric", NULL, eti__string_cell(of->metric));
    if (of->is_bytes || of->is_count) {
        add_property(j, of->is_count ? "base_count" : "base_bytes", NULL,
                     eti__bytes_or_none(of->base));
        add_property(j, of->is_count ? "new_count" : "new_bytes", NULL,
                     eti__bytes_or_none(of->new_side));
    } else {
        add_property(j, "base", unit, eti__number_or_none(of->base));
        add_property(j, "new", unit, eti__number_or_none(of->new_side));
    }
    add_property(j, "change", NULL, eti__number_or_none(of->change));
    add_property(j, "change_low", NULL, eti__number_or_none(of->low));
    add_property(j, "change_high", NULL, eti__number_or_none(of->high));
    add_property(j, "p", NULL, eti__number_or_none(of->p));
    add_property(j, "base_files", NULL, eti__count_cell(of->files_base));
    add_property(j, "new_files", NULL, eti__count_cell(of->files_new));
    eti__buffer_add_string(&j->text, "      </properties>\n");
}

/* Adds the element of a case that did not pass. */
static void add_outcome(junit *j, const char *element, eti_text message) {
    eti__buffer_printf(&j->text, "      <%s", element);
    add_attribute(j, "message", message);
    if (*element != 's')
        add_attribute(j, "type", eti__text_of(*element == 'f' ? "regression" : "undecided"));
    eti__buffer_add_string(&j->text, "/>\n");
}

static void add_case(junit *j, const eti_finding *of) {
    eti__buffer_add_string(&j->text, "    <testcase");
    add_attribute(j, "name", of->key);
    add_attribute(j, "classname", of->module.data ? of->module : of->block);
    add_attribute(j, "file", of->file);
    if (of->file.data)
        eti__buffer_printf(&j->text, " line=\"%u\"", (unsigned)of->line);
    eti__buffer_add_string(&j->text, ">\n");
    add_properties(j, of);
    if (of->kind == ETI_FINDING_UNDECIDED)
        add_outcome(j, "skipped", eti__text_of("undecided: see the case of the rule"));
    else if (of->kind != ETI_FINDING_PASSED)
        add_outcome(j, element_of(j->report->gate, of), of->message);
    eti__buffer_add_string(&j->text, "    </testcase>\n");
}

/* Adds the case of a rule. */
static void add_rule_case(junit *j, const eti_rule_findings *rule) {
    eti__buffer_add_string(&j->text, "    <testcase");
    add_attribute(j, "name", rule->rule);
    add_attribute(j, "classname", j->made_by);
    eti__buffer_add_string(&j->text, ">\n");
    if (element_of_rule(j->report->gate, rule))
        add_outcome(j, element_of_rule(j->report->gate, rule), rule->message);
    eti__buffer_add_string(&j->text, "    </testcase>\n");
}

static void add_rule_cases(junit *j, size_t suite) {
    const eti_gate_result *gate = j->report->gate;
    for (size_t i = 0; i < gate->n_rules && j->of_suites[suite].n > j->n_findings[suite]; i++) {
        if (j->has_case[i] && j->suite_of[i] == suite)
            add_rule_case(j, &gate->rules[i]);
    }
}

static void flush(junit *j) {
    eti__output_add_text(j->output, eti__buffer_text(&j->text));
    j->text.size = 0;
}

static void add_suites(junit *j) {
    for (size_t suite = 0, at = 0; suite < j->suites.count; suite++) {
        eti__buffer_add_string(&j->text, "  <testsuite");
        add_attribute(j, "name", j->suites.texts[suite]);
        add_counts(j, &j->of_suites[suite]);
        eti__buffer_add_string(&j->text, ">\n");
        add_rule_cases(j, suite);
        for (size_t i = 0; i < j->n_findings[suite] && !eti__output_failed(j->output); i++) {
            add_case(j, junit_finding_at(j, j->order[at + i]));
            flush(j);
        }
        at += j->n_findings[suite];
        eti__buffer_add_string(&j->text, "  </testsuite>\n");
    }
}

static bool write_all(junit *j) {
    counts all = {0};
    if (!list_suites(j) || !sort_findings(j, &all))
        return false;
    find_rule_cases(j, &all);
    eti__buffer_add_string(&j->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_attribute(j, "name", j->made_by);
    add_counts(j, &all);
    eti__buffer_add_string(&j->text, ">\n");
    add_suites(j);
    eti__buffer_add_string(&j->text, "</testsuites>\n");
    flush(j);
    return !j->text.failed;
}

static eti_status write_junit(const eti_report *report, const eti_write_options *options,
                              eti_output *output, eti_error *err) {
    junit j = {.report = report, .output = output};
    eti_buffer made_by = {0};
    (void)options;
    eti__buffer_printf(&made_by, "etinspect %s", report->view);
    j.made_by = eti__buffer_text(&made_by);
    bool done = !made_by.failed && write_all(&j);
    eti__buffer_free(&made_by);
    eti__text_table_free(&j.suites);
    eti__buffer_free(&j.text);
    free(j.suite_of);
    free(j.has_case);
    free(j.of_suites);
    free(j.n_findings);
    free(j.order);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_junit = {
    .name = "junit",
    .summary = "JUnit XML of a gate, for test reports",
    .suffixes = "xml",
    .takes = ETI_TAKES_GATE,
    .write_report = write_junit,
};

/* ==== github ================================================================================== */

/*
 * Workflow commands of GitHub, for a gate: annotations at the lines of the model that got slower.
 *
 *     ::error file=model.py,line=12,title=op%3Ap50>+5%25::native_call_addmm.out: ...
 *
 * GitHub shows ten annotations of a step: if there are more, the last has their number.
 */

#define MOST 10

/* Adds a text, escaped: a property ends at a colon or a comma, a command at the end of its line.
 * Other characters that act on a terminal, and those that begin a command of another runner, become '?'. */
static void add_github_escaped(eti_buffer *out, eti_text text, bool is_property) {
    for (size_t at = 0, size; at < text.size; at += size) {
        uint32_t c;
        size = eti__text_decode(text, at, &c);
        if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
            eti__buffer_printf(out, "%%%02X", (unsigned)c);
        else if (eti__is_control(c) || eti__begins_command(text, at, false))
            eti__buffer_add_char(out, '?');
        else if (c == 0xfffd)
            eti__buffer_add_string(out, "\xef\xbf\xbd");
        else
            eti__buffer_add(out, text.data + at, size);
    }
}

/* Returns the i-th selected finding. */
static const eti_finding *github_finding_at(const eti_report *report, size_t i) {
    return &report->gate->findings[eti__report_chosen(report, i)];
}

/* Annotations, at most MOST; the rest is counted. */
typedef struct annotations {
    eti_buffer text;
    eti_text allowed_by; /* of the result */
    size_t n;            /* number of annotations that are printed */
    size_t n_said;
} annotations;

/* Begins an annotation; one about what is allowed is only a notice. */
static void begin(annotations *a, const char *command) {
    eti__buffer_printf(&a->text, "::%s ", a->allowed_by.data ? "notice" : command);
    a->n_said++;
}

static void end(annotations *a, eti_text title, eti_text message, bool is_passed) {
    eti__buffer_add_string(&a->text, "title=");
    add_github_escaped(&a->text, title, true);
    eti__buffer_add_string(&a->text, "::");
    add_github_escaped(&a->text, message, false);
    if (a->allowed_by.data && !is_passed)
        eti__buffer_printf(&a->text, "; %.*s", ETI_TEXT_ARGS(a->allowed_by));
    eti__buffer_add_char(&a->text, '\n');
}

static void add_finding(annotations *a, const eti_finding *of) {
    begin(a, of->kind == ETI_FINDING_FAILED ? "error" : "notice");
    if (of->file.size > 0) {
        eti__buffer_add_string(&a->text, "file=");
        add_github_escaped(&a->text, of->file, true);
        eti__buffer_add_char(&a->text, ',');
    }
    if (of->file.size > 0 && of->line > 0)
        eti__buffer_printf(&a->text, "line=%u,", (unsigned)of->line);
    end(a, of->rule->rule, of->message, of->kind == ETI_FINDING_ALLOWED);
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

static void count_github(annotations *a, const eti_report *report) {
    for (size_t i = 0; i < eti__report_chosen_count(report); i++)
        a->n += has_message(github_finding_at(report, i));
    for (size_t i = 0; i < report->gate->n_rules; i++)
        a->n += has_warning(report->gate, i);
}

static void add_all(annotations *a, const eti_report *report) {
    const eti_gate_result *gate = report->gate;
    size_t most = a->n > MOST ? MOST - 1 : a->n;
    for (size_t i = 0; i < eti__report_chosen_count(report) && a->n_said < most; i++) {
        if (has_message(github_finding_at(report, i)))
            add_finding(a, github_finding_at(report, i));
    }
    for (size_t i = 0; i < gate->n_rules && a->n_said < most; i++) {
        if (!has_warning(gate, i))
            continue;
        begin(a, gate->rules[i].outcome == ETI_RULE_FAILED ? "error" : "warning");
        end(a, gate->rules[i].rule, gate->rules[i].message, false);
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
    annotations a = {.allowed_by = report->gate->allowed_by};
    (void)options;
    count_github(&a, report);
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
    .has_commands = true,
};

/* ==== benchmark =============================================================================== */

/*
 * The customSmallerIsBetter JSON of github-action-benchmark, for a gate: an entry per checked row, with a name that is the
 * same in every run.
 *
 *     [
 *       {"name": "Execute/Method::execute p50", "unit": "ms", "value": 1.25, "range": "-0.5 % to +0.7 %", "extra": "..."}
 *     ]
 */

typedef struct benchmark {
    const eti_gate_result *gate;
    eti_buffer text, part;
    eti_json_writer json;
    eti_text_table keys;
} benchmark;

/* Returns the unit: that of times, or bytes. */
static const char *unit_of(const benchmark *b, const eti_finding *of) {
    if (of->is_in_cycles)
        return eti_time_scale_name(ETI_SCALE_CYCLES);
    if (of->is_count)
        return of->metric;
    return of->is_bytes ? "bytes" : eti_time_scale_name(b->gate->time_scale);
}

static bool is_whole(const eti_finding *of) {
    return of->is_bytes || of->is_count;
}

/* Adds the range of the change from the other side. */
static void add_range(benchmark *b, const eti_finding *of) {
    if (!isfinite(of->low) || !isfinite(of->high))
        return;
    b->part.size = 0;
    eti__add_change(&b->part, of->low);
    eti__buffer_add_string(&b->part, " to ");
    eti__add_change(&b->part, of->high);
    eti__json_add_member(&b->json, "range", eti__buffer_text(&b->part));
}

static void add_extra(benchmark *b, const eti_finding *of) {
    b->part.size = 0;
    eti__buffer_add_string(&b->part, eti__finding_kind_name(of->kind));
    eti__buffer_add_string(&b->part, ": ");
    eti__buffer_add_text(&b->part, of->rule->rule);
    if (isfinite(of->base))
        eti__buffer_printf(&b->part, is_whole(of) ? "\nbase %.0f %s" : "\nbase %.6g %s",
                           is_whole(of) ? floor(of->base) : of->base, unit_of(b, of));
    if (of->files_new > 0)
        eti__buffer_printf(&b->part, "\n%zu %s, %zu runs", of->files_new,
                           of->files_new == 1 ? "file" : "files", of->runs_new);
    eti__json_add_member(&b->json, "extra", eti__buffer_text(&b->part));
}

/* Finds whether a key is new: two rules may check the same row. False: out of memory. */
static bool is_new(eti_text_table *keys, eti_text key, bool *out) {
    size_t n = keys->count;
    uint32_t number;
    if (!eti__text_table_add(keys, key, NULL, &number))
        return false;
    *out = keys->count > n;
    return true;
}

static bool add_entry(benchmark *b, const eti_finding *of) {
    eti_cell value =
        is_whole(of) ? eti__bytes_or_none(of->new_side) : eti__double_cell(of->new_side);
    bool is_new_key;
    if (value.kind == ETI_CELL_NONE || !isfinite(of->new_side))
        return true;
    if (!is_new(&b->keys, of->key, &is_new_key))
        return false;
    if (!is_new_key)
        return true;
    eti__json_add_line(&b->json, 2);
    eti__json_open_object(&b->json);
    eti__json_add_member(&b->json, "name", of->key);
    eti__json_add_member(&b->json, "unit", eti__text_of(unit_of(b, of)));
    eti__json_add_key(&b->json, "value");
    eti__json_add_cell(&b->json, &value);
    add_range(b, of);
    add_extra(b, of);
    eti__json_close_level(&b->json);
    return !b->text.failed && !b->part.failed;
}

static eti_status write_benchmark(const eti_report *report, const eti_write_options *options,
                                  eti_output *output, eti_error *err) {
    benchmark b = {.gate = report->gate};
    bool done = true;
    (void)options;
    b.json = eti__json_writer(&b.text, ETI_JSON_SPACED);
    eti__json_open_array(&b.json);
    for (size_t i = 0; done && i < eti__report_chosen_count(report); i++) {
        done = add_entry(&b, &b.gate->findings[eti__report_chosen(report, i)]);
        eti__output_add_text(output, eti__buffer_text(&b.text));
        b.text.size = 0;
    }
    eti__json_add_line(&b.json, 0);
    eti__json_close_level(&b.json);
    eti__buffer_add_char(&b.text, '\n');
    eti__output_add_text(output, eti__buffer_text(&b.text));
    done = done && !b.text.failed;
    eti__text_table_free(&b.keys);
    eti__buffer_free(&b.text);
    eti__buffer_free(&b.part);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_benchmark = {
    .name = "benchmark",
    .summary = "JSON of a gate for github-action-benchmark",
    .suffixes = "json",
    .takes = ETI_TAKES_GATE,
    .write_report = write_benchmark,
};

/* ==== codequality ============================================================================= */

/*
 * GitLab's code quality report, for a gate: an entry per failed or allowed check, and an entry per rule that has a message of
 * its own, such as an undecided rule. GitLab compares the entries of a merge request with those of its target branch by their
 * fingerprints, so a fingerprint depends only on the rule and the name of the check.
 *
 *     [
 *       {"description": "...", "check_name": "op:p50>+5%", "fingerprint": "7815696ecbf1c96e6894b779456d330e",
 *        "severity": "major", "location": {"path": "model.py", "lines": {"begin": 12}}}
 *     ]
 */

#define FINGERPRINT_DIGITS 32 /* as many as GitLab's examples have */

typedef struct quality {
    const eti_gate_result *gate;
    eti_buffer text, part;
    eti_json_writer json;
    eti_text_table fingerprints;
} quality;

static void add_description(quality *q, eti_text message, bool is_passed) {
    q->part.size = 0;
    eti__buffer_add_text(&q->part, message);
    if (q->gate->allowed_by.data && !is_passed)
        eti__buffer_printf(&q->part, "; %.*s", ETI_TEXT_ARGS(q->gate->allowed_by));
    eti__json_add_member(&q->json, "description", eti__buffer_text(&q->part));
}

/* GitLab requires a path: an entry without a source line of the model gets a path that is not a file. */
static void add_location(quality *q, eti_text file, uint32_t line) {
    const eti_cell begin = eti__count_cell(file.size > 0 && line > 0 ? line : 1);
    eti__json_add_key(&q->json, "location");
    eti__json_open_object(&q->json);
    eti__json_add_member(&q->json, "path", file.size > 0 ? file : eti__text_of("etinspect"));
    eti__json_add_key(&q->json, "lines");
    eti__json_open_object(&q->json);
    eti__json_add_key(&q->json, "begin");
    eti__json_add_cell(&q->json, &begin);
    eti__json_close_level(&q->json);
    eti__json_close_level(&q->json);
}

/* Adds an entry about a finding, or about the rule if `of` is NULL. False: out of memory. */
static bool add_issue(quality *q, const eti_rule_findings *rule, const eti_finding *of,
                      const char *severity) {
    char digest[ETI_SHA256_DIGITS + 1];
    bool is_new_fingerprint;
    q->part.size = 0;
    eti__buffer_add_text(&q->part, rule->rule);
    eti__buffer_add_char(&q->part, '\n');
    if (of)
        eti__buffer_add_text(&q->part, of->key);
    if (q->part.failed)
        return false;
    eti__sha256(q->part.data, q->part.size, digest);
    digest[FINGERPRINT_DIGITS] = '\0';
    if (!is_new(&q->fingerprints, eti__text_of(digest), &is_new_fingerprint))
        return false;
    if (!is_new_fingerprint)
        return true;
    eti__json_add_line(&q->json, 2);
    eti__json_open_object(&q->json);
    add_description(q, of ? of->message : rule->message, of && of->kind == ETI_FINDING_ALLOWED);
    eti__json_add_member(&q->json, "check_name", rule->rule);
    eti__json_add_member(&q->json, "fingerprint", eti__text_of(digest));
    eti__json_add_member(&q->json, "severity",
                         eti__text_of(q->gate->allowed_by.data ? "info" : severity));
    add_location(q, of ? of->file : (eti_text){NULL, 0}, of ? of->line : 0);
    eti__json_close_level(&q->json);
    return !q->text.failed && !q->part.failed;
}

static bool add_issues(quality *q, const eti_report *report) {
    const eti_gate_result *gate = report->gate;
    for (size_t i = 0; i < eti__report_chosen_count(report); i++) {
        const eti_finding *of = &gate->findings[eti__report_chosen(report, i)];
        if (has_message(of) &&
            !add_issue(q, of->rule, of, of->kind == ETI_FINDING_FAILED ? "major" : "info"))
            return false;
    }
    for (size_t i = 0; i < gate->n_rules; i++) {
        const eti_rule_findings *rule = &gate->rules[i];
        if (has_warning(gate, i) &&
            !add_issue(q, rule, NULL, rule->outcome == ETI_RULE_FAILED ? "major" : "minor"))
            return false;
    }
    return true;
}

static eti_status write_quality(const eti_report *report, const eti_write_options *options,
                                eti_output *output, eti_error *err) {
    quality q = {.gate = report->gate};
    (void)options;
    q.json = eti__json_writer(&q.text, ETI_JSON_SPACED);
    eti__json_open_array(&q.json);
    bool done = add_issues(&q, report);
    eti__json_add_line(&q.json, 0);
    eti__json_close_level(&q.json);
    eti__buffer_add_char(&q.text, '\n');
    done = done && !q.text.failed;
    if (done)
        eti__output_add_text(output, eti__buffer_text(&q.text));
    eti__text_table_free(&q.fingerprints);
    eti__buffer_free(&q.text);
    eti__buffer_free(&q.part);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_codequality = {
    .name = "codequality",
    .summary = "JSON of a gate for GitLab's code quality",
    .suffixes = "json",
    .takes = ETI_TAKES_GATE,
    .write_report = write_quality,
};
