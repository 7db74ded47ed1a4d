/*
 * program_arguments.h - reads the arguments of a program's nodes:
 *     {"as_tensor": {"name": "x"}}, {"as_tensors": [{"name": "x"}]}, {"as_int": 3}, …
 */
#ifndef ETI_ETRECORD_PROGRAM_ARGUMENTS_H
#define ETI_ETRECORD_PROGRAM_ARGUMENTS_H

#include "etrecord/program_reader.h"

/* Adds an empty argument to the list that ends at `*end`. NULL: too many arguments, or out of memory. */
eti_argument *eti__program_add_argument(eti_program_reader *in, eti_argument ***end);

/* Read the next Argument into in->argument, or the next list of Arguments into `list`. */
void eti__program_read_argument(eti_program_reader *in);
void eti__program_read_arguments(eti_program_reader *in, eti_argument **list);

/* Read one kind of Argument each: functions for the members of objects that may contain only some kinds. */
void eti__program_read_name(eti_program_reader *in);
void eti__program_read_tensor(eti_program_reader *in);
void eti__program_read_tensors(eti_program_reader *in);
void eti__program_read_symbol(eti_program_reader *in);
void eti__program_read_object(eti_program_reader *in);
void eti__program_read_graph(eti_program_reader *in);

#endif
