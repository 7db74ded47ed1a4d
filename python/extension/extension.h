/*
 * extension.h - the Python module etinspect._etinspect: objects around those of etinspect.h, on which the classes of
 * etinspect/ are built.
 *
 * Functions that return an object or bool return NULL or false with a Python exception set. Calls that read files or make
 * tables release the GIL; Ctrl-C cancels them.
 */
#ifndef ETINSPECT_EXTENSION_H
#define ETINSPECT_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
/* The first version whose limited API has Py_buffer. CPython 3.10 has the same functions and layout, so the package is for 3.10 and
 * later. */
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

/* When compiling for another processor, the headers are those of the compiling machine. */
_Static_assert(SIZEOF_VOID_P == sizeof(void *) && SIZEOF_SIZE_T == sizeof(size_t) &&
                   SIZEOF_LONG == sizeof(long) && SIZEOF_WCHAR_T == sizeof(wchar_t),
               "pyconfig.h is of a system with other sizes");

#include "etinspect.h"

/* ---- errors and texts ------------------------------------------------------------------------ */

/* Raises the exception that etinspect/_errors.py makes for an error. Returns NULL. */
PyObject *etipy_fail(const eti_error *err);

/* Returns a str, or None for an absent text; bytes that are not UTF-8 become U+FFFD. */
PyObject *etipy_text(eti_text text);

/* Adds `item`, which is taken over even on failure and may be NULL, to a list. */
bool etipy_append(PyObject *list, PyObject *item);

/* ---- requests -------------------------------------------------------------------------------- */

typedef struct etipy_request {
    eti_request *request;
    eti_error err;
    bool is_interrupted; /* set by a signal whose handler raised an exception */
} etipy_request;

/* Makes a request from a sequence of (name, value): a str, and a str, bytes or None. Call etipy_request_end() in any case. */
bool etipy_request_begin(etipy_request *out, PyObject *options);
/* Frees the request. Returns whether `status` is ETI_OK; otherwise raises the exception of request->err, or of the signal. */
bool etipy_request_end(etipy_request *request, eti_status status);

/* ---- objects --------------------------------------------------------------------------------- */

/* Add the types of blocks.c, tables.c, inspectors.c, profiles.c, rows.c and capture.c. */
bool etipy_add_memory_type(PyObject *module);
bool etipy_add_table_types(PyObject *module);
bool etipy_add_inspector_type(PyObject *module);
bool etipy_add_profile_type(PyObject *module);
bool etipy_add_row_types(PyObject *module);
bool etipy_add_capture_types(PyObject *module);

/* Adds a type of which Python code cannot make objects. */
bool etipy_add_type(PyObject *module, PyTypeObject **out, const char *name, size_t size,
                    PyType_Slot *slots);
/* ISO C cannot convert a function to void *, which slots need. */
#define ETIPY_SLOT(id, of)                                                                         \
    { (id), (void *)(uintptr_t)(of) }
/* Frees an object of such a type after its contents. */
void etipy_free_object(PyObject *self);

/* Collects written bytes, without the GIL. Initialize to all zeros. */
typedef struct etipy_written {
    char *data;
    size_t size, capacity;
    bool is_out_of_memory;
} etipy_written;

/* Appends bytes to `context`, an etipy_written: a write function of the library. */
bool etipy_collect(void *context, const void *data, size_t size);
/* Returns the written bytes, unless the call failed. Ends the request and frees the collected bytes. */
PyObject *etipy_end_written(etipy_written *out, etipy_request *request, eti_status status);

/* Returns a profile object, which takes over the profile, even on failure; NULL if memory runs out. */
PyObject *etipy_profile_new(eti_profile *profile);
/* Returns a report object, which takes over the report, or NULL. */
PyObject *etipy_report_new(eti_report *report);
/* Returns a table object; `owner` is the object to which the table belongs, or NULL: the table is taken over, even on
 * failure. */
PyObject *etipy_table_new(const eti_table *table, PyObject *owner);

/* Returns a capsule of a stream, which is taken over even on failure. */
PyObject *etipy_stream_capsule(struct ArrowArrayStream *stream);

/* Opened buffers, kept until the library does not need them any more: streams may outlive the objects from which they were
 * made. */
typedef struct etipy_buffers {
    size_t n;
    Py_buffer buffers[];
} etipy_buffers;

/* Returns room for `n` buffers, or NULL. */
etipy_buffers *etipy_buffers_new(size_t n);
/* Makes a source from the name of bytes in memory, or from the path of a file (`buffer` None). Bytes that can be written are
 * copied, because Python code may change them while they are read. */
bool etipy_source_init(eti_source *out, const char *path, PyObject *buffer, etipy_buffers *kept);
/* Releases all buffers; `context` is an etipy_buffers. May be called without the GIL. */
void etipy_buffers_free(void *buffers);

/* Functions of the module that make reports of several objects. */
PyObject *etipy_diff(PyObject *module, PyObject *args);
PyObject *etipy_gate(PyObject *module, PyObject *args);

/* Returns an object whose buffer is `size` bytes that belong to `owner`. */
PyObject *etipy_memory_new(const void *data, size_t size, PyObject *owner);

/* Returns the EventBlocks with all their contents, in the order of the fields in etinspect/_events.py. Tensors borrow their
 * bytes from `owner`. */
PyObject *etipy_blocks(const eti_inspector *inspector, PyObject *owner);
/* Returns the columns of the EventBlocks, in the order in which columns_of() of etinspect/_dataframe.py takes them. */
PyObject *etipy_columns(const eti_inspector *inspector, PyObject *owner, bool has_metadata);

#endif
