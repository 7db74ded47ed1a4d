/*
 * plan_faults.h - names tensors that a program plans onto other tensors in use, and tensors that
 * end beyond their arena.
 */
#ifndef ETI_PLACES_PLAN_FAULTS_H
#define ETI_PLACES_PLAN_FAULTS_H

#include "model/model.h"

/* Number of tensors that a note names. */
#define ETI_PLAN_FAULTS_NAMED 3

/* Adds a warning for each method of a program with such tensors. If a method has jumps or moves, lifetimes are
 * estimates; tensors that may overlap others then get an information instead. A program without such tensors gets an
 * information that says so. Fails with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__plan_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
