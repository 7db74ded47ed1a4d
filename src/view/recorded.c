#include "view/summary.h"

#include "base/intern.h"
#include "base/status.h"
#include "table/table.h"

#include <inttypes.h>

/* ==== inputs ================================================================================== */

#define MOST_NAMED 3 /* different inputs */

/* Inputs, and the number of ETDumps that have them. */
typedef struct known_inputs {
    eti_text text;
    size_t n;
} known_inputs;

typedef ETI_INTERN_OF(known_inputs) inputs_table;

static void describe(eti_buffer *out, const eti_dump_note *note) {
    if (!note->inputs[0]) {
        eti__buffer_add_string(out, "unknown");
        return;
    }
    eti__buffer_add_string(out, note->inputs);
    if (note->has_seed)
        eti__buffer_printf(out, ", seed %" PRIu64, note->input_seed);
    if (note->input_types[0])
        eti__buffer_printf(out, ": %s", note->input_types);
}

/* Counts the ETDumps by their inputs. False: out of memory. */
static bool count_inputs(inputs_table *table, eti_arena *arena, const eti_inspector *inspector) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(known_inputs);
    eti_buffer scratch = {0};
    bool done = true;
    for (size_t i = 0; i < inspector->n_dumps && done; i++) {
        known_inputs one = {.n = 0};
        uint32_t number;
        scratch.size = 0;
        describe(&scratch, &inspector->dumps[i].note);
        done = !scratch.failed &&
               eti__arena_own_text(arena, eti__buffer_text(&scratch), &one.text) &&
               eti__intern_add(&table->table, &kind, &one, &number);
        if (done)
            table->items[number].n++;
    }
    eti__buffer_free(&scratch);
    return done;
}

static bool has_inputs(const eti_inspector *inspector) {
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        if (inspector->dumps[i].note.inputs[0])
            return true;
    }
    return false;
}

bool eti__recorded_inputs(eti_buffer *out, const eti_inspector *inspector) {
    inputs_table table = {0};
    eti_arena arena = {0};
    if (!has_inputs(inspector))
        return true;
    bool done = count_inputs(&table, &arena, inspector);
    for (size_t i = 0; done && i < table.count && i < MOST_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? "; " : "");
        eti__buffer_add_text(out, table.items[i].text);
        if (table.count > 1)
            eti__buffer_printf(out, " (%zu of %zu ETDumps)", table.items[i].n, inspector->n_dumps);
    }
    if (done && table.count > MOST_NAMED)
        eti__buffer_printf(out, "; and %zu more", table.count - MOST_NAMED);
    eti__intern_free(&table.table);
    eti__arena_free(&arena);
    return done && !out->failed;
}

/* ==== recording =============================================================================== */

typedef struct property {
    eti_text name, value;
} property;

ETI_CELL_SETTER(property, property, eti__text_cell(row->name))
ETI_CELL_SETTER(property, value, eti__text_or_none(row->value))

static const eti_column_spec columns[] = {
    {"property", ETI_TEXTS, false, "name in the note of record", set_property},
    {"value", ETI_TEXTS, false, "value; each different one of several ETDumps", set_value},
};

typedef struct recording {
    eti_table *table;
    eti_text_table known; /* rows: name, a zero byte, value */
    eti_arena arena;
    eti_error *err;
} recording;

/* Adds a row unless an earlier ETDump has the same: an eti_note_member_function. */
static bool add_property(void *context, eti_text name, eti_text value) {
    recording *r = context;
    eti_buffer key = {0};
    eti_text own;
    uint32_t number;
    const size_t n = r->known.count;
    property row = {name, value};
    eti__buffer_add_text(&key, name);
    eti__buffer_add_char(&key, value.data ? '\0' : '\1');
    eti__buffer_add_text(&key, value);
    bool done = !key.failed && eti__arena_own_text(&r->arena, eti__buffer_text(&key), &own) &&
                eti__text_table_add(&r->known, own, NULL, &number);
    eti__buffer_free(&key);
    if (!done || r->known.count == n)
        return done;
    return eti__table_own_text(r->table, name, &row.name) &&
           (!value.data || eti__table_own_text(r->table, value, &row.value)) &&
           eti__columns_add_row(r->table, columns, ETI_N_COLUMNS(columns), &row, r->err) == ETI_OK;
}

static bool has_note(const eti_inspector *inspector) {
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        if (inspector->dumps[i].note.is_present)
            return true;
    }
    return false;
}

eti_status eti__view_add_recording(eti_report *report, const eti_inspector *inspector,
                                   eti_error *err) {
    recording r = {.err = err};
    bool done = true;
    if (!has_note(inspector))
        return ETI_OK;
    ETI_TRY(eti__columns_add_section(&r.table, report, "recording", "Recording", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    report->sections[report->n_sections - 1].is_in_notes = true;
    for (size_t i = 0; i < inspector->n_dumps && done; i++) {
        if (inspector->dumps[i].note.is_present)
            done = eti__dump_note_each(&inspector->dumps[i].note, add_property, &r);
    }
    eti__text_table_free(&r.known);
    eti__arena_free(&r.arena);
    return done ? ETI_OK : eti_fail_memory(err);
}
