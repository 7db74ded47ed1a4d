#include "view/summary_facts.h"

#include "stats/timescale.h"
#include "view/columns.h"

enum { FACT_NAME, FACT_VALUE, FACT_UNIT, N_FACT_COLUMNS };

typedef struct facts {
    const eti_summary_data *data;
    eti_table *table;
    bool failed;
} facts;

static void add_fact(facts *f, const char *name, eti_cell value, const char *unit) {
    eti_cell *cells = f->failed ? NULL : eti_table_add_row(f->table);
    if (!cells || (value.kind == ETI_CELL_TEXT &&
                   !eti_table_own_text(f->table, value.as_text, &value.as_text))) {
        f->failed = true;
        return;
    }
    cells[FACT_NAME] = eti_text_cell(eti_text_of(name));
    cells[FACT_VALUE] = value;
    cells[FACT_UNIT] = eti_text_cell(eti_text_of(unit));
}

static void add_inputs(facts *f) {
    const eti_inspector *inspector = f->data->inspector;
    if (inspector->record && inspector->method != ETI_NO_METHOD)
        add_fact(f, "method",
                 eti_text_cell(eti_etrecord_method_name(inspector->record, inspector->method)), "");
    if (inspector->n_dumps > 0)
        add_fact(f, "etdump", eti_text_cell(eti_text_of(inspector->dumps[0].file_name)), "");
    if (inspector->n_dumps > 1)
        add_fact(f, "further etdumps", eti_count_cell(inspector->n_dumps - 1), "");
    if (inspector->record)
        add_fact(f, "etrecord", eti_text_cell(eti_text_of(inspector->record_file.name)), "");
}

/* How long the event of this name took, by the median of the runs of the first block that has it. */
static void add_loading(facts *f, const char *fact, const char *event_name, const char *unit) {
    const eti_blocks *blocks = &f->data->inspector->blocks;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        for (size_t i = 0; i < blocks->blocks[b].n_events; i++) {
            const eti_event *event = &blocks->blocks[b].events[i];
            eti_summary times;
            if (eti_text_is(event->name, event_name) && eti_event_summary(event, &times)) {
                add_fact(f, fact, eti_double_cell(times.p50), unit);
                return;
            }
        }
    }
}

static size_t count_inputs(const eti_run_list *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n_blocks; i++)
        n += list->blocks[i].block->bundled_input_index != -1;
    return n;
}

static void add_run_facts(facts *f, const char *unit) {
    const eti_run_list *list = &f->data->list;
    eti_time_scale target = f->data->inspector->options.target_time_scale;
    add_fact(f, "runs", eti_count_cell(list->n_runs), "");
    if (list->n_blocks > 1)
        add_fact(f, "blocks", eti_count_cell(list->n_blocks), "");
    if (count_inputs(list) > 0)
        add_fact(f, "bundled inputs", eti_count_cell(count_inputs(list)), "");
    if (list->n_runs == 0)
        return;
    add_fact(f, "first run", eti_double_cell(list->runs[0].elapsed), unit);
    if (list->blocks[0].n_warm_up > 0)
        add_fact(f, "warm-up runs", eti_count_cell(list->blocks[0].n_warm_up), "");
    if (list->blocks[0].block->n_runs > 1)
        add_fact(f, "median run after the warm-up", eti_double_cell(list->blocks[0].median), unit);
    double sum = 0;
    for (size_t i = 0; i < list->n_runs; i++)
        sum += list->runs[i].elapsed;
    if (list->has_execute && target != ETI_SCALE_CYCLES && sum > 0)
        add_fact(f, "inferences per second",
                 eti_double_cell((double)list->n_runs /
                                 (sum / eti_time_scale_factor(target, ETI_SCALE_S, 0))),
                 "");
}

eti_status eti_summary_add_facts(eti_report *report, const eti_summary_data *data, eti_error *err) {
    static const eti_column_spec columns[N_FACT_COLUMNS] = {
        [FACT_NAME] = {"fact", ETI_COLUMN_TEXT, false, "what is said"},
        [FACT_VALUE] = {"value", ETI_COLUMN_NUMBER, false, "a number or a text"},
        [FACT_UNIT] = {"unit", ETI_COLUMN_TEXT, false, "of the value"},
    };
    const char *unit = eti_time_scale_name(data->inspector->options.target_time_scale);
    facts f = {.data = data};
    ETI_TRY(
        eti_columns_make(&f.table, columns, N_FACT_COLUMNS, data->inspector, data->options, err));
    add_inputs(&f);
    add_run_facts(&f, unit);
    add_loading(&f, "loading the method", "Program::load_method", unit);
    add_loading(&f, "Method::init", "Method::init", unit);
    if (f.failed) {
        eti_table_free(f.table);
        return eti_fail_memory(err);
    }
    ETI_TRY(eti_report_add(report, "facts", "Profile", f.table, err));
    report->sections[report->n_sections - 1].explains_itself = true;
    return ETI_OK;
}
