/*
 * simulation.h - computes how often gates of known noise give false alarms, and how often they find planted changes.
 */
#ifndef ETI_TESTS_PARITY_SIMULATION_H
#define ETI_TESTS_PARITY_SIMULATION_H

/* Requests of the program `statistics`, which documents them; `words` are the words after the name. */
void simulate_gates(const char *words);
void simulate_series(const char *words);

#endif
