/*
 * pte.h - programs, their data files and bundled programs, both ways.
 */
#ifndef ETI_PTE_PTE_H
#define ETI_PTE_PTE_H

#include "base/arena.h"
#include "base/files.h"
#include "base/output.h"
#include "etinspect.h"
#include "flatbuf/flatbuf.h"
#include "tensors/tensors.h"

/* ==== bundle ================================================================================== */
/* Finds the program inside a bundled program (.bpte, schema/bundled_program.fbs), and the test
 * cases around it.
 *
 * A bundle with invalid test cases still has its program: invalid values are marked, and rejected
 * by the code that needs them. */

/* Largest number of dimensions that the runtime accepts. */
#define ETI_BUNDLE_MOST_DIMS 16

/* Types of values, as the schema numbers them. */
typedef enum eti_bundle_value_kind {
    ETI_BUNDLE_ABSENT, /* of a type that is not in the schema, or without a value */
    ETI_BUNDLE_TENSOR,
    ETI_BUNDLE_INT,
    ETI_BUNDLE_BOOL,
    ETI_BUNDLE_DOUBLE,
} eti_bundle_value_kind;

/* An input of a method, or an expected output. */
typedef struct eti_bundle_value {
    uint8_t kind;      /* an eti_bundle_value_kind */
    const char *fault; /* why it cannot be used, to follow "the value"; NULL if it can */
    int64_t as_int;    /* value of an int, or 0 or 1 for a bool */
    double as_double;
    eti_tensor_values tensor; /* only for a tensor without a fault */
    const uint8_t *
        dim_order; /* its dimensions from the slowest to the fastest, each once: the order of the data */
} eti_bundle_value;

/* A test run of a method: its inputs and its expected outputs. */
typedef struct eti_bundle_case {
    const eti_bundle_value *inputs, *expected;
    uint32_t n_inputs, n_expected; /* if n_expected is 0, nothing is known about the outputs */
} eti_bundle_case;

/* Test cases of a method. */
typedef struct eti_bundle_suite {
    eti_text method;
    uint32_t n_cases;
    uint64_t n_bytes; /* total bytes of the tensors among inputs and expected outputs */
    eti_position position;
} eti_bundle_suite;

typedef struct eti_bundle {
    eti_text program;
    const eti_bundle_suite *suites;
    uint32_t n_suites;
    eti_flatbuf buffer;
} eti_bundle;

/* Verifies the bundle in `bytes`; texts are borrowed from these, and everything else lives in the arena.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__bundle_open(eti_bundle *out, eti_arena *arena, eti_text bytes,
                            eti_error *err) ETI_WARN_UNUSED;

/* Reads the n_cases test cases of suite `i`. Data are borrowed from the bundle's bytes, and everything else lives in the
 * arena. ETI_ERROR_MEMORY. */
eti_status eti__bundle_read_suite(const eti_bundle_case **out, eti_arena *arena,
                                  const eti_bundle *bundle, uint32_t i,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== segment ================================================================================= */
/* Reads the places of the data after a FlatBuffer: the segments of programs (.pte) and data files
 * (.ptd). */

/* A range of bytes after the FlatBuffer. */
typedef struct eti_pte_segment {
    uint64_t offset,
        size; /* the offset counts from the beginning of the program or data file, not from the segments' base */
} eti_pte_segment;

/* ==== tensor ================================================================================== */
/* A tensor as described in programs, data files and bundles, and the reading of its shape. */

typedef enum eti_pte_dynamism {
    ETI_PTE_STATIC,
    ETI_PTE_UPPER_BOUND, /* sizes are upper bounds */
    ETI_PTE_UNBOUND,     /* sizes are unknown */
} eti_pte_dynamism;

#define ETI_PTE_UNKNOWN_SIZE UINT64_MAX

typedef struct eti_pte_tensor {
    const int32_t *sizes;
    const uint8_t *dim_order; /* n_dims of them, each below n_dims; or NULL */
    uint32_t n_dims;
    int8_t scalar_type; /* number of the schema's ScalarType, possibly an unknown one */
    int8_t layout;
    uint8_t dynamism; /* an eti_pte_dynamism */
    bool requires_grad;
    bool is_planned; /* has a place in an arena */
    bool
        is_external; /* its bytes are in a .ptd under its name; if it is planned, they are its initial bytes */
    bool has_initial_data; /* is planned, and filled from mutable_data[mutable_data] */
    int8_t device_type, device_index;
    int32_t storage_offset;
    uint32_t data_buffer_idx;
    uint32_t memory_id; /* memory id of the arena, an index into arena_sizes */
    uint64_t memory_offset;
    uint64_t mutable_data; /* index into eti_pte.mutable_data */
    uint64_t
        n_bytes; /* product of the sizes and the type's width; ETI_PTE_UNKNOWN_SIZE if unbound or of unknown type */
    eti_text name; /* fully qualified; absent if it has none */
} eti_pte_tensor;

/* ==== pte ===================================================================================== */
/* Turns a .pte, or the program inside a .bpte, into methods, values, instructions, delegates and
 * segments.
 *
 * Only the metadata are read: constants and the payloads of delegates are represented by their
 * places in the file. Every index in an instruction, a list or a tensor is checked when the
 * program is opened, so that users of these need not check it. Texts and payloads are borrowed
 * from the file's bytes, which must stay valid; everything else lives in the arena. The layout is
 * schema/program.fbs. */

/* Types of values, as the schema numbers them. */
typedef enum eti_pte_value_kind {
    ETI_PTE_ABSENT, /* of a type that is not in the schema, or without a type */
    ETI_PTE_NULL,
    ETI_PTE_INT,
    ETI_PTE_BOOL,
    ETI_PTE_DOUBLE,
    ETI_PTE_TENSOR,
    ETI_PTE_STRING,
    ETI_PTE_INT_LIST, /* a list of values */
    ETI_PTE_DOUBLE_LIST,
    ETI_PTE_BOOL_LIST,
    ETI_PTE_TENSOR_LIST,          /* a list of values that are tensors */
    ETI_PTE_OPTIONAL_TENSOR_LIST, /* the same; -1 if absent */
} eti_pte_value_kind;

/* Indices of values. */
typedef struct eti_pte_indices {
    const int32_t *items;
    uint32_t n;
} eti_pte_indices;

/* Items of a list of doubles (8 bytes each, little-endian) or bools (1 byte). */
typedef struct eti_pte_numbers {
    const uint8_t *bytes;
    uint32_t n;
} eti_pte_numbers;

typedef struct eti_pte_value {
    uint8_t kind; /* an eti_pte_value_kind */
    union {
        int64_t as_int;
        double as_double;
        bool as_bool;
        eti_text as_string;
        const eti_pte_tensor *as_tensor;
        eti_pte_indices as_list;    /* for an int list, a tensor list or an optional tensor list */
        eti_pte_numbers as_numbers; /* for a list of doubles or bools */
    } of;
} eti_pte_value;

typedef enum eti_pte_instruction_kind {
    ETI_PTE_NO_CALL, /* of a type that is not in the schema */
    ETI_PTE_KERNEL_CALL,
    ETI_PTE_DELEGATE_CALL,
    ETI_PTE_MOVE_CALL,
    ETI_PTE_JUMP_FALSE_CALL,
    ETI_PTE_FREE_CALL,
} eti_pte_instruction_kind;

typedef struct eti_pte_instruction {
    uint8_t kind; /* an eti_pte_instruction_kind */
    int32_t
        index; /* index of the operator, of the delegate, or of the value that is moved, tested or freed */
    int32_t
        target; /* of a move: a value; of a jump: an instruction of the chain, or their number, which is the end */
    eti_pte_indices args; /* arguments of a kernel or delegate call */
} eti_pte_instruction;

/* A line of Python source from which an instruction was made. */
typedef struct eti_pte_frame {
    eti_text file, function, code;
    int32_t line;
} eti_pte_frame;

typedef struct eti_pte_frames {
    const eti_pte_frame *items;
    uint32_t n;
} eti_pte_frames;

typedef struct eti_pte_chain {
    const eti_pte_instruction *instructions;
    uint32_t n_instructions;
    eti_pte_indices inputs, outputs;
    const eti_pte_frames *stacks; /* by instruction, if the exporter was asked to write them */
    uint32_t n_stacks;
} eti_pte_chain;

typedef struct eti_pte_operator {
    eti_text name;     /* such as "aten::add" */
    eti_text overload; /* such as "out"; may be empty */
} eti_pte_operator;

typedef struct eti_pte_compile_spec {
    eti_text key, value;
} eti_pte_compile_spec;

typedef struct eti_pte_delegate {
    eti_text id; /* such as "XnnpackBackend" */
    bool is_segment;
    uint32_t index;   /* index of the segment or the inline data */
    eti_text payload; /* the bytes there */
    const eti_pte_compile_spec *specs;
    uint32_t n_specs;
} eti_pte_delegate;

/* The device of an arena. */
typedef struct eti_pte_device {
    int32_t arena;
    int8_t type, index; /* type 0: CPU, 1: CUDA */
} eti_pte_device;

typedef struct eti_pte_plan {
    eti_text name;                            /* name of the method */
    eti_text encoded_inputs, encoded_outputs; /* how they were nested in Python */
    const eti_pte_value *values;
    uint32_t n_values;
    eti_pte_indices inputs, outputs;
    const eti_pte_chain *chains; /* at least one */
    uint32_t n_chains;
    const eti_pte_operator *operators;
    uint32_t n_operators;
    const eti_pte_delegate *delegates;
    uint32_t n_delegates;
    const uint64_t *arena_sizes; /* in bytes, by memory id; the first one is unused */
    uint32_t n_arenas;
    const eti_pte_device *devices; /* for arenas that are not on the CPU */
    uint32_t n_devices;
} eti_pte_plan;

/* Slots inside a segment. */
typedef struct eti_pte_slots {
    uint32_t segment;
    const uint64_t *offsets; /* relative to the segment */
    uint32_t n_offsets;
} eti_pte_slots;

typedef struct eti_pte_named_data {
    eti_text key;
    uint32_t segment;
} eti_pte_named_data;

typedef struct eti_pte {
    const struct eti_file *file;
    const uint8_t *data; /* bytes of the program: of the file, or inside a .bpte */
    uint64_t size;
    uint64_t offset; /* offset of `data` in the file; 0 except in a .bpte */
    uint32_t version;
    uint32_t header_length; /* length of the extended header; 0 if there is none */
    char identifier[5];
    bool is_bundled;
    bool has_constant_segment; /* otherwise, constants are stored inline */
    eti_bundle bundle;         /* test cases around a bundled program */
    uint64_t program_size;     /* size of the FlatBuffer with the header, which is the metadata */
    uint64_t segment_base,
        segment_data_size; /* the size is 0 if the header is too short to contain it */
    const eti_pte_plan *plans;
    uint32_t n_plans;
    const eti_text *inline_constants; /* their bytes, by data_buffer_idx, in old files */
    uint32_t n_inline_constants;
    const eti_text *inline_delegates; /* payloads */
    uint32_t n_inline_delegates;
    const eti_pte_segment *segments;
    uint32_t n_segments;
    uint32_t n_mutable_data;
    eti_pte_slots constants; /* by data_buffer_idx; the first slot is a placeholder */
    const eti_pte_slots *mutable_data;
    const eti_pte_named_data *named_data;
    uint32_t n_named_data;
} eti_pte;

/* Opens the program in `file`, which must outlive `out`. Messages name the file, the table by its path
 * (execution_plan[0].values[17].val.sizes) and the byte. ETI_ERROR_MALFORMED: not a program, of another version,
 * truncated, or with an index or offset out of range; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__pte_open(eti_pte *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Returns the bytes of a segment. */
eti_text eti__pte_segment_bytes(const eti_pte *pte, uint32_t segment);

/* Returns the plan of a method; NULL if there is no such method. */
const eti_pte_plan *eti__pte_find_plan(const eti_pte *pte, eti_text method);

/* Returns the tensor of a value; NULL if it is of another kind. `value` is an index read from this plan; -1 yields NULL. */
const eti_pte_tensor *eti__pte_tensor_at(const eti_pte_plan *plan, int32_t value);

/* ==== bundle write ============================================================================ */
/* Turns a program and test cases into a bundled program (.bpte), as schema/bundled_program.fbs
 * describes it. */

/* Test cases of a method, in the order of their numbers. */
typedef struct eti_bundle_part {
    eti_text method;
    const eti_bundle_case *cases;
    uint32_t n_cases;
} eti_bundle_part;

/* Writes `n` parts, one for each method, in the order of the methods' names, around the bytes of a program, which begin at a
 * multiple of 32 bytes. Data of tensors begin at multiples of 16 and are in the order of dim_order, whatever the strides.
 * The values must be valid. ETI_ERROR_LIMIT: more than the 2 GiB that a FlatBuffer can have, and nothing was written;
 * ETI_ERROR_MEMORY. The output reports failures to write. */
eti_status eti__bundle_write(const eti_bundle_part *parts, size_t n, eti_text program,
                             eti_output *output, eti_error *err) ETI_WARN_UNUSED;

/* ==== ptd ===================================================================================== */
/* Turns a data file (.ptd) into named bytes: weights that are stored outside the programs that use
 * them.
 *
 * Only the metadata are read. Texts are borrowed from the file's bytes, which must stay valid;
 * everything else lives in the arena. The layout is schema/flat_tensor.fbs. */

typedef struct eti_ptd_entry {
    eti_text key;
    uint32_t segment; /* index of the segment; several entries may share one */
    const eti_pte_tensor
        *tensor; /* its type, shape and number of bytes; NULL for bytes of a delegate */
} eti_ptd_entry;

typedef struct eti_ptd {
    const struct eti_file *file;
    uint32_t version;
    uint32_t header_length;
    uint64_t
        metadata_size; /* size of the FlatBuffer with the header, from the beginning of the file */
    uint64_t segment_base, segment_data_size;
    const eti_pte_segment *segments;
    uint32_t n_segments;
    const eti_ptd_entry *entries;
    uint32_t n_entries;
} eti_ptd;

/* Opens `file`, which must outlive `out`. Messages name the file, the table and the byte. ETI_ERROR_MALFORMED: not a data
 * file, truncated, or with an index or offset out of range; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__ptd_open(eti_ptd *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

#endif
