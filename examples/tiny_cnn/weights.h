/*
 * weights.h - the trained weights of the layers; see train.py.
 */
#ifndef TINY_CNN_WEIGHTS_H
#define TINY_CNN_WEIGHTS_H

#include <stdint.h>

typedef struct weights {
    const int8_t *values; /* n_values; outputs are outermost, then inputs, rows, columns */
    int n_values;
    const int32_t *bias; /* one for each output */
    int shift;           /* sums are divided by 2^shift */
} weights;

extern const weights conv_1, depthwise_2, pointwise_2, dense_3;

extern const uint32_t weights_checksum; /* over all values, in this order */

#endif
