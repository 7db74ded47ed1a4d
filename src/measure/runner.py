# Runs a method of an ExecuTorch program with the flags of upstream's executor_runner, where no C++ compiler is installed.
import sys

flags = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)

import torch  # noqa: E402  _C needs its libraries
from executorch.extension.pybindings import _C  # noqa: E402  executorch.runtime takes 10 seconds more

TYPES = {
    0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
    7: torch.float64, 11: torch.bool, 15: torch.bfloat16,
}


def tensor(meta, data):
    flat = torch.frombuffer(bytearray(data), dtype=TYPES[meta.dtype()]) if data else torch.empty(0, dtype=TYPES[meta.dtype()])
    return flat.reshape(meta.sizes())


def main():
    method = flags.get("method_name", "forward")
    size = int(flags.get("debug_buffer_size", "0"))
    if "cpu_threads" in flags:
        _C._unsafe_reset_threadpool(int(flags["cpu_threads"]))
    options = {"enable_etdump": True, "debug_buffer_size": size}
    if "data_path" in flags:
        options["data_path"] = flags["data_path"]
    module = _C._load_for_executorch(flags["model_path"], **options)
    meta = module.method_meta(method)
    paths = flags["inputs"].split(",") if flags.get("inputs") else []
    inputs = []
    for i, path in enumerate(paths):
        try:
            port = meta.input_tensor_meta(i)
        except RuntimeError:
            sys.exit(f"input {i} is no tensor: numbers need a C++ compiler, or --command")
        with open(path, "rb") as file:
            inputs.append(tensor(port, file.read()))
    for _ in range(int(flags.get("num_executions", "1"))):
        outputs = module.run_method(method, inputs)
    prefix = flags.get("output_file")
    for i, output in enumerate(outputs if prefix else []):
        with open(f"{prefix}-{i}.bin", "wb") as file:
            if isinstance(output, torch.Tensor):
                file.write(output.contiguous().flatten().view(torch.uint8).numpy().tobytes())
    debug = (flags["debug_path"],) if size else ()
    module.write_etdump_result_to_file(flags["etdump_path"], *debug)


main()
