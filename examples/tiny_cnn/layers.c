#include "layers.h"

enum { SIDE = 3 }; /* size of the kernels of conv() and depthwise() */

static int8_t clamp(int32_t number) {
    return (int8_t)(number < -128 ? -128 : number > 127 ? 127 : number);
}

static int8_t scale(int32_t sum, int shift) {
    return clamp((sum + (1 << (shift - 1))) >> shift);
}

/* Returns the weighted sum of one kernel in one channel at one place. */
static int32_t add_kernel(const int8_t *in, shape s, int y, int x, const int8_t *kernel) {
    int32_t sum = 0;
    for (int ky = 0; ky < SIDE; ky++) {
        for (int kx = 0; kx < SIDE; kx++) {
            int row = y + ky - SIDE / 2, column = x + kx - SIDE / 2;
            if (row >= 0 && row < s.height && column >= 0 && column < s.width)
                sum += in[row * s.width + column] * kernel[ky * SIDE + kx];
        }
    }
    return sum;
}

void conv(const work *w) {
    shape in = w->in_shape, out = w->out_shape;
    const int8_t *kernels = w->weights->values;
    int8_t *at = w->out;
    for (int o = 0; o < out.channels; o++, kernels += in.channels * SIDE * SIDE) {
        for (int y = 0; y < out.height; y++) {
            for (int x = 0; x < out.width; x++) {
                int32_t sum = w->weights->bias[o];
                for (int i = 0; i < in.channels; i++)
                    sum += add_kernel(w->in + i * in.height * in.width, in, y, x,
                                      kernels + i * SIDE * SIDE);
                *at++ = scale(sum, w->weights->shift);
            }
        }
    }
}

void depthwise(const work *w) {
    shape in = w->in_shape, out = w->out_shape;
    int8_t *at = w->out;
    for (int o = 0; o < out.channels; o++) {
        for (int y = 0; y < out.height; y++) {
            for (int x = 0; x < out.width; x++) {
                int32_t sum = w->weights->bias[o];
#ifdef SLOW
                /* Computes it as a convolution does: with a kernel for every channel, all but one of which are zeros. The
                 * gate of README.md finds this. */
                static const int8_t zeros[SIDE * SIDE];
                for (int i = 0; i < in.channels; i++)
                    sum += add_kernel(w->in + i * in.height * in.width, in, y, x,
                                      i == o ? w->weights->values + o * SIDE * SIDE : zeros);
#else
                sum += add_kernel(w->in + o * in.height * in.width, in, y, x,
                                  w->weights->values + o * SIDE * SIDE);
#endif
                *at++ = scale(sum, w->weights->shift);
            }
        }
    }
}

void pointwise(const work *w) {
    int n_inputs = w->in_shape.channels, n_pixels = w->in_shape.height * w->in_shape.width;
    const int8_t *kernel = w->weights->values;
    int8_t *at = w->out;
    for (int o = 0; o < w->out_shape.channels; o++, kernel += n_inputs) {
        for (int pixel = 0; pixel < n_pixels; pixel++) {
            int32_t sum = w->weights->bias[o];
            for (int i = 0; i < n_inputs; i++)
                sum += w->in[i * n_pixels + pixel] * kernel[i];
            *at++ = scale(sum, w->weights->shift);
        }
    }
}

void relu(const work *w) {
    for (int i = 0; i < elements(w->out_shape); i++)
        w->out[i] = w->in[i] > 0 ? w->in[i] : 0;
}

void max_pool(const work *w) {
    shape in = w->in_shape, out = w->out_shape;
    int height = in.height / out.height, width = in.width / out.width;
    int8_t *at = w->out;
    for (int channel = 0; channel < out.channels; channel++) {
        const int8_t *plane = w->in + channel * in.height * in.width;
        for (int y = 0; y < out.height; y++) {
            for (int x = 0; x < out.width; x++) {
                int8_t most = -128;
                for (int row = y * height; row < (y + 1) * height; row++)
                    for (int column = x * width; column < (x + 1) * width; column++)
                        if (plane[row * in.width + column] > most)
                            most = plane[row * in.width + column];
                *at++ = most;
            }
        }
    }
}

void dense(const work *w) {
    int n_inputs = elements(w->in_shape);
    const int8_t *kernel = w->weights->values;
    for (int o = 0; o < w->out_shape.channels; o++, kernel += n_inputs) {
        int32_t sum = w->weights->bias[o];
        for (int i = 0; i < n_inputs; i++)
            sum += w->in[i] * kernel[i];
        w->out[o] = scale(sum, w->weights->shift);
    }
}

/* Returns e^(-number / 16) in units of 2^-16. */
static uint32_t exponential(int number) {
    uint32_t result = 1 << 16;
    while (number-- > 0)
        result = result * 61565 >> 16; /* e^(-1/16) */
    return result;
}

void softmax(const work *w) {
    int n = w->out_shape.channels;
    int8_t most = -128;
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        if (w->in[i] > most)
            most = w->in[i];
    for (int i = 0; i < n; i++)
        sum += exponential(most - w->in[i]);
    for (int i = 0; i < n; i++)
        w->out[i] = clamp((int32_t)((exponential(most - w->in[i]) * 128 + sum / 2) / sum));
}
