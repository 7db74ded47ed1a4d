#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of tensors of an Event; one with more has none. */
#define MOST_TENSORS 256
/* Largest number of tensors of all Events together, which share instructions and tensors. */
#define MOST_IN_ALL ((size_t)1 << 22)
/* Largest number of nodes that an event of a delegate stands for, and of dimensions of a tensor. */
#define MOST_NODES 64
#define MOST_DIMENSIONS 64

#define NO_ID UINT64_MAX

typedef struct argument {
    eti_text dtype;
    eti_int_list shape;
    bool has_shape;
    uint64_t id; /* equal for the same tensor; NO_ID: unknown */
} argument;

/* A method's graph with its values. */
typedef struct method_graph {
    bool is_read;
    eti_lowered_graph graph;
    eti_int_list *shapes;   /* per value, once it was parsed */
    bool *is_parsed;        /* per value */
    uint32_t *quantized_by; /* per value: the first node that quantizes it, or ETI_NO_NODE */
    uint32_t *clamped_by;   /* per value: the first node that clamps it, or ETI_NO_NODE */
} method_graph;

struct eti_arguments {
    const eti_inspector *inspector;
    eti_arena arena;
    method_graph *graphs; /* per method of the ETRecord */
    size_t n_graphs;
    eti_pointer_table found;  /* index into `items`, by the source of an Event's tensors */
    eti_pointer_table shapes; /* index into `sizes`, by tensor of a program */
    eti_event_tensors *items;
    size_t n_items, item_capacity;
    eti_int_list *sizes;
    size_t n_sizes, size_capacity;
    argument list[MOST_TENSORS]; /* of the Event that is being examined */
    size_t n;
    bool has_too_many;
    size_t n_in_all;
};

/* ---- types ----------------------------------------------------------------------------------- */

/* Names by which torch's own code calls types, with those of its users. */
static const char *const spellings[][2] = {
    {"byte", "uint8"},    {"char", "int8"},      {"short", "int16"},
    {"int", "int32"},     {"long", "int64"},     {"half", "float16"},
    {"float", "float32"}, {"double", "float64"}, {"uint", "uint32"},
};

static bool is_spelled(eti_text text, const char *lower) {
    size_t size = strlen(lower);
    if (text.size != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text.data[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != lower[i])
            return false;
    }
    return true;
}

/* Returns the scalar type with a name in either spelling, or one without a name. */
static const eti_scalar_type *type_of(eti_text dtype) {
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (is_spelled(dtype, spellings[i][0]))
            dtype = eti__text_of(spellings[i][1]);
    }
    for (int8_t i = 0; i < MOST_NODES; i++) {
        const eti_scalar_type *type = eti__scalar_type(i);
        if (type->width > 0 && is_spelled(dtype, type->name))
            return type;
    }
    return eti__scalar_type(-1);
}

/* ---- work ------------------------------------------------------------------------------------ */

typedef enum work_kind {
    WORK_OTHER,
    WORK_CONVOLUTION,
    WORK_PRODUCT,       /* the first tensor is a factor */
    WORK_ADDED_PRODUCT, /* the second tensor is a factor; the product is added to the first */
} work_kind;

static work_kind work_of(eti_text op) {
    static const char *const products[] = {"mm", "bmm", "matmul"};
    static const char *const added[] = {"addmm", "baddbmm"};
    eti_text name = eti__operator_name(op);
    if (name.size == 0 || eti__text_contains(name, eti__text_of("backward")))
        return WORK_OTHER;
    if (name.data[0] == '_')
        name = eti__text_from(name, 1);
    if (eti__text_begins_with(name, "conv") && !eti__text_begins_with(name, "convert"))
        return WORK_CONVOLUTION;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        if (eti__text_is(name, products[i]))
            return WORK_PRODUCT;
    }
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        if (eti__text_is(name, added[i]))
            return WORK_ADDED_PRODUCT;
    }
    return eti__text_begins_with(name, "linear") ? WORK_PRODUCT : WORK_OTHER;
}

/* Multiplies; a product that is unknown or too large is unknown. */
static uint64_t multiply(uint64_t a, uint64_t b) {
    if (a == ETI_UNKNOWN_WORK || b == ETI_UNKNOWN_WORK || (a > 0 && b > ETI_UNKNOWN_WORK / a))
        return ETI_UNKNOWN_WORK;
    return a * b;
}

static uint64_t count_elements(const argument *tensor) {
    uint64_t n = 1;
    if (!tensor->has_shape)
        return ETI_UNKNOWN_WORK;
    for (size_t i = 0; i < tensor->shape.n; i++)
        n = multiply(n, (uint64_t)tensor->shape.items[i]);
    return n;
}

static int64_t size_at(const argument *tensor, size_t dimension) {
    return dimension < tensor->shape.n ? tensor->shape.items[dimension] : 0;
}

typedef enum transposition {
    TRANSPOSED_UNKNOWN, /* the shapes show it */
    NOT_TRANSPOSED,
    TRANSPOSED,
} transposition;

/* Returns whether a convolution is transposed, judged by its shapes. If both are possible, it is the one whose results are
 * larger than its inputs. */
static transposition judge_shapes(const argument *input, const argument *weight,
                                  const argument *output) {
    size_t rank = weight->shape.n;
    if (rank < 3 || input->shape.n != output->shape.n || input->shape.n > rank ||
        input->shape.n + 1 < rank)
        return TRANSPOSED_UNKNOWN;
    size_t channel = input->shape.n + 1 - rank; /* 0 without a batch */
    int64_t taken = size_at(input, channel), given = size_at(output, channel);
    int64_t first = size_at(weight, 0), second = size_at(weight, 1);
    bool may_be_plain = second > 0 && first == given && taken % second == 0;
    bool may_be_transposed = second > 0 && first == taken && given % second == 0;
    bool is_larger = false;
    for (size_t i = channel + 1; i < input->shape.n; i++)
        is_larger |= size_at(output, i) > size_at(input, i);
    if (may_be_plain && !(may_be_transposed && is_larger))
        return NOT_TRANSPOSED;
    return may_be_transposed ? TRANSPOSED : TRANSPOSED_UNKNOWN;
}

static uint64_t count_convolution(const eti_arguments *a, transposition known) {
    if (a->n < 3)
        return ETI_UNKNOWN_WORK;
    const argument *input = &a->list[0], *weight = &a->list[1], *output = &a->list[a->n - 1];
    if (!input->has_shape || !weight->has_shape || !output->has_shape || size_at(weight, 0) <= 0)
        return ETI_UNKNOWN_WORK;
    if (known == TRANSPOSED_UNKNOWN)
        known = judge_shapes(input, weight, output);
    if (known == TRANSPOSED_UNKNOWN)
        return ETI_UNKNOWN_WORK;
    uint64_t per_position = count_elements(weight);
    if (per_position == ETI_UNKNOWN_WORK)
        return ETI_UNKNOWN_WORK;
    per_position /= (uint64_t)size_at(weight, 0);
    return multiply(2,
                    multiply(count_elements(known == TRANSPOSED ? input : output), per_position));
}

static uint64_t count_product(const eti_arguments *a, size_t factor) {
    if (a->n < factor + 2 || !a->list[factor].has_shape || a->list[factor].shape.n == 0)
        return ETI_UNKNOWN_WORK;
    const eti_int_list *shape = &a->list[factor].shape;
    return multiply(
        2, multiply(count_elements(&a->list[a->n - 1]), (uint64_t)shape->items[shape->n - 1]));
}

static uint64_t count_flop(const eti_arguments *a, work_kind work, transposition transposed) {
    switch (work) {
    case WORK_CONVOLUTION:
        return count_convolution(a, transposed);
    case WORK_PRODUCT:
        return count_product(a, 0);
    case WORK_ADDED_PRODUCT:
        return count_product(a, 1);
    case WORK_OTHER:
        break;
    }
    return ETI_UNKNOWN_WORK;
}

static bool was_before(const eti_arguments *a, size_t at) {
    for (size_t i = 0; i < at && a->list[at].id != NO_ID; i++) {
        if (a->list[i].id == a->list[at].id)
            return true;
    }
    return false;
}

static uint64_t count_traffic(const eti_arguments *a) {
    uint64_t sum = 0;
    for (size_t i = 0; i < a->n; i++) {
        uint64_t width = type_of(a->list[i].dtype)->width;
        uint64_t n_bytes =
            width > 0 ? multiply(count_elements(&a->list[i]), width) : ETI_UNKNOWN_WORK;
        if (n_bytes == ETI_UNKNOWN_WORK)
            return ETI_UNKNOWN_WORK;
        if (was_before(a, i))
            continue;
        if (n_bytes > ETI_UNKNOWN_WORK - 1 - sum)
            return ETI_UNKNOWN_WORK;
        sum += n_bytes;
    }
    return a->n > 0 ? sum : ETI_UNKNOWN_WORK;
}

/* ---- the list -------------------------------------------------------------------------------- */

static void add_argument(eti_arguments *a, argument added) {
    if (a->n == MOST_TENSORS) {
        a->has_too_many = true;
        return;
    }
    a->list[a->n++] = added;
}

/* Keeps the tensors of the list. False: out of memory. */
static bool keep_list(eti_arguments *a, eti_event_tensors *out) {
    eti_text *dtypes = eti__arena_alloc(&a->arena, a->n, sizeof *dtypes);
    eti_int_list *shapes = eti__arena_alloc(&a->arena, a->n, sizeof *shapes);
    bool has_shapes = true;
    if (!dtypes || !shapes)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const eti_scalar_type *type = type_of(a->list[i].dtype);
        dtypes[i] = type->width > 0 ? eti__text_of(type->name) : a->list[i].dtype;
        shapes[i] = a->list[i].shape;
        has_shapes &= a->list[i].has_shape;
    }
    out->dtypes = dtypes;
    out->shapes = has_shapes ? shapes : NULL;
    out->n = a->n;
    return true;
}

/* Makes the tensors of the list, which is then empty. */
static bool take_list(eti_arguments *a, work_kind work, transposition transposed,
                      eti_event_tensors *out) {
    bool is_over = a->has_too_many || a->n > MOST_IN_ALL - a->n_in_all, done = true;
    *out = (eti_event_tensors){.flop = ETI_UNKNOWN_WORK, .traffic = ETI_UNKNOWN_WORK};
    if (!is_over && a->n > 0) {
        a->n_in_all += a->n;
        out->flop = count_flop(a, work, transposed);
        out->traffic = count_traffic(a);
        done = keep_list(a, out);
    }
    a->n = 0;
    a->has_too_many = false;
    return done;
}

/* ---- logged tensors -------------------------------------------------------------------------- */

static bool has_negative(const int64_t *sizes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] < 0)
            return true;
    }
    return false;
}

/* Takes the tensors that a delegate logged. The name that it logged for the operator decides their order: an addmm of the model
 * may be a linear of Vulkan. Without such a name, the input comes first. */
static bool take_logged(eti_arguments *a, const eti_event *event, eti_event_tensors *out) {
    const eti_delegate_event *logged = event->logged;
    const eti_text transpose = eti__text_of("transpose");
    work_kind work = work_of(logged->op.size > 0 ? logged->op : eti__event_op(event));
    if (work == WORK_ADDED_PRODUCT && logged->op.size == 0)
        work = WORK_PRODUCT;
    bool is_transposed =
        eti__text_contains(logged->kernel, transpose) || eti__text_contains(logged->op, transpose);
    for (uint32_t i = 0; i < logged->n_tensors; i++) {
        const eti_logged_tensor *tensor = &logged->tensors[i];
        add_argument(a, (argument){.dtype = tensor->dtype,
                                   .shape = {tensor->sizes, tensor->n_sizes},
                                   .has_shape = tensor->n_sizes <= MOST_DIMENSIONS &&
                                                !has_negative(tensor->sizes, tensor->n_sizes),
                                   .id = tensor->value >= 0 ? (uint64_t)tensor->value : NO_ID});
    }
    return take_list(a, work, is_transposed ? TRANSPOSED : NOT_TRANSPOSED, out);
}

/* ---- tensors of an instruction --------------------------------------------------------------- */

/* Sets the sizes of a tensor, which are made once. False: out of memory. */
static bool find_sizes(eti_arguments *a, const eti_pte_tensor *tensor, eti_int_list *out) {
    uint32_t *number = eti__pointer_table_at(&a->shapes, tensor);
    if (!number)
        return false;
    if (*number == ETI_INDEX_END) {
        int64_t *sizes = eti__arena_alloc(&a->arena, tensor->n_dims, sizeof *sizes);
        if (!sizes || !ETI_GROW(a->sizes, a->size_capacity, a->n_sizes + 1))
            return false;
        for (uint32_t i = 0; i < tensor->n_dims; i++)
            sizes[i] = tensor->sizes[i];
        *number = (uint32_t)a->n_sizes;
        a->sizes[a->n_sizes++] = (eti_int_list){sizes, tensor->n_dims};
    }
    *out = a->sizes[*number];
    return true;
}

static bool add_value(eti_arguments *a, const eti_pte_plan *plan, int32_t value) {
    const eti_pte_tensor *tensor = eti__pte_tensor_at(plan, value);
    eti_int_list sizes = {NULL, 0};
    if (!tensor)
        return true;
    bool has_shape = tensor->dynamism == ETI_PTE_STATIC && tensor->n_dims <= MOST_DIMENSIONS;
    if (has_shape && !find_sizes(a, tensor, &sizes))
        return false;
    add_argument(a, (argument){.dtype = eti__text_of(eti__scalar_type(tensor->scalar_type)->name),
                               .shape = sizes,
                               .has_shape = has_shape && !has_negative(sizes.items, sizes.n),
                               .id = (uint64_t)(uint32_t)value});
    return true;
}

/* Adds the tensors of an argument: itself, or the items of a list. */
static bool add_values(eti_arguments *a, const eti_pte_plan *plan, const int32_t *value) {
    eti_pte_indices items = eti__value_items(plan, value);
    bool done = true;
    for (uint32_t i = 0; i < items.n && done && !a->has_too_many; i++)
        done = add_value(a, plan, items.items[i]);
    return done;
}

/* Leaves out the results at the end of an instruction's arguments: these repeat the tensors that it writes to. */
static void drop_results(eti_arguments *a, size_t first_of_last) {
    for (size_t i = first_of_last; i < a->n; i++) {
        if (!was_before(a, i))
            return;
    }
    a->n = first_of_last;
}

/* Returns whether an instruction says that its convolution is transposed: aten::convolution has a flag. */
static transposition find_flag(const eti_pte_plan *plan, const eti_pte_indices *args) {
    const uint32_t place = 6; /* after input, weight, bias, stride, padding, dilation */
    if (args->n <= place || args->items[place] < 0 ||
        (uint32_t)args->items[place] >= plan->n_values)
        return TRANSPOSED_UNKNOWN;
    const eti_pte_value *flag = &plan->values[args->items[place]];
    if (flag->kind != ETI_PTE_BOOL)
        return TRANSPOSED_UNKNOWN;
    return flag->of.as_bool ? TRANSPOSED : NOT_TRANSPOSED;
}

static bool take_instruction(eti_arguments *a, const eti_pte_plan *plan,
                             const eti_pte_instruction *instruction, eti_event_tensors *out) {
    const eti_pte_indices *args = &instruction->args;
    eti_text op = plan->operators[instruction->index].name;
    size_t first_of_last = 0;
    bool done = true;
    for (uint32_t i = 0; i < args->n && done && !a->has_too_many; i++) {
        size_t n = a->n;
        done = add_values(a, plan, &args->items[i]);
        first_of_last = a->n > n ? n : first_of_last;
    }
    drop_results(a, first_of_last);
    return done && take_list(a, work_of(op), find_flag(plan, args), out);
}

/* ---- tensors of a node ----------------------------------------------------------------------- */

/* Returns whether kernels clamp their results with such an operator before they quantize them. */
static bool is_clamping(eti_text op_type) {
    eti_text name = eti__operator_name(op_type);
    return eti__text_is(name, "relu") || eti__text_is(name, "hardtanh") ||
           eti__text_is(name, "clamp") || eti__text_is(name, "relu6");
}

/* Finds, for each value, the nodes that quantize and clamp it. */
static bool find_quantizers(method_graph *of) {
    const eti_graph *graph = &of->graph.graph;
    const eti_graph_values *values = &of->graph.values;
    of->quantized_by = malloc((values->n_values + 1) * sizeof *of->quantized_by);
    of->clamped_by = malloc((values->n_values + 1) * sizeof *of->clamped_by);
    if (!of->quantized_by || !of->clamped_by)
        return false;
    for (size_t i = 0; i < values->n_values; i++)
        of->quantized_by[i] = of->clamped_by[i] = ETI_NO_NODE;
    for (size_t i = graph->n_nodes; i-- > 0;) {
        const eti_graph_ports *ports = &values->ports[i];
        eti_text op = graph->nodes[i].op_type;
        if (ports->n_inputs == 0 || ports->n_outputs != 1)
            continue;
        if (eti__text_begins_with(eti__operator_name(op), "quantize") && eti__is_quantizing(op))
            of->quantized_by[ports->inputs[0]] = (uint32_t)i;
        else if (is_clamping(op))
            of->clamped_by[ports->inputs[0]] = (uint32_t)i;
    }
    return true;
}

/* Returns the graph of a block's method; NULL: out of memory. A graph that cannot be read has no values. */
static method_graph *find_graph(eti_arguments *a, const eti_event_block *block) {
    size_t method = block->method != ETI_NO_METHOD ? block->method : a->inspector->method;
    method_graph *of = &a->graphs[method < a->n_graphs ? method : a->n_graphs];
    if (of->is_read)
        return of;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__lowered_graph_read_method(&of->graph, a->inspector, method, &err);
    if (status != ETI_OK) {
        eti__lowered_graph_free(&of->graph);
        if (status == ETI_ERROR_MEMORY)
            return NULL;
    }
    of->shapes = calloc(of->graph.values.n_values + 1, sizeof *of->shapes);
    of->is_parsed = calloc(of->graph.values.n_values + 1, sizeof *of->is_parsed);
    of->is_read = of->shapes && of->is_parsed && find_quantizers(of);
    return of->is_read ? of : NULL;
}

/* Parses a shape such as "[1, 64]" into `sizes`. Returns the number of its dimensions; above MOST_DIMENSIONS: it is no such
 * text. */
static size_t parse_shape(eti_text text, int64_t sizes[MOST_DIMENSIONS]) {
    size_t n = 0;
    if (text.size < 2 || text.data[0] != '[' || text.data[text.size - 1] != ']')
        return MOST_DIMENSIONS + 1;
    for (size_t at = 1; at + 1 < text.size;) {
        int64_t size = 0;
        size_t first = at;
        if (n == MOST_DIMENSIONS)
            return n + 1;
        for (; text.data[at] >= '0' && text.data[at] <= '9'; at++) {
            if (size > (INT64_MAX - 9) / 10)
                return MOST_DIMENSIONS + 1;
            size = size * 10 + (text.data[at] - '0');
        }
        bool is_last = at + 1 == text.size;
        bool is_followed = at + 2 < text.size && text.data[at] == ',' && text.data[at + 1] == ' ';
        if (at == first || (!is_last && !is_followed))
            return MOST_DIMENSIONS + 1;
        sizes[n++] = size;
        at += is_last ? 0 : 2;
        if (is_last)
            break;
    }
    return n;
}

/* Sets the shape of a value; one that is unknown has no items, but a number of them. False: out of memory. */
static bool find_shape(eti_arguments *a, method_graph *of, uint32_t value, eti_int_list *out) {
    int64_t sizes[MOST_DIMENSIONS];
    if (!of->is_parsed[value]) {
        size_t n = parse_shape(of->graph.values.values[value].shape, sizes);
        bool is_known = n <= MOST_DIMENSIONS;
        int64_t *copy = eti__arena_alloc(&a->arena, is_known ? n : 0, sizeof *copy);
        if (!copy)
            return false;
        if (is_known && n > 0)
            memcpy(copy, sizes, n * sizeof *copy);
        of->shapes[value] = (eti_int_list){is_known ? copy : NULL, n};
        of->is_parsed[value] = true;
    }
    *out = of->shapes[value];
    return true;
}

static bool add_graph_value(eti_arguments *a, method_graph *of, uint32_t number) {
    const eti_graph_value *value = &of->graph.values.values[number];
    eti_int_list shape;
    if (!value->dtype)
        return true;
    if (!find_shape(a, of, number, &shape))
        return false;
    add_argument(a, (argument){.dtype = eti__text_of(value->dtype),
                               .shape = shape,
                               .has_shape = shape.items != NULL,
                               .id = number});
    return true;
}

/* Returns the value that a kernel reads for an input of its node: what is dequantized for it. */
static uint32_t value_that_is_read(const method_graph *of, uint32_t value) {
    const eti_graph_values *values = &of->graph.values;
    uint32_t producer = values->values[value].producer;
    if (producer >= of->graph.graph.n_nodes || values->ports[producer].n_inputs == 0)
        return value;
    eti_text op = of->graph.graph.nodes[producer].op_type;
    bool dequantizes =
        eti__is_quantizing(op) && eti__text_begins_with(eti__operator_name(op), "dequantize");
    return dequantizes ? values->ports[producer].inputs[0] : value;
}

/* Returns the value that a kernel writes for a result of its node, after operators that run in the same event: the quantized
 * one, if it reads quantized numbers. */
static uint32_t value_that_is_written(const method_graph *of, const eti_event_record *known,
                                      uint32_t value, bool is_quantized) {
    const eti_graph_values *values = &of->graph.values;
    for (size_t i = 0; i < known->n_op_nodes && i < MOST_NODES; i++) {
        uint32_t number = eti__lowered_graph_number(&of->graph, known->op_nodes[i]);
        const eti_graph_ports *ports = number != ETI_NO_NODE ? &values->ports[number] : NULL;
        if (ports && ports->n_inputs > 0 && ports->n_outputs == 1 && ports->inputs[0] == value)
            value = ports->outputs[0];
    }
    if (!is_quantized)
        return value;
    uint32_t clamping = of->clamped_by[value], quantizer = of->quantized_by[value];
    if (quantizer == ETI_NO_NODE && clamping != ETI_NO_NODE)
        quantizer = of->quantized_by[values->ports[clamping].outputs[0]];
    return quantizer != ETI_NO_NODE ? values->ports[quantizer].outputs[0] : value;
}

/* Returns the node that decides the work of an event: its only one, or the only convolution or matrix product; NULL: there is
 * none. */
static const eti_graph_node *main_node(const eti_event *event) {
    eti_event_nodes nodes = eti__event_nodes(event);
    const eti_graph_node *found = eti__event_nodes_single(&nodes);
    for (size_t i = 0; nodes.n > 1 && nodes.n <= MOST_NODES && i < nodes.n; i++) {
        const eti_event_nodes one = {nodes.all + i, 1};
        const eti_graph_node *node = eti__event_nodes_single(&one);
        if (work_of(node->op_type) == WORK_OTHER)
            continue;
        if (found)
            return NULL;
        found = node;
    }
    return found;
}

/* Returns whether the event runs its node, and is no copy that was inserted for it. */
static bool runs_node(const eti_event *event, const eti_graph_node *node) {
    if (!event->logged)
        return eti__is_kernel_of(node->op_type, eti__kernel_operator(event->name));
    if (event->logged->backend != ETI_BACKEND_XNNPACK ||
        event->known->attribution == ETI_ATTRIBUTION_CALL)
        return false;
    eti_xnnpack_kinds kinds = eti__xnnpack_kinds_that_run_as(eti__xnnpack_kernel(event->name));
    return (kinds & (eti__xnnpack_kinds_of(node->op_type) |
                     eti__xnnpack_kinds_of_folded(node->op_type))) != 0;
}

static bool take_node(eti_arguments *a, const eti_event *event, const eti_graph_node *node,
                      eti_event_tensors *out) {
    method_graph *of = find_graph(a, event->block);
    if (!of)
        return false;
    uint32_t number = eti__lowered_graph_number(&of->graph, &node->node);
    bool done = true, is_kernel = !event->logged;
    const eti_graph_ports *ports =
        number != ETI_NO_NODE ? &of->graph.values.ports[number] : &(const eti_graph_ports){0};
    bool is_quantized = false; /* it reads numbers that are quantized */
    for (uint32_t i = 0; i < ports->n_inputs && done && !a->has_too_many; i++) {
        uint32_t value = ports->inputs[i], read = value_that_is_read(of, value);
        is_quantized |= i == 0 && read != value;
        done = add_graph_value(a, of, is_kernel ? value : read);
    }
    for (uint32_t i = 0; i < ports->n_outputs && done && !a->has_too_many; i++) {
        uint32_t value = ports->outputs[i];
        done = add_graph_value(
            a, of,
            is_kernel ? value : value_that_is_written(of, event->known, value, is_quantized));
    }
    return done && take_list(a, work_of(node->op_type), TRANSPOSED_UNKNOWN, out);
}

/* ---- limits ---------------------------------------------------------------------------------- */

eti_bound eti__bound_of(const eti_peaks *peaks, double flop, double traffic, double seconds) {
    double computing = peaks->flops > 0 ? flop / peaks->flops : (double)NAN;
    double moving = peaks->bandwidth > 0 ? traffic / peaks->bandwidth : (double)NAN;
    bool by_memory = !(computing >= moving) && !isnan(moving);
    double shortest = by_memory ? moving : computing;
    return (eti_bound){seconds > 0 ? shortest / seconds : (double)NAN, by_memory};
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Names the source of an Event's tensors: the first member that is not NULL. */
typedef struct origin {
    const eti_delegate_event *logged;
    const eti_pte_instruction *instruction;
    const eti_graph_node *node;
} origin;

static origin origin_of(const eti_account *account, size_t i) {
    const eti_event *event = &account->block->events[i];
    const eti_pte_plan *plan = account->block->plan;
    eti_role role = eti__account_role(account, i);
    origin out = {NULL, NULL, NULL};
    if (role == ETI_ROLE_DELEGATED && event->logged && event->logged->n_tensors > 0) {
        out.logged = event->logged;
        return out;
    }
    if (role == ETI_ROLE_KERNEL && plan && eti__kernel_operator(event->name).data)
        out.instruction = eti__event_instruction(event, plan);
    if (out.instruction && out.instruction->kind == ETI_PTE_KERNEL_CALL)
        return out;
    out.instruction = NULL;
    if (role == ETI_ROLE_KERNEL || role == ETI_ROLE_DELEGATED)
        out.node = main_node(event);
    if (out.node && !runs_node(event, out.node))
        out.node = NULL;
    return out;
}

bool eti__arguments_find(eti_arguments *a, const eti_account *account, size_t i,
                         eti_event_tensors *out) {
    const eti_event *event = &account->block->events[i];
    origin from = origin_of(account, i);
    const void *key = from.logged        ? (const void *)from.logged
                      : from.instruction ? (const void *)from.instruction
                                         : (const void *)event->known;
    *out = (eti_event_tensors){.flop = ETI_UNKNOWN_WORK, .traffic = ETI_UNKNOWN_WORK};
    if (!from.logged && !from.instruction && !from.node)
        return true;
    uint32_t number;
    if (eti__pointer_table_find(&a->found, key, &number)) {
        *out = a->items[number];
        return true;
    }
    bool done = from.logged ? take_logged(a, event, out)
                : from.instruction
                    ? take_instruction(a, account->block->plan, from.instruction, out)
                    : take_node(a, event, from.node, out);
    if (!done || !ETI_GROW(a->items, a->item_capacity, a->n_items + 1))
        return false;
    a->items[a->n_items] = *out;
    return eti__pointer_table_add(&a->found, key, (uint32_t)a->n_items++);
}

eti_arguments *eti__arguments_new(const eti_inspector *inspector) {
    eti_arguments *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->inspector = inspector;
    a->n_graphs = inspector->record ? eti__etrecord_method_count(inspector->record) : 0;
    a->graphs = calloc(a->n_graphs + 1, sizeof *a->graphs);
    if (a->graphs)
        return a;
    free(a);
    return NULL;
}

void eti__arguments_free(eti_arguments *a) {
    if (!a)
        return;
    for (size_t i = 0; i <= a->n_graphs; i++) {
        eti__lowered_graph_free(&a->graphs[i].graph);
        free(a->graphs[i].shapes);
        free(a->graphs[i].is_parsed);
        free(a->graphs[i].quantized_by);
        free(a->graphs[i].clamped_by);
    }
    free(a->graphs);
    eti__pointer_table_free(&a->found);
    eti__pointer_table_free(&a->shapes);
    free(a->items);
    free(a->sizes);
    eti__arena_free(&a->arena);
    free(a);
}
