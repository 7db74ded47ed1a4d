#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

typedef struct eti_job {
    void (*task)(void *context, size_t i);
    void *context;
    size_t i;
    const char *option_prefix; /* that of the waiting thread */
    pthread_t thread;
    bool started;
} eti_job;

static void *run_job(void *argument) {
    eti_job *job = argument;
    eti__set_option_prefix(job->option_prefix);
    job->task(job->context, job->i);
    return NULL;
}

/* Blocks signals in the new thread: they are for the threads of the program that uses the library. */
static void start(eti_job *job) {
    sigset_t all, before;
    job->option_prefix = eti__option_prefix();
    sigfillset(&all);
    sigdelset(&all, SIGBUS); /* is delivered to the thread that caused it */
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    job->started = pthread_create(&job->thread, NULL, run_job, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void eti__parallel(size_t n_tasks, void (*task)(void *context, size_t i), void *context) {
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

/* Returns the number of processors that this process may use; below 1 if unknown. */
static long count_processors(void) {
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

size_t eti__thread_count(size_t wanted) {
    long available = wanted == 0 ? count_processors() : 0;
    if (wanted == 0)
        wanted = available < 1 ? 1 : (size_t)available;
    return wanted < ETI_MAX_THREADS ? wanted : ETI_MAX_THREADS;
}

void eti__parallel_part(size_t n, size_t n_tasks, size_t i, size_t *first, size_t *end) {
    size_t whole = n / n_tasks, left = n % n_tasks;
    *first = whole * i + (i < left ? i : left);
    *end = *first + whole + (i < left ? 1 : 0);
}
