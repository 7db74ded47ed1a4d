/*
 * path_labels.h - turns folders called KEY=VALUE into labels, as in "device=pixel8/build=1234/run.etdp".
 *
 * Names are decoded as by Spark and Hive: %3D is "=", and __HIVE_DEFAULT_PARTITION__ means that there is no value.
 */
#ifndef ETI_BASE_PATH_LABELS_H
#define ETI_BASE_PATH_LABELS_H

#include "base/arena.h"
#include "base/text.h"

typedef struct eti_path_label {
    eti_text key;   /* not empty */
    eti_text value; /* absent if there is no value */
} eti_path_label;

/* Reads the next label from the folders of `*path`, and moves `*path` past its folder. The last part of a path is the
 * file, never a label. Both texts are in the arena, as UTF-8. `*found`: there was another label. False: out of memory. */
bool eti__path_label_next(eti_text *path, eti_arena *arena, eti_path_label *out, bool *found);

#endif
