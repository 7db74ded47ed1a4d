/* Compares random loops with widening by one loop at a time. */
#include "plan_fixture.h"

#include "program/loops.h"

static plan_fixture f;

/* Widens the span by each loop that it crosses until it crosses none. */
static eti_span widen_slowly(const eti_span *loops, size_t n, eti_span span) {
    bool is_stable = false;
    while (!is_stable) {
        is_stable = true;
        for (size_t i = 0; i < n; i++) {
            bool meets = loops[i].first <= span.last && span.first <= loops[i].last;
            bool is_inside = loops[i].first <= span.first && span.last <= loops[i].last;
            bool holds = span.first <= loops[i].first && loops[i].last <= span.last;
            if (!meets || is_inside || holds)
                continue;
            span.first = span.first < loops[i].first ? span.first : loops[i].first;
            span.last = span.last > loops[i].last ? span.last : loops[i].last;
            is_stable = false;
        }
    }
    return span;
}

/* Adds `n` jumps, some of them backwards; returns the number of these. */
static size_t draw_jumps(uint64_t *seed, uint32_t n, eti_span *loops, size_t most) {
    size_t n_loops = 0;
    int32_t condition = add_number(&f, 0);
    for (uint32_t i = 0; i < n; i++) {
        if (draw(seed, 3) > 0 || n_loops == most) {
            add_jump(&f, condition, (int32_t)n);
            continue;
        }
        uint32_t target = draw(seed, i + 1);
        add_jump(&f, condition, (int32_t)target);
        loops[n_loops++] = (eti_span){target, i};
    }
    return n_loops;
}

static void find_loops(eti_loops *out, eti_arena *arena, const eti_pte_plan *plan) {
    eti_calls calls;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__calls_make(&calls, arena, plan, &err));
    assert_ok(eti__loops_make(out, arena, &calls, &err));
}

static void loops_widen_as_one_after_the_other(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        eti_span loops[12];
        eti_loops found;
        uint32_t n = 2 + draw(&seed, 30);
        start_plan(&f);
        size_t n_loops = draw_jumps(&seed, n, loops, COUNT_OF(loops));
        find_loops(&found, &f.arena, &f.plan);
        for (uint32_t first = 0; first < n; first++) {
            for (uint32_t last = first; last < n; last++) {
                eti_span wide = eti__loops_widen(&found, (eti_span){first, last});
                eti_span expected = widen_slowly(loops, n_loops, (eti_span){first, last});
                assert_int_equal(wide.first, expected.first);
                assert_int_equal(wide.last, expected.last);
            }
        }
        end_plan(&f);
    }
}

/* Widens from the innermost of 100000 nested loops to each enclosing one: one step per loop would take a minute. */
static void deep_loops_take_few_steps(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    eti_pte_instruction *instructions = calloc((size_t)2 * DEPTH, sizeof *instructions);
    assert_non_null(instructions);
    for (uint32_t i = 0; i < DEPTH; i++)
        instructions[DEPTH + i] = (eti_pte_instruction){.kind = ETI_PTE_JUMP_FALSE_CALL,
                                                        .target = (int32_t)(DEPTH - 1 - i)};
    eti_pte_chain chain = {.instructions = instructions, .n_instructions = 2 * DEPTH};
    eti_pte_plan plan = {.chains = &chain, .n_chains = 1};
    eti_arena arena = {0};
    eti_loops loops;
    find_loops(&loops, &arena, &plan);
    assert_int_equal(loops.n, DEPTH);
    for (uint32_t i = 1; i < DEPTH; i++) {
        eti_span wide = eti__loops_widen(&loops, (eti_span){DEPTH - 1, DEPTH + i});
        assert_int_equal(wide.first, DEPTH - i);
        assert_int_equal(wide.last, DEPTH + i);
    }
    eti__arena_free(&arena);
    free(instructions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_widen_as_one_after_the_other),
        cmocka_unit_test(deep_loops_take_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
