/*
 * program.h - facts about a program without a run: calls, lifetimes, arenas, sizes, test cases.
 */
#ifndef ETI_PROGRAM_PROGRAM_H
#define ETI_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

/* ==== calls =================================================================================== */
/* Numbers the instructions of a method, and finds the callee and the arguments of each.
 *
 * Instructions are numbered from 0 through all chains of the method. The runtime numbers those of
 * each chain from 0; both numbers agree in the first chain, which is the only one in programs of
 * current exporters. */

typedef struct eti_calls {
    const eti_pte_plan *plan;
    const eti_pte_instruction *const *items; /* by number */
    uint32_t n;
    const uint32_t *first_of_chain; /* per chain: number of its first instruction */
} eti_calls;

/* Lists the instructions of `plan`, in `arena`. ETI_ERROR_LIMIT for 2^32 - 1 or more instructions, ETI_ERROR_MEMORY. */
eti_status eti__calls_make(eti_calls *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of a kind of value, such as "tensor", "int" or "list of tensors". */
const char *eti__value_kind_name(uint8_t kind);

/* Appends the name of an operator with its overload, such as "aten::add.out", as in lists for selective builds. */
void eti__operator_add_name(eti_buffer *out, const eti_pte_operator *op);

/* Returns the name of a kind of instruction: "kernel", "delegate", "move", "jump if false", "free" or "unknown". */
const char *eti__instruction_kind_name(uint8_t kind);

/* Appends the callee of an instruction: the name of its operator, the id of its delegate, or the name of its kind. */
void eti__instruction_add_name(eti_buffer *out, const eti_pte_plan *plan,
                               const eti_pte_instruction *instruction);

/* Returns the items of a list of tensors, in which -1 stands for an absent one; for any other value, `*value` itself as
 * the only item. */
eti_pte_indices eti__value_items(const eti_pte_plan *plan, const int32_t *value);

/* ==== planned ================================================================================= */
/* A tensor with a place in an arena, and its life. */

typedef enum eti_planned_role {
    ETI_PLANNED_INPUT,      /* of the method */
    ETI_PLANNED_OUTPUT,     /* of the method */
    ETI_PLANNED_STATE,      /* lives from run to run */
    ETI_PLANNED_ACTIVATION, /* written, then read */
    ETI_PLANNED_MOVED, /* its value is moved in from another tensor, so its own bytes are never used */
    ETI_PLANNED_ALIAS,   /* a view of another tensor's bytes, which may be outside of the arenas */
    ETI_PLANNED_SCRATCH, /* working memory of a kernel */
    ETI_PLANNED_UNUSED,
} eti_planned_role;

#define ETI_N_PLANNED_ROLES (ETI_PLANNED_UNUSED + 1)

/* Returns the name of a role, such as "activation". */
const char *eti__planned_role_name(eti_planned_role role);

#define ETI_NO_INSTRUCTION UINT32_MAX
#define ETI_NO_PLANNED UINT32_MAX

/* A tensor with a place in an arena. */
typedef struct eti_planned {
    const eti_pte_tensor *tensor;
    uint32_t value; /* index into the method's values */
    uint8_t role;   /* an eti_planned_role */
    uint32_t
        first; /* first instruction at which its bytes are in use; undefined if unused or moved */
    uint32_t last;   /* the last such instruction */
    uint32_t writer; /* first instruction that writes it, or ETI_NO_INSTRUCTION */
    /* The planned tensor whose bytes it shows, or ETI_NO_PLANNED. Outputs may be views, too. */
    uint32_t alias_of;
    bool
        is_elsewhere; /* a view whose bytes are not in its place, so that nothing uses that place */
} eti_planned;

/* Returns the number of bytes of a tensor; 0 if unknown. */
uint64_t eti__planned_bytes(const eti_planned *planned);

/* Returns whether the tensor uses memory during its life: it has bytes in its place, and is neither unused nor
 * moved. */
bool eti__planned_uses_memory(const eti_planned *planned);

/* Returns whether the tensor uses memory at an instruction. */
bool eti__planned_is_live(const eti_planned *planned, uint32_t instruction);

/* Returns the end of a tensor in its arena; UINT64_MAX on overflow. */
uint64_t eti__planned_end(const eti_planned *planned);

/* ==== liveness ================================================================================ */
/* Computes the life of each planned tensor from the instructions of a method: its role, and the
 * instructions between which its bytes are in use.
 *
 * Only the program is needed. A program does not record which arguments of a delegate call are
 * outputs; if the caller knows their number, from an ETRecord, that is used. Time is proportional
 * to the number of instructions, arguments and tensors, times its logarithm, for any file. */

typedef struct eti_liveness {
    eti_calls calls;
    const eti_planned *tensors; /* in order of their values */
    uint32_t n_tensors;
    bool has_jumps_or_moves; /* if so, the lives are an estimate */
} eti_liveness;

/* Computes the life of each planned tensor of `plan`. `n_outputs` holds the number of outputs of each delegate call, or
 * UINT32_MAX if unknown; NULL: none is known. Everything lives in `arena`. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__liveness_make(eti_liveness *out, eti_arena *arena, const eti_pte_plan *plan,
                              const uint32_t *n_outputs, eti_error *err) ETI_WARN_UNUSED;

/* ==== arenas ================================================================================== */
/* Computes the bytes in use in each arena at each instruction from the lives of planned tensors:
 * the peak, the waste, and tensors planned onto one another.
 *
 * The bytes in use are the union of the tensors' ranges: a view adds nothing to the tensor it
 * shows. */

/* Bytes in use from an instruction until the next step. */
typedef struct eti_arena_step {
    uint32_t instruction;
    uint64_t in_use; /* in bytes */
} eti_arena_step;

/* The arena of a memory id, which the runtime calls a planned buffer. */
typedef struct eti_planned_arena {
    uint32_t memory_id;
    uint64_t size;    /* bytes that the program requests */
    uint64_t highest; /* end of the last byte planned, including tensors that are not used */
    uint64_t peak;    /* largest number of bytes in use at an instruction */
    uint32_t peak_at; /* first such instruction, or 0 */
    const eti_arena_step
        *steps; /* in order of instructions; before the first step, nothing is in use */
    uint32_t n_steps;
    const uint32_t *tensors; /* tensors of this arena, as indices into eti_liveness.tensors */
    uint32_t n_tensors;
} eti_planned_arena;

/* Two tensors that are live at the same instruction and share bytes, although neither is a view of the other. */
typedef struct eti_planned_overlap {
    uint32_t tensor,
        other; /* indices into eti_liveness.tensors; `other` was live before, or since the same instruction */
    uint32_t instruction; /* first instruction at which both are live */
} eti_planned_overlap;

typedef struct eti_planned_arenas {
    const eti_liveness *liveness;
    const eti_planned_arena *arenas; /* by memory id, for ids that have a size or a tensor */
    uint32_t n_arenas;
    const eti_planned_overlap *overlaps; /* one for each tensor that is planned onto a live one */
    uint32_t n_overlaps;
    const uint32_t *beyond; /* tensors that extend past the end of their arena */
    uint32_t n_beyond;
    uint64_t total_size; /* sum of the arenas' sizes */
    uint64_t total_peak; /* sum of the arenas' peaks */
} eti_planned_arenas;

/* Makes the arenas; everything lives in `arena` and borrows from `liveness`. ETI_ERROR_MEMORY. */
eti_status eti__arenas_make(eti_planned_arenas *out, eti_arena *arena, const eti_liveness *liveness,
                            eti_error *err) ETI_WARN_UNUSED;

/* Return the bytes in use at an instruction, in one arena or in all. */
uint64_t eti__arena_in_use(const eti_planned_arena *of, uint32_t instruction);
uint64_t eti__arenas_in_use(const eti_planned_arenas *all, uint32_t instruction);

/* Returns the bytes of an arena that are unused at its peak. */
static inline uint64_t eti__arena_waste(const eti_planned_arena *of) {
    return of->size > of->peak ? of->size - of->peak : 0;
}

/* ==== scratch ================================================================================= */
/* Lists the memory that delegates take from the runtime's temporary allocator in each call, beside the planned arenas. Only
 * payloads of Ethos-U say how much that is. */

typedef struct eti_scratch {
    uint32_t instruction; /* number of the call */
    uint32_t delegate;    /* index in the plan */
    uint64_t bytes;
} eti_scratch;

typedef struct eti_scratches {
    const eti_scratch *items;
    uint32_t n;
    uint64_t most;    /* largest of them */
    size_t n_damaged; /* number of payloads that cannot be read */
    eti_error damage; /* the first reason */
} eti_scratches;

/* Lists the memory that the calls of a method take, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__scratches_list(eti_scratches *out, eti_arena *arena, const eti_calls *calls,
                               eti_error *err) ETI_WARN_UNUSED;

/* ==== figures ================================================================================= */
/* Summarizes a program in a few exact numbers, which rules can limit. */

typedef enum eti_figure {
    ETI_FIGURE_FILE_SIZE,
    ETI_FIGURE_ARENA_SIZE, /* of all arenas of the method that requests most */
    ETI_FIGURE_ARENA_PEAK, /* bytes in use, of the method that uses most: the sum of its arenas' peaks */
    ETI_FIGURE_WASTE,      /* size minus peak, of the method for which that is largest */
    ETI_FIGURE_CONSTANTS,
    ETI_FIGURE_DELEGATE_BLOBS,
    ETI_FIGURE_INSTRUCTIONS, /* in all methods */
    ETI_FIGURE_OPERATORS,    /* number of distinct operators called */
    ETI_N_FIGURES,
} eti_figure;

typedef struct eti_figures {
    uint64_t values[ETI_N_FIGURES];
    bool are_known
        [ETI_N_FIGURES]; /* all, except in a baseline written by another version or by hand */
} eti_figures;

/* Names of all figures, such as "file_size". */
extern const char *const eti__figure_names[ETI_N_FIGURES];

/* Finds the figure with a name; returns false if there is no such figure. */
bool eti__figure_find(eti_text name, eti_figure *out);

/* Returns whether the figure is a count; all others are bytes. */
static inline bool eti__figure_is_count(eti_figure figure) {
    return figure >= ETI_FIGURE_INSTRUCTIONS;
}

/* Computes the figures of a program. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__figures_make(eti_figures *out, const eti_pte *pte, eti_error *err) ETI_WARN_UNUSED;

/* ==== flow ==================================================================================== */
/* Distinguishes the arguments that an instruction reads from those that it writes, and counts
 * their bytes. */

/* Values; a list stands for its items. */
typedef struct eti_call_flow {
    eti_pte_indices reads, writes;
} eti_call_flow;

/* Returns the values that an instruction reads and writes. A value that a kernel modifies in place is in both lists. */
eti_call_flow eti__call_flow(const eti_liveness *liveness, uint32_t instruction);

/* Appends the sizes of a tensor, such as "[2, 3]", for at most 16 dimensions; the runtime loads no tensor with more. */
void eti__tensor_add_shape(eti_buffer *out, const eti_pte_tensor *tensor);
/* Appends the sizes that a method allows, such as "[1, 3, 10]"; a size of a tensor whose shape can change is an upper
 * bound, as in "[<=8, <=3]", or unknown, as in "[?, ?]". */
void eti__tensor_add_bounds(eti_buffer *out, const eti_pte_tensor *tensor);

/* Sizes of values that are tensors or lists of tensors. */
typedef struct eti_value_sum {
    uint64_t bytes; /* ETI_PTE_UNKNOWN_SIZE if the size of a tensor is unknown */
    bool is_bound;  /* an upper bound, because the shape of a tensor depends on the input */
} eti_value_sum;

typedef struct eti_value_bytes {
    const eti_value_sum *by_value;
} eti_value_bytes;

/* Computes the sizes, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__value_bytes_make(eti_value_bytes *out, eti_arena *arena, const eti_pte_plan *plan,
                                 eti_error *err) ETI_WARN_UNUSED;

/* ==== operators =============================================================================== */
/* Lists the operators that programs need: each once, with all its calls. */

/* The place of a call. */
typedef struct eti_operator_call {
    uint32_t program, plan; /* indices */
    uint32_t instruction;   /* see calls.h */
} eti_operator_call;

typedef struct eti_needed_operator {
    eti_text name; /* such as "aten::add.out" */
    const eti_operator_call *
        calls; /* in order of programs, methods and instructions; empty if the operator is only listed */
    uint32_t n_calls;
    uint64_t dtypes; /* of its arguments: bit N stands for ScalarType N */
    /* Kernel names as in selective builds, such as "v1/6;0,1|6;0,1": types and dimension orders of the arguments. Each
     * occurs once, sorted; a call with more than 64 tensors has none. */
    const eti_text *kernel_keys;
    uint32_t n_kernel_keys;
    bool is_missing; /* missing from a build, see eti__operators_find_missing() */
} eti_needed_operator;

typedef struct eti_needed_operators {
    eti_needed_operator *items; /* in order of their names */
    uint32_t n;
} eti_needed_operators;

/* Returns the name of a ScalarType, such as "float32"; "unknown" if the number has none. */
const char *eti__needed_dtype_name(int8_t scalar_type);

/* Lists the operators of `n` programs. Everything lives in `arena`, except for texts borrowed from the programs.
 * ETI_ERROR_LIMIT if a method has too many instructions, ETI_ERROR_MEMORY. */
eti_status eti__operators_make(eti_needed_operators *out, eti_arena *arena, const eti_pte *programs,
                               size_t n, eti_error *err) ETI_WARN_UNUSED;

/* Marks the operators that a build lacks, and stores their number in `n_missing`. The list of the build's operators has a
 * name such as "aten::add.out" on each line, or is the YAML file of a selective build, in which the names are the keys
 * below "operators:". Lines that begin with # and names without a namespace are ignored. ETI_ERROR_READ, ETI_ERROR_LIMIT;
 * ETI_ERROR_MALFORMED if the file has no names; ETI_ERROR_MEMORY. */
eti_status eti__operators_find_missing(eti_needed_operators *operators, const eti_source *list,
                                       uint32_t *n_missing, eti_error *err) ETI_WARN_UNUSED;

/* ==== size users ============================================================================== */
/* Finds the instructions that use the bytes of each row of eti_sizes. */

#define ETI_NO_ROW UINT32_MAX

/* An instruction that uses bytes. */
typedef struct eti_size_user {
    uint32_t plan;        /* index of the method */
    uint32_t instruction; /* see calls.h */
} eti_size_user;

typedef struct eti_size_use {
    uint32_t row;
    eti_size_user user;
} eti_size_use;

/* ==== sizes =================================================================================== */
/* Shows what makes a program and its data files large, in rows that add up to the sizes of the
 * files exactly.
 *
 * No byte of a constant is read, except that constants of equal size, which may be duplicates, are
 * read once. Payloads are read only to find the names that they request. */

typedef enum eti_size_category {
    ETI_SIZE_METADATA,      /* the FlatBuffer with its header, without data stored inline */
    ETI_SIZE_CONSTANT,      /* in the constant segment, or stored inline */
    ETI_SIZE_MUTABLE_DATA,  /* initial bytes of planned tensors */
    ETI_SIZE_DELEGATE_BLOB, /* data passed to a delegate */
    ETI_SIZE_NAMED_DATA,    /* data found by a key, mostly weights of delegates */
    ETI_SIZE_EXTERNAL,      /* in a .ptd file */
    ETI_SIZE_TEST_DATA,     /* in a .bpte file, around the program */
    ETI_SIZE_PADDING,       /* between segments */
} eti_size_category;

#define ETI_N_SIZE_CATEGORIES (ETI_SIZE_PADDING + 1)

/* Returns the name of a category, such as "delegate blob". */
const char *eti__size_category_name(eti_size_category category);

typedef struct eti_size_row {
    uint8_t category; /* an eti_size_category */
    uint32_t file;    /* 0: file of the program; otherwise 1 + index of the data file */
    bool is_rest;     /* the bytes between other rows */
    uint64_t bytes;
    eti_text name;   /* key, id of the backend, or name of the tensor; absent if it has none */
    uint32_t number; /* number of the constant, inline payload or segment; ETI_NO_ROW if none */
    const eti_pte_tensor *tensor; /* first tensor with these bytes, or NULL */
    const eti_size_use *users;    /* in order, without duplicates */
    uint32_t n_users;
    uint32_t n_methods; /* number of methods that use it */
    uint32_t copy_of; /* first row with the same bytes, or ETI_NO_ROW if that is this row itself */
    eti_text data;    /* its bytes; absent for remaining bytes, which are in several places */
} eti_size_row;

typedef struct eti_sizes {
    const eti_size_row *rows; /* in order of categories, largest first */
    uint32_t n_rows;
    uint64_t
        file_size; /* total size of the program's file and all data files, which is the sum of the rows */
    uint64_t by_category[ETI_N_SIZE_CATEGORIES];
    uint64_t duplicated;  /* bytes in rows that are copies */
    uint64_t missing;     /* known bytes of external weights that no given data file contains */
    uint32_t n_missing;   /* number of their names */
    const bool *is_other; /* per data file: the program requests none of its names */
} eti_sizes;

/* Makes the rows of a program and the given data files; with NULL, of the data files alone. Everything lives in `arena`
 * and borrows from the files. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__sizes_make(eti_sizes *out, eti_arena *arena, const eti_pte *pte,
                           const eti_ptd *data, size_t n_data, eti_error *err) ETI_WARN_UNUSED;

/* ==== test case =============================================================================== */
/* Makes a test case of a bundled program from files of tensors: the inputs of a method and its
 * expected outputs, checked against the method and with their dimensions in its order. */

/* A file of tensors and the name that messages give it. */
typedef struct eti_test_file {
    eti_tensor_file *file;
    const char *name;
    bool
        is_ordered; /* its tensors are values 0, 1, ... in file order; otherwise in the order of their names */
} eti_test_file;

/* Makes the inputs of a case, one for each input of the method. A tensor must have the method's dtype and sizes; if the
 * method has upper bounds, it must not have more elements. For an input that is a number, the tensor has a single element
 * and no dimensions, and its value must be the one that the program was exported with, because the runtime accepts no
 * other. Everything that is not in the files lives in `arena`. Messages name the file and the tensor. ETI_ERROR_DATA: the
 * file does not fit the method, or an input of the method cannot be in a test case; ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT:
 * the file is damaged; ETI_ERROR_MEMORY. */
eti_status eti__test_case_add_inputs(eti_bundle_case *out, eti_arena *arena,
                                     const eti_pte_plan *plan, const eti_test_file *file,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Makes the expected outputs, which are tensors, in the same way. */
eti_status eti__test_case_add_expected(eti_bundle_case *out, eti_arena *arena,
                                       const eti_pte_plan *plan, const eti_test_file *file,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the runtime accepts the tensor for this one of the method: it has the same type, and the same sizes or
 * sizes within its bounds. */
bool eti__test_case_fits(const eti_tensor_values *found, const eti_pte_tensor *tensor);
/* Appends a text such as "expected float32 [2, 6], found float32 [2, 5]". */
void eti__test_case_add_unfit(eti_buffer *out, const eti_tensor_values *found,
                              const eti_pte_tensor *tensor);

/* ==== traffic ================================================================================= */
/* Counts the bytes of tensors that an instruction reads and writes.
 *
 * Moves, views and instructions that compute with sizes use no byte of a tensor. A look-up or a
 * slice reads as many elements as it writes, besides its indices, however large the tensor is from
 * which it takes them. Where the number depends on the input of the run, because of the shape of a
 * tensor or of what the operator does, the bytes are an upper bound. */

typedef struct eti_traffic {
    uint64_t read, written; /* ETI_PTE_UNKNOWN_SIZE if the size of a tensor is unknown */
    bool is_bound;          /* both are upper bounds */
} eti_traffic;

/* Returns the bytes that one execution of an instruction reads and writes; `bytes` is of the same method. */
eti_traffic eti__call_traffic(const eti_liveness *liveness, const eti_value_bytes *bytes,
                              uint32_t instruction);

#endif
