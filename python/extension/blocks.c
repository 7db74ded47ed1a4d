/* EventBlocks and Events as tuples, and the type Memory, from which their tensors have their bytes. */
#include "extension.h"

#include "model/model.h"

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

/* Returns a list of the results of `make` for 0 to n - 1. */
#define LIST_OF(n, expression)                                                                     \
    PyObject *list_ = PyList_New(0);                                                               \
    for (size_t i = 0; list_ && i < (n); i++) {                                                    \
        if (!etipy_append(list_, (expression)))                                                    \
            Py_CLEAR(list_);                                                                       \
    }                                                                                              \
    return list_

static PyObject *delegate_id(const eti_event *event) {
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    switch (id.kind) {
    case ETI_DELEGATE_ID_INT:
        return PyLong_FromLong(id.int_id);
    case ETI_DELEGATE_ID_STRING:
        return etipy_text(id.string_id);
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

static PyObject *raw(const eti_event *event) {
    const double *samples = eti_event_raw(event);
    if (!samples)
        Py_RETURN_NONE;
    LIST_OF(eti_event_sample_count(event), PyFloat_FromDouble(samples[i]));
}

static PyObject *start_time(const eti_event *event) {
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

static PyObject *op_types(const eti_event *event) {
    LIST_OF(eti_event_op_type_count(event), etipy_text(eti_event_op_type(event, i)));
}

/* The Inspector uses "" for an entry without metadata. */
static PyObject *metadata_entry(eti_text entry) {
    if (entry.size == 0)
        return PyUnicode_FromString("");
    return PyBytes_FromStringAndSize(entry.data, (Py_ssize_t)entry.size);
}

static PyObject *metadata(const eti_event *event) {
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

static PyObject *stack_traces(const eti_event *event) {
    PyObject *traces = PyDict_New();
    for (size_t i = 0; traces && i < eti_event_op_node_count(event); i++) {
        const eti_op_node *node = eti_event_op_node(event, i);
        if (!set_item(traces, etipy_text(eti_op_node_name(node)),
                      etipy_text(eti_op_node_stack_trace(node))))
            Py_CLEAR(traces);
    }
    return traces;
}

static PyObject *module_hierarchy(const eti_event *event) {
    PyObject *hierarchy = PyDict_New();
    for (size_t i = 0; hierarchy && i < eti_event_op_node_count(event); i++) {
        const eti_op_node *node = eti_event_op_node(event, i);
        if (!set_item(hierarchy, etipy_text(eti_op_node_name(node)), modules_of(node)))
            Py_CLEAR(hierarchy);
    }
    return hierarchy;
}

/* ---- values ---------------------------------------------------------------------------------- */

static PyObject *sizes_of(const eti_tensor *tensor) {
    const int64_t *sizes = eti_tensor_sizes(tensor);
    LIST_OF(eti_tensor_dimension_count(tensor), PyLong_FromLongLong(sizes[i]));
}

/* Returns the strides, or None if they are row-major. */
static PyObject *strides_of(const eti_tensor *tensor) {
    const int64_t *strides = tensor->strides;
    if (!strides)
        Py_RETURN_NONE;
    LIST_OF(eti_tensor_dimension_count(tensor), PyLong_FromLongLong(strides[i]));
}

/* (dtype, sizes, bytes or None, strides or None) */
static PyObject *tensor_of(const eti_tensor *tensor, PyObject *owner) {
    const uint8_t *data = eti_tensor_data(tensor);
    PyObject *bytes =
        data ? etipy_memory_new(data, eti_tensor_byte_count(tensor), owner) : Py_NewRef(Py_None);
    return Py_BuildValue("(sNNN)", eti_tensor_dtype(tensor), sizes_of(tensor), bytes,
                         strides_of(tensor));
}

static PyObject *tensors_of(const eti_value *value, PyObject *owner) {
    LIST_OF(eti_value_tensor_count(value), tensor_of(eti_value_tensor(value, i), owner));
}

static PyObject *value_of(const eti_value *value, PyObject *owner) {
    switch (eti_value_kind_of(value)) {
    case ETI_VALUE_INT:
        return PyLong_FromLongLong(eti_value_as_int(value));
    case ETI_VALUE_BOOL:
        return PyBool_FromLong(eti_value_as_bool(value));
    case ETI_VALUE_FLOAT:
    case ETI_VALUE_DOUBLE:
        return PyFloat_FromDouble(eti_value_as_double(value));
    case ETI_VALUE_TENSOR:
        return tensor_of(eti_value_tensor(value, 0), owner);
    case ETI_VALUE_TENSOR_LIST:
        return tensors_of(value, owner);
    case ETI_VALUE_NONE:
        break;
    }
    Py_RETURN_NONE;
}

static PyObject *debug_data(const eti_event *event, PyObject *owner) {
    LIST_OF(eti_event_debug_data_count(event), value_of(eti_event_debug_data(event, i), owner));
}

static PyObject *run_outputs(const eti_event_block *block, PyObject *owner) {
    LIST_OF(eti_event_block_run_output_count(block),
            value_of(eti_event_block_run_output(block, i), owner));
}

static PyObject *reference_outputs(const eti_event_block *block, PyObject *owner) {
    LIST_OF(eti_event_block_reference_output_count(block),
            value_of(eti_event_block_reference_output(block, i), owner));
}

/* ---- events and blocks ----------------------------------------------------------------------- */

static PyObject *event_of(const eti_event *event, PyObject *owner) {
    return Py_BuildValue("(NNNNNLNNNNNNiNNN)", etipy_text(eti_event_name(event)), raw(event),
                         op_types(event), delegate_id(event), debug_handles(event),
                         (long long)eti_event_num_outputs(event), stack_traces(event),
                         module_hierarchy(event), PyBool_FromLong(eti_event_is_delegated_op(event)),
                         etipy_text(eti_event_delegate_backend_name(event)), metadata(event),
                         debug_data(event, owner), (int)eti_event_instruction_id(event),
                         start_time(event), end_time(event),
                         PyBool_FromLong(eti_event_is_timed_by_delegate(event)));
}

static PyObject *events_of(const eti_event_block *block, PyObject *owner) {
    LIST_OF(eti_event_block_event_count(block), event_of(eti_event_block_event(block, i), owner));
}

static PyObject *block_of(const eti_event_block *block, PyObject *owner) {
    return Py_BuildValue("(NNiNN)", etipy_text(eti_event_block_name(block)),
                         events_of(block, owner), (int)eti_event_block_bundled_input_index(block),
                         run_outputs(block, owner), reference_outputs(block, owner));
}

PyObject *etipy_blocks(const eti_inspector *inspector, PyObject *owner) {
    LIST_OF(eti_inspector_block_count(inspector),
            block_of(eti_inspector_block(inspector, i), owner));
}
