/*
 * layers.h - layers of neural networks on integers of 8 bits, one function each, in plain C.
 *
 * Tensors are stored channel by channel, then row by row. Outputs are clamped to -128 … 127.
 */
#ifndef TINY_CNN_LAYERS_H
#define TINY_CNN_LAYERS_H

#include "weights.h"

typedef struct shape {
    int channels, height, width;
} shape;

/* Holds input, output and weights of a layer. `in` and `out` do not overlap. */
typedef struct work {
    shape in_shape, out_shape;
    const int8_t *in;
    int8_t *out;
    const weights *weights; /* NULL: the layer has no biases */
} work;

static inline int elements(shape s) {
    return s.channels * s.height * s.width;
}

/* 3 x 3, with zeros around the input. */
void conv(const work *w);
/* Does the same for each channel separately. */
void depthwise(const work *w);
/* 1 x 1. */
void pointwise(const work *w);
void relu(const work *w);
/* Finds the largest value of each block; the shapes determine the size of blocks. */
void max_pool(const work *w);
/* Fully connected. */
void dense(const work *w);
/* Takes numbers in units of 1/16. The output is in units of 1/128. */
void softmax(const work *w);

#endif
