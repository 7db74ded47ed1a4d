"""Tensors that a run recorded, without torch and, until their elements are used, without numpy."""

from math import prod


class Tensor:
    """A tensor in a debug buffer. `shape` is a tuple, `dtype` a name of numpy's. Its bytes are not copied.

    Tensors that were not recorded, for example without a debug buffer, are zeros, and `is_recorded` is False.
    """

    __slots__ = ("dtype", "shape", "is_recorded", "_memory")

    def __init__(self, dtype, shape, memory=None):
        self.dtype = dtype
        self.shape = tuple(shape)
        self.is_recorded = memory is not None
        self._memory = memory

    def __reduce__(self):
        """Copies and pickles the bytes, which belong to the Inspector."""
        return Tensor, (self.dtype, self.shape, self.tobytes() if self.is_recorded else None)

    def __buffer__(self, flags):
        return memoryview(self.tobytes())

    def tobytes(self):
        """Returns the elements in row-major order."""
        return bytes(self._memory) if self._memory is not None else self.numpy().tobytes()

    def numpy(self):
        """Returns a read-only array of the recorded bytes."""
        import numpy

        if self._memory is None:
            array = numpy.zeros(self.shape, self.dtype)
        else:
            array = numpy.frombuffer(self._memory, self.dtype, prod(self.shape)).reshape(self.shape)
        array.flags.writeable = False
        return array

    def torch(self):
        """Returns a tensor of torch, with a copy of the bytes."""
        import torch

        return torch.from_numpy(self.numpy().copy())

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
        return f"Tensor({self.dtype}, {list(self.shape)}{'' if self.is_recorded else ', not recorded'})"


def value_of(value):
    """Converts a value of debug data from the extension's form, in which tensors are tuples."""
    if isinstance(value, tuple):
        return Tensor(*value)
    if isinstance(value, list):
        return [Tensor(*item) for item in value]
    return value
