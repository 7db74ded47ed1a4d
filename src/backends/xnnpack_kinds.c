#include "backends/backends.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

enum { FUSIBLE = 1, UNARY = 2, CLAMPS_INSIDE = 4 };

/* Lists of names are separated by "|". Case does not matter; names of kernels omit the part in parentheses. */
typedef struct kind_names {
    const char *name;
    const char *kernels;
    const char *operators; /* without namespace and overload */
    unsigned traits;
} kind_names;

#define CONVOLUTIONS "Convolution|Fully Connected|Dynamic Fully Connected"
#define QUANTIZERS                                                                                 \
    "quantize_per_tensor|dequantize_per_tensor|quantize_per_channel|dequantize_per_channel|"       \
    "quantize_per_token|dequantize_per_token|quantize_affine|dequantize_affine|"                   \
    "choose_qparams|choose_qparams_symmetric|choose_qparams_per_token_asymmetric|"                 \
    "choose_qparams_affine|dequantize_per_channel_group|quantize_per_channel_group"

#define FOLDED "_native_batch_norm_legit_no_training|batch_norm"

/* Number of kinds, in the type that holds a kind. */
static const uint8_t n_kinds = ETI_XNNPACK_N_KINDS;

static const kind_names kinds[ETI_XNNPACK_N_KINDS] = {
    [ETI_XNNPACK_ADD] = {"Add", "Add", "add", 0},
    [ETI_XNNPACK_FULLY_CONNECTED] = {"FullyConnected", "Fully Connected|Dynamic Fully Connected",
                                     "linear|addmm|mm", CLAMPS_INSIDE},
    [ETI_XNNPACK_SOFTMAX] = {"Softmax", "Softmax", "_softmax|softmax", 0},
    [ETI_XNNPACK_SIGMOID] = {"Sigmoid", "Sigmoid", "sigmoid", UNARY},
    [ETI_XNNPACK_STATIC_TRANSPOSE] = {"StaticTranspose", "Transpose",
                                      "permute_copy|permute|transpose_copy|t_copy", FUSIBLE},
    [ETI_XNNPACK_CLAMP] = {"Clamp", "Clamp", "clamp|relu|hardtanh|relu6", FUSIBLE | UNARY},
    [ETI_XNNPACK_CONV2D] = {"Conv2d", CONVOLUTIONS, "convolution|conv2d|conv1d", CLAMPS_INSIDE},
    [ETI_XNNPACK_DIV] = {"Div", "Divide", "div", 0},
    [ETI_XNNPACK_STATIC_RESIZE_BILINEAR_2D] = {"StaticResizeBilinear2D", "Resize Bilinear",
                                               "upsample_bilinear2d", 0},
    [ETI_XNNPACK_STATIC_CONSTANT_PAD] = {"StaticConstantPad", "Constant Pad", "constant_pad_nd|pad",
                                         FUSIBLE},
    [ETI_XNNPACK_AVG_POOLING_2D] = {"AvgPooling2d", "Average Pooling", "avg_pool2d", CLAMPS_INSIDE},
    [ETI_XNNPACK_MINIMUM] = {"Minimum", "Minimum", "minimum", 0},
    [ETI_XNNPACK_DEPTHWISE_CONV2D] = {"DepthwiseConv2d", CONVOLUTIONS, "convolution|conv2d|conv1d",
                                      CLAMPS_INSIDE},
    [ETI_XNNPACK_MAX_POOLING_2D] = {"MaxPooling2d", "Max Pooling",
                                    "max_pool2d|max_pool2d_with_indices", CLAMPS_INSIDE},
    [ETI_XNNPACK_MULTIPLY] = {"Multiply", "Multiply|Square", "mul", 0},
    [ETI_XNNPACK_SUBTRACT] = {"Subtract", "Subtract", "sub", 0},
    [ETI_XNNPACK_FLOOR] = {"Floor", "Floor", "floor", UNARY},
    [ETI_XNNPACK_CONVERT] = {"Convert", "Convert", QUANTIZERS "|_to_copy|_to_dim_order_copy",
                             FUSIBLE},
    [ETI_XNNPACK_GLOBAL_AVG_POOLING_2D] = {"GlobalAvgPooling2d", "Mean|Global Average Pooling",
                                           "mean", 0},
    [ETI_XNNPACK_STATIC_RESHAPE] = {"StaticReshape", "Static Reshape|Reshape|Copy",
                                    "view_copy|unsqueeze_copy|squeeze_copy|reshape|view", FUSIBLE},
    [ETI_XNNPACK_ARG_MAX_POOLING_2D] = {"ArgMaxPooling2d", "ArgMax Pooling", "argmax", 0},
    [ETI_XNNPACK_SQUARE_ROOT] = {"SquareRoot", "Square Root", "sqrt", UNARY},
    [ETI_XNNPACK_CEILING] = {"Ceiling", "Ceiling", "ceil", UNARY},
    [ETI_XNNPACK_HARDSWISH] = {"Hardswish", "HardSwish", "hardswish", UNARY},
    [ETI_XNNPACK_LEAKY_RELU] = {"LeakyReLU", "LeakyReLU|Leaky ReLU", "leaky_relu", UNARY},
    [ETI_XNNPACK_MAXIMUM] = {"Maximum", "Maximum", "maximum", 0},
    [ETI_XNNPACK_NEGATE] = {"Negate", "Negate", "neg", UNARY},
    [ETI_XNNPACK_SQUARE] = {"Square", "Square", "pow|square|mul", UNARY},
    [ETI_XNNPACK_ELU] = {"ELU", "ELU", "elu", UNARY},
    [ETI_XNNPACK_ABS] = {"Abs", "Abs", "abs", UNARY},
    [ETI_XNNPACK_PRELU] = {"PReLU", "PReLU", "prelu|_prelu_kernel", 0},
    [ETI_XNNPACK_CONCATENATE_2] = {"Concatenate2", "Copy|Concatenate", "cat", 0},
    [ETI_XNNPACK_CONCATENATE_3] = {"Concatenate3", "Copy|Concatenate", "cat", 0},
    [ETI_XNNPACK_CONCATENATE_4] = {"Concatenate4", "Copy|Concatenate", "cat", 0},
    [ETI_XNNPACK_STATIC_SLICE] = {"StaticSlice", "Slice|Static Slice",
                                  "slice_copy|split_with_sizes_copy|split_copy|select_copy", 0},
    [ETI_XNNPACK_SCALED_DOT_PRODUCT_ATTENTION] = {"ScaledDotProductAttention",
                                                  "Scaled Dot-Product Attention",
                                                  "scaled_dot_product_attention", 0},
    [ETI_XNNPACK_BATCH_MATRIX_MULTIPLY] = {"BatchMatrixMultiply", "Batch Matrix Multiply",
                                           "bmm|matmul", 0},
    [ETI_XNNPACK_CONCATENATE_5] = {"Concatenate5", "Copy|Concatenate", "cat", 0},
    [ETI_XNNPACK_CONV_TRANSPOSE_2D] = {"ConvTranspose2d", "Deconvolution", "convolution",
                                       CLAMPS_INSIDE},
    [ETI_XNNPACK_RECIPROCAL_SQUARE_ROOT] = {"ReciprocalSquareRoot", "Reciprocal Square Root",
                                            "rsqrt", UNARY},
    [ETI_XNNPACK_LOG] = {"Log", "Log", "log", UNARY},
    [ETI_XNNPACK_GELU] = {"Gelu", "GELU", "gelu", UNARY},
    [ETI_XNNPACK_TANH] = {"Tanh", "TanH", "tanh", UNARY},
    [ETI_XNNPACK_EXP] = {"Exp", "Exp", "exp", UNARY},
    [ETI_XNNPACK_SIN] = {"Sin", "Sine", "sin", UNARY},
    [ETI_XNNPACK_COPY] = {"Copy", "Copy", "_clone_dim_order|clone|alias_copy|_to_dim_order_copy",
                          FUSIBLE},
    [ETI_XNNPACK_COS] = {"Cos", "Cosine", "cos", UNARY},
};

/* Returns whether the list contains the name `text`. */
static bool has_name(const char *names, eti_text text) {
    while (names) {
        size_t size = strcspn(names, "|");
        if (size == text.size && strncasecmp(names, text.data, size) == 0)
            return true;
        names = names[size] ? names + size + 1 : NULL;
    }
    return false;
}

static const kind_names *names_of(uint8_t kind) {
    return kind < ETI_XNNPACK_N_KINDS ? &kinds[kind] : &kinds[ETI_XNNPACK_NONE];
}

eti_text eti__xnnpack_kind_name(uint8_t kind) {
    return eti__text_of(names_of(kind)->name);
}

eti_text eti__xnnpack_kernel(eti_text event_name) {
    size_t size = 0;
    while (size < event_name.size && size < ETI_LONGEST_OPERATOR && event_name.data[size] != '(' &&
           event_name.data[size] != '#')
        size++;
    while (size > 0 && event_name.data[size - 1] == ' ')
        size--;
    return (eti_text){event_name.data, size};
}

/* Returns the number of bits of "F32", "X16" or "QC8"; 0 if the type is unknown or is not the type of a result. */
static uint8_t bits_of_type(eti_text type) {
    static const struct {
        const char *name;
        uint8_t bits;
    } types[] = {{"F32|X32", 32}, {"F16|X16|BF16", 16}, {"QS8|QU8|QC8|S8|U8|X8", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (has_name(types[i].name, type))
            return types[i].bits;
    }
    return 0;
}

/* Finds the next type in parentheses, from `*at` on; start with types_of(). Returns false if there is no other type. */
static bool next_type(eti_text name, size_t *at, eti_text *type) {
    size_t size = name.size < ETI_LONGEST_OPERATOR ? name.size : ETI_LONGEST_OPERATOR;
    if (*at >= size || name.data[*at] == ')')
        return false;
    size_t start = ++*at;
    while (*at < size && !strchr(", )", name.data[*at]))
        ++*at;
    *type = (eti_text){name.data + start, *at - start};
    return true;
}

/* Returns the position of the opening parenthesis, or the size of the name. */
static size_t types_of(eti_text name) {
    const char *found = name.size > 0 ? memchr(name.data, '(', name.size) : NULL;
    return found ? (size_t)(found - name.data) : name.size;
}

/* Returns the bits of the first known type in parentheses; skips types quantized on the fly, such as "QDU8". */
static uint8_t bits_of_event(eti_text name) {
    size_t at = types_of(name);
    eti_text type;
    while (next_type(name, &at, &type)) {
        uint8_t bits = bits_of_type(type);
        if (bits)
            return bits;
    }
    return 0;
}

eti_xnnpack_numbers eti__xnnpack_event_numbers(eti_text event_name) {
    eti_xnnpack_numbers numbers = ETI_XNNPACK_WIDE;
    size_t at = types_of(event_name);
    eti_text type;
    while (next_type(event_name, &at, &type)) {
        if (type.size > 1 && type.data[0] == 'Q')
            return ETI_XNNPACK_QUANTIZED;
        if (bits_of_type(type) == 8)
            numbers = ETI_XNNPACK_BYTES;
    }
    return numbers;
}

bool eti__xnnpack_event_gives(eti_text event_name, uint8_t bits) {
    uint8_t given = bits_of_event(event_name);
    return !bits || !given || given == bits || (given == 16 && bits == 32);
}

bool eti__xnnpack_is_lookup(eti_text kernel) {
    return has_name("Invalid Unary Op", kernel);
}

bool eti__xnnpack_may_clamp(eti_text kernel) {
    return has_name("Clamp|Invalid Unary Op", kernel);
}

bool eti__xnnpack_kind_runs_as(uint8_t kind, eti_text kernel) {
    const kind_names *names = names_of(kind);
    return has_name(names->kernels, kernel);
}

eti_xnnpack_kinds eti__xnnpack_kinds_that_run_as(eti_text kernel) {
    bool is_lookup = eti__xnnpack_is_lookup(kernel);
    eti_xnnpack_kinds found = 0;
    for (uint8_t kind = 0; kind < n_kinds; kind++) {
        if (is_lookup ? (kinds[kind].traits & UNARY) != 0 : eti__xnnpack_kind_runs_as(kind, kernel))
            found |= (eti_xnnpack_kinds)1 << kind;
    }
    return found;
}

bool eti__xnnpack_kind_is_fusible(uint8_t kind) {
    return (names_of(kind)->traits & FUSIBLE) != 0;
}

bool eti__xnnpack_kind_clamps_inside(uint8_t kind) {
    return (names_of(kind)->traits & CLAMPS_INSIDE) != 0;
}

eti_xnnpack_kinds eti__xnnpack_fusible_kinds(void) {
    eti_xnnpack_kinds found = 0;
    for (uint8_t kind = 0; kind < n_kinds; kind++) {
        if (eti__xnnpack_kind_is_fusible(kind))
            found |= (eti_xnnpack_kinds)1 << kind;
    }
    return found;
}

eti_xnnpack_kinds eti__xnnpack_kinds_of(eti_text op_type) {
    eti_xnnpack_kinds found = 0;
    for (uint8_t kind = 1; kind < n_kinds; kind++) {
        if (eti__xnnpack_kind_is_of(kind, op_type))
            found |= (eti_xnnpack_kinds)1 << kind;
    }
    return found;
}

eti_xnnpack_kinds eti__xnnpack_kinds_of_folded(eti_text op_type) {
    eti_text name = eti__operator_name(op_type);
    return name.data && has_name(FOLDED, name)
               ? (eti_xnnpack_kinds)1 << ETI_XNNPACK_DEPTHWISE_CONV2D
               : 0;
}

bool eti__xnnpack_kind_is_of(uint8_t kind, eti_text op_type) {
    eti_text name = eti__operator_name(op_type);
    return name.data && has_name(names_of(kind)->operators, name);
}

bool eti__xnnpack_op_gives(eti_text op_type, uint8_t bits) {
    static const char prefix[] = "dequantize";
    eti_text name = eti__operator_name(op_type);
    if (bits == 0 || !name.data || !has_name(QUANTIZERS, name))
        return true;
    bool dequantizes =
        name.size >= sizeof prefix - 1 && memcmp(name.data, prefix, sizeof prefix - 1) == 0;
    return dequantizes == (bits > 8);
}

bool eti__is_quantizing(eti_text op_type) {
    eti_text name = eti__operator_name(op_type);
    return name.data && has_name(QUANTIZERS, name);
}
