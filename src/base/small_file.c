#include "base/small_file.h"

#include "base/open_below.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int descriptor, size_t most, eti_buffer *out) {
    char piece[16384];
    while (out->size <= most && !out->failed) {
        ssize_t n = read(descriptor, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        eti__buffer_add(out, piece, (size_t)n);
    }
    return false;
}

/* Reads the file and closes the descriptor; -1 is allowed. */
static bool read_regular(int descriptor, size_t most, eti_buffer *out) {
    struct stat status;
    out->size = 0;
    if (descriptor < 0)
        return false;
    bool is_small = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    (uint64_t)status.st_size <= most;
    bool done = is_small && read_all(descriptor, most, out) && !out->failed;
    close(descriptor);
    return done;
}

bool eti__small_file_read(const char *path, size_t most, eti_buffer *out) {
    return read_regular(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), most, out);
}

bool eti__small_file_read_below(const char *root, const char *name, size_t most, eti_buffer *out) {
    return read_regular(eti__open_below(root, name), most, out);
}
