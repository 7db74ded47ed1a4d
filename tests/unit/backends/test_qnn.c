/* Tests the figures of QNN: names as an SM8750 logged them. */
#include "logged.h"

static eti_arena arena;

static eti_delegate_event read_qnn(const char *name) {
    return read_logged(ETI_BACKEND_QNN, name, NULL, &arena);
}

static void times_contain_each_other(void **state) {
    static const char *const chain[][2] = {
        {"QNN (execute) time (us)", "QNN (execute) time"},
        {"RPC (execute) time (us)", "RPC (execute) time"},
        {"QNN accelerator (execute) time (us)", "QNN accelerator (execute) time"},
        {"Accelerator (execute) time (us)", "Accelerator (execute) time"},
        {"Accelerator (execute excluding wait) time (us)",
         "Accelerator (execute excluding wait) time"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chain); i++) {
        eti_delegate_event event = read_qnn(chain[i][0]);
        assert_text(event.label, chain[i][1]);
        assert_int_equal(event.role, ETI_DELEGATE_WRAPPER);
        assert_text(event.compute_unit, i < 2 ? "CPU" : "accelerator"); /* who measured it */
        assert_int_equal(event.unit, ETI_UNIT_US);
        assert_int_equal(event.clock, ETI_CLOCK_NONE);
        assert_int_equal(event.level, i + 1);
    }
    assert_int_equal(read_qnn("qnn ACCELERATOR (Execute) Time (us)").level, 3);
}

static void other_figures_are_counters(void **state) {
    static const struct {
        const char *name, *label;
        uint8_t unit;
    } figures[] = {
        {"Number of HVX threads used (count)", "Number of HVX threads used", ETI_UNIT_COUNT},
        {"Num times yield occured (count)", "Num times yield occured", ETI_UNIT_COUNT},
        {"Time for initial VTCM acquire (us)", "Time for initial VTCM acquire", ETI_UNIT_US},
        {"Time for HVX + HMX power on and acquire (us)", "Time for HVX + HMX power on and acquire",
         ETI_UNIT_US},
        {"DDR spill (bytes)", "DDR spill", ETI_UNIT_BYTES},
        {"Something else", "Something else", ETI_UNIT_CYCLES},
        {"RPC (execute) time (cycles)", "RPC (execute) time", ETI_UNIT_CYCLES},
        {"Input OpId_ (cycles)", "Input OpId_", ETI_UNIT_CYCLES},
        {"Input OpId_2 (bytes)", "Input OpId_2", ETI_UNIT_BYTES},
        {"matmul:OpId_7 (bytes)", "matmul", ETI_UNIT_BYTES},
        {":OpId_7 (cycles)", ":OpId_7", ETI_UNIT_CYCLES},
        {" (us)", "", ETI_UNIT_US},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        eti_delegate_event event = read_qnn(figures[i].name);
        assert_text(event.label, figures[i].label);
        assert_int_equal(event.role, ETI_DELEGATE_COUNTER);
        assert_int_equal(event.unit, figures[i].unit);
        assert_int_equal(event.level, 0);
        assert_false(event.is_total);
    }
}

static void a_total_counts_the_cycles_of_all_nodes(void **state) {
    (void)state;
    eti_delegate_event event = read_qnn("Accelerator (execute) time (cycles)");
    assert_int_equal(event.role, ETI_DELEGATE_COUNTER);
    assert_true(event.is_total);
    assert_int_equal(event.level, 6); /* beside the nodes */
    assert_int_equal(event.unit, ETI_UNIT_CYCLES);
}

static void nodes_and_transfers_stand_below_all_times(void **state) {
    (void)state;
    eti_delegate_event node = read_qnn("aten_convolution_default_3:OpId_29 (cycles)");
    assert_text(node.label, "aten_convolution_default_3");
    assert_text(node.node, "aten_convolution_default_3");
    assert_text(node.compute_unit, "accelerator");
    assert_int_equal(node.role, ETI_DELEGATE_NODE);
    assert_int_equal(node.unit, ETI_UNIT_CYCLES);
    assert_int_equal(node.level, 6);
    assert_false(node.is_numbered);
    node = read_qnn("a:OpId_1:OpId_22");
    assert_text(node.label, "a:OpId_1");
    assert_int_equal(node.unit, ETI_UNIT_CYCLES);
    for (size_t i = 0; i < 2; i++) {
        eti_delegate_event transfer =
            read_qnn(i == 0 ? "Input OpId_2 (cycles)" : "Output OpId_3 (cycles)");
        assert_text(transfer.label, i == 0 ? "Input" : "Output");
        assert_absent(transfer.node);
        assert_int_equal(transfer.role, ETI_DELEGATE_TRANSFER);
        assert_int_equal(transfer.level, 6);
    }
}

static void only_nodes_show_the_backend(void **state) {
    (void)state;
    eti_logged_event logged = {.name = eti__text_of("conv_2:OpId_20 (cycles)"), .has_id = true};
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_QNN);
    logged.name = eti__text_of("RPC (execute) time (us)");
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
    logged = (eti_logged_event){.name = eti__text_of("conv_2:OpId_20 (cycles)")};
    assert_int_equal(eti__backend_of_event(&logged), ETI_BACKEND_OTHER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_contain_each_other),
        cmocka_unit_test(other_figures_are_counters),
        cmocka_unit_test(a_total_counts_the_cycles_of_all_nodes),
        cmocka_unit_test(nodes_and_transfers_stand_below_all_times),
        cmocka_unit_test(only_nodes_show_the_backend),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    eti__arena_free(&arena);
    return n_failed;
}
