/*
 * student.h - computes probabilities and quantiles of Student's t distribution.
 */
#ifndef ETI_STATS_STUDENT_H
#define ETI_STATS_STUDENT_H

/* Returns the probability that |T| >= |t|, where T has `dof` > 0 degrees of freedom; infinite `dof` means the normal
 * distribution. Uses the regularized incomplete beta function, with a relative error of 1e-10 if the result is above
 * 1e-300. */
double eti__student_two_sided(double t, double dof);

/* Returns t with P(T <= t) = probability, 0 < probability < 1, with a relative error of 1e-10. */
double eti__student_quantile(double probability, double dof);

#endif
