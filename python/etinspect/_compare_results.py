"""compare_results() of the Inspector: differences between the outputs of a run and reference outputs."""

from ._errors import need
from ._tensor import Tensor

_METRICS = ("snr", "mse", "cosine_similarity")


def compare_results(reference_output, run_output, metrics=None, plot=False):
    """Prints, or draws with matplotlib, metrics of each pair of outputs, and returns them: {metric: [value, …]}. The value
    is None unless both outputs are tensors. Tensors may be etinspect's, numpy's or torch's; they are compared as
    float32."""
    results = {}
    for metric in _METRICS:
        if metrics is not None and metric not in metrics:
            continue
        values = [_value_of(metric, *pair) for pair in zip(reference_output, run_output)]
        results[metric] = values
        if plot:
            _plot(metric, values)
        else:
            lines = "".join(f"{i:<5}{'None' if value is None else format(value, '.5f'):>8}\n" for i, value in enumerate(values))
            print(f"{metric}\n{'-' * 20}\n{lines}\n")
    return results


def _value_of(metric, reference, run):
    numpy = need("numpy")

    arrays = [_float32(reference), _float32(run)]
    if any(array is None for array in arrays):
        return None
    with numpy.errstate(all="ignore"):
        return round(float(globals()["_" + metric](numpy, *arrays)), 2)


def _float32(value):
    if isinstance(value, Tensor):
        return value.numpy().astype("float32")
    if hasattr(value, "detach"):
        value = value.detach().cpu().float()
    return value.__array__().astype("float32") if hasattr(value, "__array__") else None


def _snr(numpy, reference, run):
    return 10 * numpy.log10(numpy.mean(reference**2) / numpy.mean((reference - run) ** 2))


def _mse(numpy, reference, run):
    return numpy.mean((reference - run) ** 2)


def _cosine_similarity(numpy, reference, run):
    if reference.shape != run.shape:
        raise ValueError("Input tensors must have the same shape")
    return numpy.sum(reference * run) / (numpy.sqrt(numpy.sum(reference**2)) * numpy.sqrt(numpy.sum(run**2)))


def _plot(metric, values):
    pyplot = need("matplotlib.pyplot")

    pyplot.figure()
    pyplot.plot([index for index, value in enumerate(values) if value is not None],
                [value for value in values if value is not None], "o-")
    pyplot.title(metric)
    pyplot.xlabel("output")
    pyplot.savefig(f"{metric}_output_plot.png")
    pyplot.show()
