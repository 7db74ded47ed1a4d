#include "report_fixture.h"

#include "plan_fixture.h"

#include "program_builder.h"

#include "view_program/memory.h"

/* ==== memory map ============================================================================== */
/* Compares the map of real programs and of a synthetic one with examining every byte at every instruction. */

#define MOST_BYTES 65536u

static bool holds(const eti_planned *life, uint32_t memory_id, uint32_t instruction,
                  uint64_t byte) {
    return eti__planned_uses_memory(life) && life->tensor->memory_id == memory_id &&
           life->first <= instruction && instruction <= life->last &&
           life->tensor->memory_offset <= byte && byte < eti__planned_end(life);
}

/* Lists the places where bytes in use begin and end, in order. */
static size_t list_edges(const eti_planned_method *method, uint32_t memory_id, uint32_t instruction,
                         uint64_t *edges, uint64_t *n_bytes) {
    size_t n = 0;
    *n_bytes = 0;
    for (uint64_t byte = 0; byte < MOST_BYTES; byte++) {
        bool is_used = false;
        for (uint32_t t = 0; t < method->liveness.n_tensors && !is_used; t++)
            is_used = holds(&method->liveness.tensors[t], memory_id, instruction, byte);
        *n_bytes += is_used;
        if (is_used != (n % 2 == 1))
            edges[n++] = byte;
    }
    return n;
}

static void assert_row_is_right(const eti_table *map, size_t row, const eti_planned_methods *all) {
    uint64_t edges[256], n_bytes;
    eti_text name = cell_at(map, row, "method").as_text;
    const eti_planned_method *method = &all->methods[0];
    if (!eti__text_equal(method->plan->name, name))
        method = &all->methods[1];
    uint32_t memory_id = (uint32_t)cell_at(map, row, "memory_id").as_int;
    uint32_t instruction = (uint32_t)cell_at(map, row, "instruction").as_int;
    size_t n = list_edges(method, memory_id, instruction, edges, &n_bytes);
    assert_true(n > 0);
    assert_int_equal(cell_at(map, row, "in_use").as_int, n_bytes);
    eti_cell ranges = cell_at(map, row, "ranges");
    assert_int_equal(ranges.n_items, n);
    assert_memory_equal(ranges.items, edges, n * sizeof *edges);
}

/* Checks that one row of the arena is marked, that no row has more bytes, and that rows before it have fewer. */
static void assert_peak_is_right(const eti_table *map, size_t first, size_t n) {
    size_t n_marked = 0;
    int64_t peak = 0;
    for (size_t i = first; i < first + n; i++)
        peak = cell_at(map, i, "in_use").as_int > peak ? cell_at(map, i, "in_use").as_int : peak;
    for (size_t i = first; i < first + n; i++) {
        bool is_marked = cell_at(map, i, "at_peak").as_bool;
        assert_true(!is_marked || cell_at(map, i, "in_use").as_int == peak);
        assert_true(n_marked > 0 || is_marked || cell_at(map, i, "in_use").as_int < peak);
        n_marked += is_marked;
    }
    assert_int_equal(n_marked, 1);
}

static void assert_map_is_right(eti_inspector *inspector) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_planned_methods all;
    eti_arena arena = {0};
    const session s = {.inspector = inspector};
    options.map = true;
    eti_report *report = report_of(&s, "memory", &options);
    const eti_table *map = table_of(report, "map");
    assert_ok(eti__planned_methods_make(&all, &arena, inspector, &err));
    size_t row = 0;
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t n_instructions = all.methods[i].liveness.calls.n;
        for (uint32_t a = 0; a < all.methods[i].arenas.n_arenas; a++) {
            if (all.methods[i].arenas.arenas[a].n_tensors == 0)
                continue;
            for (uint32_t k = 0; k < n_instructions; k++) {
                assert_int_equal(cell_at(map, row + k, "instruction").as_int, k);
                assert_row_is_right(map, row + k, &all);
            }
            assert_peak_is_right(map, row, n_instructions);
            row += n_instructions;
        }
    }
    assert_int_equal(row, eti_table_row_count(map));
    assert_true(row > 0);
    eti__arena_free(&arena);
    eti_report_free(report);
    eti_inspector_close(inspector);
}

static eti_inspector *open_source(const eti_source *program) {
    const eti_inputs inputs = {.programs = program, .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    return inspector;
}

static void maps_of_programs_are_right(void **state) {
    (void)state;
    static const char *const paths[] = {
        "testdata/small/model.pte", "testdata/state/model.pte", "testdata/control-flow/model.pte",
        "testdata/multi-method/model.pte", "testdata/mlp/inline.pte"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_map_is_right(open_source(&(eti_source){.path = paths[i]}));
}

/* Thirteen instructions, which are no power of two, in two arenas and an empty one: lives of all lengths, and overlapping
 * bytes. */
static void maps_of_any_number_are_right(void **state) {
    (void)state;
    enum { N = 13 };
    program_spec p = {.n_operators = 1};
    builder *b = &p.b;
    int32_t values[N + 1];
    for (uint32_t i = 0; i <= N; i++) {
        place sizes = I32S(b, i == 3 ? 40 : (int32_t)(3 + i % 5)), order = put_string_of(b, "", 1);
        values[i] =
            ADD_TENSOR(&p, .scalar_type = 1, .sizes = sizes, .dim_order = order, .is_planned = true,
                       .memory_id = 1 + i % 2, .offset_low = i * 7 % 31);
    }
    p.inputs = I32S(b, values[0]);
    p.outputs = I32S(b, values[3], values[N]); /* the life of the third contains that of the last */
    p.arenas = I64S(b, 0, 64, 64, 64);
    for (int i = 0; i < N; i++) {
        int32_t far = values[i >= i % 4 ? i - i % 4 : 0];
        add_call(&p, A_KERNEL_CALL, 0, I32S(b, values[i], far, values[i + 1], values[i + 1]));
    }
    finish_program(&p);
    assert_map_is_right(open_source(&(eti_source){p.b.file.name, p.b.file.data, p.b.file.size}));
    builder_free(&p.b);
}

/* ==== planned memory ========================================================================== */

static plan_fixture f;

static void calls_have_the_names_of_what_they_call(void **state) {
    (void)state;
    start_plan(&f);
    eti_method_names names;
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, COPY_INDEX, x, y);
    add_plan_delegate(&f, x, y);
    add_move(&f, x, y);
    f.operators[ADD].name = eti__text_of("aten::\xff");
    assert_true(eti__method_names_make(&names, &f.arena, &f.plan));
    assert_text(names.method, "forward");
    assert_text(eti__call_name(&names, &f.instructions[0]),
                "executorch_prim::et_copy_index.tensor");
    assert_text(eti__call_name(&names, &f.instructions[1]), "XnnpackBackend");
    assert_text(eti__call_name(&names, &f.instructions[2]), "move");
    /* displayed text is UTF-8 */
    assert_text(names.operators[ADD], "aten::\xef\xbf\xbd.out");
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_programs_are_right),
        cmocka_unit_test(maps_of_any_number_are_right),
        cmocka_unit_test(calls_have_the_names_of_what_they_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
