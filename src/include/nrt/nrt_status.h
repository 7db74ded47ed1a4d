/*
 * nrt_status.h - the statuses of the Neuron Runtime, with their numbers, for code that is written
 * to nrt_profile.h and runs with libnrt_profile_etcapture.
 */
#ifndef NRT_STATUS_H
#define NRT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NRT_API
#if defined(__GNUC__)
#define NRT_API __attribute__((visibility("default")))
#else
#define NRT_API
#endif
#endif

typedef enum {
    NRT_SUCCESS = 0,
    NRT_FAILURE = 1,        /* a file or folder cannot be written */
    NRT_INVALID = 2,        /* an argument is wrong, or the profiles that are on forbid the call */
    NRT_INVALID_HANDLE = 3, /* the model is not loaded */
    NRT_RESOURCE = 4,       /* out of memory */
    NRT_TIMEOUT = 5,
    NRT_HW_ERROR = 6,
    NRT_QUEUE_FULL = 7,
    NRT_LOAD_NOT_ENOUGH_NC = 9,
    NRT_UNSUPPORTED_NEFF_VERSION = 10,
    NRT_FAIL_HOST_MEM_ALLOC = 11,
    NRT_UNINITIALIZED = 13, /* the runtime is not opened yet */
    NRT_CLOSED = 14,        /* the runtime was closed */
    NRT_QUEUE_EMPTY = 15,   /* nothing was executed yet */
    NRT_EXEC_UNIT_UNRECOVERABLE = 101,
    NRT_EXEC_BAD_INPUT = 1002,
    NRT_EXEC_COMPLETED_WITH_NUM_ERR = 1003,
    NRT_EXEC_COMPLETED_WITH_ERR = 1004,
    NRT_EXEC_NC_BUSY = 1005,
    NRT_EXEC_OOB = 1006,
    NRT_COLL_PENDING = 1100,
    NRT_EXEC_HW_ERR_COLLECTIVES = 1200,
    NRT_EXEC_HW_ERR_HBM_UE = 1201,
    NRT_EXEC_HW_ERR_NC_UE = 1202,
    NRT_EXEC_HW_ERR_DMA_ABORT = 1203,
    NRT_EXEC_SW_NQ_OVERFLOW = 1204,
    NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE = 1205,
    NRT_NETWORK_PROXY_FAILURE = 1206
} NRT_STATUS;

/* Returns the name of a status, such as "NRT_SUCCESS"; never NULL. For an unknown status, returns a
 * text with the number, which the next such call of the thread overwrites. */
NRT_API const char *nrt_get_status_as_str(NRT_STATUS status);

#ifdef __cplusplus
}
#endif

#endif
