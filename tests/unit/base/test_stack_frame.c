#include "support.h"

#include "base/stack_frame.h"
#include "base/text.h"

/* Writes "file:line function|code" for each frame, with ';' between them. */
static void assert_frames(const char *trace, const char *expected) {
    eti_text rest = eti__text_of(trace);
    eti_buffer found = {0};
    eti_stack_frame frame;
    while (eti__stack_frame_next(&rest, &frame)) {
        eti__buffer_add_string(&found, found.size ? ";" : "");
        eti__buffer_add_text(&found, frame.file);
        eti__buffer_printf(&found, ":%u ", frame.line);
        eti__buffer_add_text(&found, frame.function);
        eti__buffer_add_char(&found, '|');
        eti__buffer_add_text(&found, frame.code);
    }
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
}

static void frames_are_read_outermost_first(void **state) {
    (void)state;
    assert_frames("File \"/m/model.py\", line 12, in forward\n"
                  "    return self.head(x)\n"
                  "  File \"/t/linear.py\", line 134, in forward\n"
                  "    return F.linear(input)",
                  "/m/model.py:12 forward|return self.head(x);/t/linear.py:134 forward|return "
                  "F.linear(input)");
}

static void frames_may_have_no_code_or_function(void **state) {
    (void)state;
    assert_frames("File \"a.py\", line 1, in f\n  File \"b.py\", line 2\n", "a.py:1 f|;b.py:2 |");
}

static void other_lines_are_passed_over(void **state) {
    (void)state;
    assert_frames("Traceback (most recent call last):\n"
                  "  File \"a.py\", line 1, in <module>\n"
                  "    x = (1 +\n"
                  "         ^^^\n"
                  "ValueError: no\n",
                  "a.py:1 <module>|x = (1 +");
    assert_frames("", "");
    assert_frames("File \"a.py\", line , in f\nFile \"a.py, line 3, in f\nfile", "");
    assert_frames("File \"a.py\", line 99999999999, in f", "");
}

static void lines_may_end_as_on_other_systems(void **state) {
    (void)state;
    assert_frames("  File \"a b.py\", line 3, in f g\r\n    code\r\n", "a b.py:3 f g|code");
}

static void assert_library(const char *file, bool expected) {
    eti_stack_frame frame = {.file = eti__text_of(file), .line = 1};
    if (eti__stack_frame_is_library(&frame) != expected)
        fail_msg("%s", file);
}

static void frames_of_torch_differ_from_those_of_users(void **state) {
    (void)state;
    assert_library("/v/lib/python3.11/site-packages/torch/nn/modules/linear.py", true);
    assert_library("/usr/lib/python3/dist-packages/torch/functional.py", true);
    assert_library("/v/site-packages/executorch/exir/x.py", true);
    assert_library("/home/me/pytorch/torch/nn/functional.py", true);
    assert_library("torch/nn/functional.py", true);
    assert_library("<eval_with_key>.1", true);
    assert_library("/v/site-packages/transformers/models/bert/modeling_bert.py", false);
    assert_library("/v/site-packages/torchvision/models/resnet.py", false);
    assert_library("/home/torch/nnets/model.py", false);
    assert_library("/home/me/torch.py", false);
    assert_library("", false);
}

static void assert_exporter(const char *file, bool expected) {
    const eti_stack_frame frame = {.file = eti__text_of(file)};
    assert_int_equal(eti__stack_frame_is_exporter(&frame), expected);
}

static void frames_of_the_exporter_are_no_part_of_models(void **state) {
    (void)state;
    assert_exporter("/v/lib/python3.11/site-packages/torch/_dynamo/functional_export.py", true);
    assert_exporter("/v/site-packages/torch/export/_trace.py", true);
    assert_exporter("/v/dist-packages/executorch/exir/x.py", true);
    assert_exporter("<eval_with_key>.1", true);
    assert_exporter("/v/site-packages/torch/nn/modules/linear.py", false);
    assert_exporter("/v/site-packages/executorch/examples/models/llama/rope.py", false);
    assert_exporter("/home/me/torch/export/model.py", false);
    assert_exporter("", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_read_outermost_first),
        cmocka_unit_test(frames_may_have_no_code_or_function),
        cmocka_unit_test(other_lines_are_passed_over),
        cmocka_unit_test(lines_may_end_as_on_other_systems),
        cmocka_unit_test(frames_of_torch_differ_from_those_of_users),
        cmocka_unit_test(frames_of_the_exporter_are_no_part_of_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
