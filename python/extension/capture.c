/* Recording from Python: Capture, Span and Run around etcapture.h.
 *
 * All calls keep the GIL, including saving: a capture belongs to one thread at a time, and none of its lanes may record
 * while it is saved. Losses in recording are counted, as in C; wrong arguments, and closed captures, raise exceptions, but
 * spans and lanes of a closed capture record nothing. */
#include "extension.h"

#include "capture/capture.h"
#include "etcapture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject *capture_type, *span_type, *run_type;

/* Contents of tensors of a capture or a lane: the library keeps pointers to them until the capture is closed. */
typedef struct debug_buffer {
    struct debug_buffer *next;
    unsigned char bytes[];
} debug_buffer;

typedef struct span_object span_object;

typedef struct capture_object {
    PyObject_HEAD etc_capture *
        capture; /* NULL: closed; the capture of a lane is valid as long as that of `main` is open */
    struct capture_object *main; /* NULL: this is not a lane */
    debug_buffer *buffers;       /* shared by a main capture and its lanes */
    span_object *innermost;      /* the open span whose instruction is set; borrowed */
    bool is_running;
} capture_object;

struct span_object {
    PyObject_HEAD capture_object *capture;
    etc_name name;
    int32_t delegate_id;
    int32_t chain;
    uint32_t handle;
    bool has_instruction, is_delegate, is_open;
    PyObject *metadata;        /* bytes or NULL */
    PyObject *counters;        /* dict from str to int, or NULL */
    struct span_object *outer; /* the span whose instruction was set before; borrowed */
    etc_span span;
};

typedef struct run_object {
    PyObject_HEAD capture_object *capture;
    PyObject *name;
    int32_t bundled_input_index; /* -1: none */
} run_object;

/* ---- errors and arguments -------------------------------------------------------------------- */

static PyObject *refuse(eti_status status, const char *message) {
    eti_error err = ETI_ERROR_INIT;
    err.status = status;
    snprintf(err.message, sizeof err.message, "%s", message);
    return etipy_fail(&err);
}

static PyObject *misuse(const char *message) {
    return refuse(ETI_ERROR_USAGE, message);
}

/* Raises the exception of a failed call, for which `path` was to be written. */
static PyObject *fail(etc_status status, const char *path) {
    if (status == ETC_MEMORY)
        return PyErr_NoMemory();
    if (status == ETC_IO && path)
        return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    if (status == ETC_STATE)
        return misuse("there is no run to save: none was ended without losing events");
    return misuse(etc_status_text(status));
}

static bool is_capture_open(const capture_object *self) {
    return (self->main ? self->main : self)->capture != NULL;
}

/* Returns the capture, or NULL with an exception set if it is closed. */
static etc_capture *open_capture(const capture_object *self) {
    bool is_open = is_capture_open(self);
    if (!is_open)
        misuse("the capture is closed");
    return is_open ? self->capture : NULL;
}

/* Returns whether this is a lane whose capture was closed, which records nothing. */
static bool is_silent(const capture_object *self) {
    return self->main && !is_capture_open(self);
}

/* Returns the UTF-8 of a str, which lasts as long as the str, or NULL with an exception set. */
static const char *text_of(PyObject *object) {
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text && strlen(text) != (size_t)size) {
        misuse("a name has a NUL in it");
        return NULL;
    }
    return text;
}

static bool unsigned_of(PyObject *object, uint64_t most, uint64_t *out) {
    *out = PyLong_AsUnsignedLongLong(object);
    if (*out == (unsigned long long)-1 && PyErr_Occurred())
        return false;
    if (*out > most)
        PyErr_Format(PyExc_OverflowError, "%llu is more than %llu", (unsigned long long)*out,
                     (unsigned long long)most);
    return *out <= most;
}

static bool uint32_of(PyObject *object, uint32_t *out) {
    uint64_t number;
    bool done = unsigned_of(object, UINT32_MAX, &number);
    *out = done ? (uint32_t)number : 0;
    return done;
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* Sets the capture's instruction to that of the innermost span that has one. */
static void set_instruction(capture_object *self) {
    const span_object *span = self->innermost;
    if (span)
        etc_set_instruction(self->capture, span->chain, span->handle);
    else
        etc_unset_instruction(self->capture);
}

/* Spans may end in any order. */
static void leave_instruction(span_object *span) {
    span_object **at = &span->capture->innermost;
    while (*at && *at != span)
        at = &(*at)->outer;
    if (*at)
        *at = span->outer;
}

static PyObject *span_enter(PyObject *object, PyObject *unused) {
    span_object *self = (span_object *)object;
    etc_capture *capture = self->capture->capture;
    (void)unused;
    if (self->is_open)
        return misuse("the span is open already: call span() again for an event within itself");
    self->is_open = true;
    if (!is_capture_open(self->capture))
        return Py_NewRef(object);
    if (self->has_instruction) {
        self->outer = self->capture->innermost;
        self->capture->innermost = self;
        set_instruction(self->capture);
    }
    Py_INCREF(object);
    self->span = self->is_delegate ? etc_start_delegate(capture, self->name, self->delegate_id)
                                   : etc_start(capture, self->name);
    return object;
}

/* Reads counters from a dict, interning their names unless `capture` is NULL. Returns their number, or -1 with an exception. */
static int read_counters(PyObject *dict, etc_capture *capture, etc_counter out[ETC_MOST_COUNTERS]) {
    PyObject *name, *number;
    Py_ssize_t at = 0;
    int n = 0;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "counters are not a dict from names to numbers");
        return -1;
    }
    while (PyDict_Next(dict, &at, &name, &number)) {
        const char *text = PyUnicode_Check(name) ? text_of(name) : NULL;
        long long value = text && PyLong_Check(number) ? PyLong_AsLongLong(number) : 0;
        if (!PyErr_Occurred() && (!text || !PyLong_Check(number)))
            PyErr_SetString(PyExc_TypeError, "a counter is not a str with an int");
        if (!PyErr_Occurred() && n == ETC_MOST_COUNTERS)
            misuse("an event has at most 16 counters");
        if (PyErr_Occurred())
            return -1;
        out[n++] = (etc_counter){capture ? etc_intern(capture, text) : 0, value};
    }
    return n;
}

static void end_span(span_object *self) {
    etc_capture *capture = self->capture->capture;
    etc_counter counters[ETC_MOST_COUNTERS];
    int n = self->counters ? read_counters(self->counters, capture, counters) : 0;
    if (n < 0)
        PyErr_Clear(); /* the dict was changed after it was set */
    if (n > 0)
        etc_end_counted(capture, &self->span, counters, (size_t)n);
    else if (self->is_delegate && self->metadata)
        etc_end_delegate(capture, &self->span, PyBytes_AsString(self->metadata),
                         (size_t)PyBytes_Size(self->metadata));
    else if (self->is_delegate)
        etc_end_delegate(capture, &self->span, NULL, 0);
    else
        etc_end(capture, &self->span);
}

static PyObject *span_exit(PyObject *object, PyObject *const *args, Py_ssize_t n) {
    span_object *self = (span_object *)object;
    bool is_recorded = is_capture_open(self->capture);
    (void)args, (void)n;
    if (!self->is_open)
        return misuse("the span is not open");
    if (is_recorded)
        end_span(self);
    self->is_open = false;
    if (self->has_instruction) {
        leave_instruction(self);
        if (is_recorded)
            set_instruction(self->capture);
    }
    Py_RETURN_NONE;
}

static PyObject *span_metadata(PyObject *self, void *unused) {
    PyObject *metadata = ((span_object *)self)->metadata;
    (void)unused;
    return Py_NewRef(metadata ? metadata : Py_None);
}

/* Replaces the object of a member by one whose reference it takes; NULL: none. */
static void replace(PyObject **member, PyObject *value) {
    PyObject *before = *member;
    *member = value;
    Py_XDECREF(before);
}

static int set_span_metadata(PyObject *object, PyObject *value, void *unused) {
    span_object *self = (span_object *)object;
    (void)unused;
    if (self->counters && value && value != Py_None) {
        misuse("a span has either counters or metadata");
        return -1;
    }
    if (!self->is_delegate || (value && value != Py_None && !PyBytes_Check(value))) {
        PyErr_SetString(PyExc_TypeError, self->is_delegate
                                             ? "metadata is not bytes"
                                             : "only spans of delegates have metadata");
        return -1;
    }
    replace(&self->metadata, value && value != Py_None ? Py_NewRef(value) : NULL);
    return 0;
}

static PyObject *span_counters(PyObject *self, void *unused) {
    PyObject *counters = ((span_object *)self)->counters;
    (void)unused;
    return Py_NewRef(counters ? counters : Py_None);
}

static int set_span_counters(PyObject *object, PyObject *value, void *unused) {
    span_object *self = (span_object *)object;
    etc_counter counters[ETC_MOST_COUNTERS];
    (void)unused;
    if (value == Py_None)
        value = NULL;
    if (value && self->metadata) {
        misuse("a span has either counters or metadata");
        return -1;
    }
    if (value && read_counters(value, NULL, counters) < 0)
        return -1;
    PyObject *copy = value ? PyDict_Copy(value) : NULL;
    if (value && !copy)
        return -1;
    replace(&self->counters, copy);
    return 0;
}

static void free_span(PyObject *object) {
    span_object *self = (span_object *)object;
    if (self->is_open && self->has_instruction) {
        leave_instruction(self);
        if (is_capture_open(self->capture))
            set_instruction(self->capture);
    }
    Py_XDECREF(self->metadata);
    Py_XDECREF(self->counters);
    Py_DECREF(self->capture);
    etipy_free_object(object);
}

static span_object *span_new(capture_object *capture) {
    span_object *self = PyObject_New(span_object, span_type);
    if (!self)
        return NULL;
    self->capture = (capture_object *)Py_NewRef((PyObject *)capture);
    self->name = 0;
    self->delegate_id = -1;
    self->chain = 0;
    self->handle = 0;
    self->has_instruction = self->is_delegate = self->is_open = false;
    self->metadata = NULL;
    self->counters = NULL;
    self->outer = NULL;
    return self;
}

static bool set_handle(span_object *self, PyObject *handle, int chain) {
    self->has_instruction = handle != Py_None;
    self->chain = chain;
    return !self->has_instruction || uint32_of(handle, &self->handle);
}

/* span(name, handle or None, chain) */
static PyObject *capture_span(PyObject *object, PyObject *args) {
    capture_object *self = (capture_object *)object;
    PyObject *name, *handle;
    int chain;
    if (!PyArg_ParseTuple(args, "UOi", &name, &handle, &chain))
        return NULL;
    const char *text = text_of(name);
    span_object *span = text && (is_silent(self) || open_capture(self)) ? span_new(self) : NULL;
    if (span && !set_handle(span, handle, chain))
        Py_CLEAR(span);
    if (span && !is_silent(self))
        span->name = etc_intern(self->capture, text);
    return (PyObject *)span;
}

/* delegate(name or None, id or -1, handle or None, chain) */
static PyObject *capture_delegate(PyObject *object, PyObject *args) {
    capture_object *self = (capture_object *)object;
    PyObject *name, *handle;
    int id, chain;
    if (!PyArg_ParseTuple(args, "OiOi", &name, &id, &handle, &chain))
        return NULL;
    const char *text = name == Py_None ? NULL : text_of(name);
    if (name != Py_None && !text)
        return NULL;
    if (!text && id < 0)
        return misuse("the id of a delegate's operator is negative");
    span_object *span = is_silent(self) || open_capture(self) ? span_new(self) : NULL;
    if (span && !set_handle(span, handle, chain))
        Py_CLEAR(span);
    if (span) {
        span->is_delegate = true;
        span->name = is_silent(self) ? 0 : etc_intern(self->capture, text);
        span->delegate_id = text ? -1 : id;
    }
    return (PyObject *)span;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static PyObject *run_enter(PyObject *object, PyObject *unused) {
    run_object *self = (run_object *)object;
    etc_capture *capture = open_capture(self->capture);
    (void)unused;
    if (!capture)
        return NULL;
    if (self->capture->is_running)
        return misuse("a run is open already: runs do not nest");
    const char *name = text_of(self->name);
    if (!name)
        return NULL;
    self->capture->is_running = true;
    etc_set_bundled_input(capture, self->bundled_input_index);
    etc_run(capture, name);
    return Py_NewRef(object);
}

static PyObject *run_exit(PyObject *object, PyObject *const *args, Py_ssize_t n) {
    run_object *self = (run_object *)object;
    (void)args, (void)n;
    etc_capture *capture = open_capture(self->capture);
    if (!capture)
        return NULL;
    if (!self->capture->is_running)
        return misuse("the run is not open");
    etc_run_end(capture);
    self->capture->is_running = false;
    Py_RETURN_NONE;
}

static void free_run(PyObject *object) {
    run_object *self = (run_object *)object;
    Py_DECREF(self->name);
    Py_DECREF(self->capture);
    etipy_free_object(object);
}

/* run(name, index of the bundled input or -1) */
static PyObject *capture_run(PyObject *object, PyObject *args) {
    capture_object *self = (capture_object *)object;
    PyObject *name;
    int index;
    if (!PyArg_ParseTuple(args, "Ui", &name, &index) || !text_of(name) || !open_capture(self))
        return NULL;
    if (self->main)
        return misuse("a lane records into the runs of its capture, and opens none");
    run_object *run = PyObject_New(run_object, run_type);
    if (!run)
        return NULL;
    run->capture = (capture_object *)Py_NewRef(object);
    run->name = Py_NewRef(name);
    run->bundled_input_index = index;
    return (PyObject *)run;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A tensor in a Python buffer, and the objects to release after it was logged. */
typedef struct held_tensor {
    Py_buffer view;
    void *copy; /* elements in row-major order; NULL: the buffer itself */
    int64_t sizes[ETC_MAX_RANK];
} held_tensor;

/* How formats say that bytes are in this machine's order. */
#define THIS_ORDER (PY_BIG_ENDIAN ? '>' : '<')

/* Returns the etc_scalar_type of a format of the module struct and numpy, or -1. */
static int scalar_type_of(const char *format, Py_ssize_t itemsize) {
    static const struct {
        char format;
        signed char types[4]; /* types of 1, 2, 4 and 8 bytes; -1: there is no such type */
    } formats[] = {
        {'?', {ETC_BOOL, -1, -1, -1}},
        {'e', {-1, ETC_HALF, -1, -1}},
        {'f', {-1, -1, ETC_FLOAT, -1}},
        {'d', {-1, -1, -1, ETC_DOUBLE}},
    };
    static const signed char of_signed[] = {ETC_CHAR, ETC_SHORT, ETC_INT, ETC_LONG};
    static const signed char of_unsigned[] = {ETC_BYTE, ETC_UINT16, ETC_UINT32, ETC_UINT64};
    int size = itemsize == 1 ? 0 : itemsize == 2 ? 1 : itemsize == 4 ? 2 : itemsize == 8 ? 3 : -1;
    if (!format)
        format = "B";
    if (*format == '@' || *format == '=' || *format == THIS_ORDER)
        format++;
    if (size < 0 || !format[0] || format[1])
        return -1;
    if (strchr("bhilqn", *format))
        return of_signed[size];
    if (strchr("BHILQN", *format))
        return of_unsigned[size];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].format == *format)
            return formats[i].types[size];
    }
    return -1;
}

static void release_tensors(held_tensor *held, etc_tensor *tensors, size_t n) {
    for (size_t i = 0; i < n; i++) {
        PyBuffer_Release(&held[i].view);
        PyMem_Free(held[i].copy);
    }
    PyMem_Free(held);
    PyMem_Free(tensors);
}

/* Fills *out, which points into *held. The caller releases held->view in any case. */
static bool hold_tensor(held_tensor *held, etc_tensor *out, PyObject *object) {
    Py_buffer *view = &held->view;
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) != 0)
        return false;
    int type = scalar_type_of(view->format, view->itemsize);
    if (type < 0) {
        PyErr_Format(PyExc_TypeError, "an ETDump holds no tensors with elements of format %s",
                     view->format ? view->format : "B");
        return false;
    }
    if (view->ndim > ETC_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "a tensor has %d dimensions, and may have %d", view->ndim,
                     ETC_MAX_RANK);
        return false;
    }
    if (!PyBuffer_IsContiguous(view, 'C')) {
        held->copy = PyMem_Malloc((size_t)view->len);
        if (!held->copy) {
            PyErr_NoMemory();
            return false;
        }
        if (PyBuffer_ToContiguous(held->copy, view, view->len, 'C') != 0)
            return false;
    }
    for (int i = 0; i < view->ndim; i++)
        held->sizes[i] = view->shape[i];
    *out = (etc_tensor){.scalar_type = type,
                        .rank = (uint32_t)view->ndim,
                        .sizes = held->sizes,
                        .data = view->len > 0 ? held->copy ? held->copy : view->buf : NULL,
                        .bytes = (size_t)view->len};
    return true;
}

/* Logs a buffer, or if `is_list` a tuple of buffers. Returns false with an exception set if an object has no buffer, or if
 * the capture is closed, which an object's __buffer__() may do. */
static bool log_tensors(const capture_object *self, etc_key key, PyObject *value, bool is_list,
                        unsigned flags, etc_status *out) {
    size_t n = is_list ? (size_t)PyTuple_Size(value) : 1, n_held = 0;
    held_tensor *held = PyMem_Calloc(n + 1, sizeof *held);
    etc_tensor *tensors = PyMem_Calloc(n + 1, sizeof *tensors);
    bool done = held && tensors;
    if (!done)
        PyErr_NoMemory();
    for (; done && n_held < n; n_held++) {
        PyObject *object = is_list ? PyTuple_GetItem(value, (Py_ssize_t)n_held) : value;
        done = hold_tensor(&held[n_held], &tensors[n_held], object);
    }
    etc_capture *capture = done ? open_capture(self) : NULL;
    done = capture != NULL;
    if (done)
        *out = is_list ? etc_log_tensors(capture, key, tensors, n, flags)
                       : etc_log_tensor(capture, key, tensors, flags);
    release_tensors(held, tensors, n_held);
    return done;
}

static bool log_value(const capture_object *self, etc_key key, PyObject *value, unsigned flags,
                      etc_status *out) {
    *out = ETC_STATE;
    if (is_silent(self))
        return true;
    etc_capture *capture = open_capture(self);
    if (!capture)
        return false;
    if (PyBool_Check(value)) {
        *out = etc_log_bool(capture, key, value == Py_True, flags);
    } else if (PyLong_Check(value)) {
        int64_t number = PyLong_AsLongLong(value);
        if (number == -1 && PyErr_Occurred())
            return false;
        *out = etc_log_int(capture, key, number, flags);
    } else if (PyFloat_Check(value)) {
        *out = etc_log_double(capture, key, PyFloat_AsDouble(value), flags);
    } else {
        return log_tensors(self, key, value, PyTuple_Check(value), flags, out);
    }
    return true;
}

/* log_value(value, name of the delegate's operator or None, its id or -1, is an output of the program): returns whether
 * everything was recorded */
static PyObject *capture_log_value(PyObject *object, PyObject *args) {
    PyObject *value;
    etc_key key;
    int is_output;
    if (!PyArg_ParseTuple(args, "Ozip", &value, &key.name, &key.id, &is_output))
        return NULL;
    etc_status status = ETC_OK;
    if (!log_value((capture_object *)object, key, value, is_output ? ETC_PROGRAM_OUTPUT : 0,
                   &status))
        return NULL;
    if (status == ETC_INVALID || status == ETC_UNSUPPORTED)
        return fail(status, NULL);
    return PyBool_FromLong(status == ETC_OK);
}

/* ---- other events ---------------------------------------------------------------------------- */

/* log_event(name, start, end) */
static PyObject *capture_log_event(PyObject *object, PyObject *args) {
    PyObject *name, *first, *last;
    uint64_t start, end;
    if (!PyArg_ParseTuple(args, "UOO", &name, &first, &last) ||
        !unsigned_of(first, UINT64_MAX, &start) || !unsigned_of(last, UINT64_MAX, &end))
        return NULL;
    const char *text = text_of(name);
    if (text && is_silent((capture_object *)object))
        Py_RETURN_NONE;
    etc_capture *capture = text ? open_capture((capture_object *)object) : NULL;
    if (!capture)
        return NULL;
    etc_log(capture, etc_intern(capture, text), start, end);
    Py_RETURN_NONE;
}

/* mark(name, counters) */
static PyObject *capture_mark(PyObject *object, PyObject *args) {
    etc_counter counters[ETC_MOST_COUNTERS];
    PyObject *name, *dict;
    if (!PyArg_ParseTuple(args, "UO", &name, &dict))
        return NULL;
    const char *text = text_of(name);
    bool is_dropped = is_silent((capture_object *)object);
    etc_capture *capture = text && !is_dropped ? open_capture((capture_object *)object) : NULL;
    if (!text || (!is_dropped && !capture))
        return NULL;
    int n = read_counters(dict, capture, counters);
    if (n < 0)
        return NULL;
    etc_mark(capture, capture ? etc_intern(capture, text) : 0, counters, (size_t)n);
    Py_RETURN_NONE;
}

static PyObject *capture_allocator(PyObject *object, PyObject *name) {
    const char *text = text_of(name);
    etc_capture *capture = text ? open_capture((capture_object *)object) : NULL;
    return capture ? PyLong_FromUnsignedLong(etc_allocator(capture, text)) : NULL;
}

/* allocation(id of the allocator, bytes) */
static PyObject *capture_allocation(PyObject *object, PyObject *args) {
    PyObject *first, *last;
    uint32_t id;
    uint64_t bytes;
    if (!PyArg_ParseTuple(args, "OO", &first, &last) || !uint32_of(first, &id) ||
        !unsigned_of(last, UINT64_MAX, &bytes))
        return NULL;
    etc_capture *capture = open_capture((capture_object *)object);
    if (!capture)
        return NULL;
    etc_allocation(capture, id, bytes);
    Py_RETURN_NONE;
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* Returns whether a path is bytes without a NUL, or None, for which it sets *out to NULL; raises an exception if not. */
static bool path_of(PyObject *object, const char **out) {
    char *path = NULL;
    if (object != Py_None && PyBytes_AsStringAndSize(object, &path, NULL) != 0)
        return false;
    *out = path;
    return true;
}

/* Reads (last runs, name of runs or None, no allocations, partial runs). */
static bool save_options_of(PyObject *tuple, etc_save_options *out) {
    PyObject *last_runs;
    int no_allocations, partial_runs;
    *out = (etc_save_options)ETC_SAVE_OPTIONS_INIT;
    if (!PyArg_ParseTuple(tuple, "Ozpp", &last_runs, &out->run_name, &no_allocations,
                          &partial_runs) ||
        !uint32_of(last_runs, &out->last_runs))
        return false;
    out->no_allocations = no_allocations;
    out->partial_runs = partial_runs;
    return true;
}

/* Raises the exception for one of two files, since the library does not say which one failed. */
static PyObject *fail_either(const char *path, const char *debug_path) {
    int reason = errno;
    PyObject *a = PyUnicode_DecodeFSDefault(path), *b = PyUnicode_DecodeFSDefault(debug_path);
    errno = reason;
    if (a && b)
        PyErr_SetFromErrnoWithFilenameObjects(PyExc_OSError, a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return NULL;
}

/* save(path in bytes, path of the debug data in bytes or None, options) */
static PyObject *capture_save(PyObject *object, PyObject *args) {
    const char *path, *debug_path;
    PyObject *debug_object, *tuple;
    etc_save_options options;
    if (!PyArg_ParseTuple(args, "yOO!", &path, &debug_object, &PyTuple_Type, &tuple) ||
        !path_of(debug_object, &debug_path) || !save_options_of(tuple, &options))
        return NULL;
    etc_capture *capture = open_capture((capture_object *)object);
    if (!capture)
        return NULL;
    errno = 0;
    etc_status status = etc_save_file(capture, &options, path, debug_path);
    if (status == ETC_IO && debug_path)
        return fail_either(path, debug_path);
    if (status != ETC_OK)
        return fail(status, path);
    Py_RETURN_NONE;
}

/* tobytes(options): returns the ETDump */
static PyObject *capture_tobytes(PyObject *object, PyObject *tuple) {
    etc_save_options options;
    uint64_t size;
    size_t used;
    if (!save_options_of(tuple, &options))
        return NULL;
    etc_capture *capture = open_capture((capture_object *)object);
    if (!capture)
        return NULL;
    etc_status status = etc_save_size(capture, &options, &size);
    if (status != ETC_OK)
        return fail(status, NULL);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes)
        status = etc_save_memory(capture, &options, PyBytes_AsString(bytes), (size_t)size, &used);
    if (bytes && status != ETC_OK) {
        Py_DECREF(bytes);
        return fail(status, NULL);
    }
    return bytes;
}

#define STATS(X)                                                                                   \
    X(runs)                                                                                        \
    X(events)                                                                                      \
    X(runs_dropped)                                                                                \
    X(runs_partial)                                                                                \
    X(runs_outside)                                                                                \
    X(events_lost_full)                                                                            \
    X(events_lost_state)                                                                           \
    X(events_lost_wrong)                                                                           \
    X(names_lost)                                                                                  \
    X(names_repaired)                                                                              \
    X(debug_values_without_contents)                                                               \
    X(debug_values_not_finite)                                                                     \
    X(record_bytes)                                                                                \
    X(record_bytes_most)                                                                           \
    X(name_bytes)                                                                                  \
    X(debug_bytes)                                                                                 \
    X(memory_bytes)                                                                                \
    X(lane_runs_dropped)                                                                           \
    X(runs_opened)                                                                                 \
    X(debug_values_below_level)                                                                    \
    X(packets_lost)

/* Returns {name: number}. */
static PyObject *capture_stats(PyObject *object, PyObject *unused) {
    const etc_capture *capture = open_capture((capture_object *)object);
    (void)unused;
    if (!capture)
        return NULL;
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(capture, &stats);
#define STATS_ENTRY(name) {#name, stats.name},
    const struct {
        const char *name;
        uint64_t number;
    } entries[] = {STATS(STATS_ENTRY)};
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof entries / sizeof entries[0]; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(entries[i].number);
        if (!number || PyDict_SetItemString(dict, entries[i].name, number) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Returns a capture without memory, or NULL. */
static capture_object *capture_new(void) {
    capture_object *self = PyObject_New(capture_object, capture_type);
    if (!self)
        return NULL;
    self->capture = NULL;
    self->main = NULL;
    self->buffers = NULL;
    self->innermost = NULL;
    self->is_running = false;
    return self;
}

/* Gives a capture memory for contents of tensors, which `main` frees. */
static bool add_debug_buffer(capture_object *main, etc_capture *capture, uint64_t size) {
    if (size == 0)
        return true;
    debug_buffer *buffer =
        size <= PY_SSIZE_T_MAX - sizeof *buffer ? malloc(sizeof *buffer + (size_t)size) : NULL;
    if (!buffer) {
        PyErr_NoMemory();
        return false;
    }
    buffer->next = main->buffers;
    main->buffers = buffer;
    etc_status status = etc_set_debug_buffer(capture, buffer->bytes, (size_t)size);
    if (status != ETC_OK)
        fail(status, NULL);
    return status == ETC_OK;
}

static void close_capture(capture_object *self) {
    etc_close(self->main ? NULL : self->capture);
    self->capture = NULL;
    while (self->buffers) {
        debug_buffer *next = self->buffers->next;
        free(self->buffers);
        self->buffers = next;
    }
}

/* open(journal in bytes or None, (is a ring, keep partial runs, automatic handles), name of the window or None,
 *      (limit_bytes, keep_runs, skip_runs, max_runs, debug_bytes)) */
static PyObject *capture_open(PyObject *type, PyObject *args) {
    const char *journal, *window_name;
    PyObject *journal_object;
    int is_ring, keep_partial_runs, auto_handles;
    PyObject *numbers[5];
    uint64_t debug_bytes;
    etc_config config = ETC_CONFIG_INIT;
    (void)type;
    if (!PyArg_ParseTuple(args, "O(ppp)z(OOOOO)", &journal_object, &is_ring, &keep_partial_runs,
                          &auto_handles, &window_name, &numbers[0], &numbers[1], &numbers[2],
                          &numbers[3], &numbers[4]) ||
        !path_of(journal_object, &journal) ||
        !unsigned_of(numbers[0], UINT64_MAX, &config.limit_bytes) ||
        !uint32_of(numbers[1], &config.keep_runs) || !uint32_of(numbers[2], &config.skip_runs) ||
        !uint32_of(numbers[3], &config.max_runs) ||
        !unsigned_of(numbers[4], UINT64_MAX, &debug_bytes))
        return NULL;
    if (config.limit_bytes > 0 && config.limit_bytes < ETC_MIN_BYTES) {
        char message[96];
        snprintf(message, sizeof message, "limit_bytes: %u is less than a capture needs: %u",
                 (unsigned)config.limit_bytes, (unsigned)ETC_MIN_BYTES);
        return misuse(message);
    }
    config.when_full = is_ring ? ETC_RING : ETC_STOP;
    config.window_name = window_name;
    config.keep_partial_runs = keep_partial_runs;
    config.auto_handles = auto_handles;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    capture_object *self = capture_new();
    if (!self)
        return NULL;
    errno = 0;
    etc_status status =
        journal ? etc_open_journal(&self->capture, journal, (size_t)config.limit_bytes, &config)
                : etc_open(&self->capture, &config);
    if (status != ETC_OK)
        fail(status, journal);
    if (status == ETC_OK) /* otherwise a span without a handle could be that of a handle */
        self->capture->auto_chain = ETC_AUTO_CHAIN;
    if (status != ETC_OK || !add_debug_buffer(self, self->capture, debug_bytes))
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* lane(limit_bytes, debug_bytes) */
static PyObject *capture_lane(PyObject *object, PyObject *args) {
    capture_object *self = (capture_object *)object;
    PyObject *numbers[2];
    uint64_t limit_bytes, debug_bytes;
    if (!PyArg_ParseTuple(args, "OO", &numbers[0], &numbers[1]) ||
        !unsigned_of(numbers[0], PY_SSIZE_T_MAX, &limit_bytes) ||
        !unsigned_of(numbers[1], UINT64_MAX, &debug_bytes))
        return NULL;
    etc_capture *main = open_capture(self);
    if (!main)
        return NULL;
    if (self->main)
        return misuse("a lane has no lanes: make them of its capture");
    capture_object *lane = capture_new();
    if (!lane)
        return NULL;
    lane->main = (capture_object *)Py_NewRef(object);
    lane->capture = etc_lane(main, NULL, (size_t)limit_bytes);
    if (!lane->capture) {
        Py_DECREF(lane);
        return refuse(ETI_ERROR_MEMORY, "there is no memory for a lane, or less than it needs");
    }
    if (!add_debug_buffer(self, lane->capture, debug_bytes))
        Py_CLEAR(lane);
    return (PyObject *)lane;
}

/* name_lane(number, name) */
static PyObject *capture_name_lane(PyObject *object, PyObject *args) {
    PyObject *number, *name;
    uint32_t of;
    if (!PyArg_ParseTuple(args, "OU", &number, &name) || !uint32_of(number, &of))
        return NULL;
    const char *text = text_of(name);
    etc_capture *capture = text ? open_capture((capture_object *)object) : NULL;
    if (!capture)
        return NULL;
    etc_name_lane(capture, of, text);
    Py_RETURN_NONE;
}

static PyObject *capture_close(PyObject *self, PyObject *unused) {
    (void)unused;
    close_capture((capture_object *)self);
    Py_RETURN_NONE;
}

static PyObject *capture_reset(PyObject *object, PyObject *unused) {
    capture_object *self = (capture_object *)object;
    etc_capture *capture = open_capture(self);
    (void)unused;
    if (!capture)
        return NULL;
    if (self->main)
        return misuse("a lane is reset with its capture");
    etc_reset(capture);
    self->is_running = false;
    Py_RETURN_NONE;
}

static PyObject *capture_sync(PyObject *object, PyObject *unused) {
    etc_capture *capture = open_capture((capture_object *)object);
    (void)unused;
    if (!capture)
        return NULL;
    errno = 0;
    etc_status status = etc_sync(capture);
    if (status == ETC_STATE)
        return misuse("the capture is not a journal");
    if (status != ETC_OK)
        return fail(status, "");
    Py_RETURN_NONE;
}

static void free_capture(PyObject *object) {
    capture_object *self = (capture_object *)object;
    close_capture(self);
    Py_XDECREF((PyObject *)self->main);
    etipy_free_object(object);
}

/* ---- types ----------------------------------------------------------------------------------- */

static PyMethodDef capture_methods[] = {
    {"open", capture_open, METH_VARARGS | METH_STATIC, NULL},
    {"close", capture_close, METH_NOARGS, NULL},
    {"lane", capture_lane, METH_VARARGS, NULL},
    {"name_lane", capture_name_lane, METH_VARARGS, NULL},
    {"reset", capture_reset, METH_NOARGS, NULL},
    {"sync", capture_sync, METH_NOARGS, NULL},
    {"run", capture_run, METH_VARARGS, NULL},
    {"span", capture_span, METH_VARARGS, NULL},
    {"delegate", capture_delegate, METH_VARARGS, NULL},
    {"log_event", capture_log_event, METH_VARARGS, NULL},
    {"mark", capture_mark, METH_VARARGS, NULL},
    {"log_value", capture_log_value, METH_VARARGS, NULL},
    {"allocator", capture_allocator, METH_O, NULL},
    {"allocation", capture_allocation, METH_VARARGS, NULL},
    {"save", capture_save, METH_VARARGS, NULL},
    {"tobytes", capture_tobytes, METH_O, NULL},
    {"stats", capture_stats, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* METH_FASTCALL has another type than PyCFunction. */
#define FASTCALL(of) ((PyCFunction)(void (*)(void))(of))

static PyMethodDef span_methods[] = {
    {"__enter__", span_enter, METH_NOARGS, NULL},
    {"__exit__", FASTCALL(span_exit), METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef span_attributes[] = {
    {"metadata", span_metadata, set_span_metadata, "bytes in a format of the delegate, or None",
     NULL},
    {"counters", span_counters, set_span_counters, "dict from names to whole numbers, or None",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef run_methods[] = {
    {"__enter__", run_enter, METH_NOARGS, NULL},
    {"__exit__", FASTCALL(run_exit), METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot capture_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_capture), ETIPY_SLOT(Py_tp_methods, capture_methods), {0, NULL}};
static PyType_Slot span_slots[] = {ETIPY_SLOT(Py_tp_dealloc, free_span),
                                   ETIPY_SLOT(Py_tp_methods, span_methods),
                                   ETIPY_SLOT(Py_tp_getset, span_attributes),
                                   {0, NULL}};
static PyType_Slot run_slots[] = {
    ETIPY_SLOT(Py_tp_dealloc, free_run), ETIPY_SLOT(Py_tp_methods, run_methods), {0, NULL}};

bool etipy_add_capture_types(PyObject *module) {
    return etipy_add_type(module, &capture_type, "etinspect._etinspect.Capture",
                          sizeof(capture_object), capture_slots) &&
           etipy_add_type(module, &span_type, "etinspect._etinspect.Span", sizeof(span_object),
                          span_slots) &&
           etipy_add_type(module, &run_type, "etinspect._etinspect.Run", sizeof(run_object),
                          run_slots);
}
