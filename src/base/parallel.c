#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
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

bool eti__shared_list_init(eti_shared_list *out, size_t n) {
    out->items = calloc(n + 1, sizeof *out->items);
    if (!out->items)
        return false;
    for (out->n = 0; out->n < n; out->n++)
        pthread_mutex_init(&out->items[out->n].making, NULL);
    return true;
}

void eti__shared_list_free(eti_shared_list *list) {
    for (size_t i = 0; i < list->n; i++) {
        eti_shared *shared = &list->items[i];
        void *data = atomic_load(&shared->data);
        if (data)
            shared->on_free(data);
        pthread_mutex_destroy(&shared->making);
    }
    free(list->items);
    *list = (eti_shared_list){0};
}

eti_status eti__shared_get(const void **out, eti_shared *shared, eti_make_function *make,
                           void (*on_free)(void *data), const void *context, eti_error *err) {
    void *data = atomic_load(&shared->data);
    eti_status status = ETI_OK;
    if (!data) {
        pthread_mutex_lock(&shared->making);
        data = atomic_load(&shared->data);
        if (!data)
            status = make(&data, context, err);
        if (status == ETI_OK) {
            shared->on_free = on_free;
            atomic_store(&shared->data, data);
        }
        pthread_mutex_unlock(&shared->making);
    }
    *out = data;
    return status;
}
