/*
 * files.c - folders and files of profiles.
 */
#include "capture/nrt/nrt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0777, FILE_MODE = 0666, MOST_SUFFIXES = 1000000 };

/* ---- folders --------------------------------------------------------------------------------- */

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

NRT_STATUS etc__nrt_make_folder(const char *path) {
    char *copy = strdup(path);
    if (!copy)
        return NRT_RESOURCE;
    for (char *at = copy + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(copy, FOLDER_MODE); /* if one fails, so does the last */
        *at = '/';
    }
    bool is_there = mkdir(copy, FOLDER_MODE) == 0 || is_folder(copy);
    free(copy);
    return is_there ? NRT_SUCCESS : NRT_FAILURE;
}

NRT_STATUS etc__nrt_make_session_folder(char **out, const char *folder, int session_id) {
    NRT_STATUS status = etc__nrt_make_folder(folder);
    if (status)
        return status;
    size_t size = strlen(folder) + 80;
    char *path = malloc(size);
    if (!path)
        return NRT_RESOURCE;
    int length = snprintf(path, size, "%s/session_%d_pid_%ld", folder, session_id, (long)getpid());
    for (int n = 2; mkdir(path, FOLDER_MODE) != 0; n++) {
        if (errno != EEXIST || n > MOST_SUFFIXES) {
            free(path);
            return NRT_FAILURE;
        }
        snprintf(path + length, size - (size_t)length, "_%d", n);
    }
    *out = realpath(path, NULL); /* so that the current folder may change */
    if (!*out)
        rmdir(path);
    free(path);
    return *out ? NRT_SUCCESS : NRT_FAILURE;
}

/* ---- files ----------------------------------------------------------------------------------- */

NRT_STATUS etc__nrt_save(const etc_capture *c, const char *path) {
    switch (etc_save_file(c, NULL, path, NULL)) {
    case ETC_OK:
    case ETC_STATE: /* no runs */
        return NRT_SUCCESS;
    case ETC_FULL: /* no execution fitted */
    case ETC_MEMORY:
        return NRT_RESOURCE;
    default:
        return NRT_FAILURE;
    }
}

NRT_STATUS etc__nrt_save_in(const etc_capture *c, const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return NRT_RESOURCE;
    snprintf(path, size, "%s/%s", folder, name);
    NRT_STATUS status = etc__nrt_save(c, path);
    free(path);
    return status;
}

/* Replaces characters that are not allowed in file names: slashes, control characters, a dot at the beginning. */
void etc__nrt_file_name(char out[NRT_NAME_BYTES], const char *model) {
    size_t n = 0;
    for (; n < NRT_NAME_BYTES - 1 && model[n]; n++) {
        unsigned char byte = (unsigned char)model[n];
        bool is_bad = byte < ' ' || byte == 0x7f || byte == '/' || (n == 0 && byte == '.');
        out[n] = '_';
        if (!is_bad)
            out[n] = model[n];
    }
    while (model[n] && n > 0 && ((unsigned char)model[n] & 0xc0) == 0x80)
        n--; /* whole characters are cut off */
    out[n] = '\0';
    if (n == 0)
        snprintf(out, NRT_NAME_BYTES, "model");
}

/* Makes the first numbered file that does not exist yet. */
static NRT_STATUS make_numbered(char *path, size_t size, size_t length) {
    for (int n = 0; n < MOST_SUFFIXES; n++) {
        snprintf(path + length, size - length, "%d.etdp", n);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
        if (file >= 0)
            return close(file) == 0 ? NRT_SUCCESS : NRT_FAILURE;
        if (errno != EEXIST)
            return NRT_FAILURE;
    }
    return NRT_FAILURE;
}

NRT_STATUS etc__nrt_save_numbered(const etc_capture *c, const char *folder, const char *model,
                                  uint32_t core) {
    char name[NRT_NAME_BYTES];
    NRT_STATUS status = etc__nrt_make_folder(folder);
    if (status)
        return status;
    size_t size = strlen(folder) + sizeof name + 80;
    char *path = malloc(size);
    if (!path)
        return NRT_RESOURCE;
    etc__nrt_file_name(name, model);
    int length = snprintf(path, size, "%s/%s_vnc%u_", folder, name, (unsigned)core);
    status = make_numbered(path, size, (size_t)length);
    if (!status) {
        status = etc__nrt_save(c, path);
        if (status)
            unlink(path);
    }
    free(path);
    return status;
}
