#include "extension.h"

#include <string.h>

/* ---- errors and texts ------------------------------------------------------------------------ */

/* Raises the exception for a failed call; `option` is the option that the call set, or NULL. */
static PyObject *fail_to_set(const eti_error *err, const char *option) {
    PyObject *module = PyImport_ImportModule("etinspect._errors");
    /* Interned, since Python's attribute cache would otherwise keep another string each time. */
    PyObject *name = module ? PyUnicode_InternFromString("error_of") : NULL;
    PyObject *make = name ? PyObject_GetAttr(module, name) : NULL;
    PyObject *message = make ? etipy_text((eti_text){err->message, strlen(err->message)}) : NULL;
    PyObject *error =
        message ? PyObject_CallFunction(make, "iOz", (int)err->status, message, option) : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(message);
    Py_XDECREF(make);
    Py_XDECREF(name);
    Py_XDECREF(module);
    return NULL;
}

PyObject *etipy_fail(const eti_error *err) {
    return fail_to_set(err, NULL);
}

PyObject *etipy_text(eti_text text) {
    if (!text.data)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.size, "replace");
}

bool etipy_append(PyObject *list, PyObject *item) {
    bool done = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

bool etipy_add_type(PyObject *module, PyTypeObject **out, const char *name, size_t size,
                    PyType_Slot *slots) {
    PyType_Spec spec = {.name = name,
                        .basicsize = (int)size,
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    *out = (PyTypeObject *)PyType_FromSpec(&spec);
    return *out && PyModule_AddType(module, *out) == 0;
}

void etipy_free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Lets Ctrl-C end the call. */
static bool check_signals(void *context, const char *step, uint64_t done, uint64_t total) {
    etipy_request *request = context;
    (void)step, (void)done, (void)total;
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        request->is_interrupted = true;
    PyGILState_Release(state);
    return !request->is_interrupted;
}

static bool set_option(etipy_request *request, PyObject *option) {
    const char *name, *value;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(option, "sz#;an option is a pair of name and value", &name, &value,
                          &size))
        return false;
    if (value && strlen(value) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s: a value has no NUL", name);
        return false;
    }
    if (eti_request_set(request->request, name, value, &request->err) == ETI_OK)
        return true;
    fail_to_set(&request->err, name);
    return false;
}

bool etipy_request_begin(etipy_request *out, PyObject *options) {
    *out = (etipy_request){.err = ETI_ERROR_INIT};
    if (eti_request_new(&out->request, &out->err) != ETI_OK) {
        etipy_fail(&out->err);
        return false;
    }
    PyObject *tuple = PySequence_Tuple(options);
    bool done = tuple != NULL;
    for (Py_ssize_t i = 0; done && i < PyTuple_Size(tuple); i++)
        done = set_option(out, PyTuple_GetItem(tuple, i));
    Py_XDECREF(tuple);
    eti_request_set_progress(out->request, check_signals, out);
    return done;
}

bool etipy_request_end(etipy_request *request, eti_status status) {
    eti_request_free(request->request);
    request->request = NULL;
    if (PyErr_Occurred()) /* from a signal handler, or from the options */
        return false;
    if (status != ETI_OK)
        etipy_fail(&request->err);
    return status == ETI_OK;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Returns the numbers of a sequence, which the caller frees with PyMem_Free(); NULL with an exception set. */
static double *doubles_of(PyObject *sequence, size_t *n) {
    PyObject *tuple = PySequence_Tuple(sequence);
    if (!tuple)
        return NULL;
    *n = (size_t)PyTuple_Size(tuple);
    double *numbers = PyMem_Calloc(*n + 1, sizeof *numbers);
    if (!numbers)
        PyErr_NoMemory();
    for (size_t i = 0; !PyErr_Occurred() && i < *n; i++)
        numbers[i] = PyFloat_AsDouble(PyTuple_GetItem(tuple, (Py_ssize_t)i));
    Py_DECREF(tuple);
    if (!PyErr_Occurred())
        return numbers;
    PyMem_Free(numbers);
    return NULL;
}

/* Returns the statistics of a sequence of numbers. */
static PyObject *summarize(PyObject *module, PyObject *sequence) {
    (void)module;
    size_t n;
    double *samples = doubles_of(sequence, &n);
    if (!samples)
        return NULL;
    eti_summary summary = ETI_SUMMARY_INIT;
    eti_error err = ETI_ERROR_INIT;
    if (eti_summarize(&summary, samples, n, &err) != ETI_OK)
        etipy_fail(&err);
    PyMem_Free(samples);
    if (PyErr_Occurred())
        return NULL;
    return Py_BuildValue("dddddd", summary.p10, summary.p50, summary.p90, summary.avg, summary.min,
                         summary.max);
}

/* mann_whitney(n_new, n_base, rank_sum, tie_term): the p-value */
static PyObject *mann_whitney(PyObject *module, PyObject *args) {
    (void)module;
    unsigned long long n_new, n_base;
    double rank_sum, tie_term, p;
    if (!PyArg_ParseTuple(args, "KKdd", &n_new, &n_base, &rank_sum, &tie_term))
        return NULL;
    eti_error err = ETI_ERROR_INIT;
    if (eti_mann_whitney(&p, n_new, n_base, rank_sum, tie_term, &err) != ETI_OK)
        return etipy_fail(&err);
    return PyFloat_FromDouble(p);
}

/* Returns a list of the adjusted p-values of a sequence. */
static PyObject *holm_adjust(PyObject *module, PyObject *sequence) {
    (void)module;
    size_t n;
    double *p = doubles_of(sequence, &n);
    if (!p)
        return NULL;
    eti_error err = ETI_ERROR_INIT;
    PyObject *list = NULL;
    if (eti_holm_adjust(p, n, &err) == ETI_OK)
        list = PyList_New(0);
    else
        etipy_fail(&err);
    for (size_t i = 0; list && i < n; i++) {
        if (!etipy_append(list, PyFloat_FromDouble(p[i])))
            Py_CLEAR(list);
    }
    PyMem_Free(p);
    return list;
}

/* Returns {name: (type, is repeated)} of all options. */
static PyObject *option_types(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *types = PyDict_New();
    const char *name;
    for (size_t i = 0; types && (name = eti_option_name(i)); i++) {
        PyObject *type = Py_BuildValue("(iO)", (int)eti_option_type_of(i),
                                       eti_option_is_repeated(i) ? Py_True : Py_False);
        if (!type || PyDict_SetItemString(types, name, type) != 0)
            Py_CLEAR(types);
        Py_XDECREF(type);
    }
    return types;
}

static PyObject *view_names(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *names = PyDict_New();
    const char *name;
    for (size_t i = 0; names && (name = eti_view_name(i)); i++) {
        PyObject *summary = PyUnicode_FromString(eti_view_summary(name));
        if (!summary || PyDict_SetItemString(names, name, summary) != 0)
            Py_CLEAR(names);
        Py_XDECREF(summary);
    }
    return names;
}

static PyMethodDef functions[] = {
    {"summarize", summarize, METH_O, "summarize(samples): (p10, p50, p90, avg, min, max)"},
    {"mann_whitney", mann_whitney, METH_VARARGS,
     "mann_whitney(n_new, n_base, rank_sum, tie_term): the two-sided p-value"},
    {"holm_adjust", holm_adjust, METH_O, "holm_adjust(p): the adjusted p-values"},
    {"option_types", option_types, METH_NOARGS, "option_types(): {name: (type, is repeated)}"},
    {"view_names", view_names, METH_NOARGS, "view_names(): {name: summary}"},
    {"diff", etipy_diff, METH_VARARGS, "diff(base, new, options): Report"},
    {"gate", etipy_gate, METH_VARARGS, "gate(base or None, new, options): (outcome, Report)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "etinspect._etinspect",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__etinspect(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (!etipy_add_memory_type(module) || !etipy_add_table_types(module) ||
                   !etipy_add_inspector_type(module) || !etipy_add_profile_type(module) ||
                   !etipy_add_row_types(module) || !etipy_add_capture_types(module) ||
                   PyModule_AddStringConstant(module, "version", eti_version()) != 0))
        Py_CLEAR(module);
    return module;
}
