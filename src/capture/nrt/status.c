/*
 * status.c - names of statuses.
 */
#include "nrt/nrt_status.h"

#include <stdio.h>

const char *nrt_get_status_as_str(NRT_STATUS status) {
    static _Thread_local char unknown[40];
#define NAME(status)                                                                               \
    case status:                                                                                   \
        return #status;
    switch (status) {
        NAME(NRT_SUCCESS)
        NAME(NRT_FAILURE)
        NAME(NRT_INVALID)
        NAME(NRT_INVALID_HANDLE)
        NAME(NRT_RESOURCE)
        NAME(NRT_TIMEOUT)
        NAME(NRT_HW_ERROR)
        NAME(NRT_QUEUE_FULL)
        NAME(NRT_LOAD_NOT_ENOUGH_NC)
        NAME(NRT_UNSUPPORTED_NEFF_VERSION)
        NAME(NRT_FAIL_HOST_MEM_ALLOC)
        NAME(NRT_UNINITIALIZED)
        NAME(NRT_CLOSED)
        NAME(NRT_QUEUE_EMPTY)
        NAME(NRT_EXEC_UNIT_UNRECOVERABLE)
        NAME(NRT_EXEC_BAD_INPUT)
        NAME(NRT_EXEC_COMPLETED_WITH_NUM_ERR)
        NAME(NRT_EXEC_COMPLETED_WITH_ERR)
        NAME(NRT_EXEC_NC_BUSY)
        NAME(NRT_EXEC_OOB)
        NAME(NRT_COLL_PENDING)
        NAME(NRT_EXEC_HW_ERR_COLLECTIVES)
        NAME(NRT_EXEC_HW_ERR_HBM_UE)
        NAME(NRT_EXEC_HW_ERR_NC_UE)
        NAME(NRT_EXEC_HW_ERR_DMA_ABORT)
        NAME(NRT_EXEC_SW_NQ_OVERFLOW)
        NAME(NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE)
        NAME(NRT_NETWORK_PROXY_FAILURE)
    }
#undef NAME
    snprintf(unknown, sizeof unknown, "unknown NRT_STATUS %d", (int)status);
    return unknown;
}
