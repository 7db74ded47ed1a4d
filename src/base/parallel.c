#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

typedef struct eti_job {
    void (*task)(void *context, size_t i);
    void *context;
    size_t i;
    pthread_t thread;
    bool started;
} eti_job;

static void *run_job(void *argument) {
    eti_job *job = argument;
    job->task(job->context, job->i);
    return NULL;
}

/* Signals are for the threads of the program that uses the library. */
static void start(eti_job *job) {
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS); /* comes to the thread that read */
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    job->started = pthread_create(&job->thread, NULL, run_job, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void eti_parallel(size_t n_tasks, void (*task)(void *context, size_t i), void *context) {
    eti_job jobs[ETI_MAX_THREADS];
    if (n_tasks > ETI_MAX_THREADS)
        n_tasks = ETI_MAX_THREADS;
    for (size_t i = 1; i < n_tasks; i++) {
        jobs[i] = (eti_job){.task = task, .context = context, .i = i};
        start(&jobs[i]);
    }
    if (n_tasks > 0)
        task(context, 0);
    for (size_t i = 1; i < n_tasks; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            task(context, i);
    }
}

size_t eti_thread_count(size_t wanted) {
    cpu_set_t allowed;
    if (wanted == 0 && sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        wanted = (size_t)CPU_COUNT(&allowed);
    if (wanted == 0)
        wanted = 1;
    return wanted < ETI_MAX_THREADS ? wanted : ETI_MAX_THREADS;
}

void eti_parallel_part(size_t n, size_t n_tasks, size_t i, size_t *first, size_t *end) {
    size_t whole = n / n_tasks, left = n % n_tasks;
    *first = whole * i + (i < left ? i : left);
    *end = *first + whole + (i < left ? 1 : 0);
}
