"""Statistics that ExecuTorch's VGF backend logs as metadata of delegates: JSON, with binary data as base64."""

import json

from ._errors import Error, InputTypeError

SCHEMA, SCHEMA_VERSION = "executorch.vgf.neural_statistics", 1
# Exceptions of json: text that is no JSON or no UTF-8, or has a number with too many digits; too many brackets.
_NOT_READABLE = ValueError, RecursionError
_BLOBS = ("debug_database", "statistics_info", "statistics_memory")  # members of a segment


def parse_vgf_neural_statistics_metadata(metadata):
    """Returns the statistics in the metadata of one event: the JSON as a dictionary, in which each blob of the list "segments"
    also has its bytes, as "raw_data". Raises Error for anything else."""
    data = _bytes_of(metadata)
    try:
        statistics = json.loads(data.decode("utf-8"))
    except _NOT_READABLE as error:
        raise Error(f"metadata of VGF neural statistics is not JSON: {error}") from error
    return _statistics_of(statistics)


def parse_vgf_neural_statistics_delegate_metadata(delegate_metadata_list):
    """Returns the statistics among the metadata of delegates, as a list of dictionaries. Skips metadata of other
    backends. Raises Error for damaged statistics."""
    found = []
    for metadata in delegate_metadata_list:
        if not isinstance(metadata, (bytes, bytearray, str)) or not metadata:
            continue
        data = _bytes_of(metadata)
        try:
            statistics = json.loads(data.decode("utf-8"))
        except _NOT_READABLE as error:
            if SCHEMA.encode() in data:
                raise Error(f"metadata of VGF neural statistics is damaged: {error}") from error
            continue
        if isinstance(statistics, dict) and statistics.get("schema") == SCHEMA:
            found.append(_statistics_of(statistics))
    return found


def _bytes_of(metadata):
    if isinstance(metadata, str):
        return metadata.encode("utf-8", "surrogatepass")  # decoding rejects surrogates, as it does other damage
    if not isinstance(metadata, (bytes, bytearray)):
        raise InputTypeError(f"metadata is of type {type(metadata).__name__}: give bytes or str")
    return bytes(metadata)


def _statistics_of(statistics):
    if not isinstance(statistics, dict):
        raise Error(f"metadata of VGF neural statistics: expected an object, found {type(statistics).__name__}")
    if statistics.get("schema") != SCHEMA:
        raise Error(f"the metadata has the schema {statistics.get('schema')!r}, not that of VGF neural statistics")
    if statistics.get("schema_version") != SCHEMA_VERSION:
        raise Error(f"VGF neural statistics have the schema version {statistics.get('schema_version')!r}: known is {SCHEMA_VERSION}")
    try:
        segments = [dict(one) for one in statistics.get("segments", [])]
    except (TypeError, ValueError) as error:
        raise Error(f"VGF neural statistics: segments are not a list of objects: {error}") from error
    return {**statistics, "segments": list(map(_segment_of, segments))}


def _segment_of(segment):
    return {name: _blob_of(name, value) if name in _BLOBS and isinstance(value, dict) else value for name, value in segment.items()}


def _blob_of(name, blob):
    import base64

    if not blob.get("available", False):
        return {**blob, "raw_data": blob.get("raw_data", b"")}
    if blob.get("encoding") != "base64":
        raise Error(f"{name} of VGF neural statistics has the encoding {blob.get('encoding')!r}, not base64")
    try:
        return {**blob, "raw_data": base64.b64decode(blob.get("data", ""), validate=True)}
    except (ValueError, TypeError) as error:
        raise Error(f"{name} of VGF neural statistics is not base64: {error}") from error
