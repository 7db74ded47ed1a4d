#include "base/random.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<sys/random.h>)

#include <sys/random.h>

static bool ask_system(void *out, size_t size) {
    return getrandom(out, size, GRND_NONBLOCK) == (ssize_t)size;
}

#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)

static bool ask_system(void *out, size_t size) {
    arc4random_buf(out, size);
    return true;
}

#else

static bool ask_system(void *out, size_t size) {
    (void)out, (void)size;
    return false;
}

#endif

/* Reads from the device, if the system call is missing or the system is still starting. */
static bool read_device(void *out, size_t size) {
    int descriptor = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    ssize_t n = read(descriptor, out, size);
    close(descriptor);
    return n == (ssize_t)size;
}

bool eti__random_bytes(void *out, size_t size) {
    return ask_system(out, size) || read_device(out, size);
}
