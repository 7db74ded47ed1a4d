/*
 * plan_faults.h - names tensors that a program plans onto others in use, and those that end beyond their arena.
 */
#ifndef ETI_ACCOUNT_PROGRAM_PLAN_FAULTS_H
#define ETI_ACCOUNT_PROGRAM_PLAN_FAULTS_H

#include "model/inspector.h"

/* Number of tensors that a note names. */
#define ETI_PLAN_FAULTS_NAMED 3

/* Adds a warning for each method of a program with such tensors. Where a method has jumps or moves, lives are estimates, and
 * tensors that may lie on others are an information instead. A program without any gets an information that says so.
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__plan_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
