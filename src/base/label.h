/*
 * label.h - a key and value of the user's that go with a report or a profile: which device, which build.
 */
#ifndef ETI_BASE_LABEL_H
#define ETI_BASE_LABEL_H

#include "etinspect.h"

typedef struct eti_label {
    const char *key;
    const char *value;
} eti_label;

#endif
