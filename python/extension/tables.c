/* The types Table and Report, and what they write. Their methods are documented in etinspect/, which calls them. */
#include "extension.h"

#include "table/table.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *report_type, *table_type;

/* ---- writing --------------------------------------------------------------------------------- */

bool etipy_collect(void *context, const void *data, size_t size) {
    etipy_written *out = context;
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

PyObject *etipy_end_written(etipy_written *out, etipy_request *request, eti_status status) {
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

static PyObject *list_of_ints(const eti_int_list *ints) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < ints->n; i++) {
        if (!etipy_append(list, PyLong_FromLongLong(ints->items[i])))
            Py_CLEAR(list);
    }
    return list;
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
        else if (kind == ETI_CELL_INT_LISTS)
            item = list_of_ints(&((const eti_int_list *)items)[i]);
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
    case ETI_CELL_INT_LISTS:
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
    etipy_written out = {0};
    etipy_request request = {.err = ETI_ERROR_INIT};
    eti_status status;
    Py_BEGIN_ALLOW_THREADS status =
        eti_table_write(table_of(self), format, etipy_collect, &out, &request.err);
    Py_END_ALLOW_THREADS return etipy_end_written(&out, &request, status);
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
    etipy_written out = {0};
    etipy_request request;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status = eti_report_write(report_of(self), format, request.request,
                                                         etipy_collect, &out, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_end_written(&out, &request, status);
}

static PyObject *report_save(PyObject *self, PyObject *args) {
    const char *format, *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "zyO", &format, &path, &options))
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

bool etipy_add_table_types(PyObject *module) {
    return etipy_add_type(module, &table_type, "etinspect._etinspect.Table", sizeof(table_object),
                          table_slots) &&
           etipy_add_type(module, &report_type, "etinspect._etinspect.Report",
                          sizeof(report_object), report_slots);
}
