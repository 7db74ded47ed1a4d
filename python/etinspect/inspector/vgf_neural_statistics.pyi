from collections.abc import Iterable
from typing import Any

SCHEMA: str
SCHEMA_VERSION: int

def parse_vgf_neural_statistics_metadata(metadata: bytes | bytearray | str) -> dict[str, Any]: ...
def parse_vgf_neural_statistics_delegate_metadata(delegate_metadata_list: Iterable[bytes | bytearray | str | None]) -> list[dict[str, Any]]: ...
