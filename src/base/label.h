/*
 * label.h - a key and value that the user attaches to a report or a profile, such as device or build.
 */
#ifndef ETI_BASE_LABEL_H
#define ETI_BASE_LABEL_H

#include "etinspect.h"

typedef struct eti_label {
    const char *key;
    const char *value;
} eti_label;

#endif
