/*
 * device.h - the machine on which a recording runs: this one, an Android device behind adb, or a host behind ssh.
 */
#ifndef ETI_MEASURE_DEVICE_H
#define ETI_MEASURE_DEVICE_H

#include "measure/work.h"

/* ==== device ================================================================================== */
/* On another machine, files are in a private folder with the names that they have in the folder of this one. */

typedef enum eti_device_kind {
    ETI_DEVICE_LOCAL,
    ETI_DEVICE_ADB,
    ETI_DEVICE_SSH,
} eti_device_kind;

typedef struct eti_device {
    eti_device_kind kind;
    const char *target;     /* serial number or host */
    const char *folder;     /* there; NULL: not made */
    eti_arena arena;        /* holds the folder, a target that was chosen, and names */
    const char *pushed[64]; /* names of files in the folder; further files are not listed */
    size_t n_pushed;
} eti_device;

/* Parses "local", "adb", "adb:SERIAL" or "ssh:HOST". ETI_ERROR_USAGE. */
eti_status eti__device_parse(eti_device *out, const char *text, eti_error *err) ETI_WARN_UNUSED;

/* Makes the folder on the device, unless it was made before. ETI_ERROR_READ: it cannot be reached; ETI_ERROR_CANCELLED,
 * ETI_ERROR_MEMORY. */
eti_status eti__device_open(eti_device *device, eti_work *work, eti_error *err) ETI_WARN_UNUSED;

/* Copies a file of this machine to the folder of the device as `name`, unless a file was copied there under this name before.
 * The same statuses. */
eti_status eti__device_push(eti_device *device, eti_work *work, const char *path, const char *name,
                            eti_error *err) ETI_WARN_UNUSED;

/* Runs ./runner in the folder with these words, which must need no quotes. Returns whether it ended with exit status 0. */
bool eti__device_run(const eti_device *device, eti_work *work, eti_process_result *out,
                     const char *const *words);

/* Copies a file of the folder of the device to that of this machine. The same statuses. */
eti_status eti__device_pull(const eti_device *device, eti_work *work, const char *name,
                            eti_error *err) ETI_WARN_UNUSED;

/* Logs what the runtime logged on the device, where that is not standard error. */
void eti__device_log(const eti_device *device, eti_work *work);

/* Removes the folder on the device, and frees memory, within five seconds, also after a cancellation. */
void eti__device_close(eti_device *device, eti_work *work);

/* Returns whether a word means itself in any shell. */
bool eti__is_plain_word(const char *word);

#endif
