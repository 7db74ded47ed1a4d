/*
 * runtime_text.h - the programs that run ExecuTorch, held as text: runner.cc, runner.py and find.py of this folder.
 */
#ifndef ETI_MEASURE_RUNTIME_TEXT_H
#define ETI_MEASURE_RUNTIME_TEXT_H

#include <stddef.h>

extern const unsigned char eti__runtime_compiled[];
extern const size_t eti__runtime_compiled_size;
extern const unsigned char eti__runtime_python[];
extern const size_t eti__runtime_python_size;
extern const unsigned char eti__runtime_asker[];
extern const size_t eti__runtime_asker_size;

#endif
