/* The types of rows of many ETDumps: Record, Rows and RowsReader. Their methods are documented in etinspect/_rows.py, which calls them. */
#include "extension.h"

#include "table/table.h"

#include <stdlib.h>

static PyTypeObject *record_type, *rows_type, *reader_type;

/* ---- records --------------------------------------------------------------------------------- */

typedef struct record_object {
    PyObject_HEAD eti_record *record;
} record_object;

/* open(path, buffer or None) */
static PyObject *record_open(PyObject *type, PyObject *args) {
    const char *path;
    PyObject *buffer;
    (void)type;
    if (!PyArg_ParseTuple(args, "yO", &path, &buffer))
        return NULL;
    eti_source source;
    eti_error err = ETI_ERROR_INIT;
    eti_record *record = NULL;
    eti_status status = ETI_OK;
    etipy_buffers *kept = etipy_buffers_new(1);
    if (kept && etipy_source_init(&source, path, buffer, kept)) {
        Py_BEGIN_ALLOW_THREADS status = eti_record_open(&record, &source, &err);
        Py_END_ALLOW_THREADS
    }
    if (record)
        eti_record_on_free(record, etipy_buffers_free, kept);
    else if (kept)
        etipy_buffers_free(kept);
    if (status != ETI_OK)
        etipy_fail(&err);
    record_object *self = record ? PyObject_New(record_object, record_type) : NULL;
    if (self)
        self->record = record;
    else
        eti_record_close(record);
    return (PyObject *)self;
}

static void free_record(PyObject *self) {
    eti_record_close(((record_object *)self)->record);
    etipy_free_object(self);
}

static PyMethodDef record_methods[] = {
    {"open", record_open, METH_VARARGS | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot record_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_record), ETIPY_SLOT(Py_tp_methods, record_methods), {0, NULL}};

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct rows_object {
    PyObject_HEAD eti_rows *rows;
} rows_object;

static eti_rows *rows_of(PyObject *self) {
    return ((rows_object *)self)->rows;
}

/* Makes sources from (path, None) and (name, buffer); paths belong to the tuple. */
static bool fill_sources(eti_source *sources, PyObject *dumps, etipy_buffers *kept) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(dumps); i++) {
        const char *path;
        PyObject *buffer;
        if (!PyArg_ParseTuple(PyTuple_GetItem(dumps, i), "yO", &path, &buffer) ||
            !etipy_source_init(&sources[i], path, buffer, kept))
            return false;
    }
    return true;
}

/* Makes rows from a tuple of ETDumps. `record` is NULL, or (name, buffer) of an ETRecord in memory. */
static eti_rows *make_rows(etipy_request *request, PyObject *dumps, PyObject *record,
                           eti_status *status) {
    size_t n = (size_t)PyTuple_Size(dumps);
    etipy_buffers *kept = etipy_buffers_new(n + 1);
    eti_source *sources = PyMem_Calloc(n + 1, sizeof *sources), of_record;
    const char *name;
    PyObject *buffer;
    eti_rows *rows = NULL;
    bool done = kept && sources && fill_sources(sources, dumps, kept);
    if (!sources)
        PyErr_NoMemory();
    if (done && record)
        done = PyArg_ParseTuple(record, "yO", &name, &buffer) &&
               etipy_source_init(&of_record, name, buffer, kept);
    if (done && record)
        *status =
            eti_request_add_input(request->request, "etrecord_path", &of_record, &request->err);
    if (done && *status == ETI_OK) {
        Py_BEGIN_ALLOW_THREADS *status =
            eti_rows_new(&rows, sources, n, request->request, &request->err);
        Py_END_ALLOW_THREADS
    }
    if (rows)
        eti_rows_on_free(rows, etipy_buffers_free, kept);
    else if (kept)
        etipy_buffers_free(kept);
    PyMem_Free(sources);
    return rows;
}

/* new(dumps, record, options): `dumps` are pairs of path and None, or of name and buffer; `record` is None, a Record, or such a pair */
static PyObject *rows_new(PyObject *type, PyObject *args) {
    PyObject *dumps, *record, *options;
    (void)type;
    if (!PyArg_ParseTuple(args, "OOO", &dumps, &record, &options))
        return NULL;
    PyObject *tuple = PySequence_Tuple(dumps);
    if (!tuple)
        return NULL;
    etipy_request request;
    eti_rows *rows = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        bool is_open = Py_TYPE(record) == record_type;
        if (is_open)
            eti_request_set_record(request.request, ((record_object *)record)->record);
        rows = make_rows(&request, tuple, is_open || record == Py_None ? NULL : record, &status);
    }
    Py_DECREF(tuple);
    rows_object *self = NULL;
    if (etipy_request_end(&request, status) && rows)
        self = PyObject_New(rows_object, rows_type);
    if (self)
        self->rows = rows;
    else
        eti_rows_free(rows);
    return (PyObject *)self;
}

static void free_rows(PyObject *self) {
    eti_rows_free(rows_of(self));
    etipy_free_object(self);
}

/* Returns the table that has the columns. */
static PyObject *rows_columns(PyObject *self, PyObject *unused) {
    (void)unused;
    return etipy_table_new(eti_rows_columns(rows_of(self)), self);
}

static PyObject *rows_dump_count(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromSize_t(eti_rows_dump_count(rows_of(self)));
}

static PyObject *rows_failed_count(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromSize_t(eti_rows_failed_count(rows_of(self)));
}

static PyObject *rows_stream(PyObject *self, PyObject *unused) {
    struct ArrowArrayStream stream;
    eti_error err = ETI_ERROR_INIT;
    (void)unused;
    if (eti_rows_arrow_stream(&stream, rows_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_stream_capsule(&stream);
}

static PyObject *rows_report(PyObject *self, PyObject *unused) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report;
    (void)unused;
    if (eti_rows_report(&report, rows_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_report_new(report);
}

/* ---- readers --------------------------------------------------------------------------------- */

typedef struct reader_object {
    PyObject_HEAD eti_rows_reader *reader;
} reader_object;

static PyObject *rows_reader(PyObject *self, PyObject *unused) {
    eti_error err = ETI_ERROR_INIT;
    eti_rows_reader *reader;
    (void)unused;
    if (eti_rows_reader_open(&reader, rows_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    reader_object *object = PyObject_New(reader_object, reader_type);
    if (object)
        object->reader = reader;
    else
        eti_rows_reader_close(reader);
    return (PyObject *)object;
}

static void free_reader(PyObject *self) {
    eti_rows_reader_close(((reader_object *)self)->reader);
    etipy_free_object(self);
}

/* Returns the table of the next ETDump, or None. */
static PyObject *reader_next(PyObject *self, PyObject *unused) {
    eti_rows_reader *reader = ((reader_object *)self)->reader;
    eti_error err = ETI_ERROR_INIT;
    eti_table *table;
    eti_status status;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS status = eti_rows_reader_next(reader, &table, &err);
    Py_END_ALLOW_THREADS if (status != ETI_OK) return etipy_fail(&err);
    if (!table)
        Py_RETURN_NONE;
    return etipy_table_new(table, NULL);
}

/* ---- the types ------------------------------------------------------------------------------- */

static PyMethodDef rows_methods[] = {
    {"new", rows_new, METH_VARARGS | METH_STATIC, NULL},
    {"columns", rows_columns, METH_NOARGS, NULL},
    {"dump_count", rows_dump_count, METH_NOARGS, NULL},
    {"failed_count", rows_failed_count, METH_NOARGS, NULL},
    {"arrow_stream", rows_stream, METH_NOARGS, NULL},
    {"report", rows_report, METH_NOARGS, NULL},
    {"reader", rows_reader, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rows_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_rows), ETIPY_SLOT(Py_tp_methods, rows_methods), {0, NULL}};

static PyMethodDef reader_methods[] = {
    {"next", reader_next, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot reader_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_reader), ETIPY_SLOT(Py_tp_methods, reader_methods), {0, NULL}};

bool etipy_add_row_types(PyObject *module) {
    return etipy_add_type(module, &record_type, "etinspect._etinspect.Record",
                          sizeof(record_object), record_slots) &&
           etipy_add_type(module, &rows_type, "etinspect._etinspect.Rows", sizeof(rows_object),
                          rows_slots) &&
           etipy_add_type(module, &reader_type, "etinspect._etinspect.RowsReader",
                          sizeof(reader_object), reader_slots);
}
