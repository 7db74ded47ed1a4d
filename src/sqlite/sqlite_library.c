#include "sqlite/sqlite_library.h"
#include "base/status.h"

#ifdef ETI_STATIC

eti_status eti__sqlite_load(eti_sqlite *out, eti_error *err) {
    *out = (eti_sqlite){0};
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%sformat sqlite needs the SQLite library, which this static program cannot "
                    "load; use the program from the wheel or the Debian package",
                    eti__option_prefix());
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#ifdef __APPLE__
#define LIBRARY "libsqlite3.dylib"
#else
#define LIBRARY "libsqlite3.so.0"
#endif

/* Finds a function; false: the library has no such function. Object pointers can hold those of functions, as POSIX requires
 * for dlsym(). */
static bool find_function(void *library, const char *name, void *out) {
    void *found = dlsym(library, name);
    memcpy(out, &found, sizeof found);
    return found != NULL;
}

eti_status eti__sqlite_load(eti_sqlite *out, eti_error *err) {
    errno = 0;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library && errno == ENOMEM)
        return eti_fail_memory(err);
    if (!library)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sformat sqlite needs the SQLite library (apt-get install libsqlite3-0): %s",
            eti__option_prefix(), dlerror());
    bool has_all = true;
#define FIND(name)                                                                                 \
    if (!find_function(library, "sqlite3_" #name, &out->name))                                     \
        has_all = false;
    ETI_SQLITE_FUNCTIONS(FIND)
#undef FIND
    if (has_all)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%sformat sqlite needs " LIBRARY " of SQLite 3.36 or newer",
                    eti__option_prefix());
}

#endif
