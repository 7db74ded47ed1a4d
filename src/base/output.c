#include "base/output.h"

#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== file access ============================================================================= */

#ifdef __linux__
#include <sys/xattr.h>

#define ACL "system.posix_acl_access"
#define MOST_BYTES 4096 /* about 500 entries */

/* Copies the access control list. A new file may have inherited one from its folder that the old file does not have; it
 * is removed. */
static bool copy_list(int descriptor, const char *replaced) {
    char list[MOST_BYTES];
    ssize_t size = getxattr(replaced, ACL, list, sizeof list);
    if (size >= 0)
        return fsetxattr(descriptor, ACL, list, (size_t)size, 0) == 0;
    if (errno == ENODATA)
        return fremovexattr(descriptor, ACL) == 0 || errno == ENODATA || errno == ENOTSUP;
    return errno == ENOTSUP;
}

#else

static bool copy_list(int descriptor, const char *replaced) {
    (void)descriptor;
    (void)replaced;
    return true;
}

#endif

/* Gives the new group the rights of others, because its members were among the others before. */
static mode_t give_group_the_rights_of_others(mode_t mode) {
    return (mode_t)((mode & 0707) | (mode & 07) << 3);
}

void eti__file_access_copy(int descriptor, const char *replaced, const struct stat *status) {
    mode_t mode = status->st_mode & 0777;
    bool keeps_group = fchown(descriptor, status->st_uid, status->st_gid) == 0 ||
                       fchown(descriptor, (uid_t)-1, status->st_gid) == 0;
    bool keeps_list = copy_list(descriptor, replaced);
    if (!keeps_group || !keeps_list)
        mode = give_group_the_rights_of_others(mode);
    (void)!fchmod(descriptor, mode); /* a file system without modes still accepts the data */
}

/* ==== links =================================================================================== */

#define MAX_LINKS 40 /* as on Linux */

/* Returns the target of the link `path`, one step away; NULL with errno 0 if `path` is not a link, or with another errno
 * if it cannot be read. */
static char *read_link(const char *path) {
    char link[PATH_MAX];
    ssize_t length = readlink(path, link, sizeof link);
    if (length < 0) {
        if (errno == EINVAL || errno == ENOENT)
            errno = 0;
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    int folder = link[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    char *target = NULL;
    if (asprintf(&target, "%.*s%.*s", folder, path, (int)length, link) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    return target;
}

char *eti__follow_links(const char *path) {
    char *target = strdup(path);
    for (int links = 0; target; links++) {
        char *next = read_link(target);
        if (!next && errno == 0)
            return target;
        free(target);
        target = next;
        if (links == MAX_LINKS) {
            free(target);
            errno = ELOOP;
            return NULL;
        }
    }
    return NULL;
}

/* ==== folder ================================================================================== */

#define PATIENCE_MS 2000 /* before the caller is notified */
#define LOOK_MS 20

/* Returns a descriptor of the folder in which the file of `path` is or would be, or -1 with errno set. */
static int open_folder_path(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    int descriptor;
    if (slash && !folder) {
        errno = ENOMEM;
        return -1;
    }
    do {
        descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    int reason = errno;
    free(folder);
    errno = reason;
    return descriptor;
}

/* Waits for the lock. Returns 0 or errno. */
static int wait_for_lock(int descriptor, const char *path, eti_folder_lock_waits waits) {
    for (int waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errno;
        (void)poll(NULL, 0, LOOK_MS);
    }
    waits(path);
    while (flock(descriptor, LOCK_EX) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

int eti__folder_lock(const char *path, eti_folder_lock_waits waits) {
    char *file = eti__follow_links(path);
    int descriptor = file ? open_folder_path(file) : -1;
    int reason = descriptor < 0 ? errno : wait_for_lock(descriptor, path, waits);
    free(file);
    if (reason == 0)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    return -1;
}

/* ==== terminal ================================================================================ */

#define ESCAPE '\033'
/* The length of ESC [ 1 ; 3 1 m; the writers here use no longer sequence. */
#define LONGEST_COLOR ((size_t)12)

size_t eti__spell_control(char out[ETI_TERMINAL_MOST], uint32_t character) {
    return (size_t)snprintf(out, ETI_TERMINAL_MOST, character < 0x100 ? "\\x%02x" : "\\u%04x",
                            (unsigned)character);
}

/* Returns the length of the sequence at `at` if it sets a colour, else 0. `*is_cut`: the text ends in the middle of one. */
static size_t measure_color(eti_text text, size_t at, bool *is_cut) {
    size_t end = at + 1;
    *is_cut = false;
    if (end < text.size && text.data[end] == '[') {
        end++;
        while (end < text.size && end - at < LONGEST_COLOR && text.data[end] &&
               strchr("0123456789;", text.data[end]))
            end++;
    }
    *is_cut = end == text.size && end - at <= LONGEST_COLOR;
    return end < text.size && end > at + 1 && text.data[end] == 'm' ? end + 1 - at : 0;
}

/* Describes how bytes are changed on their way to a stream. */
typedef struct filter {
    bool escapes;       /* characters that a terminal acts on */
    bool has_color;     /* sequences that set a colour (ESC [ ... m) pass unchanged */
    bool defuses;       /* commands of CI runners */
    bool line_is_blank; /* only white space was written since the line began */
} filter;

/* Writes the character at `at` to `out` in a form that is safe to show, and stores its number of bytes in the text in
 * `*taken`; returns the number of bytes written. */
static size_t spell_character(char out[ETI_TERMINAL_MOST], eti_text text, size_t at, filter *by,
                              size_t *taken) {
    uint32_t character;
    bool is_cut, is_command = by->defuses && eti__begins_command(text, at, by->line_is_blank);
    *taken = eti__text_decode(text, at, &character);
    by->line_is_blank = eti__leaves_line_blank(by->line_is_blank, character);
    bool breaks_line = character == '\r' && at + 1 < text.size && text.data[at + 1] == '\n';
    size_t color = by->has_color && character == ESCAPE ? measure_color(text, at, &is_cut) : 0;
    if (color > 0)
        *taken = color;
    else if (by->escapes && character == 0xfffd)
        return (size_t)snprintf(out, ETI_TERMINAL_MOST, "\xef\xbf\xbd");
    else if (is_command || (by->escapes && eti__is_control(character) && character != '\n' &&
                            character != '\t' && !breaks_line))
        return eti__spell_control(out, character);
    memcpy(out, text.data + at, *taken);
    return *taken;
}

/* Returns whether the bytes from `at` to the end may be the beginning of a longer sequence, character or command. */
static bool is_unfinished(eti_text text, size_t at, const filter *by) {
    const unsigned char byte = (unsigned char)text.data[at];
    size_t left = text.size - at, length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    bool is_cut = false;
    if (byte >= 0xc2 && byte <= 0xf4)
        return left < length;
    if (byte == ESCAPE && by->has_color)
        (void)measure_color(text, at, &is_cut);
    if (byte == '#' && by->defuses)
        is_cut = left == 1 || (text.data[at + 1] == '#' && !memchr(text.data + at, ' ', left));
    return is_cut || (left == 1 && (byte == '\r' || (byte == ':' && by->defuses)));
}

#define LONGEST_COMMAND ((size_t)2 + ETI_MOST_OF_COMMAND)

/* Returns the number of bytes at the end of `text` that cannot be judged before the following bytes are known. */
static size_t count_unfinished(eti_text text, const filter *by) {
    size_t most = by->defuses ? LONGEST_COMMAND : LONGEST_COLOR;
    for (size_t n = text.size < most ? text.size : most; n > 0; n--) {
        if (is_unfinished(text, text.size - n, by))
            return n;
    }
    return 0;
}

/* ==== atomic file ============================================================================= */

#define BUFFER_BYTES ((size_t)64 << 10)

struct eti_output {
    char *name;      /* for messages */
    char *target;    /* final name of the temporary file; NULL if written directly */
    char *temporary; /* NULL if written directly */
    bool replaces;   /* a file called `target` exists */
    bool is_new;     /* an existing file called `target` is not replaced */
    int descriptor;  /* -1 if `write` is used */
    bool
        owns_descriptor; /* not derivable from its number: a program may have closed its standard streams */
    bool is_synced; /* synced to the disk before it counts as written */
    bool is_shown;  /* on a terminal */
    filter filter;
    eti_write_function write;
    void *context;
    eti_progress progress;
    bool is_cancelled;
    uint64_t n_written;
    int reason;          /* errno of the first failure, 0: none */
    bool fails_in_place; /* the failure occurred after the file was complete */
    int folder_reason;   /* errno of a failure after the file was in place, or 0 */
    size_t used;
    char buffer[BUFFER_BYTES];
};

/* ---- opening --------------------------------------------------------------------------------- */

static void free_output(eti_output *output) {
    if (output->temporary)
        eti__leftover_drop_file(output->temporary);
    if (output->owns_descriptor)
        close(output->descriptor);
    free(output->name);
    free(output->target);
    free(output->temporary);
    free(output);
}

static eti_status fail_write(const eti_output *output, int reason, eti_error *err) {
    const char *advice = reason == ENOENT ? ": create the folder first" : "";
    return eti_fail(err, ETI_ERROR_WRITE, "%s: cannot write: %s%s", output->name, strerror(reason),
                    advice);
}

/* Returns the standard stream that goes to this very file (/dev/stdout, or "> FILE --output FILE"), which must be
 * appended to, not replaced; -1 if there is none. */
static int find_standard_stream(const struct stat *file) {
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        struct stat stream;
        if (fstat(descriptor, &stream) == 0 && stream.st_dev == file->st_dev &&
            stream.st_ino == file->st_ino)
            return descriptor;
    }
    return -1;
}

/* Explains why the file is not overwritten in place: an interruption would leave neither the old file nor the new one. */
static eti_status fail_replace(const eti_output *output, int reason, eti_error *err) {
    return eti_fail(err, ETI_ERROR_WRITE,
                    "%s: cannot write: %s: the file is written to a new file in the same folder, "
                    "which is not possible there: name a file in another folder, or use '> FILE', "
                    "which leaves a partial file if interrupted",
                    output->name, strerror(reason));
}

static bool is_refused_by_folder(int reason) {
    return reason == EACCES || reason == EPERM || reason == EROFS || reason == EBUSY;
}

/* Creates the temporary file in the target's folder, because a rename works only within one file system. The umask, which
 * all threads share, is left to open(). A file that will be private is private from the start. */
static eti_status open_beside(eti_output *output, const struct stat *existing, eti_error *err) {
    if (existing && access(output->target, W_OK) != 0)
        return fail_write(output, errno, err);
    mode_t mode = existing ? existing->st_mode & 0700 : 0666;
    output->descriptor = eti__temporary_make(&output->temporary, output->target, mode);
    if (output->descriptor < 0 && errno == ENOMEM)
        return eti_fail_memory(err);
    if (output->descriptor < 0)
        return existing && is_refused_by_folder(errno) ? fail_replace(output, errno, err)
                                                       : fail_write(output, errno, err);
    output->owns_descriptor = true;
    output->replaces = existing != NULL;
    if (existing)
        eti__file_access_copy(output->descriptor, output->target, existing);
    return ETI_OK;
}

static eti_status open_target(eti_output *output, const char *path, eti_error *err) {
    if (strcmp(path, "-") == 0) {
        output->descriptor = STDOUT_FILENO;
        return ETI_OK;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) /* the kind of the target must be known before it is replaced */
        return errno == ENOMEM ? eti_fail_memory(err) : fail_write(output, errno, err);
    if (exists && S_ISDIR(status.st_mode))
        return fail_write(output, EISDIR, err);
    if (exists && S_ISREG(status.st_mode)) {
        output->descriptor = find_standard_stream(&status);
        if (output->descriptor >= 0)
            return ETI_OK;
    }
    if (exists && !S_ISREG(status.st_mode)) {
        do { /* open() waits for the reader of a pipe */
            output->descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        } while (output->descriptor < 0 && errno == EINTR);
        output->owns_descriptor = output->descriptor >= 0;
        return output->owns_descriptor ? ETI_OK : fail_write(output, errno, err);
    }
    output->target = eti__follow_links(path);
    if (!output->target)
        return errno == ENOMEM ? eti_fail_memory(err) : fail_write(output, errno, err);
    return open_beside(output, exists ? &status : NULL, err);
}

static eti_output *new_output(const char *name) {
    eti_output *output = malloc(sizeof *output);
    if (!output)
        return NULL;
    output->name = strdup(name);
    output->target = output->temporary = NULL;
    output->replaces = output->is_new = false;
    output->descriptor = -1;
    output->owns_descriptor = false;
    output->is_synced = true;
    output->is_shown = false;
    output->filter = (filter){.line_is_blank = true};
    output->write = NULL;
    output->progress = (eti_progress){0};
    output->is_cancelled = false;
    output->n_written = 0;
    output->context = NULL;
    output->reason = output->folder_reason = 0;
    output->fails_in_place = false;
    output->used = 0;
    if (!output->name) {
        free(output);
        return NULL;
    }
    return output;
}

eti_status eti__output_open(eti_output **out, const char *path, eti_error *err) {
    *out = NULL;
    eti_output *output = new_output(strcmp(path, "-") == 0 ? "(standard output)" : path);
    if (!output)
        return eti_fail_memory(err);
    eti_status status = open_target(output, path, err);
    if (status != ETI_OK) {
        free_output(output);
        return status;
    }
    output->is_shown = output->filter.escapes = !output->temporary && isatty(output->descriptor);
    *out = output;
    return ETI_OK;
}

eti_status eti__output_open_function(eti_output **out, eti_write_function write, void *context,
                                     eti_error *err) {
    *out = new_output("(output function)");
    if (!*out)
        return eti_fail_memory(err);
    (*out)->write = write;
    (*out)->context = context;
    return ETI_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_bytes(eti_output *output, const char *data, size_t size) {
    output->n_written += size;
    output->is_cancelled =
        eti__tell(&output->progress, "writing", output->n_written, 0, NULL) != ETI_OK;
    if (output->is_cancelled) {
        output->reason = ECANCELED;
        return;
    }
    if (output->write) {
        if (size > 0 && !output->write(output->context, data, size))
            output->reason = EIO;
        return;
    }
    while (size > 0 && output->reason == 0) {
        ssize_t written = write(output->descriptor, data, size);
        if (written <= 0) { /* a write of 0 bytes is not an error, but would be repeated forever */
            if (written == 0 || errno != EINTR)
                output->reason = written == 0 ? ENOSPC : errno;
            continue;
        }
        data += written;
        size -= (size_t)written;
    }
}

static bool is_filtered(const eti_output *output) {
    return output->filter.escapes || output->filter.defuses;
}

/* Returns whether the filter changes neither the byte nor, by it, those that follow. */
static bool is_plain(char byte) {
    return byte > ' ' && byte < 0x7f && byte != '#' && byte != ':';
}

/* Writes the text up to `end` in a form that is safe for a terminal or a CI runner. */
static void write_filtered(eti_output *output, eti_text text, size_t end) {
    char piece[4096];
    size_t used = 0;
    for (size_t at = 0, taken; at < end && output->reason == 0; at += taken) {
        if (used > sizeof piece - ETI_TERMINAL_MOST) {
            write_bytes(output, piece, used);
            used = 0;
        }
        if (is_plain(text.data[at])) {
            output->filter.line_is_blank = false;
            piece[used++] = text.data[at];
            taken = 1;
        } else {
            used += spell_character(piece + used, text, at, &output->filter, &taken);
        }
    }
    if (output->reason == 0)
        write_bytes(output, piece, used);
}

/* Writes the buffer. Bytes at its end that may be part of a longer character stay in it, unless `is_all`. */
static void flush(eti_output *output, bool is_all) {
    eti_text text = {output->buffer, output->used};
    size_t kept = 0;
    if (is_filtered(output)) {
        kept = is_all ? 0 : count_unfinished(text, &output->filter);
        write_filtered(output, text, text.size - kept);
        memmove(output->buffer, text.data + text.size - kept, kept);
    } else if (output->reason == 0) {
        write_bytes(output, text.data, text.size);
    }
    output->used = kept;
}

void eti__output_tell(eti_output *output, eti_progress progress) {
    output->progress = progress;
}

void eti__output_leave_unsynced(eti_output *output) {
    output->is_synced = false;
}

void eti__output_add(eti_output *output, const void *data, size_t size) {
    if (size > BUFFER_BYTES - output->used)
        flush(output, false);
    if (size > BUFFER_BYTES && !is_filtered(output) && output->reason == 0) {
        write_bytes(output, data, size);
        return;
    }
    for (const char *from = data; size > 0 && output->reason == 0;) {
        size_t room = BUFFER_BYTES - output->used, n = size < room ? size : room;
        memcpy(output->buffer + output->used, from, n);
        output->used += n;
        from += n;
        size -= n;
        if (size > 0)
            flush(output, false);
    }
}

void eti__output_add_text(eti_output *output, eti_text text) {
    eti__output_add(output, text.data, text.size);
}

void eti__output_add_string(eti_output *output, const char *c_string) {
    eti__output_add(output, c_string, strlen(c_string));
}

void eti__output_show(eti_output *output) {
    output->is_shown = output->filter.escapes = true;
}

void eti__output_escape(eti_output *output) {
    output->filter.escapes = true;
}

void eti__output_defuse(eti_output *output) {
    output->filter.defuses = true;
}

void eti__output_allow_color(eti_output *output) {
    output->filter.has_color = true;
}

bool eti__output_is_terminal(const eti_output *output) {
    return output->is_shown;
}

bool eti__output_is_stream(const eti_output *output) {
    return !output->temporary && !output->write;
}

bool eti__is_in_ci(void) {
    static const char *const names[] = {"CI", "TF_BUILD", "TEAMCITY_VERSION"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return true;
    }
    return false;
}

size_t eti__output_terminal_columns(const eti_output *output) {
    struct winsize size;
    if (output->descriptor < 0 || ioctl(output->descriptor, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

const char *eti__output_target(const eti_output *output) {
    return output->temporary ? output->target : NULL;
}

bool eti__output_replaces(const eti_output *output) {
    return output->temporary && output->replaces;
}

bool eti__output_failed(const eti_output *output) {
    return output->reason != 0;
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Waits until a file or a folder is on the disk. Returns 0 or errno; a file system that cannot sync it has done all it
 * can. */
static int sync_descriptor(int descriptor) {
    while (fsync(descriptor) != 0) {
        if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS)
            return 0;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* Closes a copy of the descriptor, to get errors that a network file system reports only on closing. The original keeps
 * the file locked until it is in place; see temporary.h. */
static int close_copy(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return copy < 0 || close(copy) != 0 ? errno : 0;
}

static int close_directly(eti_output *output) {
    output->owns_descriptor = false;
    return close(output->descriptor) != 0 ? errno : 0;
}

/* Completes the file; afterwards no write error can be pending. */
static int complete_file(eti_output *output) {
    if (!output->temporary)
        return output->owns_descriptor ? close_directly(output) : 0;
    int reason = output->is_synced ? sync_descriptor(output->descriptor) : 0;
    return reason != 0 ? reason : close_copy(output->descriptor);
}

/* Opens the folder of the target, to sync the changed entries; returns -1 if the folder may not be read. */
static int open_folder(eti_output *output) {
    int descriptor = open_folder_path(output->target);
    if (descriptor < 0 && errno != EACCES && errno != EPERM)
        output->reason = errno;
    return descriptor;
}

/* Renames the temporary file unless a file with the new name exists. If the system or the file system cannot do that in
 * one step, creates a hard link instead; if it has no hard links either, checks the name just before the rename. */
static int rename_new(const char *from, const char *to) {
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
#endif
    if (link(from, to) == 0)
        return unlink(from);
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
        return -1;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

static int rename_file(const eti_output *output) {
    return output->is_new ? rename_new(output->temporary, output->target)
                          : rename(output->temporary, output->target);
}

/* Puts the file in place so that the target is always the complete old file or the complete new one: the content is on
 * the disk before the name refers to it. The folder is opened first, so that little can fail once the file is in place. */
static void put_in_place(eti_output *output) {
    int folder = -1;
    if (output->is_synced && output->reason == 0)
        folder = open_folder(output);
    if (output->reason == 0 && rename_file(output) != 0) {
        output->reason = errno;
        output->fails_in_place = true;
    }
    if (output->reason != 0)
        unlink(output->temporary);
    else if (folder >= 0)
        output->folder_reason = sync_descriptor(folder);
    if (folder >= 0)
        close(folder);
}

static void finish_file(eti_output *output) {
    flush(output, true);
    if (output->reason == 0)
        output->reason = complete_file(output);
    if (output->temporary)
        put_in_place(output);
}

static eti_status report_failure(const eti_output *output, eti_error *err) {
    if (output->is_cancelled)
        return eti_fail(err, ETI_ERROR_CANCELLED, "%s: cancelled by the caller while writing",
                        output->name);
    if (output->folder_reason != 0)
        return eti_fail(err, ETI_ERROR_WRITE,
                        "%s: cannot sync its folder: %s: the new file is in place, but may be lost "
                        "after a power failure; check the disk and write it again",
                        output->name, strerror(output->folder_reason));
    if (output->reason == ENOMEM)
        return eti_fail_memory(err);
    if (output->replaces && output->fails_in_place && is_refused_by_folder(output->reason))
        return fail_replace(output, output->reason, err);
    return output->reason != 0 ? fail_write(output, output->reason, err) : ETI_OK;
}

static eti_status end_commit(eti_output *output, eti_error *err) {
    eti_status status = report_failure(output, err);
    free_output(output);
    return status;
}

eti_status eti__output_commit(eti_output *output, eti_error *err) {
    finish_file(output);
    return end_commit(output, err);
}

eti_status eti__output_commit_new(eti_output *output, bool *exists, eti_error *err) {
    *exists = false;
    output->is_new = true;
    finish_file(output);
    if (output->temporary && output->reason == EEXIST) {
        *exists = true;
        free_output(output);
        return ETI_OK;
    }
    return end_commit(output, err);
}

void eti__output_discard(eti_output *output) {
    if (!output)
        return;
    if (output->temporary)
        unlink(output->temporary);
    free_output(output);
}
