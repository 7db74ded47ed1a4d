/*
 * make_dump.c - writes ETDumps of any size, with the layout of the runtime's ETDumpGen.
 *
 *     make_dump [-s] [-n COPIES] [-b DEBUG_BUFFER] SHAPE RUNS EVENTS FILE
 *
 * SHAPE is `operators` (native_call_... and OPERATOR_CALL in turn), `delegated` (kernels with string
 * ids and metadata, then DELEGATE_CALL) or `debug` (each operator's value before it). A run of
 * EVENTS events ends with Method::execute; a first run, "Default", has the two of loading. -s keeps
 * each string once, as serializers do; the runtime repeats it for every event. -n writes COPIES
 * dumps with other times: FILE00000.etdp and so on. Equal arguments make equal bytes. Prints the number of events with
 * times and the number of all events.
 *
 * The file is written from front to back and never held in memory: every run has the same size, so all offsets are known in
 * advance.
 *
 *     size, root offset, "ED00" | root table | run offsets | last run ... first run, "Default"
 *         | shared strings | vtables
 *     a run: table | event offsets | last event ... first event | name
 *     an event: table | ProfileEvent or DebugEvent | its data
 *
 * Runs, events and tables begin at 4 modulo 8, which puts 8-byte fields at multiples of 8.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNELS 8         /* of a delegate */
#define SLOT_NS 100000    /* from one event to the next */
#define DEBUG_PERIOD 4096 /* the debug buffer repeats itself, so runs may log equal values */
#define DEBUG_PERIODS 16

/* ---- contents of the file -------------------------------------------------------------------- */

/* In the order of the fields in schema/etdump.fbs: the length of the vtable, the length of the table, then the place of
 * each field. These are ETDumpGen's, which omits fields that have their defaults. */
enum { ROOT, RUN, TIMED, PROFILE, IN_CHAIN, DELEGATED, LOGGED, DEBUG, VALUE, TENSOR, N_VTABLES };
static const uint16_t vtables[N_VTABLES][12] = {
    [ROOT] = {8, 8, 0, 4},
    [RUN] = {12, 12, 4, 0, 0, 8},
    [TIMED] = {6, 8, 4},
    [PROFILE] = {20, 28, 24, 0, 20, 0, 0, 0, 4, 12},
    [IN_CHAIN] = {20, 32, 28, 20, 24, 0, 0, 0, 4, 12},
    [DELEGATED] = {20, 32, 0, 0, 20, 0, 24, 28, 4, 12},
    [LOGGED] = {10, 8, 0, 0, 4},
    [DEBUG] = {10, 12, 0, 4, 8},
    [VALUE] = {8, 12, 8, 4},
    [TENSOR] = {12, 28, 4, 8, 12, 20},
};

/* Fields of ProfileEvent. */
enum {
    NAME,
    CHAIN_INDEX,
    INSTRUCTION_ID,
    DELEGATE_DEBUG_ID_INT,
    DELEGATE_DEBUG_ID_STR,
    DELEGATE_DEBUG_METADATA,
    START_TIME,
    END_TIME
};

static uint32_t field(uint32_t table, int vtable, int number) {
    return table + vtables[vtable][2 + number];
}

enum {
    DEFAULT,
    EXECUTE,
    INIT,
    LOAD,
    METHOD,
    OPERATOR,
    DELEGATE,
    KERNEL,
    NATIVE = KERNEL + KERNELS
};
static const char *const strings[] = {
    [DEFAULT] = "Default",
    [EXECUTE] = "Execute",
    [INIT] = "Method::init",
    [LOAD] = "Program::load_method",
    [METHOD] = "Method::execute",
    [OPERATOR] = "OPERATOR_CALL",
    [DELEGATE] = "DELEGATE_CALL",
    [KERNEL] = "Transpose (ND, X32) #1",
    "Convolution (NHWC, F32) IGEMM #1",
    "Convolution (NHWC, F32) DWConv #1",
    "Add (ND) #1",
    "Sigmoid (NC) #1",
    "Fully Connected (NC, F32) GEMM #1",
    "Softmax (NC, F32) #1",
    "Transpose (ND, X32) #2",
    [NATIVE] = "native_call_addmm.out",
    "native_call_permute_copy.out",
    "native_call_native_layer_norm.out",
    "native_call_relu.out",
    "native_call_add.out",
    "native_call_bmm.out",
    "native_call__softmax.out",
    "native_call_slice_copy.Tensor_out",
    "native_call_gelu.out",
    "native_call_select_copy.int_out",
};
enum { N_STRINGS = sizeof strings / sizeof *strings, N_NATIVE = N_STRINGS - NATIVE };

/* An event before it has a place. */
typedef struct event_plan {
    int content; /* the vtable */
    int string;
    uint32_t instruction;
} event_plan;

/* Data shared by all runs with one name. */
typedef struct run_layout {
    int name;
    uint32_t n_events, size;
    uint32_t *back; /* per event: distance of its start before the run's name */
} run_layout;

typedef struct dump_writer {
    const char *shape;
    uint32_t n_runs; /* size without the first run */
    uint64_t seed;
    bool shares_strings;
    FILE *file;
    run_layout loading, executing;
    uint32_t runs_place, string_places[N_STRINGS];
    uint32_t vtable_places[N_VTABLES], size;
} dump_writer;

static uint32_t round_up(uint32_t n, uint32_t to) {
    return (n + to - 1) / to * to;
}

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static event_plan event_at(const dump_writer *dump, const run_layout *layout, uint32_t number) {
    if (layout->name == DEFAULT)
        return (event_plan){IN_CHAIN, number == 0 ? INIT : LOAD, 0};
    if (number + 1 == layout->n_events)
        return (event_plan){IN_CHAIN, METHOD, 0};
    if (strcmp(dump->shape, "delegated") == 0) {
        uint32_t instruction = number / (KERNELS + 1), part = number % (KERNELS + 1);
        if (part == KERNELS)
            return (event_plan){PROFILE, DELEGATE, instruction};
        return (event_plan){DELEGATED, KERNEL + (int)part, instruction};
    }
    uint32_t per_instruction = strcmp(dump->shape, "debug") == 0 ? 3 : 2;
    uint32_t instruction = number / per_instruction, part = number % per_instruction;
    int native = NATIVE + (int)(mix(instruction) % N_NATIVE);
    if (per_instruction == 3 && part == 0)
        return (event_plan){DEBUG, native, instruction};
    return (event_plan){PROFILE, part + 1 == per_instruction ? OPERATOR : native, instruction};
}

/* ---- one event ------------------------------------------------------------------------------- */

/* Buffers bytes for `place` in the file. */
typedef struct byte_block {
    uint8_t bytes[512];
    uint32_t place, used;
} byte_block;

static void put(byte_block *block, uint32_t at, const void *value, size_t size) {
    memcpy(block->bytes + at, value, size);
}

static void put_u32(byte_block *block, uint32_t at, uint32_t value) {
    put(block, at, &value, sizeof value);
}

static void put_u64(byte_block *block, uint32_t at, uint64_t value) {
    put(block, at, &value, sizeof value);
}

/* Adds an offset, which counts from its own place. */
static void put_offset(byte_block *block, uint32_t at, uint32_t target) {
    put_u32(block, at, target - (block->place + at));
}

static void begin_block(byte_block *block, uint32_t place) {
    memset(block->bytes, 0, sizeof block->bytes);
    block->place = place;
    block->used = 0;
}

/* Adds `size` bytes and padding that aligns the next to `align`; returns where they begin. */
static uint32_t add(byte_block *block, uint32_t size, uint32_t align) {
    uint32_t at = block->used;
    block->used += round_up(size, align);
    return at;
}

static uint32_t add_table(byte_block *block, const dump_writer *dump, int vtable) {
    block->used = round_up(block->used, 8);
    uint32_t at = add(block, vtables[vtable][1], 4);
    put_u32(block, at, block->place + at - dump->vtable_places[vtable]);
    return at;
}

static uint32_t add_vector(byte_block *block, uint32_t n, const void *elements, size_t size) {
    uint32_t at = add(block, (uint32_t)(sizeof n + size), 4);
    put_u32(block, at, n);
    put(block, at + 4, elements, size);
    return block->place + at;
}

/* Adds a string: a vector with a NUL at its end. */
static uint32_t add_string(byte_block *block, const char *string) {
    uint32_t length = (uint32_t)strlen(string);
    return add_vector(block, length, string, length + 1);
}

static void set_string(byte_block *block, const dump_writer *dump, uint32_t field, int string) {
    uint32_t place = dump->string_places[string];
    put_offset(block, field, dump->shares_strings ? place : add_string(block, strings[string]));
}

static void put_digits(char *out, int n, uint64_t value) {
    for (int i = n; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
}

static void set_metadata(byte_block *block, uint32_t field, uint64_t random) {
    char text[] = "cycles=000000;misses=0000";
    put_digits(text + 7, 6, random);
    put_digits(text + 21, 4, random >> 32);
    put_offset(block, field, add_vector(block, sizeof text - 1, text, sizeof text - 1));
}

/* Adds a float tensor of 2 x 8. */
static void set_value(byte_block *block, const dump_writer *dump, uint32_t field, uint64_t offset) {
    static const uint64_t sizes[] = {2, 8}, strides[] = {8, 1};
    uint32_t value = add_table(block, dump, VALUE);
    put_offset(block, field, block->place + value);
    block->bytes[value + 8] = 5; /* ValueType.Tensor */
    uint32_t tensor = add_table(block, dump, TENSOR);
    put_offset(block, value + 4, block->place + tensor);
    block->bytes[tensor + 4] = 6; /* ScalarType.FLOAT */
    put_u64(block, tensor + 20, offset);
    block->used = round_up(block->used, 8);
    put_offset(block, tensor + 12, add_vector(block, 2, strides, sizeof strides));
    block->used = round_up(block->used, 8);
    put_offset(block, tensor + 8, add_vector(block, 2, sizes, sizeof sizes));
}

/* Returns the time of an operator, the same in each run within a tenth; occasionally a delay occurs. */
static uint64_t duration(uint32_t number, uint64_t random) {
    uint64_t usual = 300 + mix(number) % 20000;
    return (random >> 10) % 64 == 0 ? 4 * usual : usual + usual * (random % 1024) / 10240;
}

/* Adds times and identification of the event. */
static void set_profile(byte_block *block, const dump_writer *dump, uint32_t table,
                        const event_plan *event, uint64_t slot, uint32_t number) {
    uint64_t random = mix(dump->seed ^ mix(slot));
    uint64_t start = 1000000000 + slot * SLOT_NS + random % 512;
    put_u64(block, field(table, event->content, START_TIME), start);
    put_u64(block, field(table, event->content, END_TIME), start + duration(number, random >> 9));
    put_u32(block, field(table, event->content, INSTRUCTION_ID), event->instruction);
    if (event->content == IN_CHAIN)
        put_u32(block, field(table, IN_CHAIN, CHAIN_INDEX), UINT32_MAX); /* -1: none */
    if (event->content == DELEGATED)
        set_metadata(block, field(table, DELEGATED, DELEGATE_DEBUG_METADATA), random);
    int name = event->content == DELEGATED ? DELEGATE_DEBUG_ID_STR : NAME;
    set_string(block, dump, field(table, event->content, name), event->string);
}

/* An operator's results are the same in every run, since otherwise the runs could not be inspected together. */
static uint64_t tensor_offset(uint32_t instruction, uint32_t run) {
    return mix(instruction) % (DEBUG_PERIOD / 64) * 64 +
           (uint64_t)(run % DEBUG_PERIODS) * DEBUG_PERIOD;
}

static void make_event(byte_block *block, const dump_writer *dump, const run_layout *layout,
                       uint32_t run, uint32_t number) {
    event_plan event = event_at(dump, layout, number);
    uint64_t slot = (uint64_t)run * dump->executing.n_events + number;
    bool is_debug = event.content == DEBUG;
    uint32_t outer = add_table(block, dump, is_debug ? LOGGED : TIMED);
    uint32_t inner = add_table(block, dump, event.content);
    put_offset(block, outer + 4, block->place + inner);
    if (is_debug) {
        put_u32(block, inner + 4, event.instruction);
        set_value(block, dump, inner + 8, tensor_offset(event.instruction, run));
    } else {
        set_profile(block, dump, inner, &event, slot, number);
    }
    block->used = round_up(block->used, 8);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void fail(const char *what) {
    fprintf(stderr, "make_dump: %s\n", what);
    exit(1);
}

/* Writes the table, its events' offsets and padding that puts the first event at 4 modulo 8. */
static uint32_t head_size(const run_layout *layout) {
    return round_up(vtables[RUN][1] + 4 + 4 * layout->n_events, 8);
}

/* Returns the size of a string in the file, with the NUL and padding to a multiple of 4. */
static uint32_t string_size(int string) {
    return 4 + round_up((uint32_t)strlen(strings[string]) + 1, 4);
}

static uint32_t tail_size(const run_layout *layout) {
    return round_up(string_size(layout->name), 8);
}

static void lay_out_run(run_layout *layout, const dump_writer *dump) {
    byte_block block;
    uint64_t size = 0;
    layout->back = malloc((layout->n_events + 1) * sizeof *layout->back);
    if (!layout->back)
        fail("out of memory");
    for (uint32_t i = 0; i < layout->n_events; i++) {
        begin_block(&block, 4);
        make_event(&block, dump, layout, 0, i);
        size += block.used;
        layout->back[i] = (uint32_t)size;
    }
    layout->size = (uint32_t)(head_size(layout) + size + tail_size(layout));
    if (size > INT32_MAX)
        fail("a FlatBuffer ends at 2 GB");
}

/* Strings and vtables come last, since they are shared. */
static void lay_out(dump_writer *dump) {
    lay_out_run(&dump->loading, dump);
    lay_out_run(&dump->executing, dump);
    dump->runs_place = 20 + round_up(4 + 4 * (dump->n_runs + 1), 8);
    uint64_t end =
        (uint64_t)dump->n_runs * dump->executing.size + dump->loading.size + dump->runs_place;
    for (int i = 0; dump->shares_strings && i < N_STRINGS; i++) {
        dump->string_places[i] = (uint32_t)end;
        end += string_size(i);
    }
    for (int i = 0; i < N_VTABLES; i++) {
        dump->vtable_places[i] = (uint32_t)end;
        end += round_up(vtables[i][0], 4);
    }
    if (end > INT32_MAX)
        fail("a FlatBuffer ends at 2 GB");
    dump->size = (uint32_t)end;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void write_bytes(dump_writer *dump, const void *bytes, size_t size) {
    fwrite_unlocked(bytes, 1, size, dump->file);
}

static void write_block(dump_writer *dump, const byte_block *block) {
    write_bytes(dump, block->bytes, block->used);
}

static void write_u32(dump_writer *dump, uint32_t value) {
    write_bytes(dump, &value, sizeof value);
}

static uint32_t run_place(const dump_writer *dump, uint32_t run) {
    return dump->runs_place + (dump->n_runs - run) * dump->executing.size;
}

static void write_header(dump_writer *dump) {
    byte_block block;
    begin_block(&block, 0);
    put_u32(&block, 0, dump->size - 4);
    put_u32(&block, 4, 12 - 4);
    put(&block, 8, "ED00", 4);
    block.used = 12;
    put_u32(&block, 12, 12 - dump->vtable_places[ROOT]);
    put_u32(&block, 16, 4);
    block.used = 20;
    write_block(dump, &block);
    write_u32(dump, dump->n_runs + 1);
    for (uint32_t run = 0; run <= dump->n_runs; run++)
        write_u32(dump, run_place(dump, run) - (24 + 4 * run));
    if (dump->n_runs % 2 == 1)
        write_u32(dump, 0);
}

static void write_run(dump_writer *dump, const run_layout *layout, uint32_t run) {
    byte_block block;
    uint32_t place = run_place(dump, run), offsets = place + vtables[RUN][1] + 4;
    uint32_t name = place + layout->size - tail_size(layout);
    begin_block(&block, place);
    uint32_t table = add_table(&block, dump, RUN);
    put_offset(&block, table + 4, name);
    put_offset(&block, table + 8, offsets - 4);
    write_block(dump, &block);
    write_u32(dump, layout->n_events);
    for (uint32_t i = 0; i < layout->n_events; i++)
        write_u32(dump, name - layout->back[i] - (offsets + 4 * i));
    if (layout->n_events % 2 == 1)
        write_u32(dump, 0);
    for (uint32_t i = layout->n_events; i-- > 0;) {
        begin_block(&block, name - layout->back[i]);
        make_event(&block, dump, layout, run, i);
        write_block(dump, &block);
    }
    begin_block(&block, name);
    add_string(&block, strings[layout->name]);
    block.used = place + layout->size - name;
    write_block(dump, &block);
}

static void write_shared(dump_writer *dump) {
    byte_block block;
    for (int i = 0; dump->shares_strings && i < N_STRINGS; i++) {
        begin_block(&block, dump->string_places[i]);
        add_string(&block, strings[i]);
        write_block(dump, &block);
    }
    for (int i = 0; i < N_VTABLES; i++)
        write_bytes(dump, vtables[i], round_up(vtables[i][0], 4));
}

static void write_dump(dump_writer *dump, const char *name) {
    dump->file = fopen(name, "wb");
    if (!dump->file)
        fail("cannot write the file");
    setvbuf(dump->file, NULL, _IOFBF, 1 << 18);
    write_header(dump);
    for (uint32_t run = dump->n_runs; run > 0; run--)
        write_run(dump, &dump->executing, run);
    write_run(dump, &dump->loading, 0);
    write_shared(dump);
    if (ferror(dump->file) || fclose(dump->file) != 0)
        fail("cannot write the file");
}

static void write_debug_buffer(const char *name) {
    FILE *file = fopen(name, "wb");
    for (uint32_t at = 0; file && at < DEBUG_PERIODS * DEBUG_PERIOD; at += 4) {
        float value = (float)(mix(at % DEBUG_PERIOD) % 8192) / 1024;
        fwrite(&value, sizeof value, 1, file);
    }
    if (!file || ferror(file) || fclose(file) != 0)
        fail("cannot write the debug buffer");
}

/* ---- arguments ------------------------------------------------------------------------------- */

static uint32_t parse_count(const char *text) {
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*end || count == 0 || count > 10000000)
        fail("a count is 1 to 10000000");
    return (uint32_t)count;
}

static void write_copies(dump_writer *dump, const char *name, uint32_t copies) {
    char numbered[4096];
    for (uint32_t i = 0; i < copies; i++) {
        dump->seed = i;
        snprintf(numbered, sizeof numbered, "%s%05" PRIu32 ".etdp", name, i);
        write_dump(dump, numbered);
    }
}

static bool is_shape(const char *name) {
    static const char *const shapes[] = {"operators", "delegated", "debug"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(name, shapes[i]) == 0)
            return true;
    }
    return false;
}

static uint64_t count_timed(const dump_writer *dump) {
    uint64_t timed = 0;
    for (uint32_t i = 0; i < dump->executing.n_events; i++)
        timed += event_at(dump, &dump->executing, i).content != DEBUG;
    return timed * dump->n_runs + dump->loading.n_events;
}

int main(int argc, char **argv) {
    dump_writer dump = {.loading = {.name = DEFAULT, .n_events = 2},
                        .executing = {.name = EXECUTE}};
    uint32_t copies = 0;
    for (int option; (option = getopt(argc, argv, "sn:b:")) != -1;) {
        if (option == 's')
            dump.shares_strings = true;
        else if (option == 'n')
            copies = parse_count(optarg);
        else if (option == 'b')
            write_debug_buffer(optarg);
        else
            return 2;
    }
    argv += optind;
    if (argc - optind != 4 || !is_shape(argv[0])) {
        fputs("usage: make_dump [-s] [-n COPIES] [-b DEBUG_BUFFER] SHAPE RUNS EVENTS FILE\n",
              stderr);
        return 2;
    }
    dump.shape = argv[0];
    dump.n_runs = parse_count(argv[1]);
    dump.executing.n_events = parse_count(argv[2]);
    lay_out(&dump);
    if (copies > 0)
        write_copies(&dump, argv[3], copies);
    else
        write_dump(&dump, argv[3]);
    printf("%" PRIu64 "\t%" PRIu64 "\n", count_timed(&dump),
           (uint64_t)dump.n_runs * dump.executing.n_events + dump.loading.n_events);
    return 0;
}
