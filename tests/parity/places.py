"""Where nodes of a graph come from: what modules and lines of source several of them share. Used by view_*.py."""

import os
import re

LIBRARY = re.compile(r"(^|/)(site|dist)-packages/(torch|torchgen|functorch|executorch)/|(^|/)torch/nn/|^<")
FRAME = re.compile(r'^\s*File "(.*?)", line (\d+)', re.M)


def common(paths):
    """The beginning that all paths share; those that are empty do not count. None: there are no others."""
    paths = [p for p in paths if p]
    return os.path.commonprefix(paths) if paths else None


def common_modules(stacks):
    """Of nn_module_stacks: (path, or the type of what has none, type) of each module that all are in."""
    return common([[(path or str(kind), str(kind)) for path, kind in stack.values()] for stack in stacks if stack])


def common_frames(traces):
    """Of stack traces: (file, line) of each frame that all share; torch's own only where there are no others."""
    paths = []
    for text in traces:
        frames = [(m[1], m[2]) for m in FRAME.finditer(text or "")]
        paths.append([f for f in frames if not LIBRARY.search(f[0])] or frames)
    return common(paths)
