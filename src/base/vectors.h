/*
 * vectors.h - compiles loops over arrays of numbers for wider registers as well.
 *
 * ETI_WITH_VECTORS() makes `sum` from a function that is called `sum_body` and defined as ETI_LOOPS: the loop is compiled
 * twice, and the processor's abilities decide which version runs. Both give the same bits if the inner loop has a fixed
 * length and its sums do not depend on each other: compilers do not reorder additions, and a * b + c is never contracted.
 */
#ifndef ETI_BASE_VECTORS_H
#define ETI_BASE_VECTORS_H

#define ETI_LOOPS static inline __attribute__((always_inline))

/* Defines the function `name`; its parameters and their names are given in parentheses. It must return a value. */
#if defined(__x86_64__) && defined(__GNUC__)
#define ETI_WITH_VECTORS(type, name, parameters, arguments)                                        \
    __attribute__((target("avx2"))) static type name##_avx2 parameters {                           \
        return name##_body arguments;                                                              \
    }                                                                                              \
    static type name parameters {                                                                  \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : name##_body arguments;     \
    }
#else
#define ETI_WITH_VECTORS(type, name, parameters, arguments)                                        \
    static type name parameters {                                                                  \
        return name##_body arguments;                                                              \
    }
#endif

#endif
