"""Origins of a graph's nodes: the modules and lines of source that several nodes share. Used by view_*.py."""

import os
import re

LIBRARY = re.compile(r"(^|/)(site|dist)-packages/(torch|torchgen|functorch|executorch)/|(^|/)torch/nn/|^<")
FRAME = re.compile(r'^\s*File "(.*?)", line (\d+)', re.M)


def common(paths):
    """Returns the common beginning of all paths; empty paths do not count. None: there are no others."""
    paths = [p for p in paths if p]
    return os.path.commonprefix(paths) if paths else None


def common_modules(stacks):
    """Takes nn_module_stacks; returns (path, or the type if it has none, type) of each module that contains all."""
    return common([[(path or str(kind), str(kind)) for path, kind in stack.values()] for stack in stacks if stack])


def common_frames(traces):
    """Takes stack traces; returns (file, line) of each frame that all share; torch's own frames only if there are no
    others."""
    paths = []
    for text in traces:
        frames = [(m[1], m[2]) for m in FRAME.finditer(text or "")]
        paths.append([f for f in frames if not LIBRARY.search(f[0])] or frames)
    return common(paths)
