# Runs a method of an ExecuTorch program with the flags of upstream's executor_runner, where no C++ compiler is installed.
import struct
import sys

flags = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)

import torch  # noqa: E402  _C needs its libraries
from executorch.extension.pybindings import _C  # noqa: E402  executorch.runtime takes 10 seconds more

TYPES = {
    0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
    7: torch.float64, 11: torch.bool, 15: torch.bfloat16,
}

NUMBERS = {"int": "<q", "double": "<d", "bool": "<?"}


def tensor(meta, data):
    flat = torch.frombuffer(bytearray(data), dtype=TYPES[meta.dtype()]) if data else torch.empty(0, dtype=TYPES[meta.dtype()])
    return flat.reshape(meta.sizes())


def read(module, method, i, path, kind):
    """Returns input i from its file."""
    with open(path, "rb") as file:
        data = file.read()
    if kind == "tensor":
        return tensor(module.method_meta(method).input_tensor_meta(i), data)
    return struct.unpack(NUMBERS[kind], data)[0] if kind in NUMBERS else None


def write(path, output):
    with open(path, "wb") as file:
        if isinstance(output, torch.Tensor):
            file.write(output.contiguous().flatten().view(torch.uint8).numpy().tobytes())
        for type, form in ((bool, "<?"), (int, "<q"), (float, "<d")):
            if isinstance(output, type):
                file.write(struct.pack(form, output))
                break


def main():
    method = flags.get("method_name", "forward")
    size = int(flags.get("debug_buffer_size", "0"))
    if "cpu_threads" in flags:
        _C._unsafe_reset_threadpool(int(flags["cpu_threads"]))
    options = {"enable_etdump": True, "debug_buffer_size": size}
    if "data_path" in flags:
        options["data_path"] = flags["data_path"]
    module = _C._load_for_executorch(flags["model_path"], **options)
    paths = flags["inputs"].split(",") if flags.get("inputs") else []
    kinds = flags["input_kinds"].split(",") if flags.get("input_kinds") else ["tensor"] * len(paths)
    inputs = [read(module, method, i, path, kind) for i, (path, kind) in enumerate(zip(paths, kinds))]
    for _ in range(int(flags.get("num_executions", "1"))):
        outputs = module.run_method(method, inputs)
    prefix = flags.get("output_file")
    for i, output in enumerate(outputs if prefix else []):
        write(f"{prefix}-{i}.bin", output)
    debug = (flags["debug_path"],) if size else ()
    module.write_etdump_result_to_file(flags["etdump_path"], *debug)


main()
