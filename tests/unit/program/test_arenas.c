#include "plan_fixture.h"

#include "program/arenas.h"

/* ==== arenas ================================================================================== */
/* Compares random plans with examining each byte of the arena at each instruction. */

static plan_fixture f;

#define BYTES 64

/* Returns whether the tensor at `i` may not overlap others: it is not a view, and it is in use. */
static bool is_alone(const eti_planned *life) {
    return life->alias_of == ETI_NO_PLANNED && eti__planned_uses_memory(life);
}

static bool holds_byte(const eti_planned *life, uint32_t memory_id, uint64_t byte) {
    return life->tensor->memory_id == memory_id && life->tensor->memory_offset <= byte &&
           byte < eti__planned_end(life);
}

static uint64_t count_in_use(uint32_t memory_id, uint32_t instruction) {
    uint64_t n = 0;
    for (uint64_t byte = 0; byte < BYTES; byte++) {
        bool is_used = false;
        for (uint32_t t = 0; t < f.liveness.n_tensors; t++) {
            const eti_planned *life = &f.liveness.tensors[t];
            is_used = is_used || (eti__planned_is_live(life, instruction) &&
                                  holds_byte(life, memory_id, byte));
        }
        n += is_used;
    }
    return n;
}

static bool share_bytes(const eti_planned *a, const eti_planned *b) {
    return a->tensor->memory_id == b->tensor->memory_id &&
           a->tensor->memory_offset < eti__planned_end(b) &&
           b->tensor->memory_offset < eti__planned_end(a);
}

/* Returns whether any two tensors overlap. */
static bool has_overlap(void) {
    for (uint32_t a = 0; a < f.liveness.n_tensors; a++) {
        for (uint32_t b = a + 1; b < f.liveness.n_tensors; b++) {
            const eti_planned *left = &f.liveness.tensors[a], *right = &f.liveness.tensors[b];
            if (is_alone(left) && is_alone(right) && left->first <= right->last &&
                right->first <= left->last && share_bytes(left, right))
                return true;
        }
    }
    return false;
}

static void assert_overlap_is_one(const eti_planned_overlap *overlap) {
    const eti_planned *a = &f.liveness.tensors[overlap->tensor];
    const eti_planned *b = &f.liveness.tensors[overlap->other];
    assert_true(is_alone(a) && is_alone(b) && share_bytes(a, b));
    assert_true(eti__planned_is_live(a, overlap->instruction));
    assert_true(eti__planned_is_live(b, overlap->instruction));
}

static void assert_arena_is_right(const eti_planned_arena *arena) {
    uint64_t peak = 0;
    uint32_t peak_at = 0;
    for (uint32_t k = 0; k < f.liveness.calls.n; k++) {
        uint64_t in_use = count_in_use(arena->memory_id, k);
        assert_int_equal(eti__arena_in_use(arena, k), in_use);
        if (in_use > peak) {
            peak = in_use;
            peak_at = k;
        }
    }
    assert_int_equal(arena->peak, peak);
    assert_int_equal(arena->peak_at, peak_at);
}

static void draw_plan(uint64_t *seed) {
    uint32_t n = 1 + draw(seed, 20), n_tensors = 1 + draw(seed, 12);
    for (uint32_t t = 0; t < n_tensors; t++) {
        uint32_t offset = draw(seed, BYTES / 4);
        add_tensor_in(&f, 1 + draw(seed, 2), 4 * (uint64_t)offset,
                      (int32_t)(4 * draw(seed, BYTES / 4 - offset)));
    }
    int32_t number = add_number(&f, 0);
    add_input(&f, 0);
    add_output(&f, (int32_t)n_tensors - 1);
    for (uint32_t k = 0; k < n; k++) {
        int32_t to = (int32_t)draw(seed, n_tensors), from = (int32_t)draw(seed, n_tensors);
        switch (draw(seed, 12)) {
        case 0:
            add_jump(&f, number, (int32_t)draw(seed, n));
            break;
        case 1:
            add_move(&f, from, to);
            break;
        case 2:
            add_kernel(&f, VIEW, from, number, to);
            break;
        default:
            add_kernel(&f, ADD, from, to, to);
        }
    }
}

static void bytes_in_use_are_those_of_a_slow_count(void **state) {
    (void)state;
    uint64_t seed = 7;
    size_t n_overlaps = 0;
    for (int round = 0; round < 3000; round++) {
        start_plan(&f);
        draw_plan(&seed);
        find_lives(&f);
        for (uint32_t i = 0; i < f.arenas.n_arenas; i++)
            assert_arena_is_right(&f.arenas.arenas[i]);
        assert_int_equal(f.arenas.n_overlaps > 0, has_overlap());
        for (uint32_t i = 0; i < f.arenas.n_overlaps; i++)
            assert_overlap_is_one(&f.arenas.overlaps[i]);
        n_overlaps += f.arenas.n_overlaps > 0;
        end_plan(&f);
    }
    assert_in_range(n_overlaps, 500, 2900); /* some have overlaps, and some have none */
}

static void arenas_are_those_with_bytes_or_tensors(void **state) {
    (void)state;
    start_plan(&f);
    f.arena_sizes[1] = 64;
    f.arena_sizes[2] = 0;
    int32_t a = add_tensor(&f, 16, 16), b = add_tensor_in(&f, 7, 8, 4),
            spare = add_tensor(&f, 48, 12);
    add_kernel(&f, ADD, a, a);
    add_kernel(&f, ADD, a, b, b);
    find_lives(&f);
    assert_int_equal(f.arenas.n_arenas, 2);
    const eti_planned_arena *first = &f.arenas.arenas[0], *second = &f.arenas.arenas[1];
    assert_int_equal(first->memory_id, 1);
    assert_int_equal(first->size, 64);
    assert_int_equal(first->highest, 60);
    assert_int_equal(first->peak, 16);
    assert_int_equal(eti__arena_waste(first), 48);
    assert_int_equal(first->n_tensors, 2);
    assert_int_equal(second->memory_id, 7); /* the program gives no size for it */
    assert_int_equal(second->peak_at, 1);
    assert_int_equal(f.arenas.n_beyond, 1);
    assert_int_equal(f.liveness.tensors[f.arenas.beyond[0]].value, b);
    assert_int_equal(f.arenas.total_size, 64);
    assert_int_equal(f.arenas.total_peak, 20);
    assert_int_equal(eti__arenas_in_use(&f.arenas, 1), 20);
    assert_life(&f, spare, "unused");
    end_plan(&f);
}

static void ranges_may_end_past_all_numbers(void **state) {
    (void)state;
    start_plan(&f);
    int32_t a = add_tensor(&f, UINT64_MAX - 3, 16), b = add_tensor(&f, UINT64_MAX, 16);
    add_kernel(&f, ADD, a, a);
    add_kernel(&f, ADD, a, b, b);
    find_lives(&f);
    assert_int_equal(f.arenas.n_beyond, 2);
    assert_int_equal(f.arenas.arenas[0].peak, 3);
    assert_true(f.arenas.arenas[0].highest == UINT64_MAX);
    end_plan(&f);
}

/* Changes one offset so that two tensors that live at the same time overlap. */
static void planners_bugs_are_found(void **state) {
    (void)state;
    for (int is_patched = 0; is_patched < 2; is_patched++) {
        start_plan(&f);
        int32_t x = add_tensor(&f, 0, 16), a = add_tensor(&f, 16, 16);
        int32_t b = add_tensor(&f, is_patched ? 24 : 32, 16), y = add_tensor(&f, 0, 16);
        add_input(&f, x);
        add_output(&f, y);
        add_kernel(&f, ADD, x, a, a);
        add_kernel(&f, ADD, a, b, b);
        add_kernel(&f, ADD, a, b, y, y);
        find_lives(&f);
        assert_int_equal(f.arenas.n_overlaps, is_patched);
        end_plan(&f);
    }
    assert_int_equal(f.liveness.n_tensors, 4);
}

/* ==== cover =================================================================================== */

static eti_planned tensors[4];
static eti_cover cover;

/* Tensors at 0 to 16, 16 to 32, 8 to 24 and 0 to 32. */
static void make_cover(void) {
    static const uint32_t list[] = {0, 1, 2, 3};
    eti_error err = ETI_ERROR_INIT;
    start_plan(&f);
    add_tensor(&f, 0, 16);
    add_tensor(&f, 16, 16);
    add_tensor(&f, 8, 16);
    add_tensor(&f, 0, 32);
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        tensors[i] = (eti_planned){.tensor = &f.tensors[i], .value = i};
    assert_ok(eti__cover_make(&cover, &f.arena, tensors, list, COUNT_OF(list), &err));
}

static void bytes_count_once(void **state) {
    (void)state;
    make_cover();
    static const struct {
        uint32_t tensor;
        bool is_removed;
        uint64_t bytes;
    } steps[] = {{0, false, 16}, {2, false, 24}, {3, false, 32}, {0, true, 32},
                 {3, true, 16},  {1, false, 24}, {2, true, 16},  {1, true, 0}};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        if (steps[i].is_removed)
            eti__cover_remove(&cover, steps[i].tensor);
        else
            eti__cover_add(&cover, steps[i].tensor);
        assert_int_equal(eti__cover_bytes(&cover), steps[i].bytes);
    }
    end_plan(&f);
}

static void bytes_have_one_owner(void **state) {
    (void)state;
    uint32_t other = 0;
    make_cover();
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        eti__cover_add(&cover, i);
    assert_true(eti__cover_own(&cover, 0, &other));
    assert_true(eti__cover_own(&cover, 1, &other));
    assert_false(eti__cover_own(&cover, 2, &other));
    assert_int_equal(other, 1);
    eti__cover_remove(&cover, 1);
    assert_false(eti__cover_own(&cover, 3, &other));
    assert_int_equal(other, 0);
    eti__cover_remove(&cover, 0);
    assert_true(eti__cover_own(&cover, 3, &other));
    end_plan(&f);
}

static void nothing_covers_nothing(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    assert_ok(eti__cover_make(&cover, &arena, tensors, NULL, 0, &err));
    assert_int_equal(eti__cover_bytes(&cover), 0);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_in_use_are_those_of_a_slow_count),
        cmocka_unit_test(arenas_are_those_with_bytes_or_tensors),
        cmocka_unit_test(ranges_may_end_past_all_numbers),
        cmocka_unit_test(planners_bugs_are_found),
        cmocka_unit_test(bytes_count_once),
        cmocka_unit_test(bytes_have_one_owner),
        cmocka_unit_test(nothing_covers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
