#include "plan_fixture.h"

#include "program/liveness.h"

/* ==== liveness ================================================================================ */
/* Expected lives were worked out by hand. */

static plan_fixture f;

static void activations_live_from_write_to_last_read(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), b = add_tensor(&f, 32, 16);
    int32_t y = add_tensor(&f, 0, 16), spare = add_tensor(&f, 64, 16);
    add_input(&f, x);
    add_output(&f, y);
    add_kernel(&f, ADD, x, x, a, a);
    add_kernel(&f, ADD, a, a, b, b);
    add_kernel(&f, ADD, a, b, y, y);
    add_kernel(&f, ADD, b, b, b, b);
    find_lives(&f);
    assert_life(&f, x, "input [0, 0]");
    assert_life(&f, a, "activation [0, 2]");
    assert_life(&f, b, "activation [1, 3]");
    assert_life(&f, y, "output [2, 3]");
    assert_life(&f, spare, "unused");
    assert_int_equal(life_of(&f, y)->writer, 2);
    assert_int_equal(life_of(&f, x)->writer, ETI_NO_INSTRUCTION);
    end_plan(&f);
}

static void lists_count_as_their_items(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 32), a = add_tensor(&f, 32, 16), b = add_tensor(&f, 48, 16);
    int32_t y = add_tensor(&f, 0, 32);
    int32_t parts = add_list(&f, a, -1, b);
    add_input(&f, x);
    add_output(&f, y);
    add_kernel(&f, ADD, x, parts, parts);
    add_kernel(&f, ADD, x, b, b, b);
    add_kernel(&f, ADD, parts, y, y);
    find_lives(&f);
    assert_life(&f, a, "activation [0, 2]");
    assert_life(&f, b, "activation [0, 2]");
    assert_life(&f, x, "input [0, 1]");
    assert_int_equal(life_of(&f, b)->writer, 0);
    end_plan(&f);
}

static void copy_index_writes_its_first_argument(void **state) {
    (void)state;
    start_plan(&f);
    int32_t rows = add_tensor(&f, 0, 64), row = add_tensor(&f, 64, 16), i = add_number(&f, 0);
    add_kernel(&f, ADD, row, row);
    add_kernel(&f, COPY_INDEX, rows, row, i);
    find_lives(&f);
    assert_life(&f, rows, "activation [1, 1]");
    assert_life(&f, row, "activation [0, 1]");
    end_plan(&f);
}

/* ---- delegates ---------------------------------------------------------------------------------- */

static void delegates_write_what_nothing_referred_to_before(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), n = add_number(&f, 3);
    int32_t a = add_tensor(&f, 16, 16), b = add_tensor(&f, 32, 16), c = add_tensor(&f, 48, 16);
    int32_t weight = add_tensor_in(&f, 0, 0, 16);
    add_input(&f, x);
    add_plan_delegate(&f, x, n, a, b, n);
    add_plan_delegate(&f, c, weight, a, b); /* no new tensor at the end */
    find_lives(&f);
    assert_life(&f, a, "activation [0, 1]");
    assert_life(&f, b, "activation [0, 1]");
    assert_int_equal(life_of(&f, b)->writer, 0);
    assert_life(&f, c, "scratch [1, 1]");
    assert_int_equal(life_of(&f, c)->writer, ETI_NO_INSTRUCTION);
    end_plan(&f);
}

static void known_numbers_of_outputs_are_taken(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), room = add_tensor(&f, 16, 16), y = add_tensor(&f, 32, 16);
    add_input(&f, x);
    add_plan_delegate(&f, x, room, y);
    f.has_n_outputs = true;
    f.n_outputs[0] = 1;
    find_lives(&f);
    assert_life(&f, room, "scratch [0, 0]");
    assert_life(&f, y, "activation [0, 0]");
    f.n_outputs[0] = 100; /* more outputs than arguments */
    find_lives(&f);
    assert_life(&f, room, "activation [0, 0]");
    end_plan(&f);
}

/* A caller's tensor, which has no place in an arena, may be an output too; weights and state may not. */
static void outputs_of_delegates_may_lie_elsewhere(void **state) {
    (void)state;
    start_plan(&f);
    int32_t buffer = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16);
    int32_t y = add_tensor_in(&f, 0, 0, 16);
    f.tensors[buffer].name = eti__text_of("cache");
    add_output(&f, y);
    add_plan_delegate(&f, buffer, a, y);
    find_lives(&f);
    assert_life(&f, a, "activation [0, 0]");
    assert_life(&f, buffer, "state [0, 0]");
    assert_int_equal(life_of(&f, buffer)->writer, ETI_NO_INSTRUCTION);
    end_plan(&f);
}

/* ---- tensors that are read first ------------------------------------------------------------------ */

static void views_show_what_was_written_there(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 32), same = add_tensor(&f, 16, 32);
    int32_t part = add_tensor(&f, 32, 16), y = add_tensor(&f, 64, 16);
    int32_t of_input = add_tensor(&f, 0, 8);
    add_input(&f, x);
    add_output(&f, y);
    add_kernel(&f, ADD, x, a, a);
    add_kernel(&f, ADD, of_input, y, y);
    add_kernel(&f, ADD, same, y, y);
    add_kernel(&f, ADD, part, y, y);
    find_lives(&f);
    assert_life(&f, same, "alias of 1 [0, 2]");
    assert_life(&f, part, "alias of 1 [0, 3]");
    assert_life(&f, a, "activation [0, 3]");
    assert_life(&f, of_input, "alias of 0 [0, 1]");
    assert_life(&f, x, "input [0, 1]");
    end_plan(&f);
}

static void views_show_the_latest_of_several(void **state) {
    (void)state;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 16), b = add_tensor(&f, 0, 32), c = add_tensor(&f, 0, 16);
    int32_t exact = add_tensor(&f, 0, 16), inner = add_tensor(&f, 4, 8);
    int32_t other = add_tensor(&f, 4, 8);
    f.tensors[other].scalar_type = 1;
    add_kernel(&f, ADD, a, a);
    add_kernel(&f, ADD, c, c);
    add_kernel(&f, ADD, b, b);
    add_kernel(&f, ADD, exact, inner, other, add_number(&f, 1));
    find_lives(&f);
    assert_life(
        &f, exact,
        "alias of 2 [1, 3]"); /* the same bytes, in preference to the larger tensor that came last */
    assert_life(&f, inner, "alias of 1 [2, 3]");
    assert_life(&f, other, "scratch [3, 3]"); /* its type differs */
    end_plan(&f);
}

/* The first and the last writing of a list count. */
static void views_show_what_a_list_wrote_last(void **state) {
    (void)state;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 16), b = add_tensor(&f, 0, 16), same = add_tensor(&f, 0, 16);
    int32_t list = add_list(&f, a);
    add_kernel(&f, ADD, list, list);
    add_kernel(&f, ADD, b, b);
    add_kernel(&f, ADD, list, list);
    add_kernel(&f, ADD, same, add_number(&f, 1));
    find_lives(&f);
    assert_life(&f, same, "alias of 0 [0, 3]");
    end_plan(&f);
}

static void outputs_may_be_views(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), y = add_tensor(&f, 16, 16);
    add_input(&f, x);
    add_output(&f, y);
    add_kernel(&f, ADD, x, a, a);
    add_kernel(&f, ADD, x, x, x);
    find_lives(&f);
    assert_life(&f, y, "output of 1 [0, 1]");
    assert_life(&f, a, "activation [0, 1]");
    end_plan(&f);
}

static void state_lives_from_run_to_run(void **state) {
    (void)state;
    start_plan(&f);
    int32_t named = add_tensor(&f, 0, 16), initial = add_tensor(&f, 16, 16);
    int32_t written = add_tensor(&f, 32, 16), twice = add_tensor(&f, 48, 16);
    int32_t y = add_tensor(&f, 64, 16), view = add_tensor(&f, 36, 4), idle = add_tensor(&f, 80, 16);
    f.tensors[named].name = eti__text_of("k_cache");
    f.tensors[initial].has_initial_data = true;
    f.tensors[idle].has_initial_data = true;
    add_kernel(&f, ADD, named, initial, y, y);
    add_kernel(&f, ADD, written, twice, y, y);
    add_kernel(&f, ADD, twice, written, written);
    add_kernel(&f, ADD, view, y, y);
    find_lives(&f);
    assert_life(&f, named, "state [0, 3]");
    assert_life(&f, initial, "state [0, 3]");
    assert_life(&f, written, "state [0, 3]");
    assert_life(&f, twice, "state [0, 3]");
    assert_life(&f, view, "alias of 2 [0, 3]");
    assert_life(&f, idle, "state [0, 3]");
    assert_int_equal(life_of(&f, written)->writer, 2);
    end_plan(&f);
}

static void scratch_is_used_by_one_kernel(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), room = add_tensor(&f, 16, 64), y = add_tensor(&f, 80, 16);
    int32_t empty = add_tensor(&f, 80, 0);
    add_input(&f, x);
    add_kernel(&f, ADD, x, room, y, y);
    add_kernel(&f, ADD, x, empty, y, y);
    add_kernel(&f, ADD, x, empty, y, y);
    find_lives(&f);
    assert_life(&f, room, "scratch [0, 0]");
    assert_life(&f, empty, "scratch [1, 2]");
    end_plan(&f);
}

/* ---- views that instructions make ------------------------------------------------------------------ */

static void made_views_keep_what_they_show(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), view = add_tensor(&f, 16, 16);
    int32_t again = add_tensor(&f, 16, 16), still = add_tensor(&f, 16, 16);
    int32_t y = add_tensor(&f, 0, 16), size = add_number(&f, 4);
    add_input(&f, x);
    add_output(&f, y);
    add_kernel(&f, ADD, x, a, a);
    add_kernel(&f, VIEW, a, size, view);
    add_kernel(&f, VIEW, view, size, again);
    add_kernel(&f, ADD, again, y, y);
    add_kernel(&f, ADD, still, y, y); /* laid out at export */
    find_lives(&f);
    assert_life(&f, a, "activation [0, 4]");
    assert_life(&f, view, "alias of 1 [0, 3]");
    assert_life(&f, again, "alias of 1 [0, 3]");
    assert_life(&f, still, "alias of 1 [0, 4]");
    assert_int_equal(life_of(&f, view)->writer, ETI_NO_INSTRUCTION);
    assert_false(life_of(&f, again)->is_elsewhere);
    assert_int_equal(f.arenas.n_overlaps, 0);
    assert_int_equal(f.arenas.arenas[0].peak, 32);
    end_plan(&f);
}

/* The runtime never uses the place of such a view. What it shows must not be overwritten before its last use. */
static void made_views_may_be_planned_elsewhere(void **state) {
    (void)state;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 16), view = add_tensor(&f, 16, 16), b = add_tensor(&f, 16, 16);
    int32_t again = add_tensor(&f, 16, 16), y = add_tensor(&f, 32, 16), size = add_number(&f, 4);
    int32_t over = add_tensor(&f, 8, 4);
    add_output(&f, y);
    add_kernel(&f, ADD, a, a);
    add_kernel(&f, VIEW, a, size, view);
    add_kernel(&f, VIEW, view, size, again);
    add_kernel(&f, ADD, b, b);
    add_kernel(&f, ADD, again, b, y, y);
    find_lives(&f);
    assert_life(&f, a, "activation [0, 4]");
    assert_life(&f, view, "alias of 0 [0, 4]");
    assert_life(&f, again, "alias of 0 [0, 4]");
    assert_true(life_of(&f, view)->is_elsewhere && life_of(&f, again)->is_elsewhere);
    assert_false(eti__planned_uses_memory(life_of(&f, again)));
    assert_int_equal(f.arenas.n_overlaps, 0);
    assert_int_equal(f.arenas.arenas[0].peak, 48);
    f.items[f.instructions[3].args.items - f.items] = over; /* written in place of b */
    f.items[f.instructions[3].args.items - f.items + 1] = over;
    find_lives(&f);
    assert_int_equal(f.arenas.n_overlaps, 1);
    assert_int_equal(f.liveness.tensors[f.arenas.overlaps[0].tensor].value, over);
    assert_int_equal(f.liveness.tensors[f.arenas.overlaps[0].other].value, a);
    end_plan(&f);
}

static void made_views_may_show_inputs_constants_and_outputs(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), weight = add_tensor_in(&f, 0, 0, 16);
    int32_t of_input = add_tensor(&f, 0, 16), of_weight = add_tensor(&f, 0, 16);
    int32_t y = add_tensor(&f, 16, 16), of_output = add_tensor(&f, 16, 16);
    int32_t itself = add_tensor(&f, 32, 16), size = add_number(&f, 4);
    add_input(&f, x);
    add_output(&f, of_output);
    add_kernel(&f, VIEW, x, size, of_input);
    add_kernel(&f, VIEW, weight, size, of_weight);
    add_kernel(&f, ADD, of_input, of_weight, y, y);
    add_kernel(&f, VIEW, y, size, of_output);
    add_kernel(&f, VIEW, itself, size, itself);
    find_lives(&f);
    assert_life(&f, x, "input [0, 2]");
    assert_life(&f, of_input, "alias of 0 [0, 2]");
    assert_life(&f, of_weight, "alias [1, 2]");
    assert_true(life_of(&f, of_weight)->is_elsewhere);
    assert_life(&f, y, "activation [2, 4]");
    assert_life(&f, of_output, "output of 4 [2, 4]");
    assert_life(&f, itself, "alias [4, 4]");
    assert_int_equal(f.arenas.n_overlaps, 0);
    end_plan(&f);
}

/* A value that was moved has the bytes of its source. */
static void made_views_may_show_moved_values(void **state) {
    (void)state;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 16), to = add_tensor(&f, 16, 16), view = add_tensor(&f, 16, 16);
    int32_t y = add_tensor(&f, 32, 16), size = add_number(&f, 4);
    add_output(&f, y);
    add_kernel(&f, ADD, a, a);
    add_move(&f, a, to);
    add_kernel(&f, VIEW, to, size, view);
    add_kernel(&f, ADD, view, y, y);
    find_lives(&f);
    assert_life(&f, a, "activation [0, 3]");
    assert_life(&f, to, "moved [1, 3]");
    assert_life(&f, view, "alias of 1 [1, 3]");
    assert_true(life_of(&f, view)->is_elsewhere);
    end_plan(&f);
}

/* ---- jumps and moves ------------------------------------------------------------------------------- */

static void moved_tensors_live_on_in_their_target(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), b = add_tensor(&f, 32, 16);
    int32_t y = add_tensor(&f, 48, 16), yes = add_number(&f, 1);
    int32_t view = add_tensor(&f, 32, 16), z = add_tensor(&f, 64, 16);
    add_input(&f, x);
    add_output(&f, z);
    add_jump(&f, yes, 4);
    add_kernel(&f, ADD, x, a, a);
    add_move(&f, a, y);
    add_jump(&f, yes, 6);
    add_kernel(&f, ADD, x, b, b);
    add_move(&f, view, y);
    add_kernel(&f, ADD, y, z, z);
    find_lives(&f);
    assert_life(&f, y, "moved [2, 6]");
    assert_life(&f, a, "activation [1, 6]");
    assert_life(&f, view, "alias of 2 [4, 6]");
    assert_life(&f, b, "activation [4, 6]");
    assert_true(f.liveness.has_jumps_or_moves);
    assert_false(eti__planned_uses_memory(life_of(&f, y)));
    end_plan(&f);
}

/* Plans of a single instruction: a jump, a move and a kernel. */
static void a_jump_or_move_is_noticed_wherever_it_is(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        start_plan(&f);
        int32_t a = add_tensor(&f, 0, 16), y = add_tensor(&f, 16, 16), yes = add_number(&f, 1);
        if (kind == 0)
            add_jump(&f, yes, 0);
        else if (kind == 1)
            add_move(&f, a, y);
        else
            add_kernel(&f, ADD, a, y, y);
        find_lives(&f);
        assert_int_equal(f.liveness.has_jumps_or_moves, kind < 2);
        end_plan(&f);
    }
}

static void lives_cover_the_loops_that_they_cross(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), b = add_tensor(&f, 32, 16);
    int32_t c = add_tensor(&f, 48, 16), d = add_tensor(&f, 64, 16), done = add_number(&f, 0);
    add_input(&f, x);
    add_kernel(&f, ADD, x, d, d);
    add_kernel(&f, ADD, x, a, a);
    add_kernel(&f, ADD, a, b, b);
    add_kernel(&f, ADD, b, c, c);
    add_jump(&f, done, 1);
    add_kernel(&f, ADD, c, d, d);
    find_lives(&f);
    assert_life(&f, x, "input [0, 4]");
    assert_life(&f, a, "activation [1, 2]");
    assert_life(&f, b, "activation [2, 3]");
    assert_life(&f, c, "activation [1, 5]");
    end_plan(&f);
}

static void methods_may_have_no_instructions(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), y = add_tensor(&f, 0, 16);
    add_input(&f, x);
    add_output(&f, y);
    find_lives(&f);
    assert_life(&f, x, "input [0, 0]");
    assert_life(&f, y, "output of 0 [0, 0]");
    assert_int_equal(f.arenas.arenas[0].peak, 16);
    end_plan(&f);
}

static void several_chains_follow_each_other(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16), b = add_tensor(&f, 32, 16);
    add_input(&f, x);
    add_kernel(&f, ADD, x, a, a);
    add_kernel(&f, ADD, a, b, b);
    eti_pte_chain chains[] = {{.instructions = f.instructions, .n_instructions = 1},
                              {.instructions = f.instructions + 1, .n_instructions = 1}};
    f.plan.chains = chains;
    f.plan.n_chains = 2;
    find_lives(&f);
    assert_int_equal(f.liveness.calls.n, 2);
    assert_int_equal(f.liveness.calls.first_of_chain[0], 0);
    assert_int_equal(f.liveness.calls.first_of_chain[1], 1);
    assert_life(&f, a, "activation [0, 1]");
    assert_life(&f, b, "activation [1, 1]");
    end_plan(&f);
}

/* ==== alias sources =========================================================================== */
/* Writes and looks up random tensors, and compares the results with a search through all of them. */

#define N 40
static uint32_t written_at[N]; /* 0: not yet */

static bool is_source(const eti_planned *tensors, uint32_t source, uint32_t view) {
    const eti_pte_tensor *a = tensors[source].tensor, *b = tensors[view].tensor;
    return written_at[source] > 0 && a->memory_id == b->memory_id &&
           a->scalar_type == b->scalar_type && a->memory_offset <= b->memory_offset &&
           eti__planned_end(&tensors[view]) <= eti__planned_end(&tensors[source]);
}

static uint32_t find_slowly(const eti_planned *tensors, uint32_t view) {
    uint32_t best = ETI_NO_PLANNED;
    bool is_best_equal = false;
    for (uint32_t i = 0; i < N; i++) {
        bool is_equal = tensors[i].tensor->n_bytes == tensors[view].tensor->n_bytes;
        if (!is_source(tensors, i, view) || (is_best_equal && !is_equal))
            continue;
        if (best == ETI_NO_PLANNED || is_equal > is_best_equal || written_at[i] >= written_at[best])
            best = i;
        is_best_equal = is_best_equal || is_equal;
    }
    return best;
}

static void the_search_agrees_with_a_slow_one(void **state) {
    (void)state;
    uint64_t seed = 3;
    size_t n_found = 0;
    for (int round = 0; round < 300; round++) {
        eti_planned tensors[N] = {0};
        eti_alias_sources sources;
        eti_error err = ETI_ERROR_INIT;
        uint32_t time = 1;
        start_plan(&f);
        memset(written_at, 0, sizeof written_at);
        for (uint32_t i = 0; i < N; i++) {
            int32_t v = add_tensor_in(&f, 1 + draw(&seed, 2), draw(&seed, 12),
                                      1 + (int32_t)draw(&seed, 12));
            f.tensors[v].scalar_type = (int8_t)draw(&seed, 2);
            tensors[i] = (eti_planned){.tensor = &f.tensors[v], .value = i};
        }
        assert_ok(eti__alias_sources_make(&sources, &f.arena, tensors, N, &err));
        for (uint32_t last = 0, step = 0; step < 100; step++) {
            uint32_t next = draw(&seed, N);
            time += next <= last || draw(&seed, 3) > 0; /* of one instruction, in order */
            last = next;
            written_at[next] = time;
            eti__alias_sources_write(&sources, next, time);
            uint32_t view = draw(&seed, N), found = eti__alias_sources_find(&sources, view);
            assert_int_equal(found, find_slowly(tensors, view));
            n_found += found != ETI_NO_PLANNED;
        }
        end_plan(&f);
    }
    assert_in_range(n_found, 10000, 29999);
}

/* ==== loops =================================================================================== */
/* Compares random loops with widening by one loop at a time. */

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
        cmocka_unit_test(activations_live_from_write_to_last_read),
        cmocka_unit_test(lists_count_as_their_items),
        cmocka_unit_test(copy_index_writes_its_first_argument),
        cmocka_unit_test(delegates_write_what_nothing_referred_to_before),
        cmocka_unit_test(known_numbers_of_outputs_are_taken),
        cmocka_unit_test(outputs_of_delegates_may_lie_elsewhere),
        cmocka_unit_test(views_show_what_was_written_there),
        cmocka_unit_test(views_show_the_latest_of_several),
        cmocka_unit_test(views_show_what_a_list_wrote_last),
        cmocka_unit_test(outputs_may_be_views),
        cmocka_unit_test(state_lives_from_run_to_run),
        cmocka_unit_test(scratch_is_used_by_one_kernel),
        cmocka_unit_test(made_views_keep_what_they_show),
        cmocka_unit_test(made_views_may_be_planned_elsewhere),
        cmocka_unit_test(made_views_may_show_inputs_constants_and_outputs),
        cmocka_unit_test(made_views_may_show_moved_values),
        cmocka_unit_test(moved_tensors_live_on_in_their_target),
        cmocka_unit_test(a_jump_or_move_is_noticed_wherever_it_is),
        cmocka_unit_test(lives_cover_the_loops_that_they_cross),
        cmocka_unit_test(methods_may_have_no_instructions),
        cmocka_unit_test(several_chains_follow_each_other),
        cmocka_unit_test(the_search_agrees_with_a_slow_one),
        cmocka_unit_test(loops_widen_as_one_after_the_other),
        cmocka_unit_test(deep_loops_take_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
