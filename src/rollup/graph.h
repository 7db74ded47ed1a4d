/*
 * graph.h - turns a method of a program into a graph with one node for each instruction and
 * one for each value that no instruction writes.
 */
#ifndef ETI_ROLLUP_GRAPH_H
#define ETI_ROLLUP_GRAPH_H

#include "account/account.h"
#include "etinspect.h"

/* Finds the method of the program that ran, by name; NULL: "forward", or else the first. Fails with ETI_ERROR_USAGE
 * if there is no such method. */
eti_status eti__program_method(const eti_pte_plan **out, const eti_inspector *inspector,
                               const char *name, eti_error *err) ETI_WARN_UNUSED;

#endif
