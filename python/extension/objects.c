/* The types: Inspector, Profile, Report, Table and Memory. Their methods are documented in etinspect/, which calls them. */
#include "extension.h"

#include "write/arrow/arrow.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *inspector_type, *profile_type, *report_type, *table_type, *memory_type;

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

/* ---- writing --------------------------------------------------------------------------------- */

/* Collects written bytes, without the GIL. */
typedef struct written {
    char *data;
    size_t size, capacity;
    bool is_out_of_memory;
} written;

static bool collect(void *context, const void *data, size_t size) {
    written *out = context;
    if (size > out->capacity - out->size) {
        size_t capacity = out->capacity > 0 ? out->capacity : 4096;
        while (capacity - out->size < size && capacity <= SIZE_MAX / 2)
            capacity *= 2;
        char *grown = capacity - out->size < size ? NULL : realloc(out->data, capacity);
        out->is_out_of_memory = !grown;
        if (!grown)
            return false;
        out->data = grown;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return true;
}

/* Returns the written bytes, unless the call failed. */
static PyObject *end_written(written *out, etipy_request *request, eti_status status) {
    PyObject *bytes = NULL;
    if (out->is_out_of_memory && !PyErr_Occurred()) /* the library reports that it cannot write */
        PyErr_NoMemory();
    if (etipy_request_end(request, status))
        bytes = PyBytes_FromStringAndSize(out->data ? out->data : "", (Py_ssize_t)out->size);
    free(out->data);
    return bytes;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct table_object {
    PyObject_HEAD const eti_table *table;
    PyObject *owner; /* the report; NULL: the table belongs to this object */
} table_object;

static const eti_table *table_of(PyObject *self) {
    return ((table_object *)self)->table;
}

PyObject *etipy_table_new(const eti_table *table, PyObject *owner) {
    table_object *object = PyObject_New(table_object, table_type);
    if (object) {
        object->table = table;
        object->owner = owner ? Py_NewRef(owner) : NULL;
    } else if (!owner) {
        eti_table_free((eti_table *)table);
    }
    return (PyObject *)object;
}

static void free_table(PyObject *self) {
    table_object *object = (table_object *)self;
    if (object->owner)
        Py_DECREF(object->owner);
    else
        eti_table_free((eti_table *)object->table);
    etipy_free_object(self);
}

/* Returns (name, type, kind, is extra, help) of each column. */
static PyObject *table_columns(PyObject *self, PyObject *unused) {
    const eti_table *table = table_of(self);
    PyObject *columns = PyList_New(0);
    (void)unused;
    for (size_t i = 0; columns && i < eti_table_column_count(table); i++) {
        const char *help = eti_table_column_help(table, i);
        PyObject *column =
            Py_BuildValue("(NisOz)", etipy_text(eti_table_column_name(table, i)),
                          (int)eti_table_column_type(table, i),
                          eti_column_kind_name(eti_table_column_kind(table, i)),
                          eti_table_column_is_extra(table, i) ? Py_True : Py_False, help);
        if (!etipy_append(columns, column))
            Py_CLEAR(columns);
    }
    return columns;
}

static PyObject *list_of_cell(const eti_cell *cell) {
    const void *items = eti_cell_items(cell);
    eti_cell_kind kind = eti_cell_kind_of(cell);
    size_t n = eti_cell_item_count(cell);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *item;
        if (kind == ETI_CELL_DOUBLES)
            item = PyFloat_FromDouble(((const double *)items)[i]);
        else if (kind == ETI_CELL_UINTS)
            item = PyLong_FromUnsignedLongLong(((const uint64_t *)items)[i]);
        else if (kind == ETI_CELL_INTS)
            item = PyLong_FromLongLong(((const int64_t *)items)[i]);
        else
            item = etipy_text(((const eti_text *)items)[i]);
        if (!etipy_append(list, item))
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *value_of_cell(const eti_cell *cell) {
    switch (eti_cell_kind_of(cell)) {
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        break;
    case ETI_CELL_BOOL:
        return PyBool_FromLong(eti_cell_as_bool(cell));
    case ETI_CELL_INT:
        return PyLong_FromLongLong(eti_cell_as_int(cell));
    case ETI_CELL_DOUBLE:
        return PyFloat_FromDouble(eti_cell_as_double(cell));
    case ETI_CELL_LIST:
        if (eti_cell_items(cell))
            return list_of_cell(cell);
        return etipy_text(eti_cell_as_text(cell));
    case ETI_CELL_TEXT:
        return etipy_text(eti_cell_as_text(cell));
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
        return list_of_cell(cell);
    }
    Py_RETURN_NONE;
}

static PyObject *read_row(eti_table_reader *reader, size_t row, size_t n_columns) {
    PyObject *values = PyList_New(0);
    for (size_t i = 0; values && i < n_columns; i++) {
        const eti_cell *cell = eti_table_reader_cell(reader, row, i);
        if (!cell) {
            PyErr_NoMemory();
            Py_CLEAR(values);
        } else if (!etipy_append(values, value_of_cell(cell))) {
            Py_CLEAR(values);
        }
    }
    PyObject *tuple = values ? PyList_AsTuple(values) : NULL;
    Py_XDECREF(values);
    return tuple;
}

/* Returns rows from `first` on, `n` at most, as tuples. */
static PyObject *table_rows(PyObject *self, PyObject *args) {
    const eti_table *table = table_of(self);
    Py_ssize_t first, n;
    if (!PyArg_ParseTuple(args, "nn", &first, &n))
        return NULL;
    size_t n_rows = eti_table_row_count(table), at = first < 0 ? 0 : (size_t)first;
    size_t most = n < 0 ? 0 : (size_t)n;
    eti_error err = ETI_ERROR_INIT;
    eti_table_reader *reader;
    if (eti_table_reader_open(&reader, table, &err) != ETI_OK)
        return etipy_fail(&err);
    PyObject *rows = PyList_New(0);
    for (size_t i = at; rows && i < n_rows && i - at < most; i++) {
        if (!etipy_append(rows, read_row(reader, i, eti_table_column_count(table))))
            Py_CLEAR(rows);
    }
    eti_table_reader_close(reader);
    return rows;
}

static PyObject *table_write(PyObject *self, PyObject *args) {
    const char *format;
    if (!PyArg_ParseTuple(args, "s", &format))
        return NULL;
    written out = {0};
    etipy_request request = {.err = ETI_ERROR_INIT};
    eti_status status;
    Py_BEGIN_ALLOW_THREADS status =
        eti_table_write(table_of(self), format, collect, &out, &request.err);
    Py_END_ALLOW_THREADS return end_written(&out, &request, status);
}

static Py_ssize_t table_length(PyObject *self) {
    return (Py_ssize_t)eti_table_row_count(table_of(self));
}

/* ---- Arrow ----------------------------------------------------------------------------------- */

#define CAPSULE_NAME "arrow_array_stream"

/* Consumers take the stream by setting release to NULL. */
static void free_capsule(PyObject *capsule) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, CAPSULE_NAME);
    if (stream->release)
        stream->release(stream);
    free(stream);
}

PyObject *etipy_stream_capsule(struct ArrowArrayStream *stream) {
    struct ArrowArrayStream *kept = malloc(sizeof *kept);
    if (!kept) {
        stream->release(stream);
        return PyErr_NoMemory();
    }
    *kept = *stream;
    PyObject *capsule = PyCapsule_New(kept, CAPSULE_NAME, free_capsule);
    if (!capsule) {
        kept->release(kept);
        free(kept);
    }
    return capsule;
}

static PyObject *table_stream(PyObject *self, PyObject *unused) {
    struct ArrowArrayStream stream;
    eti_error err = ETI_ERROR_INIT;
    (void)unused;
    if (eti_table_arrow_stream(&stream, table_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_stream_capsule(&stream);
}

static PyMethodDef table_methods[] = {
    {"columns", table_columns, METH_NOARGS, NULL},
    {"rows", table_rows, METH_VARARGS, NULL},
    {"write", table_write, METH_VARARGS, NULL},
    {"arrow_stream", table_stream, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot table_slots[] = {ETIPY_SLOT(Py_tp_dealloc, free_table),
                                    ETIPY_SLOT(Py_tp_methods, table_methods),
                                    ETIPY_SLOT(Py_sq_length, table_length),
                                    {0, NULL}};

/* ---- reports --------------------------------------------------------------------------------- */

typedef struct report_object {
    PyObject_HEAD eti_report *report;
} report_object;

static eti_report *report_of(PyObject *self) {
    return ((report_object *)self)->report;
}

PyObject *etipy_report_new(eti_report *report) {
    report_object *object = PyObject_New(report_object, report_type);
    if (object)
        object->report = report;
    else
        eti_report_free(report);
    return (PyObject *)object;
}

static void free_report(PyObject *self) {
    eti_report_free(report_of(self));
    etipy_free_object(self);
}

/* Returns (name, table) of each table. */
static PyObject *report_tables(PyObject *self, PyObject *unused) {
    const eti_report *report = report_of(self);
    PyObject *tables = PyList_New(0);
    (void)unused;
    for (size_t i = 0; tables && i < eti_report_table_count(report); i++) {
        PyObject *pair = Py_BuildValue("(sN)", eti_report_table_name(report, i),
                                       etipy_table_new(eti_report_table(report, i), self));
        if (!etipy_append(tables, pair))
            Py_CLEAR(tables);
    }
    return tables;
}

static PyObject *report_selected(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromSize_t(eti_report_selected_table(report_of(self)));
}

static PyObject *report_failed(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyBool_FromLong(eti_report_failed(report_of(self)));
}

/* Selects rows and columns. Called once, before the report's tables are used. */
static PyObject *report_select(PyObject *self, PyObject *options) {
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options))
        status = eti_report_select(report_of(self), request.request, &request.err);
    if (!etipy_request_end(&request, status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *report_write(PyObject *self, PyObject *args) {
    const char *format;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "zO", &format, &options))
        return NULL;
    written out = {0};
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_report_write(report_of(self), format, request.request, collect, &out, &request.err);
        Py_END_ALLOW_THREADS
    }
    return end_written(&out, &request, status);
}

static PyObject *report_save(PyObject *self, PyObject *args) {
    const char *format, *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "zsO", &format, &path, &options))
        return NULL;
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_report_save(report_of(self), format, path, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    if (!etipy_request_end(&request, status))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef report_methods[] = {
    {"tables", report_tables, METH_NOARGS, NULL},
    {"selected", report_selected, METH_NOARGS, NULL},
    {"failed", report_failed, METH_NOARGS, NULL},
    {"select", report_select, METH_O, NULL},
    {"write", report_write, METH_VARARGS, NULL},
    {"save", report_save, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot report_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_report), ETIPY_SLOT(Py_tp_methods, report_methods), {0, NULL}};

/* ---- inspectors ------------------------------------------------------------------------------ */

typedef struct inspector_object {
    PyObject_HEAD eti_inspector *inspector;
} inspector_object;

static eti_inspector *inspector_of(PyObject *self) {
    return ((inspector_object *)self)->inspector;
}

etipy_buffers *etipy_buffers_new(size_t n) {
    etipy_buffers *kept = calloc(1, sizeof *kept + n * sizeof kept->buffers[0]);
    if (!kept)
        PyErr_NoMemory();
    return kept;
}

void etipy_buffers_free(void *context) {
    etipy_buffers *kept = context;
    PyGILState_STATE state = PyGILState_Ensure();
    for (size_t i = 0; i < kept->n; i++)
        PyBuffer_Release(&kept->buffers[i]);
    free(kept);
    PyGILState_Release(state);
}

bool etipy_source_init(eti_source *out, const char *path, PyObject *buffer, etipy_buffers *kept) {
    *out = (eti_source){.path = path};
    if (buffer == Py_None)
        return true;
    Py_buffer *view = &kept->buffers[kept->n];
    if (PyObject_GetBuffer(buffer, view, PyBUF_SIMPLE) != 0)
        return false;
    kept->n++;
    out->data = view->buf ? view->buf : "";
    out->size = (size_t)view->len;
    return true;
}

/* Adds an input: (option, path, None), or (option, name for messages, buffer). */
static bool add_input(etipy_request *request, PyObject *input, etipy_buffers *kept) {
    const char *option, *path;
    PyObject *buffer;
    eti_source source;
    if (!PyArg_ParseTuple(input, "szO", &option, &path, &buffer) ||
        !etipy_source_init(&source, path, buffer, kept))
        return false;
    if (eti_request_add_input(request->request, option, &source, &request->err) == ETI_OK)
        return true;
    etipy_fail(&request->err);
    return false;
}

static bool add_inputs(etipy_request *request, PyObject *inputs, etipy_buffers **out) {
    PyObject *tuple = PySequence_Tuple(inputs);
    if (!tuple)
        return false;
    size_t n = (size_t)PyTuple_Size(tuple);
    etipy_buffers *kept = etipy_buffers_new(n);
    bool done = kept != NULL;
    for (size_t i = 0; done && i < n; i++)
        done = add_input(request, PyTuple_GetItem(tuple, (Py_ssize_t)i), kept);
    Py_DECREF(tuple);
    *out = kept;
    return done;
}

/* open(options, inputs) */
static PyObject *open_inspector(PyObject *type, PyObject *args) {
    PyObject *options, *inputs;
    (void)type;
    if (!PyArg_ParseTuple(args, "OO", &options, &inputs))
        return NULL;
    etipy_request request;
    etipy_buffers *kept = NULL;
    eti_inspector *inspector = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options) && add_inputs(&request, inputs, &kept)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_inspector_open(&inspector, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    if (inspector)
        eti_inspector_on_free(inspector, etipy_buffers_free, kept);
    else if (kept)
        etipy_buffers_free(kept);
    inspector_object *self = NULL;
    if (etipy_request_end(&request, status))
        self = PyObject_New(inspector_object, inspector_type);
    if (self)
        self->inspector = inspector;
    else
        eti_inspector_close(inspector);
    return (PyObject *)self;
}

static void free_inspector(PyObject *self) {
    eti_inspector_close(inspector_of(self));
    etipy_free_object(self);
}

static PyObject *inspector_blocks(PyObject *self, PyObject *unused) {
    eti_error err = ETI_ERROR_INIT;
    (void)unused;
    if (eti_inspector_read_reference_outputs(inspector_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_blocks(inspector_of(self), self);
}

/* Returns (kind, text) of each note. */
static PyObject *inspector_notes(PyObject *self, PyObject *unused) {
    const eti_inspector *inspector = inspector_of(self);
    PyObject *notes = PyList_New(0);
    (void)unused;
    for (size_t i = 0; notes && i < eti_inspector_note_count(inspector); i++) {
        PyObject *note = Py_BuildValue("(iN)", (int)eti_inspector_note_kind(inspector, i),
                                       etipy_text(eti_inspector_note_text(inspector, i)));
        if (!etipy_append(notes, note))
            Py_CLEAR(notes);
    }
    return notes;
}

static PyObject *inspector_total(PyObject *self, PyObject *args) {
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    return PyFloat_FromDouble(eti_inspector_find_total_for_module(inspector_of(self), name));
}

static PyObject *inspector_events(PyObject *self, PyObject *options) {
    etipy_request request;
    eti_table *table = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_inspector_events_table(&table, inspector_of(self), request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? etipy_table_new(table, NULL) : NULL;
}

/* report(view, options) */
static PyObject *inspector_report(PyObject *self, PyObject *args) {
    const char *view;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "sO", &view, &options))
        return NULL;
    etipy_request request;
    eti_report *report = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_inspector_report(&report, inspector_of(self), view, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? etipy_report_new(report) : NULL;
}

/* numerics(base or None, options) */
static PyObject *inspector_numerics(PyObject *self, PyObject *args) {
    PyObject *base, *options;
    if (!PyArg_ParseTuple(args, "OO", &base, &options))
        return NULL;
    if (base != Py_None && Py_TYPE(base) != inspector_type) {
        PyErr_SetString(PyExc_TypeError, "base is not an Inspector");
        return NULL;
    }
    const eti_inspector *reference = base == Py_None ? NULL : inspector_of(base);
    etipy_request request;
    eti_report *report = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status = eti_numerics_report(&report, reference, inspector_of(self),
                                                            request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? etipy_report_new(report) : NULL;
}

static PyObject *inspector_compare_results(PyObject *self, PyObject *unused) {
    written out = {0};
    etipy_request request = {.err = ETI_ERROR_INIT};
    eti_status status;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS status =
        eti_inspector_compare_results(inspector_of(self), NULL, collect, &out, &request.err);
    Py_END_ALLOW_THREADS return end_written(&out, &request, status);
}

/* page(path, options) */
static PyObject *inspector_page(PyObject *self, PyObject *args) {
    const char *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "sO", &path, &options))
        return NULL;
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_inspector_page_save(inspector_of(self), path, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    if (!etipy_request_end(&request, status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *inspector_samples(PyObject *self, PyObject *unused) {
    struct ArrowArrayStream stream;
    eti_error err = ETI_ERROR_INIT;
    (void)unused;
    if (eti_inspector_samples_arrow_stream(&stream, inspector_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_stream_capsule(&stream);
}

static PyMethodDef inspector_methods[] = {
    {"open", open_inspector, METH_VARARGS | METH_STATIC, NULL},
    {"blocks", inspector_blocks, METH_NOARGS, NULL},
    {"notes", inspector_notes, METH_NOARGS, NULL},
    {"find_total_for_module", inspector_total, METH_VARARGS, NULL},
    {"events_table", inspector_events, METH_O, NULL},
    {"report", inspector_report, METH_VARARGS, NULL},
    {"numerics", inspector_numerics, METH_VARARGS, NULL},
    {"compare_results", inspector_compare_results, METH_NOARGS, NULL},
    {"page", inspector_page, METH_VARARGS, NULL},
    {"samples_stream", inspector_samples, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot inspector_slots[] = {ETIPY_SLOT(Py_tp_dealloc, free_inspector),
                                        ETIPY_SLOT(Py_tp_methods, inspector_methods),
                                        {0, NULL}};

/* ---- profiles -------------------------------------------------------------------------------- */

typedef struct profile_object {
    PyObject_HEAD eti_profile *profile;
} profile_object;

static eti_profile *profile_of(PyObject *self) {
    return ((profile_object *)self)->profile;
}

static PyObject *profile_new(eti_profile *profile) {
    profile_object *self = PyObject_New(profile_object, profile_type);
    if (self)
        self->profile = profile;
    else
        eti_profile_free(profile);
    return (PyObject *)self;
}

static void free_profile(PyObject *self) {
    eti_profile_free(profile_of(self));
    etipy_free_object(self);
}

/* of(inspector, options) */
static PyObject *profile_from(PyObject *type, PyObject *args) {
    PyObject *inspector, *options;
    (void)type;
    if (!PyArg_ParseTuple(args, "O!O", inspector_type, &inspector, &options))
        return NULL;
    etipy_request request;
    eti_profile *profile = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status = eti_profile_from_inspector(
            &profile, inspector_of(inspector), request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? profile_new(profile) : NULL;
}

/* read(path, options) */
static PyObject *profile_read(PyObject *type, PyObject *args) {
    const char *path;
    PyObject *options;
    (void)type;
    if (!PyArg_ParseTuple(args, "sO", &path, &options))
        return NULL;
    const eti_source source = {.path = path};
    etipy_request request;
    eti_profile *profile = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_profile_read(&profile, &source, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? profile_new(profile) : NULL;
}

/* merge(profiles, options) */
static PyObject *profile_merge(PyObject *type, PyObject *args) {
    PyObject *sequence, *options;
    (void)type;
    if (!PyArg_ParseTuple(args, "OO", &sequence, &options))
        return NULL;
    PyObject *profiles = PySequence_Tuple(sequence);
    if (!profiles)
        return NULL;
    Py_ssize_t n = PyTuple_Size(profiles);
    const eti_profile **merged = PyMem_Calloc((size_t)n + 1, sizeof *merged);
    bool are_profiles = n > 0;
    for (Py_ssize_t i = 0; merged && i < n; i++) {
        PyObject *profile = PyTuple_GetItem(profiles, i);
        are_profiles = are_profiles && Py_TYPE(profile) == profile_type;
        merged[i] = are_profiles ? profile_of(profile) : NULL;
    }
    etipy_request request = {.err = ETI_ERROR_INIT};
    eti_profile *profile = NULL;
    eti_status status = ETI_OK;
    if (!merged)
        PyErr_NoMemory();
    else if (!are_profiles)
        PyErr_SetString(PyExc_TypeError, "expected a list of one or more Profiles");
    else if (etipy_request_begin(&request, options))
        status = eti_profile_merge(&profile, merged, (size_t)n, request.request, &request.err);
    PyMem_Free(merged);
    Py_DECREF(profiles);
    return etipy_request_end(&request, status) ? profile_new(profile) : NULL;
}

/* save(path, options) */
static PyObject *profile_save(PyObject *self, PyObject *args) {
    const char *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "sO", &path, &options))
        return NULL;
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_profile_save(profile_of(self), path, request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    if (!etipy_request_end(&request, status))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef profile_methods[] = {
    {"of", profile_from, METH_VARARGS | METH_STATIC, NULL},
    {"read", profile_read, METH_VARARGS | METH_STATIC, NULL},
    {"merge", profile_merge, METH_VARARGS | METH_STATIC, NULL},
    {"save", profile_save, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot profile_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_profile), ETIPY_SLOT(Py_tp_methods, profile_methods), {0, NULL}};

PyObject *etipy_diff(PyObject *module, PyObject *args) {
    PyObject *base, *new_side, *options;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O", profile_type, &base, profile_type, &new_side, &options))
        return NULL;
    etipy_request request;
    eti_report *report = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status = eti_diff_report(
            &report, profile_of(base), profile_of(new_side), request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? etipy_report_new(report) : NULL;
}

PyObject *etipy_gate(PyObject *module, PyObject *args) {
    PyObject *base, *new_side, *options;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!O", &base, profile_type, &new_side, &options))
        return NULL;
    if (base != Py_None && Py_TYPE(base) != profile_type) {
        PyErr_SetString(PyExc_TypeError, "base is not a Profile");
        return NULL;
    }
    const eti_profile *base_profile = base == Py_None ? NULL : profile_of(base);
    etipy_request request;
    eti_report *report = NULL;
    eti_gate_outcome outcome = ETI_GATE_UNDECIDED;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status = eti_gate_report(
            &report, &outcome, base_profile, profile_of(new_side), request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    if (!etipy_request_end(&request, status))
        return NULL;
    return Py_BuildValue("(iN)", (int)outcome, etipy_report_new(report));
}

/* ---- the module ------------------------------------------------------------------------------ */

bool etipy_add_type(PyObject *module, PyTypeObject **out, const char *name, size_t size,
                    PyType_Slot *slots) {
    PyType_Spec spec = {.name = name,
                        .basicsize = (int)size,
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    *out = (PyTypeObject *)PyType_FromSpec(&spec);
    return *out && PyModule_AddType(module, *out) == 0;
}

bool etipy_add_types(PyObject *module) {
    return etipy_add_type(module, &memory_type, "etinspect._etinspect.Memory",
                          sizeof(memory_object), memory_slots) &&
           etipy_add_type(module, &table_type, "etinspect._etinspect.Table", sizeof(table_object),
                          table_slots) &&
           etipy_add_type(module, &report_type, "etinspect._etinspect.Report",
                          sizeof(report_object), report_slots) &&
           etipy_add_type(module, &inspector_type, "etinspect._etinspect.Inspector",
                          sizeof(inspector_object), inspector_slots) &&
           etipy_add_type(module, &profile_type, "etinspect._etinspect.Profile",
                          sizeof(profile_object), profile_slots);
}
