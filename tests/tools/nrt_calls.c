/*
 * nrt_calls.c - makes every call of nrt_profile.h, with an engine to profile, in C and in C++. The argument is the folder
 * for profiles. On a wrong result exits with the line number of the call, which is below 256.
 */
#include "nrt/nrt_profile.h"
#include "nrt/nrt_status.h"
#include "nrt/nrt_sys_trace.h"

#include "etcapture_nrt.h"

#include <stdio.h>
#include <string.h>

#define EXPECT(status, call)                                                                       \
    do {                                                                                           \
        NRT_STATUS found_status = (call);                                                          \
        if (found_status != (status)) {                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, nrt_get_status_as_str(found_status));       \
            return __LINE__;                                                                       \
        }                                                                                          \
    } while (0)

#define OK(call) EXPECT(NRT_SUCCESS, call)

static int execute(nrt_model_t *model, NRT_STATUS status) {
    etc_capture *capture = etc_nrt_execute_begin(model);
    etc_span span = etc_start_text(capture, "native_call_conv");
    etc_end(capture, &span);
    OK(etc_nrt_execute_end(model, status));
    return 0;
}

static int profile(nrt_model_t *model, const char *folder) {
    char filename[500];
    snprintf(filename, sizeof filename, "%s/model.etdp", folder);
    EXPECT(NRT_INVALID, nrt_profile_start(model, NULL));
    EXPECT(NRT_INVALID_HANDLE, nrt_profile_start(NULL, filename));
    OK(nrt_profile_start(model, filename));
    EXPECT(NRT_FAILURE, nrt_profile_start(model, filename));
    OK((NRT_STATUS)execute(model, NRT_SUCCESS));
    OK(nrt_profile_stop(filename));
    EXPECT(NRT_INVALID, nrt_profile_stop(filename));
    return 0;
}

static int profile_continuously(nrt_model_t *model, const char *folder) {
    nrt_profile_continuous_options_t *options;
    OK(nrt_profile_continuous_options_allocate(&options));
    OK(nrt_profile_continuous_options_set_output_dir(options, folder));
    EXPECT(NRT_INVALID, nrt_profile_continuous_stop());
    OK(nrt_profile_continuous_start(options));
    EXPECT(NRT_INVALID, nrt_profile_continuous_start(options));
    EXPECT(NRT_QUEUE_EMPTY, nrt_profile_continuous_save(0, options));
    OK((NRT_STATUS)execute(model, NRT_SUCCESS));
    OK((NRT_STATUS)execute(model, NRT_SUCCESS));
    etc_nrt_continuous_runs(2);
    OK(nrt_profile_continuous_save(0, options));
    OK(nrt_profile_continuous_stop());
    OK(nrt_profile_continuous_options_free(options));
    return 0;
}

static int configure(nrt_inspect_config_t *config, const char *folder) {
    const char **names;
    size_t n = 0;
    OK(nrt_inspect_config_set_defaults(config));
    OK(nrt_inspect_config_set_session_id(config, 5));
    OK(nrt_inspect_config_set_output_dir(config, folder));
    OK(nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1000));
    OK(nrt_inspect_config_set_capture_enabled_for_nc(config, 7, false));
    OK(nrt_inspect_config_set_enable_inspect(config, true));
    OK(nrt_inspect_config_set_enable_inspect_on_fail(config, true));
    OK(nrt_inspect_config_set_activity(config, "all", true));
    OK(nrt_inspect_config_get_all_activity_types(&names, &n));
    nrt_inspect_config_free_activity_types(names, n);
    OK(nrt_inspect_config_set_activity(config, "cpu_util", false));
    OK(nrt_inspect_config_get_enabled_activity_types(config, &names, &n));
    nrt_inspect_config_free_activity_types(names, n);
    if (n != 3)
        return __LINE__;
    OK(nrt_sys_trace_get_event_types(&names, &n));
    OK(nrt_inspect_config_set_capture_enabled_for_event_type_string(config, names[0], false));
    nrt_sys_trace_free_event_types(names, n);
    return 0;
}

static int inspect(nrt_model_t *model, const char *folder) {
    nrt_inspect_config_t *config;
    OK(nrt_inspect_config_allocate(&config));
    OK((NRT_STATUS)configure(config, folder));
    OK(nrt_inspect_begin_with_options(config));
    OK(nrt_inspect_config_free(config));
    EXPECT(NRT_INVALID, nrt_inspect_begin());
    EXPECT(NRT_INVALID, nrt_profile_continuous_start(NULL));
    OK((NRT_STATUS)execute(model, NRT_EXEC_BAD_INPUT));
    uint64_t now = etc_nrt_now();
    OK(etc_nrt_event(0, "nrt_tensor_read", now, now));
    EXPECT(NRT_INVALID, etc_nrt_event(0, "nrt_tensor_read", now, now - 1));
    OK(nrt_inspect_stop());
    return 0;
}

static int play(const char *folder) {
    nrt_model_t *model;
    etc_nrt_stats stats = ETC_NRT_STATS_INIT;
    etc_nrt_expect_opened();
    EXPECT(NRT_UNINITIALIZED, nrt_inspect_stop());
    OK(etc_nrt_opened());
    etc_nrt_catch_signals(false);
    OK(etc_nrt_model_loaded("cnn", 0, &model));
    int line = profile(model, folder);
    line = line ? line : profile_continuously(model, folder);
    line = line ? line : inspect(model, folder);
    if (line)
        return line;
    OK(etc_nrt_model_unloaded(model));
    OK(etc_nrt_closed());
    EXPECT(NRT_CLOSED, nrt_inspect_stop());
    etc_nrt_get_stats(&stats);
    return stats.executions == 4 && stats.executions_lost == 0 ? 0 : __LINE__;
}

int main(int argc, char **argv) {
    return argc == 2 ? play(argv[1]) : 2;
}
