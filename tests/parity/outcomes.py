"""The behaviour of etinspect where the Inspector fails, with reasons: one row per kind of failure.

"error"   fails too: nothing on stdout, one line on stderr, exit status 3 (2 if the request itself is wrong)
"answer"  succeeds on purpose: a table, a TSV, exit status 0
"""

import re

OUTCOMES = (
    (r"RuntimeError: For TimeScale in cycles", "error", "cycles have no length"),
    (r"ValueError: Expected start_time", "error", "time that runs backwards"),
    (r"ValueError: Tensor cannot be None", "error", "a debug value without its tensor"),
    (r"ValueError: Expected \w+ value, `None` provided", "error", "a debug value without its value"),
    (r"ValueError: (both )?buffer length", "error", "a tensor outside the debug buffer"),
    (r"RuntimeError: shape ", "error", "a tensor cut off by the end of the debug buffer"),
    (r"IndexError: list index out of range", "answer", "a block of a test case that the record does not have"),
    (r"KeyError: 'forward'", "answer", "reference outputs of another method"),
    (r"KeyError: 'before'", "error", "a reference graph that the record does not have"),
    (r"CalledProcessError: ", "error", "not an ETDump"),
    (r"RuntimeError: The size of tensor a", "error", "run outputs whose shapes do not broadcast"),
    (r"AssertionError: ", "error", "merged runs that logged different values"),
    (r"ValueError: No objects to concatenate", "answer", "a block without events is an empty table"),
    (r"ValueError: Unable to find populated event", "answer", "allocation events are passed over"),
    (r"RuntimeError: Unsupported scalar type", "answer", "the table needs no tensor contents"),
    (r"JSONDecodeError: Expecting value", "answer", "NaN and infinity are values"),
    (r"AttributeError: 'dict' object has no attribute 'graph_module'", "answer", "records of several methods"),
    (r"TypeError: 'NoneType' object is not subscriptable", "answer", "a record without instruction_id_to_num_outs_map"),
)

# The Inspector compares two lists of tensors, or a tensor with a number, with Python's ==, whose result is a tensor that
# cannot be converted to a truth value. Whether etinspect finds the values equal depends on the values.
EITHER = r"RuntimeError: Boolean value of Tensor with (more than one value|no values) is ambiguous"


def expected_outcome(peer_error):
    """Returns "error", "answer", "either", or None for an unknown failure."""
    if re.match(EITHER, peer_error):
        return "either"
    for pattern, outcome, _ in OUTCOMES:
        if re.match(pattern, peer_error):
            return outcome
    return None
