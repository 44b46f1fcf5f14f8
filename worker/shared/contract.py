"""What searching, reading and saving take and give: the model that validates makes the schema."""

from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from worker.shared.refs import Kind
from worker.shared.values import (
    Anchor,
    Ids,
    KeptText,
    KeptTexts,
    Name,
    Names,
    Text,
    When,
    Whole,
    parse_when,
)

MAX_LIMIT = 100
MAX_BATCH = 200
MAX_DEPTH = 50
MAX_TEXT = 100_000  # characters of a memory saved by hand
MAX_QUERY = 4_000  # characters; what is longer is cut, and the answer says so


class OrderBy(StrEnum):
    """The order of a list."""

    RELEVANCE = "relevance"
    DATE_DESC = "date_desc"
    DATE_ASC = "date_asc"


class Mode(StrEnum):
    """Which legs search."""

    BOTH = "both"
    KEYWORD = "keyword"
    MEANING = "meaning"


class Request(BaseModel):
    """What all requests share: unknown keys are ignored, null means not given."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)
    # What Claude is not told of, who pays for each word: a person in a window chooses so.
    for_windows: ClassVar[frozenset[str]] = frozenset({"format"})

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:  # noqa: ANN401 - pydantic hands over anything
        if isinstance(data, dict):
            return {k: v for k, v in data.items() if v is not None}
        return data

    @classmethod
    def unknown(cls, keys: list[str]) -> list[str]:
        """Return the keys that this request does not know, in the order given."""
        known = {f.alias or name for name, f in cls.model_fields.items()} | set(cls.model_fields)
        return [key for key in keys if key not in known]


class SearchRequest(Request):
    """GET /api/search."""

    query: Text = Field("", description='Words, "phrases", AND OR NOT, -word, title:word, prefix*')
    limit: Whole = Field(20, ge=1, description=f"Rows, at most {MAX_LIMIT}")
    offset: Whole = Field(0, ge=0, le=1_000_000)
    project: Name = None
    type: Names = Field((), description="observations, sessions, prompts, or an observation type")
    obs_type: Names = Field((), description="bugfix, feature, decision, ...")
    concepts: Names = ()
    files: Names = Field((), description="Path, its end, or a folder")
    date_start: When = Field(None, alias="dateStart", description="ISO date, inclusive")
    date_end: When = Field(None, alias="dateEnd", description="ISO date, inclusive")
    order_by: OrderBy = Field(OrderBy.RELEVANCE, alias="orderBy")
    projects: Names = Field((), description="Any of these")
    exclude_projects: Names = Field((), alias="excludeProjects", description="None of these")
    exclude_types: Names = Field(
        (), alias="excludeTypes", description="observations, sessions, prompts, or types; none"
    )
    sources: Names = Field((), description="Programs that sessions were held in: claude, ...")
    exclude_sources: Names = Field((), alias="excludeSources", description="None of these")
    mode: Mode = Field(Mode.BOTH, description="Search by words (keyword), by meaning, or both")
    format: Literal["text", "json"] = "text"

    for_windows: ClassVar[frozenset[str]] = Request.for_windows | {
        "projects",
        "excludeProjects",
        "excludeTypes",
        "sources",
        "excludeSources",
        "mode",
    }

    @property
    def filtered(self) -> bool:
        """True when anything but the query narrows the search."""
        given = (self.project, self.type, self.obs_type, self.concepts, self.files, self.projects)
        out = (self.exclude_projects, self.exclude_types, self.exclude_sources, self.sources)
        return any((*given, *out)) or self.date_start is not None or self.date_end is not None

    @property
    def start_ms(self) -> int | None:
        return None if self.date_start is None else parse_when(self.date_start)

    @property
    def end_ms(self) -> int | None:
        return None if self.date_end is None else parse_when(self.date_end, end=True)


class TimelineRequest(Request):
    """GET /api/timeline: an anchor, or a query whose best hit becomes the anchor."""

    anchor: Anchor = None  # what an id looks like is told by the error
    query: Text = Field("", description="Finds the anchor when none is given")
    depth_before: Whole = Field(3, ge=0)
    depth_after: Whole = Field(3, ge=0)
    project: Name = Field(None, description="The anchor's own unless given; * for all")
    format: Literal["text", "json"] = "text"


class BatchRequest(Request):
    """POST /api/observations/batch: a read of full details."""

    ids: Ids
    order_by: OrderBy | None = Field(None, alias="orderBy")
    limit: Whole | None = Field(None, ge=1)
    project: Name = None
    format: Literal["text", "json"] = "text"


class SaveRequest(Request):
    """POST /api/memory/save."""

    text: KeptText = Field(
        min_length=1, max_length=MAX_TEXT, description=f"Not blank, at most {MAX_TEXT} characters"
    )
    title: KeptText = Field("", max_length=500, description="How the text begins, if not given")
    project: KeptText = Field("claude-mem", min_length=1, max_length=200)
    type: KeptText = Field("discovery", min_length=1, max_length=50)
    concepts: KeptTexts = Field((), max_length=50)
    files: KeptTexts = Field((), max_length=200, description="What it is about")


class PlainRequest(Request):
    """What a route without parameters of its own takes."""

    format: Literal["text", "json"] = "text"


class RecordRequest(PlainRequest):
    """GET /api/observation/ID, /api/session/ID and /api/prompt/ID."""

    query: Text = Field("", description="With format json, its words are marked in the memory")


class Part(BaseModel):
    """One text part of an MCP-shaped answer."""

    type: Literal["text"] = "text"
    text: str


class TextReply(BaseModel):
    """The MCP-shaped answer of every reading route; `isError` as in MCP."""

    content: list[Part]


class Snippet(BaseModel):
    """A piece of a memory with the matched stretches, as [start, end) in characters."""

    field: str
    text: str
    marks: list[tuple[int, int]] = Field(default_factory=list)


class Item(BaseModel):
    """One row of a result list."""

    id: int
    ref: str
    kind: Kind
    type: str
    title: str
    title_marks: list[tuple[int, int]] = Field(default_factory=list)
    project: str
    created_at: str = Field(description="ISO time with offset, local zone")
    created_at_epoch: int = Field(description="Milliseconds")
    snippet: Snippet | None = None
    leg: Literal["keyword", "meaning", "both", "filter"] = "filter"
    score: float = 0.0
    weak: bool = Field(False, description="Little in it speaks for an answer to the query")


class Degraded(BaseModel):
    """A part that could not do its share, why, and what helps."""

    part: str
    reason: str
    remedy: str


class Facets(BaseModel):
    """How many matches there are for each value, most first."""

    project: dict[str, int] = Field(default_factory=dict)
    kind: dict[str, int] = Field(default_factory=dict)
    type: dict[str, int] = Field(default_factory=dict)
    month: dict[str, int] = Field(default_factory=dict)
    source: dict[str, int] = Field(default_factory=dict)


class SearchReply(BaseModel):
    """GET /api/search?format=json."""

    items: list[Item]
    total: int
    limit: int
    offset: int
    outcome: Literal["hits", "none", "failed"]
    notes: list[str] = Field(default_factory=list)
    degraded: list[Degraded] = Field(default_factory=list)
    facets: Facets = Field(default_factory=Facets)


class TimelineReply(BaseModel):
    """GET /api/timeline?format=json: rows in time order, the anchor among them."""

    anchor: str
    project: str | None
    items: list[Item]
    notes: list[str] = []


class RecordReply(BaseModel):
    """One memory with every word of its content."""

    id: int
    ref: str
    kind: Kind
    type: str
    project: str
    title: str
    created_at: str
    created_at_epoch: int
    fields: dict[str, str | list[str]]


class SingleReply(RecordReply):
    """GET /api/observation/ID, /api/session/ID and /api/prompt/ID with format json."""

    marks: dict[str, list[list[tuple[int, int]]]] = Field(
        {},
        description="Where the words of the query stand: for each field that has any, the"
        " stretches [start, end) in characters of each of its texts",
    )
    notes: list[str] = []


class BatchReply(BaseModel):
    """POST /api/observations/batch with format json."""

    items: list[RecordReply]
    not_found: list[str] = []
    notes: list[str] = []


class SaveReply(BaseModel):
    """POST /api/memory/save: it is on the disk."""

    success: Literal[True] = True
    saved: bool = Field(description="False where the same text was there already")
    id: int
    ref: str
    title: str
    project: str
    type: str
    created_at_epoch: int = Field(description="Milliseconds")
    message: str
    notes: list[str] = []


class ProjectCount(BaseModel):
    """One project and how many records it has."""

    name: str
    records: int


class ProjectsReply(BaseModel):
    """GET /api/projects?format=json, most records first."""

    projects: list[ProjectCount]
    notes: list[str] = []


class StatsReply(BaseModel):
    """GET /api/stats?format=json: how many records there are, most first."""

    observations: int
    sessions: int
    prompts: int
    projects: dict[str, int]
    types: dict[str, int]
    months: dict[str, int]
    weeks: dict[str, dict[str, int]] = Field(
        {}, description="By the Monday of each week, ISO, then by type: observations"
    )
    oldest: str | None = Field(description="ISO time with offset, local zone")
    newest: str | None = Field(description="ISO time with offset, local zone")
    notes: list[str] = []


class Problem(BaseModel):
    """RFC 9457 application/problem+json."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    field: str | None = None
