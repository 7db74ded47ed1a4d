/*
 * simulation.h - answers how often comparisons of known noise alarm, and how often they find what was planted.
 */
#ifndef ETI_TESTS_PARITY_SIMULATION_H
#define ETI_TESTS_PARITY_SIMULATION_H

/* Requests of the program `statistics`, which describes them; `words` are what follows the name. */
void simulate_gates(const char *words);
void simulate_series(const char *words);

#endif
