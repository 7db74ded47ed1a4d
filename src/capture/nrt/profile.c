/*
 * profile.c - profiles of single models.
 */
#include "capture/nrt/nrt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void etc__nrt_profile_free(nrt_profile *profile) {
    etc_close(profile->capture);
    free(profile->filename);
    free(profile->path);
    free(profile);
}

/* ---- executions ------------------------------------------------------------------------------ */

bool etc__nrt_profiles_want(const nrt_model_t *model) {
    const nrt_profile *profile = etc__nrt.profiles;
    while (profile && profile->model != model)
        profile = profile->next;
    return profile;
}

NRT_STATUS etc__nrt_profiles_add(const nrt_execution *execution) {
    NRT_STATUS worst = NRT_SUCCESS;
    for (nrt_profile *profile = etc__nrt.profiles; profile; profile = profile->next) {
        if (profile->model != execution->model || profile->since > execution->start)
            continue;
        NRT_STATUS status = etc__nrt_append(profile->capture, execution);
        profile->is_short |= status != NRT_SUCCESS;
        worst = etc__nrt_worse(worst, status);
    }
    return worst;
}

void etc__nrt_profiles_lack(const nrt_model_t *model) {
    for (nrt_profile *profile = etc__nrt.profiles; profile; profile = profile->next)
        profile->is_short |= profile->model == model;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Returns the link to the profile that was started with this file name. */
static nrt_profile **find(const char *filename) {
    nrt_profile **link = &etc__nrt.profiles;
    while (*link && strcmp((*link)->filename, filename) != 0)
        link = &(*link)->next;
    return link;
}

/* Returns whether a profile will be written to this file: its path leads there now. */
static bool is_in_use(const struct stat *status) {
    for (const nrt_profile *profile = etc__nrt.profiles; profile; profile = profile->next) {
        struct stat other;
        if (stat(profile->path, &other) == 0 && other.st_dev == status->st_dev &&
            other.st_ino == status->st_ino)
            return true;
    }
    return false;
}

/* Makes the file, or makes it empty. Opening a file that is not regular must not block, and such a file is not replaced. */
static NRT_STATUS claim_file(nrt_profile *profile) {
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat status;
    int file = open(profile->filename, flags | O_EXCL, 0666);
    bool is_new = file >= 0;
    if (!is_new)
        file = open(profile->filename, flags, 0666);
    if (file < 0)
        return NRT_FAILURE;
    bool is_ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && !is_in_use(&status) &&
                   ftruncate(file, 0) == 0;
    close(file);
    if (!is_ours) {
        if (is_new)
            unlink(profile->filename);
        return NRT_FAILURE;
    }
    profile->path = realpath(profile->filename, NULL); /* so that the current folder may change */
    return profile->path ? NRT_SUCCESS : NRT_FAILURE;
}

static NRT_STATUS make_profile(nrt_profile **out, nrt_model_t *model, const char *filename) {
    nrt_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return NRT_RESOURCE;
    NRT_STATUS status = etc__nrt_set_text(&profile->filename, filename);
    status = etc__nrt_worse(status, status ? status : etc__nrt_open_growing(&profile->capture));
    status = etc__nrt_worse(status, status ? status : claim_file(profile));
    if (status) {
        etc__nrt_profile_free(profile);
        return status;
    }
    profile->model = model;
    profile->since = etc_nrt_now();
    *out = profile;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_profile_start(nrt_model_t *model, const char *filename) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!filename || !filename[0])
        return etc__nrt_leave(NRT_INVALID);
    nrt_model_t *loaded = etc__nrt_find_model(model);
    if (!loaded)
        return etc__nrt_leave(NRT_INVALID_HANDLE);
    if (*find(filename))
        return etc__nrt_leave(NRT_FAILURE);
    nrt_profile *profile;
    status = make_profile(&profile, loaded, filename);
    if (status)
        return etc__nrt_leave(status);
    profile->next = etc__nrt.profiles;
    etc__nrt.profiles = profile;
    etc__nrt_watch();
    return etc__nrt_leave(NRT_SUCCESS);
}

/* ---- stopping -------------------------------------------------------------------------------- */

NRT_STATUS etc__nrt_profile_save(const nrt_profile *profile) {
    NRT_STATUS status = etc__nrt_save(profile->capture, profile->path);
    return etc__nrt_worse(status, profile->is_short ? NRT_RESOURCE : NRT_SUCCESS);
}

NRT_STATUS nrt_profile_stop(const char *filename) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_profile **link = filename ? find(filename) : NULL;
    if (!link || !*link)
        return etc__nrt_leave(NRT_INVALID);
    nrt_profile *profile = *link;
    *link = profile->next;
    etc__nrt_begin_writing();
    status = etc__nrt_profile_save(profile);
    etc__nrt_profile_free(profile);
    etc__nrt_end_writing();
    return etc__nrt_leave(status);
}
