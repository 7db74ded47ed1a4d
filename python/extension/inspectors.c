/* The type Inspector. Its methods are documented in etinspect/, which calls them. */
#include "extension.h"

#include "api/api.h"
#include "table/table.h"

#include <stdlib.h>

static PyTypeObject *inspector_type;

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

/* Replaces a view of bytes that may change by one of a copy. */
static bool copy_bytes(Py_buffer *view) {
    PyObject *copy = PyBytes_FromStringAndSize(view->buf, view->len);
    PyBuffer_Release(view);
    if (!copy)
        return false;
    int status = PyObject_GetBuffer(copy, view, PyBUF_SIMPLE);
    Py_DECREF(copy);
    return status == 0;
}

/* Returns whether bytes of a buffer never change: those of bytes, also through a memoryview, and of files that are mapped to
 * be read, which are like files with a path. That a view cannot be written does not suffice: others may be. -1: an exception.
 */
static int is_constant(PyObject *buffer, const Py_buffer *view) {
    if (PyBytes_CheckExact(buffer))
        return 1;
    if (!view->readonly)
        return 0;
    bool is_view = PyMemoryView_Check(buffer);
    PyObject *module = is_view ? NULL : PyImport_ImportModule("mmap");
    PyObject *found = is_view  ? PyObject_GetAttrString(buffer, "obj")
                      : module ? PyObject_GetAttrString(module, "mmap")
                               : NULL;
    int result = -1;
    if (found)
        result = is_view ? PyBytes_CheckExact(found) : (PyObject *)Py_TYPE(buffer) == found;
    Py_XDECREF(module);
    Py_XDECREF(found);
    return result;
}

bool etipy_source_init(eti_source *out, const char *path, PyObject *buffer, etipy_buffers *kept) {
    *out = (eti_source){.path = path};
    if (buffer == Py_None)
        return true;
    Py_buffer *view = &kept->buffers[kept->n];
    if (PyObject_GetBuffer(buffer, view, PyBUF_SIMPLE) != 0)
        return false;
    int status = is_constant(buffer, view);
    if (status < 0)
        PyBuffer_Release(view);
    if (status < 0 || (status == 0 && !copy_bytes(view)))
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
    if (!PyArg_ParseTuple(input, "syO", &option, &path, &buffer) ||
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

/* columns(has_metadata) */
static PyObject *inspector_columns(PyObject *self, PyObject *has_metadata) {
    eti_error err = ETI_ERROR_INIT;
    if (eti_inspector_read_reference_outputs(inspector_of(self), &err) != ETI_OK)
        return etipy_fail(&err);
    return etipy_columns(inspector_of(self), self, has_metadata == Py_True);
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

/* Returns the warning that a file is of another export than the ETDump; None if all belong to it. */
static PyObject *inspector_mismatch(PyObject *self, PyObject *unused) {
    (void)unused;
    return etipy_text(eti__inspector_mismatch(inspector_of(self)));
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
    etipy_written out = {0};
    etipy_request request = {.err = ETI_ERROR_INIT};
    eti_status status;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS status =
        eti_inspector_compare_results(inspector_of(self), NULL, etipy_collect, &out, &request.err);
    Py_END_ALLOW_THREADS return etipy_end_written(&out, &request, status);
}

/* page(path, options) */
static PyObject *inspector_page(PyObject *self, PyObject *args) {
    const char *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "yO", &path, &options))
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

/* profile(options) */
static PyObject *inspector_profile(PyObject *self, PyObject *options) {
    etipy_request request;
    eti_profile *profile = NULL;
    eti_status status = ETI_OK;
    if (etipy_request_begin(&request, options)) {
        Py_BEGIN_ALLOW_THREADS status =
            eti_profile_from_inspector(&profile, inspector_of(self), request.request, &request.err);
        Py_END_ALLOW_THREADS
    }
    return etipy_request_end(&request, status) ? etipy_profile_new(profile) : NULL;
}

static PyMethodDef inspector_methods[] = {
    {"open", open_inspector, METH_VARARGS | METH_STATIC, NULL},
    {"blocks", inspector_blocks, METH_NOARGS, NULL},
    {"columns", inspector_columns, METH_O, NULL},
    {"notes", inspector_notes, METH_NOARGS, NULL},
    {"mismatch", inspector_mismatch, METH_NOARGS, NULL},
    {"find_total_for_module", inspector_total, METH_VARARGS, NULL},
    {"events_table", inspector_events, METH_O, NULL},
    {"report", inspector_report, METH_VARARGS, NULL},
    {"numerics", inspector_numerics, METH_VARARGS, NULL},
    {"compare_results", inspector_compare_results, METH_NOARGS, NULL},
    {"page", inspector_page, METH_VARARGS, NULL},
    {"profile", inspector_profile, METH_O, NULL},
    {"samples_stream", inspector_samples, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot inspector_slots[] = {ETIPY_SLOT(Py_tp_dealloc, free_inspector),
                                        ETIPY_SLOT(Py_tp_methods, inspector_methods),
                                        {0, NULL}};

bool etipy_add_inspector_type(PyObject *module) {
    return etipy_add_type(module, &inspector_type, "etinspect._etinspect.Inspector",
                          sizeof(inspector_object), inspector_slots);
}
