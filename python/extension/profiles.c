/* The type Profile, and reports of two profiles. They are documented in etinspect/, which calls them. */
#include "extension.h"

static PyTypeObject *profile_type;

typedef struct profile_object {
    PyObject_HEAD eti_profile *profile;
} profile_object;

static eti_profile *profile_of(PyObject *self) {
    return ((profile_object *)self)->profile;
}

PyObject *etipy_profile_new(eti_profile *profile) {
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

/* read(path, options) */
static PyObject *profile_read(PyObject *type, PyObject *args) {
    const char *path;
    PyObject *options;
    (void)type;
    if (!PyArg_ParseTuple(args, "yO", &path, &options))
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
    return etipy_request_end(&request, status) ? etipy_profile_new(profile) : NULL;
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
    return etipy_request_end(&request, status) ? etipy_profile_new(profile) : NULL;
}

/* save(path, options) */
static PyObject *profile_save(PyObject *self, PyObject *args) {
    const char *path;
    PyObject *options;
    if (!PyArg_ParseTuple(args, "yO", &path, &options))
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

bool etipy_add_profile_type(PyObject *module) {
    return etipy_add_type(module, &profile_type, "etinspect._etinspect.Profile",
                          sizeof(profile_object), profile_slots);
}
