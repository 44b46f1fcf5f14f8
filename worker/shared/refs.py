"""How a memory is named: #12 (observation), #S3 (session summary), #P7 (prompt)."""

import re
from dataclasses import dataclass
from enum import StrEnum

_REF = re.compile(r"\s*#?\s*([OSP]?)\s*(\d{1,18})\s*", re.IGNORECASE)


class Kind(StrEnum):
    """The three kinds of records that are searched."""

    OBSERVATION = "observation"
    SESSION = "session"
    PROMPT = "prompt"


LETTER = {Kind.OBSERVATION: "", Kind.SESSION: "S", Kind.PROMPT: "P"}
_BY_LETTER = {"": Kind.OBSERVATION, "O": Kind.OBSERVATION, "S": Kind.SESSION, "P": Kind.PROMPT}


@dataclass(frozen=True, order=True, slots=True)
class Ref:
    """The identity of one record; `str()` gives `#12`, `#S3` or `#P7`."""

    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"#{LETTER[self.kind]}{self.id}"


def parse_ref(value: object) -> Ref:
    """Read `12`, `12.0`, `"12"`, `"#12"`, `"S3"`, `"#P7"`; raise ValueError for anything else."""
    if isinstance(value, Ref):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, bool):
        match = _REF.fullmatch(str(value))
        if match:
            return Ref(_BY_LETTER[match[1].upper()], int(match[2]))
    raise ValueError(f"{str(value)[:80]!r} is not an id; an id looks like 12, #12, S3 or P7")
