/* Reads profiles by stack as programs for these formats do. */
#include "account/account.h"
#include "report_text.h"
#include "rollup_fixture.h"
#include "view/trace.h"

static eti_error err;

static eti_report *trace_of(const session *s) {
    const eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_report *report;
    assert_ok(eti__report_new(&report, "trace", ETI_SCALE_MS, &err));
    assert_ok(eti__view_trace(report, s->inspector, &options, &err));
    return report;
}

static void folded_stacks_are_lines(void **state) {
    (void)state;
    session s = {0};
    open_two_runs(&s);
    eti_report *report = trace_of(&s);
    assert_report(report, "folded", NULL,
                  "forward;a;fc;aten.permute.default 16000000\n"
                  "forward;a;fc;aten.mm.default 8000000\n"
                  "forward;(framework) around operators 1000000\n"
                  "forward;conv 32000000\n"
                  "forward;(delegate overhead) Npu 32000000\n"
                  "forward;aten.tan.default 4000000\n"
                  "forward;(framework) between instructions 36000000\n");
    eti_report_free(report);
    close_session(&s);
}

/* Characters with a meaning in folded stacks are replaced in names. */
static void names_do_not_break_lines(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Exe;cute",
                             TIMED(b, .name = "a;b\n\xff\t7 8", .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 3))),
                 NULL);
    eti_report *report = trace_of(&s);
    assert_report(report, "folded", NULL, "Exe:cute;a:b \xef\xbf\xbd 7 8 2\n");
    eti_report_free(report);
    close_session(&s);
}

/* ---- pprof ----------------------------------------------------------------------------------- */

/* A field of a message. */
typedef struct field {
    uint32_t number;
    uint64_t value;
    eti_text bytes; /* absent: the field is a number */
} field;

static uint64_t read_varint(eti_text *rest) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(rest->size > 0 && shift < 64);
        unsigned char byte = (unsigned char)rest->data[0];
        *rest = (eti_text){rest->data + 1, rest->size - 1};
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static bool read_field(eti_text *rest, field *out) {
    if (rest->size == 0)
        return false;
    uint64_t tag = read_varint(rest);
    *out = (field){.number = (uint32_t)(tag >> 3)};
    if ((tag & 7) == 0) {
        out->value = read_varint(rest);
        return true;
    }
    assert_int_equal(tag & 7, 2);
    uint64_t size = read_varint(rest);
    assert_true(size <= rest->size);
    out->bytes = (eti_text){rest->data, (size_t)size};
    *rest = (eti_text){rest->data + size, rest->size - (size_t)size};
    return true;
}

#define MOST 64

typedef struct profile {
    eti_text strings[MOST], samples[MOST];
    size_t n_strings, n_samples;
    /* by id */
    uint64_t names[MOST], files[MOST], functions[MOST], lines[MOST];
} profile;

static uint64_t number_of(eti_text message, uint32_t number) {
    uint64_t found = 0;
    for (field f; read_field(&message, &f);) {
        if (f.number == number)
            found = f.value;
    }
    return found;
}

static eti_text bytes_of(eti_text message, uint32_t number) {
    eti_text found = {NULL, 0};
    for (field f; read_field(&message, &f);) {
        if (f.number == number && !found.data)
            found = f.bytes;
    }
    return found;
}

static void read_profile(eti_text file, profile *p) {
    for (field f; read_field(&file, &f);) {
        uint64_t id = f.number == 4 || f.number == 5 ? number_of(f.bytes, 1) : 0;
        assert_true(id < MOST && p->n_strings < MOST && p->n_samples < MOST);
        if (f.number == 2)
            p->samples[p->n_samples++] = f.bytes;
        if (f.number == 4) {
            p->functions[id] = number_of(bytes_of(f.bytes, 4), 1);
            p->lines[id] = number_of(bytes_of(f.bytes, 4), 2);
            assert_int_equal(number_of(f.bytes, 2), 1); /* the mapping */
        }
        if (f.number == 5) {
            p->names[id] = number_of(f.bytes, 2);
            p->files[id] = number_of(f.bytes, 4);
        }
        if (f.number == 6)
            p->strings[p->n_strings++] = f.bytes;
        if (f.number == 14)
            assert_true(f.value > 0);
    }
}

static void add_string(eti_buffer *out, const profile *p, uint64_t number) {
    assert_true(number < p->n_strings);
    eti__buffer_add_text(out, p->strings[number]);
}

/* Writes a line for each sample, from the root on. */
static void show_samples(const profile *p, eti_buffer *out) {
    for (size_t i = 0; i < p->n_samples; i++) {
        eti_text locations = bytes_of(p->samples[i], 1), values = bytes_of(p->samples[i], 2);
        uint64_t ids[MOST];
        size_t n = 0;
        while (locations.size > 0 && n < MOST)
            ids[n++] = read_varint(&locations);
        while (n-- > 0) {
            assert_true(ids[n] > 0 && ids[n] < MOST && p->functions[ids[n]] > 0);
            uint64_t function = p->functions[ids[n]];
            add_string(out, p, p->names[function]);
            if (p->lines[ids[n]] > 0) {
                eti__buffer_add_char(out, ' ');
                add_string(out, p, p->files[function]);
                eti__buffer_printf(out, ":%d", (int)p->lines[ids[n]]);
            }
            eti__buffer_add_char(out, n > 0 ? ';' : ' ');
        }
        eti__buffer_printf(out, "%d ", (int)read_varint(&values));
        eti__buffer_printf(out, "%d", (int)read_varint(&values));
        eti_text sample = p->samples[i];
        for (field f; read_field(&sample, &f);) {
            if (f.number != 3)
                continue;
            eti__buffer_add_char(out, ' ');
            add_string(out, p, number_of(f.bytes, 1));
            eti__buffer_add_char(out, '=');
            add_string(out, p, number_of(f.bytes, 2));
        }
        eti__buffer_add_char(out, '\n');
    }
}

static void pprof_reads_back(void **state) {
    (void)state;
    session s = {0};
    profile p = {.n_strings = 0};
    open_two_runs(&s);
    eti_report *report = trace_of(&s);
    eti_buffer file = write_to_buffer(report, "pprof", NULL), again, found = {0};
    read_profile(eti__buffer_text(&file), &p);
    assert_true(p.n_strings > 0 && p.strings[0].size == 0);
    show_samples(&p, &found);
    assert_text(eti__buffer_text(&found),
                "forward;a;fc;aten.permute.default /m/a.py:7 2 16000000 method=forward\n"
                "forward;a;fc;aten.mm.default /m/a.py:7 2 8000000 method=forward\n"
                "forward;(framework) around operators 6 1000000 method=forward\n"
                "forward;conv 4 32000000 backend=Npu method=forward\n"
                "forward;(delegate overhead) Npu 2 32000000 backend=Npu method=forward\n"
                "forward;aten.tan.default /m/b.py:3 2 4000000 method=forward\n"
                "forward;(framework) between instructions 2 36000000 method=forward\n");
    again = write_to_buffer(report, "pprof", NULL);
    assert_true(eti__text_equal(eti__buffer_text(&file), eti__buffer_text(&again)));
    eti__buffer_free(&file);
    eti__buffer_free(&again);
    eti__buffer_free(&found);
    eti_report_free(report);
    close_session(&s);
}

/* ---- speedscope ------------------------------------------------------------------------------ */

static void speedscope_has_stacks_and_runs(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = "native_call_a\"", .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 3),
                             TIMED(b, .name = "Method::execute", .start_time = 0, .end_time = 9))),
                 NULL);
    eti_report *report = trace_of(&s);
    eti_buffer expected = {0};
    eti__buffer_printf(
        &expected,
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
        "\"exporter\":\"etinspect %s\",\n\"name\":\"etdump\",\n\"activeProfileIndex\":0,\n"
        "\"profiles\":[\n"
        "{\"type\":\"evented\",\"name\":\"Execute "
        "#0\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":9,\"events\":["
        "\n{\"type\":\"O\",\"frame\":3,\"at\":0},"
        "\n{\"type\":\"O\",\"frame\":1,\"at\":1},"
        "\n{\"type\":\"C\",\"frame\":1,\"at\":3},"
        "\n{\"type\":\"C\",\"frame\":3,\"at\":9}]},\n"
        "{\"type\":\"sampled\",\"name\":\"typical "
        "run\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":9,\"samples\":["
        "\n[0,1],\n[0,2]],\"weights\":[2,7]}],\n"
        "\"shared\":{\"frames\":[\n{\"name\":\"Execute\"},\n{\"name\":\"native_call_a\\\"\"},\n"
        "{\"name\":\"(framework) between instructions\"},\n{\"name\":\"Method::execute\"}]}}\n",
        eti_version());
    eti__buffer_add_char(&expected, '\0');
    assert_report(report, "speedscope", NULL, expected.data);
    eti__buffer_free(&expected);
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_stacks_are_lines),
        cmocka_unit_test(names_do_not_break_lines),
        cmocka_unit_test(pprof_reads_back),
        cmocka_unit_test(speedscope_has_stacks_and_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
