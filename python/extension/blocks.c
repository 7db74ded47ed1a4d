/* EventBlocks as tuples of Events and as columns, and the type Memory, from which their tensors have their bytes. */
#include "extension.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

static PyTypeObject *memory_type;

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct memory_object {
    PyObject_HEAD const void *data;
    size_t size;
    PyObject *owner;
} memory_object;

PyObject *etipy_memory_new(const void *data, size_t size, PyObject *owner) {
    memory_object *memory = PyObject_New(memory_object, memory_type);
    if (!memory)
        return NULL;
    memory->data = data;
    memory->size = size;
    memory->owner = Py_NewRef(owner);
    return (PyObject *)memory;
}

static void free_memory(PyObject *self) {
    Py_DECREF(((memory_object *)self)->owner);
    etipy_free_object(self);
}

static int get_memory(PyObject *self, Py_buffer *view, int flags) {
    memory_object *memory = (memory_object *)self;
    return PyBuffer_FillInfo(view, self, (void *)memory->data, (Py_ssize_t)memory->size, 1, flags);
}

static PyType_Slot memory_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_memory), ETIPY_SLOT(Py_bf_getbuffer, get_memory), {0, NULL}};

bool etipy_add_memory_type(PyObject *module) {
    return etipy_add_type(module, &memory_type, "etinspect._etinspect.Memory",
                          sizeof(memory_object), memory_slots);
}

/* ---- EventBlocks ----------------------------------------------------------------------------- */

/* Returns a list of the values of `expression` for i from 0 to n - 1. */
#define LIST_OF(n, expression)                                                                     \
    PyObject *list_ = PyList_New((Py_ssize_t)(n));                                                 \
    for (size_t i = 0, n_ = (n); list_ && i < n_; i++) {                                           \
        PyObject *item_ = (expression);                                                            \
        if (!item_ || PyList_SetItem(list_, (Py_ssize_t)i, item_) != 0)                            \
            Py_CLEAR(list_);                                                                       \
    }                                                                                              \
    return list_

#define RECENT_TEXTS 64

/* Makes the objects of one call. Texts, nodes and values that many events have are made once. */
typedef struct object_maker {
    PyObject *owner; /* of the bytes of tensors */
    PyObject *texts; /* {text: itself} */
    struct {
        eti_text of;
        PyObject *made; /* belongs to `texts` */
    } recent[RECENT_TEXTS];
    const eti_value *values; /* the last event's */
    PyObject *made_values;   /* a list, or NULL */
    PyObject *nodes;         /* {address: (name, stack trace, modules)} */
    PyObject *tensor_type;
    PyObject *tensor_names[4]; /* names of its attributes */
    int was_collecting;
} object_maker;

/* Keeps the garbage collector from walking through the new objects again and again: none of them is garbage, and no other
 * code runs before end_making(). */
static bool begin_making(object_maker *out, PyObject *owner) {
    static const char *const names[] = {"dtype", "shape", "_memory", "_strides"};
    *out = (object_maker){.owner = owner, .texts = PyDict_New()};
    PyObject *module = out->texts ? PyImport_ImportModule("etinspect._tensor") : NULL;
    /* Interned, since Python's attribute cache would otherwise keep another string each time. */
    PyObject *name = module ? PyUnicode_InternFromString("Tensor") : NULL;
    out->tensor_type = name ? PyObject_GetAttr(module, name) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(module);
    bool done = out->tensor_type != NULL;
    for (size_t i = 0; done && i < sizeof names / sizeof *names; i++)
        done = (out->tensor_names[i] = PyUnicode_InternFromString(names[i])) != NULL;
    out->nodes = done ? PyDict_New() : NULL;
    out->was_collecting = PyGC_Disable();
    return out->nodes != NULL;
}

/* Returns `made`. */
static PyObject *end_making(object_maker *maker, PyObject *made) {
    if (maker->was_collecting)
        PyGC_Enable();
    Py_XDECREF(maker->texts);
    Py_XDECREF(maker->nodes);
    Py_XDECREF(maker->tensor_type);
    Py_XDECREF(maker->made_values);
    for (size_t i = 0; i < sizeof maker->tensor_names / sizeof *maker->tensor_names; i++)
        Py_XDECREF(maker->tensor_names[i]);
    return made;
}

static PyObject *make_text(object_maker *maker, eti_text text) {
    PyObject *made = etipy_text(text);
    PyObject *known = made ? PyDict_GetItemWithError(maker->texts, made) : NULL;
    if (known) {
        Py_INCREF(known);
        Py_DECREF(made);
        return known;
    }
    if (PyErr_Occurred() || PyDict_SetItem(maker->texts, made, made) != 0)
        Py_CLEAR(made);
    return made;
}

static PyObject *shared_text(object_maker *maker, eti_text text) {
    if (text.size == 0)
        return etipy_text(text);
    size_t middle = (unsigned char)text.data[text.size / 2];
    size_t last = (unsigned char)text.data[text.size - 1];
    size_t place = (text.size + 7 * middle + 31 * last) % RECENT_TEXTS;
    if (!maker->recent[place].made || !eti__text_equal(maker->recent[place].of, text)) {
        PyObject *made = make_text(maker, text);
        if (!made)
            return NULL;
        Py_DECREF(made);
        maker->recent[place].made = made;
        maker->recent[place].of = text;
    }
    return Py_NewRef(maker->recent[place].made);
}

static PyObject *event_name(object_maker *maker, const eti_event *event) {
    return shared_text(maker, eti_event_name(event));
}

static PyObject *backend_name(object_maker *maker, const eti_event *event) {
    return shared_text(maker, eti_event_delegate_backend_name(event));
}

static PyObject *delegate_id(object_maker *maker, const eti_event *event) {
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    switch (id.kind) {
    case ETI_DELEGATE_ID_INT:
        return PyLong_FromLong(id.int_id);
    case ETI_DELEGATE_ID_STRING:
        return shared_text(maker, id.string_id);
    case ETI_DELEGATE_ID_NONE:
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *handle_list(const eti_debug_handles *handles) {
    LIST_OF(handles->n, PyLong_FromLongLong(handles->handles[i]));
}

static PyObject *debug_handles(const eti_event *event) {
    eti_debug_handles handles = eti_event_debug_handles(event);
    if (handles.kind == ETI_HANDLES_INT)
        return PyLong_FromLongLong(handles.handles[0]);
    if (handles.kind == ETI_HANDLES_LIST)
        return handle_list(&handles);
    Py_RETURN_NONE;
}

static PyObject *raw(object_maker *maker, const eti_event *event) {
    (void)maker;
    const double *samples = eti_event_raw(event);
    if (!samples)
        Py_RETURN_NONE;
    LIST_OF(eti_event_sample_count(event), PyFloat_FromDouble(samples[i]));
}

static PyObject *start_time(object_maker *maker, const eti_event *event) {
    (void)maker;
    const uint64_t *stamps = eti_event_start_time(event);
    if (!stamps)
        Py_RETURN_NONE;
    LIST_OF(eti_event_sample_count(event), PyLong_FromUnsignedLongLong(stamps[i]));
}

static PyObject *end_of(const eti_event *event, size_t i) {
    uint64_t end = 0;
    eti_event_end_time(event, i, &end);
    return PyLong_FromUnsignedLongLong(end);
}

static PyObject *end_time(const eti_event *event) {
    LIST_OF(eti_event_sample_count(event), end_of(event, i));
}

static PyObject *op_types(object_maker *maker, const eti_event *event) {
    LIST_OF(eti_event_op_type_count(event), shared_text(maker, eti_event_op_type(event, i)));
}

/* Returns the cell of a DataFrame: five operators or more are shortened. */
static PyObject *op_types_cell(object_maker *maker, const eti_event *event) {
    size_t n = eti_event_op_type_count(event);
    PyObject *names = op_types(maker, event);
    if (!names || n < 5)
        return names;
    PyObject *text =
        PyUnicode_FromFormat("['%S', '%S' ... '%S'] (%zu total)", PyList_GetItem(names, 0),
                             PyList_GetItem(names, 1), PyList_GetItem(names, (Py_ssize_t)n - 1), n);
    Py_DECREF(names);
    return text;
}

/* The Inspector uses "" for an entry without metadata. */
static PyObject *metadata_entry(eti_text entry) {
    if (entry.size == 0)
        return PyUnicode_FromString("");
    return PyBytes_FromStringAndSize(entry.data, (Py_ssize_t)entry.size);
}

static PyObject *metadata(object_maker *maker, const eti_event *event) {
    (void)maker;
    LIST_OF(eti_event_delegate_debug_metadata_count(event),
            metadata_entry(eti_event_delegate_debug_metadata(event, i)));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool set_item(PyObject *dict, PyObject *key, PyObject *value) {
    bool done = key && value && PyDict_SetItem(dict, key, value) == 0;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return done;
}

static PyObject *modules_of(const eti_op_node *node) {
    if (!eti_op_node_has_modules(node))
        Py_RETURN_NONE;
    PyObject *modules = PyDict_New();
    for (size_t i = 0; modules && i < eti_op_node_module_count(node); i++) {
        const eti_module *module = eti_op_node_module(node, i);
        PyObject *value = Py_BuildValue("(NN)", etipy_text(eti_module_path(module)),
                                        etipy_text(eti_module_type(module)));
        if (!set_item(modules, etipy_text(eti_module_key(module)), value))
            Py_CLEAR(modules);
    }
    return modules;
}

/* Returns (name, stack trace, modules), which belongs to the maker. */
static PyObject *node_of(object_maker *maker, const eti_op_node *node) {
    PyObject *address = PyLong_FromVoidPtr((void *)node);
    PyObject *known = address ? PyDict_GetItemWithError(maker->nodes, address) : NULL;
    if (!known && !PyErr_Occurred()) {
        known = Py_BuildValue("(NNN)", etipy_text(eti_op_node_name(node)),
                              etipy_text(eti_op_node_stack_trace(node)), modules_of(node));
        if (known && PyDict_SetItem(maker->nodes, address, known) == 0)
            Py_DECREF(known);
        else
            Py_CLEAR(known);
    }
    Py_XDECREF(address);
    return known;
}

/* Returns {name: the item of node_of() at `at`} of an event's nodes. */
static PyObject *by_node(object_maker *maker, const eti_event *event, Py_ssize_t at) {
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < eti_event_op_node_count(event); i++) {
        PyObject *node = node_of(maker, eti_event_op_node(event, i));
        if (!node || PyDict_SetItem(dict, PyTuple_GetItem(node, 0), PyTuple_GetItem(node, at)) != 0)
            Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *stack_traces(object_maker *maker, const eti_event *event) {
    return by_node(maker, event, 1);
}

static PyObject *module_hierarchy(object_maker *maker, const eti_event *event) {
    return by_node(maker, event, 2);
}

/* ---- values ---------------------------------------------------------------------------------- */

static PyObject *tuple_of(const int64_t *numbers, size_t n) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)n);
    for (size_t i = 0; tuple && i < n; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (!number || PyTuple_SetItem(tuple, (Py_ssize_t)i, number) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static bool is_row_major(const eti_tensor *tensor) {
    const int64_t *sizes = eti_tensor_sizes(tensor), *strides = tensor->strides;
    uint64_t next = 1;
    for (size_t i = eti_tensor_dimension_count(tensor); strides && i > 0; i--) {
        if (sizes[i - 1] != 1 && (uint64_t)strides[i - 1] != next)
            return false;
        next *= (uint64_t)sizes[i - 1];
    }
    return true;
}

static PyObject *strides_of(const eti_tensor *tensor) {
    if (is_row_major(tensor))
        Py_RETURN_NONE;
    return tuple_of(tensor->strides, eti_tensor_dimension_count(tensor));
}

static PyObject *bytes_of(const eti_tensor *tensor, PyObject *owner) {
    const uint8_t *data = eti_tensor_data(tensor);
    if (!data)
        Py_RETURN_NONE;
    return etipy_memory_new(data, eti_tensor_byte_count(tensor), owner);
}

/* Sets an attribute to `value`, which is taken over even on failure and may be NULL. */
static bool set_attribute(PyObject *object, PyObject *name, PyObject *value) {
    bool done = value && PyObject_SetAttr(object, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* Returns a Tensor of etinspect/_tensor.py. Its attributes are set without calling __init__(), which takes far longer. */
static PyObject *tensor_of(object_maker *maker, const eti_tensor *tensor) {
    PyObject *const *names = maker->tensor_names;
    PyObject *made = PyType_GenericNew((PyTypeObject *)maker->tensor_type, NULL, NULL);
    const char *dtype = eti_tensor_dtype(tensor);
    if (made &&
        set_attribute(made, names[0], shared_text(maker, (eti_text){dtype, strlen(dtype)})) &&
        set_attribute(made, names[1],
                      tuple_of(eti_tensor_sizes(tensor), eti_tensor_dimension_count(tensor))) &&
        set_attribute(made, names[2], bytes_of(tensor, maker->owner)) &&
        set_attribute(made, names[3], strides_of(tensor)))
        return made;
    Py_XDECREF(made);
    return NULL;
}

static PyObject *tensors_of(object_maker *maker, const eti_value *value) {
    LIST_OF(eti_value_tensor_count(value), tensor_of(maker, eti_value_tensor(value, i)));
}

static PyObject *value_of(object_maker *maker, const eti_value *value) {
    switch (eti_value_kind_of(value)) {
    case ETI_VALUE_INT:
        return PyLong_FromLongLong(eti_value_as_int(value));
    case ETI_VALUE_BOOL:
        return PyBool_FromLong(eti_value_as_bool(value));
    case ETI_VALUE_FLOAT:
    case ETI_VALUE_DOUBLE:
        return PyFloat_FromDouble(eti_value_as_double(value));
    case ETI_VALUE_TENSOR:
        return tensor_of(maker, eti_value_tensor(value, 0));
    case ETI_VALUE_TENSOR_LIST:
        return tensors_of(maker, value);
    case ETI_VALUE_NONE:
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *values_of(object_maker *maker, const eti_event *event) {
    LIST_OF(eti_event_debug_data_count(event), value_of(maker, eti_event_debug_data(event, i)));
}

/* The events around an operator have the same values, but each has a list. */
static PyObject *debug_data(object_maker *maker, const eti_event *event) {
    const eti_value *values = eti_event_debug_data(event, 0);
    if (!values)
        return PyList_New(0);
    if (values != maker->values) {
        Py_XDECREF(maker->made_values);
        maker->made_values = values_of(maker, event);
        maker->values = maker->made_values ? values : NULL;
    }
    PyObject *made = maker->made_values;
    return made ? PyList_GetSlice(made, 0, PyList_Size(made)) : NULL;
}

static PyObject *run_outputs(object_maker *maker, const eti_event_block *block) {
    LIST_OF(eti_event_block_run_output_count(block),
            value_of(maker, eti_event_block_run_output(block, i)));
}

static PyObject *reference_outputs(object_maker *maker, const eti_event_block *block) {
    LIST_OF(eti_event_block_reference_output_count(block),
            value_of(maker, eti_event_block_reference_output(block, i)));
}

/* ---- events and blocks ----------------------------------------------------------------------- */

static PyObject *event_of(object_maker *maker, const eti_event *event) {
    return Py_BuildValue(
        "(NNNNNLNNNNNNiNNN)", event_name(maker, event), raw(maker, event), op_types(maker, event),
        delegate_id(maker, event), debug_handles(event), (long long)eti_event_num_outputs(event),
        stack_traces(maker, event), module_hierarchy(maker, event),
        PyBool_FromLong(eti_event_is_delegated_op(event)), backend_name(maker, event),
        metadata(maker, event), debug_data(maker, event), (int)eti_event_instruction_id(event),
        start_time(maker, event), end_time(event),
        PyBool_FromLong(eti_event_is_timed_by_delegate(event)));
}

static PyObject *events_of(object_maker *maker, const eti_event_block *block) {
    LIST_OF(eti_event_block_event_count(block), event_of(maker, eti_event_block_event(block, i)));
}

static PyObject *block_of(object_maker *maker, const eti_event_block *block) {
    return Py_BuildValue("(NNiNN)", etipy_text(eti_event_block_name(block)),
                         events_of(maker, block), (int)eti_event_block_bundled_input_index(block),
                         run_outputs(maker, block), reference_outputs(maker, block));
}

static PyObject *blocks_of(object_maker *maker, const eti_inspector *inspector) {
    LIST_OF(eti_inspector_block_count(inspector),
            block_of(maker, eti_inspector_block(inspector, i)));
}

PyObject *etipy_blocks(const eti_inspector *inspector, PyObject *owner) {
    object_maker maker;
    bool done = begin_making(&maker, owner);
    return end_making(&maker, done ? blocks_of(&maker, inspector) : NULL);
}

/* ---- columns --------------------------------------------------------------------------------- */

static PyObject *column_of(object_maker *maker, const eti_event_block *block,
                           PyObject *(*cell)(object_maker *maker, const eti_event *event)) {
    LIST_OF(eti_event_block_event_count(block), cell(maker, eti_event_block_event(block, i)));
}

/* Returns a bytearray of doubles: p10 of all events, then p50, p90, avg, min and max; NaN of events without times. */
static PyObject *statistics_of(const eti_event_block *block) {
    size_t n = eti_event_block_event_count(block);
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(6 * n * sizeof(double)));
    double *columns = bytes ? (double *)(void *)PyByteArray_AsString(bytes) : NULL;
    for (size_t i = 0; columns && i < n; i++) {
        eti_summary of = ETI_SUMMARY_INIT;
        bool is_timed = eti_event_summary(eti_event_block_event(block, i), &of);
        const double cells[] = {of.p10, of.p50, of.p90, of.avg, of.min, of.max};
        for (size_t column = 0; column < 6; column++)
            columns[column * n + i] = is_timed ? cells[column] : NAN;
    }
    return bytes;
}

/* Returns a bytearray with a byte per event. */
static PyObject *is_delegated_of(const eti_event_block *block) {
    size_t n = eti_event_block_event_count(block);
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)n);
    char *column = bytes ? PyByteArray_AsString(bytes) : NULL;
    for (size_t i = 0; column && i < n; i++)
        column[i] = eti_event_is_delegated_op(eti_event_block_event(block, i));
    return bytes;
}

static PyObject *metadata_of(object_maker *maker, const eti_event_block *block, bool is_wanted) {
    if (!is_wanted)
        Py_RETURN_NONE;
    return column_of(maker, block, metadata);
}

static PyObject *columns_of(object_maker *maker, const eti_event_block *block, bool has_metadata) {
    PyObject *list = PyList_New(0);
    if (list && etipy_append(list, etipy_text(eti_event_block_name(block))) &&
        etipy_append(list, column_of(maker, block, event_name)) &&
        etipy_append(list, column_of(maker, block, raw)) &&
        etipy_append(list, statistics_of(block)) &&
        etipy_append(list, column_of(maker, block, op_types_cell)) &&
        etipy_append(list, column_of(maker, block, delegate_id)) &&
        etipy_append(list, column_of(maker, block, stack_traces)) &&
        etipy_append(list, column_of(maker, block, module_hierarchy)) &&
        etipy_append(list, is_delegated_of(block)) &&
        etipy_append(list, column_of(maker, block, backend_name)) &&
        etipy_append(list, column_of(maker, block, debug_data)) &&
        etipy_append(list, column_of(maker, block, start_time)) &&
        etipy_append(list, metadata_of(maker, block, has_metadata)))
        return list;
    Py_XDECREF(list);
    return NULL;
}

static PyObject *all_columns(object_maker *maker, const eti_inspector *inspector,
                             bool has_metadata) {
    LIST_OF(eti_inspector_block_count(inspector),
            columns_of(maker, eti_inspector_block(inspector, i), has_metadata));
}

PyObject *etipy_columns(const eti_inspector *inspector, PyObject *owner, bool has_metadata) {
    object_maker maker;
    bool done = begin_making(&maker, owner);
    return end_making(&maker, done ? all_columns(&maker, inspector, has_metadata) : NULL);
}
