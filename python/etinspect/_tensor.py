"""Tensors that a run recorded, without torch and, until their elements are used, without numpy."""

import sys
from math import prod

from ._errors import need


class Tensor:
    """A tensor in a debug buffer. `shape` is a tuple, `dtype` a name of numpy's. Its bytes are not copied.

    Elements are found by the recorded strides, for example of a tensor whose channels are last. ExecuTorch's Inspector
    ignores strides, and has the elements of such tensors in another order. Strides with gaps or overlaps are ignored here, too.

    Tensors that were not recorded, for example without a debug buffer, are zeros, and `is_recorded` is False.

    In programs that import torch, functions of torch accept a Tensor, it has the attributes of torch's tensors, and str() and repr() show
    the elements as torch does, so that scripts for ExecuTorch's Inspector work. isinstance(…, torch.Tensor) is False: torch() makes a
    tensor of torch.
    """

    __slots__ = ("dtype", "shape", "_memory", "_strides")  # set by the extension, too

    def __init__(self, dtype, shape, memory=None, strides=None):
        self.dtype = dtype
        self.shape = tuple(shape)
        self._memory = memory
        self._strides = strides

    @property
    def is_recorded(self):
        return self._memory is not None

    def __reduce__(self):
        """Copies and pickles the bytes, which belong to the Inspector."""
        return Tensor, (self.dtype, self.shape, self.tobytes() if self.is_recorded else None)

    def __buffer__(self, flags):
        return memoryview(self.tobytes())

    def tobytes(self):
        """Returns the elements in row-major order."""
        is_ready = self._memory is not None and _other_order(self.shape, self._strides) is None
        return bytes(self._memory) if is_ready else self.numpy().tobytes()

    def numpy(self):
        """Returns a read-only array of the recorded bytes, which is not contiguous if they are not in row-major order."""
        numpy = need("numpy")

        if self._memory is None:
            array = numpy.zeros(self.shape, self.dtype)
        else:
            array = numpy.frombuffer(self._memory, self.dtype, prod(self.shape)).reshape(self.shape)
            if (strides := _other_order(self.shape, self._strides)) is not None:
                array = numpy.lib.stride_tricks.as_strided(array, strides=[stride * array.itemsize for stride in strides])
        array.flags.writeable = False
        return array

    def torch(self):
        """Returns a tensor of torch, with a copy of the bytes."""
        return need("torch").from_numpy(self.numpy().copy())

    @classmethod
    def __torch_function__(cls, function, types, arguments=(), named=None):
        """Calls a function of torch with tensors of torch in place of Tensors."""
        return function(*_for_torch(arguments), **_for_torch(named or {}))

    def __getattr__(self, name):
        if name.startswith("_") or "torch" not in sys.modules:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.torch(), name)

    def tolist(self):
        return self.numpy().tolist()

    def item(self):
        return self.numpy().item()

    def __array__(self, dtype=None, copy=None):
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __len__(self):
        if not self.shape:
            raise TypeError("a tensor without dimensions has no length")
        return self.shape[0]

    def __eq__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        return self.shape == other.shape and self.dtype == other.dtype and self.tobytes() == other.tobytes()

    __hash__ = None

    def __repr__(self):
        if "torch" in sys.modules:
            return repr(self.torch())
        return f"Tensor({self.dtype}, {list(self.shape)}{'' if self.is_recorded else ', not recorded'})"


def _for_torch(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(_for_torch, value))
    if isinstance(value, dict):
        return {name: _for_torch(one) for name, one in value.items()}
    return value.torch() if isinstance(value, Tensor) else value


def _other_order(shape, strides):
    """Returns strides that put all elements side by side, but not in row-major order; None for any others."""
    if strides is None or 0 in shape:
        return None
    places = [(stride, size) for stride, size in zip(strides, shape) if size != 1]
    next_stride = 1
    for stride, size in sorted(places):
        if stride != next_stride:
            return None
        next_stride *= size
    return None if places == sorted(places, reverse=True) else tuple(strides)
