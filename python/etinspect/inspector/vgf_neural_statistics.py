"""The functions of executorch.devtools.inspector.vgf_neural_statistics."""

from .._vgf import SCHEMA, SCHEMA_VERSION, parse_vgf_neural_statistics_delegate_metadata, parse_vgf_neural_statistics_metadata

__all__ = ["SCHEMA", "SCHEMA_VERSION", "parse_vgf_neural_statistics_delegate_metadata", "parse_vgf_neural_statistics_metadata"]
