/*
 * JUnit XML, in the form that most readers of it have in common: a suite per rule, a case per check. It validates
 * against schema/junit.xsd.
 *
 *     <testsuites name="etinspect gate" tests="2" failures="1" errors="0" skipped="0">
 *       <testsuite name="op:p50>+5%" tests="2" failures="1" errors="0" skipped="0">
 *         <testcase name="native_call_addmm.out" classname="Execute" file="model.py" line="12">
 *           <failure message="..." type="regression"/>
 *
 * What is allowed is skipped; a check with too few samples is an error, because it did not come to a result.
 */
#include "base/text_table.h"
#include "table/cell_text.h"
#include "write/checks.h"
#include "write/writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct counts {
    size_t n, n_failures, n_errors, n_skipped;
} counts;

typedef struct junit {
    eti_checks checks;
    eti_output *output;
    eti_buffer text;
    eti_row_reader rows;
    eti_arena arena;
    eti_text_table rules;
    counts *of_rules;
    uint32_t *rule_of; /* per row */
    size_t *order;     /* rows, by rule */
} junit;

/* ---- XML ------------------------------------------------------------------------------------- */

/* XML 1.0, 2.2, but for what a terminal would act on. */
static bool is_allowed(uint32_t c) {
    if (eti_is_control(c))
        return c == '\t' || c == '\n' || c == '\r';
    return c < 0xd800 || (c >= 0xe000 && c < 0xfffe) || c >= 0x10000;
}

/* For attributes, and between tags; readers turn a line break that is not spelled out into a blank. */
static void add_escaped(eti_buffer *out, eti_text text) {
    for (size_t at = 0; at < text.size;) {
        uint32_t c;
        size_t size = eti_text_decode(text, at, &c);
        if (!is_allowed(c) || c == 0xfffd)
            eti_buffer_add_string(out, "\xef\xbf\xbd");
        else if (c < 0x20 || strchr("&<>\"'", (int)(c < 0x80 ? c : 'x')))
            eti_buffer_printf(out, "&#%u;", (unsigned)c);
        else
            eti_buffer_add(out, text.data + at, size);
        at += size;
    }
}

static void add_attribute(junit *j, const char *name, eti_text value) {
    if (!value.data)
        return;
    eti_buffer_printf(&j->text, " %s=\"", name);
    add_escaped(&j->text, value);
    eti_buffer_add_char(&j->text, '"');
}

static void add_counts(junit *j, const counts *n) {
    eti_buffer_printf(&j->text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                      n->n, n->n_failures, n->n_errors, n->n_skipped);
}

/* ---- counting -------------------------------------------------------------------------------- */

static eti_text text_of(const eti_cell *cell) {
    return cell->kind == ETI_CELL_TEXT ? cell->as_text : (eti_text){NULL, 0};
}

static bool has_verdict(const junit *j, const eti_cell *cells, const char *verdict) {
    return eti_text_is(text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_VERDICT)), verdict);
}

static void count(const junit *j, const eti_cell *cells, counts *n) {
    n->n++;
    n->n_failures += has_verdict(j, cells, "failed");
    n->n_errors += has_verdict(j, cells, "too few");
    n->n_skipped += has_verdict(j, cells, "allowed");
}

/* All rules, those without checks too, in their order. */
static bool list_rules(junit *j) {
    const eti_section *section = eti_report_find(j->checks.report, "rules");
    eti_row_reader reader;
    uint32_t number;
    if (!section)
        return true;
    bool done = eti_row_reader_open(&reader, section->table);
    for (size_t row = 0; done && row < section->table->n_rows; row++) {
        eti_text rule = text_of(&eti_row_reader_read(&reader, row)[0]);
        done = !reader.failed &&
               (!rule.data || eti_text_table_add(&j->rules, rule, &j->arena, &number));
    }
    eti_row_reader_close(&reader);
    return done;
}

static bool number_rows(junit *j) {
    size_t n = j->checks.table->n_rows;
    j->rule_of = malloc((n + 1) * sizeof *j->rule_of);
    j->order = malloc((n + 1) * sizeof *j->order);
    if (!j->rule_of || !j->order)
        return false;
    for (size_t row = 0; row < n; row++) {
        const eti_cell *cells = eti_row_reader_read(&j->rows, row);
        eti_text rule = text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_RULE));
        if (j->rows.failed || !eti_text_table_add(&j->rules, rule.data ? rule : eti_text_of(""),
                                                  &j->arena, &j->rule_of[row]))
            return false;
    }
    j->of_rules = calloc(j->rules.count + 1, sizeof *j->of_rules);
    return j->of_rules;
}

/* Sorts rows by rule, as they stand within one. */
static bool sort_rows(junit *j, counts *all) {
    size_t n = j->checks.table->n_rows, at = 0;
    size_t *next = malloc((j->rules.count + 1) * sizeof *next);
    if (!next)
        return false;
    for (size_t row = 0; row < n; row++) {
        const eti_cell *cells = eti_row_reader_read(&j->rows, row);
        count(j, cells, &j->of_rules[j->rule_of[row]]);
        count(j, cells, all);
    }
    for (size_t rule = 0; rule < j->rules.count; rule++) {
        next[rule] = at;
        at += j->of_rules[rule].n;
    }
    for (size_t row = 0; row < n; row++)
        j->order[next[j->rule_of[row]]++] = row;
    free(next);
    return !j->rows.failed;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void add_properties(junit *j, const eti_cell *cells) {
    static const eti_check_column list[] = {
        ETI_CHECK_METRIC, ETI_CHECK_BASE, ETI_CHECK_NEW,  ETI_CHECK_BASE_BYTES, ETI_CHECK_NEW_BYTES,
        ETI_CHECK_CHANGE, ETI_CHECK_LOW,  ETI_CHECK_HIGH, ETI_CHECK_P,          ETI_CHECK_RUNS};
    eti_number_text number = {0};
    eti_buffer_add_string(&j->text, "      <properties>\n");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const eti_cell *cell = eti_check_cell(&j->checks, cells, list[i]);
        if (cell->kind == ETI_CELL_NONE)
            continue;
        eti_text name = j->checks.table->columns[j->checks.columns[list[i]]].name;
        eti_buffer_add_string(&j->text, "        <property");
        add_attribute(j, "name", name);
        add_attribute(j, "value", eti_cell_text(cell, &number));
        eti_buffer_add_string(&j->text, "/>\n");
    }
    eti_buffer_add_string(&j->text, "      </properties>\n");
}

static void add_result(junit *j, const eti_cell *cells) {
    eti_text message = text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_MESSAGE));
    bool is_failure = has_verdict(j, cells, "failed"), is_error = has_verdict(j, cells, "too few");
    if (!is_failure && !is_error && !has_verdict(j, cells, "allowed"))
        return;
    eti_buffer_printf(&j->text, "      <%s",
                      is_failure ? "failure"
                      : is_error ? "error"
                                 : "skipped");
    add_attribute(j, "message", message.data ? message : eti_text_of(""));
    if (is_failure || is_error)
        add_attribute(j, "type", eti_text_of(is_failure ? "regression" : "too few samples"));
    eti_buffer_add_string(&j->text, "/>\n");
}

static void add_case(junit *j, const eti_cell *cells) {
    const eti_cell *line = eti_check_cell(&j->checks, cells, ETI_CHECK_LINE);
    eti_text module = text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_MODULE));
    eti_text key = text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_KEY));
    eti_text block = text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_BLOCK));
    eti_number_text number = {0};
    eti_buffer_add_string(&j->text, "    <testcase");
    add_attribute(j, "name", key.data ? key : eti_text_of(""));
    add_attribute(j, "classname", module.data ? module : block.data ? block : eti_text_of(""));
    add_attribute(j, "file", text_of(eti_check_cell(&j->checks, cells, ETI_CHECK_FILE)));
    if (line->kind == ETI_CELL_INT)
        add_attribute(j, "line", eti_cell_text(line, &number));
    eti_buffer_add_string(&j->text, ">\n");
    add_properties(j, cells);
    add_result(j, cells);
    eti_buffer_add_string(&j->text, "    </testcase>\n");
}

static void flush(junit *j) {
    eti_output_add_text(j->output, eti_buffer_text(&j->text));
    j->text.size = 0;
}

static void add_suites(junit *j) {
    for (size_t rule = 0, at = 0; rule < j->rules.count; rule++) {
        eti_buffer_add_string(&j->text, "  <testsuite");
        add_attribute(j, "name", j->rules.texts[rule]);
        add_counts(j, &j->of_rules[rule]);
        eti_buffer_add_string(&j->text, ">\n");
        for (size_t i = 0; i < j->of_rules[rule].n && !eti_output_failed(j->output); i++) {
            add_case(j, eti_row_reader_read(&j->rows, j->order[at + i]));
            if (j->text.failed || j->rows.failed)
                return;
            flush(j);
        }
        at += j->of_rules[rule].n;
        eti_buffer_add_string(&j->text, "  </testsuite>\n");
    }
}

static bool write_all(junit *j) {
    counts all = {0};
    if (!eti_row_reader_open(&j->rows, j->checks.table) || !list_rules(j) || !number_rows(j) ||
        !sort_rows(j, &all))
        return false;
    eti_buffer_add_string(&j->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                    "<testsuites name=\"etinspect gate\"");
    add_counts(j, &all);
    eti_buffer_add_string(&j->text, ">\n");
    add_suites(j);
    eti_buffer_add_string(&j->text, "</testsuites>\n");
    if (j->text.failed || j->rows.failed)
        return false;
    flush(j);
    return true;
}

static eti_status write_junit(const eti_report *report, const eti_write_options *options,
                              eti_output *output, eti_error *err) {
    junit j = {.output = output};
    (void)options;
    ETI_TRY(eti_checks_find(&j.checks, report, "junit", err));
    bool done = write_all(&j);
    eti_row_reader_close(&j.rows);
    eti_text_table_free(&j.rules);
    eti_arena_free(&j.arena);
    eti_buffer_free(&j.text);
    free(j.of_rules);
    free(j.rule_of);
    free(j.order);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti_writer_junit = {
    .name = "junit",
    .summary = "JUnit XML, of a gate: for test reports",
    .write_report = write_junit,
    .is_for_programs = true,
};
