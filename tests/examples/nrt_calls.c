/*
 * nrt_calls.c - makes every call of the headers of Neuron that this project has, with every type and enum of them, and prints
 * the status of each in a table: "call: case: status". Compiles as C and as C++; the engine is that of examples/nrt.
 *
 * nrt_calls FOLDER: the folder for profiles
 */
#include <nrt/nrt.h>
#include <nrt/nrt_experimental.h>
#include <nrt/nrt_profile.h>
#include <nrt/nrt_status.h>
#include <nrt/nrt_sys_trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void row(const char *call, const char *what, NRT_STATUS status) {
    printf("%s: %s: %s\n", call, what, nrt_get_status_as_str(status));
}

/* Prints the row of a call, whose name is that before the bracket. */
static void print(const char *call, const char *what, NRT_STATUS status) {
    char name[100];
    size_t length = strcspn(call, "(");
    snprintf(name, sizeof name, "%.*s", (int)length, call);
    row(name, what, status);
}

#define CALL(what, call) print(#call, what, call)

static void expect(int is_right, const char *what) {
    if (is_right)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

static char path[1000];

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- the runtime ----------------------------------------------------------------------------- */

static const char format[] = "tiny_cnn";

static void before_the_runtime_is_open(void) {
    uint32_t n = 0;
    nrt_model_t *model = NULL;
    nrt_tensor_t *tensor = NULL;
    nrt_tensor_set_t *set = NULL;
    CALL("before nrt_init", nrt_get_total_nc_count(&n));
    CALL("before nrt_init", nrt_get_visible_nc_count(&n));
    CALL("before nrt_init", nrt_get_total_vnc_count(&n));
    CALL("before nrt_init", nrt_get_visible_vnc_count(&n));
    expect(n == 4, "number of NeuronCores");
    CALL("NULL", nrt_get_visible_nc_count(NULL));
    CALL("before nrt_init", nrt_load(format, sizeof format, 0, 1, &model));
    CALL("before nrt_init", nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_DEVICE, 0, 4, "x", &tensor));
    CALL("before nrt_init", nrt_allocate_tensor_set(&set));
    CALL("before nrt_init", nrt_sys_trace_start(NULL));
    CALL("NRT_FRAMEWORK_TYPE_INVALID", nrt_init(NRT_FRAMEWORK_TYPE_INVALID, "1", "1"));
    CALL("NRT_FRAMEWORK_TYPE_NO_FW", nrt_init(NRT_FRAMEWORK_TYPE_NO_FW, "1", "1"));
    CALL("again, NRT_FRAMEWORK_TYPE_TENSORFLOW", nrt_init(NRT_FRAMEWORK_TYPE_TENSORFLOW, "1", "1"));
    CALL("again, NRT_FRAMEWORK_TYPE_PYTORCH", nrt_init(NRT_FRAMEWORK_TYPE_PYTORCH, "1", "1"));
    CALL("again, NRT_FRAMEWORK_TYPE_MXNET", nrt_init(NRT_FRAMEWORK_TYPE_MXNET, "1", "1"));
    CALL("again, NRT_FRAMEWORK_TYPE_PRECHECK", nrt_init(NRT_FRAMEWORK_TYPE_PRECHECK, "1", "1"));
    expect(NRT_MAJOR_VERSION == 2 && NRT_MINOR_VERSION == 0, "version");
}

static void after_the_runtime_is_closed(nrt_model_t *model, nrt_tensor_t *tensor) {
    char byte = 0;
    nrt_close();
    CALL("after nrt_close", nrt_unload(model));
    CALL("after nrt_close", nrt_tensor_read(tensor, &byte, 0, 1));
    CALL("after nrt_close", nrt_inspect_begin());
    expect(nrt_tensor_get_va(tensor) == NULL && nrt_tensor_get_size(tensor) == 0, "closed tensor");
    nrt_tensor_free(&tensor);
    expect(tensor == NULL, "freed tensor");
    CALL("again", nrt_init(NRT_FRAMEWORK_TYPE_NO_FW, NULL, NULL));
    nrt_close();
}

/* ---- models ---------------------------------------------------------------------------------- */

static nrt_model_t *load_models(void) {
    nrt_model_t *model = NULL, *other = NULL;
    uint32_t n = 0;
    CALL("NULL", nrt_load(NULL, 8, 0, 1, &model));
    CALL("no such NeuronCore", nrt_load(format, sizeof format, 4, 1, &model));
    CALL("two NeuronCores", nrt_load(format, sizeof format, 0, 2, &model));
    CALL("another format", nrt_load("NEFF", 4, 0, 1, &model));
    CALL("a model", nrt_load(format, sizeof format, 0, 1, &model));
    CALL("a free NeuronCore", nrt_load(format, sizeof format, -1, -1, &other));
    nrt_model_info_t info = {99};
    size_t size = 0;
    CALL("a model", nrt_get_model_info(other, &info, sizeof info, &size));
    expect(info.vnc == 1 && size == sizeof info, "model info");
    CALL("NULL", nrt_get_model_info(other, NULL, 0, &size));
    CALL("a model", nrt_unload(other));
    CALL("again", nrt_unload(other));
    CALL("a device that is not there",
         nrt_load_collectives(format, sizeof format, 1, 1, 2, 2, &other));
    CALL("the second device", nrt_load_collectives(format, sizeof format, 1, 1, 1, 2, &other));
    CALL("a model", nrt_get_model_nc_count(other, &n));
    CALL("a model", nrt_get_model_vnc_count(other, &n));
    CALL("a model", nrt_get_model_instance_count(other, &n));
    expect(n == 1, "number of instances");
    CALL("NULL", nrt_get_model_nc_count(other, NULL));
    CALL("a model", nrt_unload(other));
    CALL("no model", nrt_get_model_nc_count(other, &n));
    return model;
}

static void describe(nrt_model_t *model) {
    nrt_tensor_info_array_t *array = NULL;
    CALL("a model", nrt_get_model_tensor_info(model, &array));
    CALL("NULL", nrt_get_model_tensor_info(model, NULL));
    CALL("NULL", nrt_get_model_tensor_info(NULL, &array));
    expect(array && array->tensor_count == 2, "number of tensors");
    for (uint64_t i = 0; i < array->tensor_count; i++) {
        const nrt_tensor_info_t *info = &array->tensor_array[i];
        nrt_tensor_usage_t usage = info->usage;
        nrt_dtype_t type = info->dtype;
        printf("%s %s, %s, %u bytes, shape", usage == NRT_TENSOR_USAGE_INPUT ? "input" : "output",
               info->name, type == NRT_DTYPE_INT8 ? "int8" : "another type", (unsigned)info->size);
        expect(usage == NRT_TENSOR_USAGE_INPUT || usage == NRT_TENSOR_USAGE_OUTPUT, "usage");
        for (uint32_t k = 0; k < info->ndim; k++)
            printf(" %u", (unsigned)info->shape[k]);
        printf("\n");
    }
    CALL("a description", nrt_free_model_tensor_info(array));
    CALL("NULL", nrt_free_model_tensor_info(NULL));
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void use_tensors(void) {
    nrt_tensor_t *tensor = NULL, *host = NULL, *empty = NULL, *slice = NULL;
    char bytes[8] = "", text[8] = "abcdefg";
    nrt_tensor_placement_t placement = NRT_TENSOR_PLACEMENT_DEVICE;
    CALL("device", nrt_tensor_allocate(placement, 0, 8, "x", &tensor));
    CALL("host", nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_HOST, -1, 8, NULL, &host));
    CALL("no such NeuronCore",
         nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_VIRTUAL, 4, 8, "x", &empty));
    CALL("NULL", nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_VIRTUAL, 0, 8, "x", NULL));
    CALL("whole", nrt_tensor_write(tensor, text, 0, 8));
    CALL("beyond the end", nrt_tensor_write(tensor, text, 1, 8));
    CALL("beyond all numbers", nrt_tensor_write(tensor, text, 2, (size_t)-1));
    CALL("NULL", nrt_tensor_write(NULL, text, 0, 1));
    CALL("a part", nrt_tensor_read(tensor, bytes, 2, 3));
    expect(memcmp(bytes, "cde", 3) == 0, "bytes that were read");
    CALL("beyond the end", nrt_tensor_read(tensor, bytes, 8, 1));
    CALL("NULL", nrt_tensor_read(tensor, NULL, 0, 1));
    CALL("a slice", nrt_tensor_allocate_slice(tensor, 4, 4, "y", &slice));
    CALL("beyond the end", nrt_tensor_allocate_slice(tensor, 5, 4, "y", &empty));
    nrt_tensor_free(&tensor);
    expect(tensor == NULL, "freed tensor");
    CALL("a slice whose tensor was freed", nrt_tensor_read(slice, bytes, 0, 4));
    expect(memcmp(bytes, "efg", 4) == 0, "bytes of a slice");
    CALL("a part", nrt_tensor_memset(host, 6, 'z', 2));
    CALL("beyond the end", nrt_tensor_memset(host, 7, 'z', 2));
    CALL("from another", nrt_tensor_copy(slice, 0, host, 1, 4));
    CALL("beyond the end", nrt_tensor_copy(slice, 1, host, 1, 4));
    const char *memory = (const char *)nrt_tensor_get_va(host);
    expect(memory && memcmp(memory, "\0efg\0\0zz", 8) == 0, "memory of a tensor");
    expect(nrt_tensor_get_size(host) == 8 && nrt_tensor_get_size(NULL) == 0, "size");
    CALL("a tensor", nrt_tensor_allocate_empty("z", &empty));
    CALL("NULL", nrt_tensor_allocate_empty("z", NULL));
    expect(nrt_tensor_get_va(empty) == NULL, "memory of an empty tensor");
    CALL("a tensor without memory", nrt_tensor_read(empty, bytes, 0, 1));
    CALL("a buffer", nrt_tensor_attach_buffer(empty, text, sizeof text));
    CALL("NULL", nrt_tensor_attach_buffer(empty, NULL, 0));
    expect(nrt_tensor_get_va(empty) == text, "attached buffer");
    nrt_tensor_batch_op_t ops[2] = {{0, 2, bytes}, {4, 2, bytes + 2}};
    nrt_tensor_batch_t batch = {empty, ops, 2};
    CALL("two parts", nrt_tensor_read_batch(&batch, 1, false));
    expect(memcmp(bytes, "abef", 4) == 0, "bytes of a batch");
    CALL("two parts", nrt_tensor_write_batch(&batch, 1, true));
    ops[1].offset = 7;
    CALL("beyond the end", nrt_tensor_read_batch(&batch, 1, false));
    CALL("NULL", nrt_tensor_write_batch(NULL, 1, false));
    nrt_tensor_free(&empty);
    nrt_tensor_free(&slice);
    nrt_tensor_free(&host);
    nrt_tensor_free(NULL);
}

static void use_types(void) {
    static const nrt_dtype_t types[] = {
        NRT_DTYPE_UNKNOWN, NRT_DTYPE_INVALID, NRT_DTYPE_FP8_E3,   NRT_DTYPE_FP8_E4,
        NRT_DTYPE_FP8_E5,  NRT_DTYPE_FLOAT16, NRT_DTYPE_BFLOAT16, NRT_DTYPE_FLOAT32,
        NRT_DTYPE_FP32R,   NRT_DTYPE_UINT8,   NRT_DTYPE_UINT16,   NRT_DTYPE_UINT32,
        NRT_DTYPE_UINT64,  NRT_DTYPE_INT8,    NRT_DTYPE_INT16,    NRT_DTYPE_INT32,
        NRT_DTYPE_INT64,
    };
    printf("types:");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        printf(" %x", (unsigned)types[i]);
    printf("\n");
}

/* ---- executions ------------------------------------------------------------------------------ */

enum { IMAGE_BYTES = 64, N_DIGITS = 10 };

typedef struct work {
    nrt_model_t *model;
    nrt_tensor_t *image, *certainties;
    nrt_tensor_set_t *inputs, *outputs;
} work;

static void execute(work *w) {
    nrt_tensor_t *found = NULL;
    CALL("a set", nrt_allocate_tensor_set(&w->inputs));
    CALL("NULL", nrt_allocate_tensor_set(NULL));
    nrt_allocate_tensor_set(&w->outputs);
    nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_DEVICE, 0, IMAGE_BYTES, "image", &w->image);
    nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_DEVICE, 0, N_DIGITS, "certainties", &w->certainties);
    CALL("a set without its tensor", nrt_execute(w->model, w->inputs, w->outputs));
    CALL("a tensor", nrt_add_tensor_to_tensor_set(w->inputs, "image", w->certainties));
    CALL("another tensor", nrt_add_tensor_to_tensor_set(w->outputs, "certainties", w->certainties));
    CALL("a tensor of another size", nrt_execute(w->model, w->inputs, w->outputs));
    CALL("in place of another", nrt_add_tensor_to_tensor_set(w->inputs, "image", w->image));
    CALL("NULL", nrt_add_tensor_to_tensor_set(NULL, "image", w->image));
    CALL("a tensor", nrt_get_tensor_from_tensor_set(w->inputs, "image", &found));
    expect(found == w->image, "tensor of a set");
    CALL("no such tensor", nrt_get_tensor_from_tensor_set(w->inputs, "picture", &found));
    CALL("a model", nrt_execute(w->model, w->inputs, w->outputs));
    CALL("no model", nrt_execute(NULL, w->inputs, w->outputs));
    CALL("NULL", nrt_execute(w->model, NULL, w->outputs));
    CALL("three times", nrt_execute_repeat(w->model, w->inputs, w->outputs, 3));
    CALL("not once", nrt_execute_repeat(w->model, w->inputs, w->outputs, 0));
}

static void free_sets(work *w) {
    nrt_destroy_tensor_set(&w->inputs);
    nrt_destroy_tensor_set(&w->outputs);
    nrt_destroy_tensor_set(NULL);
    expect(w->inputs == NULL, "destroyed set");
}

/* ---- profiles -------------------------------------------------------------------------------- */

static void profile_one_model(work *w, const char *folder) {
    CALL("a model", nrt_profile_start(w->model, in(folder, "one.etdp")));
    CALL("the same file", nrt_profile_start(w->model, in(folder, "one.etdp")));
    CALL("no model", nrt_profile_start(NULL, in(folder, "two.etdp")));
    CALL("no folder", nrt_profile_start(w->model, in(folder, "no/two.etdp")));
    CALL("NULL", nrt_profile_start(w->model, NULL));
    nrt_execute_repeat(w->model, w->inputs, w->outputs, 5);
    CALL("another file", nrt_profile_stop(in(folder, "two.etdp")));
    CALL("the file", nrt_profile_stop(in(folder, "one.etdp")));
    CALL("again", nrt_profile_stop(in(folder, "one.etdp")));
    CALL("NULL", nrt_profile_stop(NULL));
}

static void profile_continuously(work *w, const char *folder) {
    nrt_profile_continuous_options_t *options = NULL;
    CALL("options", nrt_profile_continuous_options_allocate(&options));
    CALL("NULL", nrt_profile_continuous_options_allocate(NULL));
    CALL("a folder", nrt_profile_continuous_options_set_output_dir(options, folder));
    CALL("NULL", nrt_profile_continuous_options_set_output_dir(options, NULL));
    CALL("not on", nrt_profile_continuous_save(0, options));
    CALL("not on", nrt_profile_continuous_stop());
    CALL("options", nrt_profile_continuous_start(options));
    CALL("again", nrt_profile_continuous_start(NULL));
    CALL("nothing was executed", nrt_profile_continuous_save(0, options));
    nrt_execute(w->model, w->inputs, w->outputs);
    CALL("an execution", nrt_profile_continuous_save(0, options));
    CALL("no model was loaded", nrt_profile_continuous_save(3, options));
    CALL("on", nrt_profile_continuous_stop());
    CALL("options", nrt_profile_continuous_options_free(options));
}

static void use_config(nrt_inspect_config_t *config, const char *folder) {
    const char **names = NULL;
    size_t n = 0;
    nrt_inspect_device_profile_mode_t mode = NRT_INSPECT_DEVICE_PROFILE_MODE_SESSION;
    CALL("options", nrt_inspect_config_set_defaults(config));
    CALL("NULL", nrt_inspect_config_set_defaults(NULL));
    CALL("a number", nrt_inspect_config_set_session_id(config, 7));
    CALL("a folder", nrt_inspect_config_set_output_dir(config, folder));
    CALL("empty", nrt_inspect_config_set_output_dir(config, ""));
    CALL("a number", nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1000));
    CALL("0", nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 0));
    CALL("a NeuronCore", nrt_inspect_config_set_capture_enabled_for_nc(config, 3, false));
    CALL("1024", nrt_inspect_config_set_capture_enabled_for_nc(config, 1024, false));
    CALL("a type",
         nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "hw_notify", false));
    CALL("no such type", nrt_inspect_config_set_capture_enabled_for_event_type_string(
                             config, "device_exec", false));
    CALL("true", nrt_inspect_config_set_enable_inspect(config, true));
    CALL("true", nrt_inspect_config_set_enable_inspect_on_fail(config, true));
    CALL("DISABLED", nrt_inspect_config_set_inspect_device_profile_mode(
                         config, NRT_INSPECT_DEVICE_PROFILE_MODE_DISABLED));
    CALL("MODEL", nrt_inspect_config_set_inspect_device_profile_mode(
                      config, NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL));
    CALL("SESSION", nrt_inspect_config_set_inspect_device_profile_mode(config, mode));
    CALL("no such mode", nrt_inspect_config_set_inspect_device_profile_mode(
                             config, (nrt_inspect_device_profile_mode_t)3));
    CALL("cpu_util", nrt_inspect_config_set_activity(config, "cpu_util", false));
    CALL("no such activity", nrt_inspect_config_set_activity(config, "gpu_util", false));
    CALL("all", nrt_inspect_config_get_all_activity_types(&names, &n));
    expect(n == 4, "number of activities");
    nrt_inspect_config_free_activity_types(names, n);
    CALL("all but one", nrt_inspect_config_get_enabled_activity_types(config, &names, &n));
    expect(n == 3, "number of enabled activities");
    nrt_inspect_config_free_activity_types(names, n);
}

static void inspect(work *w, const char *folder) {
    nrt_inspect_config_t *config = NULL;
    CALL("options", nrt_inspect_config_allocate(&config));
    CALL("NULL", nrt_inspect_config_allocate(NULL));
    use_config(config, folder);
    CALL("options", nrt_inspect_begin_with_options(config));
    CALL("again", nrt_inspect_begin_with_options(NULL));
    CALL("again", nrt_inspect_begin());
    CALL("options", nrt_inspect_config_free(config));
    CALL("NULL", nrt_inspect_config_free(NULL));
    nrt_execute(w->model, w->inputs, w->outputs);
    CALL("inspection is on", nrt_profile_continuous_start(NULL));
    CALL("on", nrt_inspect_stop());
    CALL("not on", nrt_inspect_stop());
}

/* ---- the trace ------------------------------------------------------------------------------- */

static void choose_events(nrt_sys_trace_config_t *config) {
    const char **types = NULL;
    size_t n = 0;
    nrt_sys_trace_config_set_defaults(config);
    nrt_sys_trace_config_set_max_events_per_nc(config, 100);
    nrt_sys_trace_config_set_capture_enabled_for_nc(config, 2, false);
    CALL("all", nrt_sys_trace_get_event_types(&types, &n));
    printf("event types: %u\n", (unsigned)n);
    for (size_t i = 0; i < n; i++)
        nrt_sys_trace_config_set_capture_enabled_for_event_type(config, types[i], false);
    nrt_sys_trace_free_event_types(types, n);
    CALL("NULL", nrt_sys_trace_get_event_types(NULL, &n));
    CALL("a type",
         nrt_sys_trace_config_set_capture_enabled_for_event_type(config, "nc_exec_running", true));
    CALL("no such type",
         nrt_sys_trace_config_set_capture_enabled_for_event_type(config, "device_exec", true));
    CALL("one", nrt_sys_trace_config_get_enabled_event_types(config, &types, &n));
    expect(n == 1 && strcmp(types[0], "nc_exec_running") == 0, "enabled types");
    for (size_t i = 0; i < n; i++)
        free((void *)types[i]);
    free((void *)types);
}

static void trace(work *w) {
    nrt_sys_trace_config_t *config = NULL;
    nrt_sys_trace_fetch_options_t *options = NULL;
    char *buffer = NULL;
    size_t size = 0;
    CALL("options", nrt_sys_trace_config_allocate(&config));
    CALL("NULL", nrt_sys_trace_config_allocate(NULL));
    choose_events(config);
    CALL("not on", nrt_sys_trace_stop());
    CALL("not on", nrt_sys_trace_fetch_events(&buffer, &size, NULL));
    CALL("options", nrt_sys_trace_start(config));
    CALL("again", nrt_sys_trace_start(NULL));
    nrt_sys_trace_config_free(config);
    nrt_execute_repeat(w->model, w->inputs, w->outputs, 2);
    CALL("options", nrt_sys_trace_fetch_options_allocate(&options));
    CALL("NULL", nrt_sys_trace_fetch_options_allocate(NULL));
    nrt_sys_trace_fetch_options_set_defaults(options);
    nrt_sys_trace_fetch_options_set_nc_idx(options, 0);
    nrt_sys_trace_fetch_options_set_max_events_per_nc(options, 2);
    CALL("one execution", nrt_sys_trace_fetch_events(&buffer, &size, options));
    expect(size == strlen(buffer) && strstr(buffer, "\"nc_exec_running\",\"phase\":\"stop\""),
           "JSON");
    nrt_sys_trace_buffer_free(buffer);
    CALL("NULL", nrt_sys_trace_fetch_events(NULL, &size, options));
    nrt_sys_trace_fetch_options_free(options);
    CALL("on", nrt_sys_trace_stop());
}

/* ---- statuses -------------------------------------------------------------------------------- */

static void use_statuses(void) {
    static const NRT_STATUS statuses[] = {
        NRT_SUCCESS,
        NRT_FAILURE,
        NRT_INVALID,
        NRT_INVALID_HANDLE,
        NRT_RESOURCE,
        NRT_TIMEOUT,
        NRT_HW_ERROR,
        NRT_QUEUE_FULL,
        NRT_LOAD_NOT_ENOUGH_NC,
        NRT_UNSUPPORTED_NEFF_VERSION,
        NRT_FAIL_HOST_MEM_ALLOC,
        NRT_UNINITIALIZED,
        NRT_CLOSED,
        NRT_QUEUE_EMPTY,
        NRT_EXEC_UNIT_UNRECOVERABLE,
        NRT_EXEC_BAD_INPUT,
        NRT_EXEC_COMPLETED_WITH_NUM_ERR,
        NRT_EXEC_COMPLETED_WITH_ERR,
        NRT_EXEC_NC_BUSY,
        NRT_EXEC_OOB,
        NRT_COLL_PENDING,
        NRT_EXEC_HW_ERR_COLLECTIVES,
        NRT_EXEC_HW_ERR_HBM_UE,
        NRT_EXEC_HW_ERR_NC_UE,
        NRT_EXEC_HW_ERR_DMA_ABORT,
        NRT_EXEC_SW_NQ_OVERFLOW,
        NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE,
        NRT_NETWORK_PROXY_FAILURE,
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        printf("%d %s\n", (int)statuses[i], nrt_get_status_as_str(statuses[i]));
}

int main(int argc, char **argv) {
    work w = {NULL, NULL, NULL, NULL, NULL};
    if (argc != 2) {
        fprintf(stderr, "usage: nrt_calls FOLDER\n");
        return 2;
    }
    before_the_runtime_is_open();
    w.model = load_models();
    describe(w.model);
    use_tensors();
    use_types();
    execute(&w);
    profile_one_model(&w, argv[1]);
    profile_continuously(&w, argv[1]);
    inspect(&w, argv[1]);
    trace(&w);
    free_sets(&w);
    after_the_runtime_is_closed(w.model, w.image);
    use_statuses();
    return 0;
}
