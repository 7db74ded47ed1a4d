/*
 * Folded stacks: a line per stack, "forward;blocks.0;q;aten.addmm.default 693518", as flamegraph.pl, inferno and speedscope
 * read them. Times are nanoseconds, or cycles of an unknown clock.
 */
#include "trace/report_stacks.h"
#include "write/write.h"

/* Adds a name without semicolons, which separate names, and line breaks, which end stacks. */
static void add_name(eti_buffer *out, eti_text name) {
    size_t start = out->size;
    eti__buffer_add_utf8(out, name);
    for (size_t i = start; i < out->size; i++) {
        unsigned char byte = (unsigned char)out->data[i];
        if (byte == ';')
            out->data[i] = ':';
        else if (byte < ' ' || byte == 0x7f)
            out->data[i] = ' ';
    }
}

/* Writes the stacks; those that end in the same node become one. */
static void write_stacks(const eti_stacks *stacks, eti_output *output, eti_buffer *line) {
    uint32_t path[ETI_MOST_STACK_DEPTH];
    for (size_t i = 0, next; i < stacks->n && !eti__output_failed(output); i = next) {
        uint64_t ns = 0;
        for (next = i; next < stacks->n && stacks->items[next].node == stacks->items[i].node;
             next++)
            ns += stacks->items[next].ns;
        size_t n = eti__stack_path(stacks, stacks->items[i].node, path);
        line->size = 0;
        for (size_t k = 0; k < n; k++) {
            if (k > 0)
                eti__buffer_add_char(line, ';');
            add_name(line, eti__stack_name(stacks, path[k]));
        }
        eti__buffer_add_char(line, ' ');
        eti__buffer_add_u64(line, ns);
        eti__buffer_add_char(line, '\n');
        eti__output_add_text(output, eti__buffer_text(line));
    }
}

static eti_status write_folded(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    (void)options;
    eti_stacks stacks;
    eti_buffer line = {0};
    eti_status status = eti__report_stacks_make(&stacks, report, err);
    if (status == ETI_OK) {
        write_stacks(&stacks, output, &line);
        status = line.failed ? eti_fail_memory(err) : ETI_OK;
    }
    eti__buffer_free(&line);
    eti__stacks_free(&stacks);
    return status;
}

const eti_writer eti__writer_folded = {
    .name = "folded",
    .summary = "folded stacks, for flamegraph.pl and inferno",
    .suffixes = "folded",
    .takes = ETI_TAKES_SLICES,
    .write_report = write_folded,
};
