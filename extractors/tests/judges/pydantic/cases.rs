//! The table: modules that define a type `T`.

/// What stands before every row.
pub(super) const HEAD: &str = "import datetime, decimal, enum, typing, uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, List, Dict, Literal, NamedTuple, Optional, Tuple, TypeVar, Union
from typing_extensions import NotRequired, ReadOnly, Required, TypedDict
import pydantic
from pydantic import AliasChoices, AliasGenerator, AliasPath, BaseModel, ConfigDict, Discriminator, Field, PrivateAttr, RootModel, computed_field, field_serializer, field_validator, model_validator
from pydantic.alias_generators import to_camel, to_pascal, to_snake
X = TypeVar('X')
class P(BaseModel):
    x: int
class Color(str, Enum):
    RED = 'red'
    BLUE = 'blue'
class Level(IntEnum):
    LOW = 1
    HIGH = 2
class Cat(BaseModel):
    kind: Literal['cat']
    lives: int
class Dog(BaseModel):
    kind: Literal['dog']
    name: Optional[str] = None
class Td(TypedDict):
    t: int
@dataclass
class Dc:
    d: int
";

/// Types of members.
const TYPES: [&str; 34] = [
    "str",
    "int",
    "float",
    "bool",
    "None",
    "Any",
    "Literal['a']",
    "Literal['a', 'b', 3]",
    "Literal[Color.RED]",
    "Optional[str]",
    "str | None",
    "Union[str, int]",
    "list[str]",
    "List[Optional[int]]",
    "Sequence[bool]",
    "dict[str, int]",
    "Dict[str, list[P]]",
    "Mapping[str, Any]",
    "tuple[str, int]",
    "Tuple[str, ...]",
    "list",
    "dict",
    "P",
    "'P'",
    "list['P']",
    "Color",
    "Level",
    "Td",
    "Dc",
    "Annotated[str, 'note']",
    "Annotated[int, Field(description='n')]",
    "Annotated[Union[Cat, Dog], Field(discriminator='kind')]",
    "Optional[Annotated[Union[Cat, Dog], Discriminator('kind')]]",
    "Union[Cat, Dog, None]",
];

/// pydantic's own models.
pub(super) fn models() -> Vec<String> {
    let mut rows = Vec::new();
    for ty in TYPES {
        rows.push(format!("class T(BaseModel):\n    a: {ty}\n    id: str"));
        rows.push(format!(
            "class T(BaseModel):\n    a: Optional[{ty}] = None\n    b: list[{ty}]"
        ));
        rows.push(format!("class T(RootModel[{ty}]): ..."));
    }
    for body in BODIES {
        rows.push(format!("class T(BaseModel):\n    {}", body.replace("; ", "\n    ")));
    }
    rows.extend(MODULES.iter().map(|&row| row.to_owned()));
    rows
}

/// Typed dicts, dataclasses and named tuples.
pub(super) fn plain_classes() -> Vec<String> {
    let mut rows = Vec::new();
    for ty in TYPES {
        rows.push(format!("class T(TypedDict):\n    a: {ty}\n    b: NotRequired[{ty}]"));
        rows.push(format!("@dataclass\nclass T:\n    a: {ty}\n    b: list[{ty}]"));
    }
    for ty in &TYPES[..8] {
        rows.push(format!(
            "class T(TypedDict, total=False):\n    a: {ty}\n    b: Required[{ty}]"
        ));
        rows.push(format!("class T(NamedTuple):\n    a: {ty}\n    b: int"));
    }
    rows.extend(PLAIN.iter().map(|&row| row.to_owned()));
    rows
}

/// Bodies of a model; `; ` is a new line.
const BODIES: [&str; 66] = [
    "pass",
    "'''Says.'''; a: int",
    "a: int = 1",
    "a: str = 'x'; b: bool = False",
    "a: list[int] = []",
    "a: dict[str, int] = Field(default_factory=dict)",
    "a: Optional[int]",
    "a: int | None = 1",
    "a: P = P(x=1)",
    "a: int = Field()",
    "a: int = Field(...)",
    "a: int = Field(default=1)",
    "a: int = Field(1, description='d')",
    "a: Annotated[int, Field()] = 1",
    "a: Literal['a'] = 'a'",
    "a: Literal['a', 'b'] = 'a'",
    "a: Color = Color.RED",
    "type: str = 'x'",
    "a: int = Field(alias='b')",
    "a: int = Field(alias='b-c')",
    "a: Annotated[int, Field(alias='b')]",
    "a: Annotated[int, Field(alias='b')] = 1",
    "a: int = Field(serialization_alias='b')",
    "a: int = Field(validation_alias='b')",
    "a: int = Field(serialization_alias='b', validation_alias='c')",
    "a: int = Field(validation_alias=AliasChoices('b', 'c'))",
    "a: int = Field(alias='b', serialization_alias='c')",
    "a: int = Field(exclude=True); b: int",
    "a: Optional[int] = Field(default=None, exclude=True); b: int",
    "a: int = Field(deprecated=True)",
    "a: int = Field(title='t', examples=[1], json_schema_extra={'x': 1})",
    "_a: int = 1; b: int",
    "_a: int = PrivateAttr(default=1); b: int",
    "a: ClassVar[int] = 1; b: int",
    "A: ClassVar[Literal['x']] = 'x'; b: int",
    "model_config = ConfigDict(extra='allow'); a: int",
    "model_config = ConfigDict(extra='ignore'); a: int",
    "model_config = ConfigDict(alias_generator=to_camel); some_name: int; b: int",
    "model_config = ConfigDict(alias_generator=to_pascal); some_name: int; b: int",
    "model_config = ConfigDict(alias_generator=to_snake); someName: int; b: int",
    "model_config = ConfigDict(alias_generator=to_camel); http_2_url: int; x_y_z: int; a1_b: int",
    "model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True); some_name: int",
    "model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True); some_name: int",
    "model_config = ConfigDict(alias_generator=to_camel); some_name: int = Field(alias='other')",
    "model_config = ConfigDict(alias_generator=AliasGenerator(alias=to_camel)); some_name: int",
    "model_config = ConfigDict(alias_generator=AliasGenerator(serialization_alias=to_camel)); some_name: int",
    "model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel)); some_name: int",
    "model_config = ConfigDict(alias_generator=lambda n: n.upper()); some_name: int",
    "model_config = ConfigDict(frozen=True, strict=False); a: int",
    "model_config = {'extra': 'allow'}; a: int",
    "a: int; @computed_field; @property; def b(self) -> str: return 'x'",
    "a: int; @computed_field(alias='c'); @property; def b(self) -> str: return 'x'",
    "a: int; @computed_field(return_type=int); @property; def b(self): return 1",
    "a: int; @property; def b(self) -> str: return 'x'",
    "a: int; @field_validator('a'); @classmethod; def check(cls, v): return v",
    "a: int; def m(self) -> int: return 1",
    "a: 'Optional[T]' = None; kids: 'list[T]'",
    "a: datetime.datetime; b: datetime.date; c: datetime.time; d: datetime.timedelta",
    "a: uuid.UUID; b: Path; c: decimal.Decimal",
    "a: bytes",
    "a: set[str]; b: frozenset[int]",
    "a: tuple[()]",
    "a: object",
    "a: Union[Literal['a'], Literal['b'], None] = None",
    "a: dict[Color, int]",
    "a: dict[str, dict[str, Union[int, None]]]; b: list[tuple[int, P]]",
];

/// Rows that need more than one class.
const MODULES: [&str; 30] = [
    "class B(BaseModel):\n    a: int\nclass T(B):\n    b: str",
    "class B(BaseModel):\n    a: int\nclass T(B):\n    a: Literal[1]",
    "class B(BaseModel):\n    a: int = 1\nclass T(B):\n    a: int",
    "class A(BaseModel):\n    a: int\nclass B(BaseModel):\n    b: int\nclass T(A, B):\n    c: int",
    "class B(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\nclass T(B):\n    some_name: int",
    "class B(BaseModel):\n    model_config = ConfigDict(extra='allow')\nclass T(B):\n    a: int",
    "class B(BaseModel):\n    model_config = ConfigDict(extra='allow')\nclass T(B):\n    model_config = ConfigDict(extra='forbid')\n    a: int",
    "class B(BaseModel, Generic[X]):\n    v: X\nclass T(B[int]):\n    b: int",
    "class B(BaseModel, Generic[X]):\n    v: list[X]\nclass T(BaseModel):\n    b: B[str]\n    c: B[P]",
    "class B(BaseModel, Generic[X]):\n    v: Optional[X] = None\nT = B[int] | None",
    "T = Union[Cat, Dog]",
    "T = Annotated[Union[Cat, Dog], Field(discriminator='kind')]",
    "T = Cat | Dog | None",
    "class T(BaseModel):\n    class In(BaseModel):\n        q: int\n    a: In",
    "class T(BaseModel):\n    class K(str, Enum):\n        A = 'a'\n    a: K",
    "class K(str, Enum):\n    A = 'a'\n    B = 'b'\nT = dict[str, K]\nclass Holder(BaseModel):\n    t: T",
    "class T(str, Enum):\n    A = 'a'\n    B = 'b'",
    "class T(IntEnum):\n    A = 1\n    B = auto()",
    "class T(Enum):\n    A = 'a'\n    B = 2",
    "class T(enum.StrEnum):\n    A = auto()\n    B = 'x'",
    "class Kid(P):\n    y: int\nclass T(BaseModel):\n    p: P\n    k: Kid",
    "class Mixin:\n    def m(self): ...\nclass T(Mixin, BaseModel):\n    a: int",
    "Name = Literal['a', 'b']\nclass T(BaseModel):\n    n: Name",
    "Id = typing.NewType('Id', str)\nclass T(BaseModel):\n    n: Id",
    "Kind = Literal['a', 'b']\nMore = Union[Kind, Literal['c']]\nclass T(BaseModel):\n    n: More",
    "class Ev(BaseModel):\n    type: Literal['ev'] = 'ev'\nclass Ew(BaseModel):\n    type: Literal['ew'] = 'ew'\n    n: int = 0\nclass T(BaseModel):\n    e: Annotated[Ev | Ew, Field(discriminator='type')]",
    "class T(BaseModel):\n    a: 'Later'\nclass Later(BaseModel):\n    z: int",
    "class A(BaseModel):\n    b: 'Optional[B]' = None\nclass B(BaseModel):\n    a: Optional[A] = None\nclass T(BaseModel):\n    a: A",
    "class T(pydantic.BaseModel):\n    a: int = pydantic.Field(alias='b')",
    "class R(RootModel[list[P]]): ...\nclass T(BaseModel):\n    r: R",
];

const PLAIN: [&str; 30] = [
    "class T(TypedDict): ...",
    "class B(TypedDict):\n    a: int\nclass T(B):\n    b: str",
    "class B(TypedDict, total=False):\n    a: int\nclass T(B):\n    b: str",
    "class B(TypedDict):\n    a: int\nclass T(B, total=False):\n    b: str",
    "class A(TypedDict):\n    a: int\nclass B(TypedDict):\n    b: int\nclass T(A, B): ...",
    "T = TypedDict('T', {'a-b': int, 'c': NotRequired[str]})",
    "T = TypedDict('T', {'a': int, 'b': Required[str]}, total=False)",
    "class T(TypedDict):\n    a: Annotated[int, 'x']\n    b: Annotated[NotRequired[int], 'y']",
    "class T(TypedDict):\n    a: NotRequired[Annotated[int, 'x']]\n    b: NotRequired[Optional[str]]",
    "class T(TypedDict):\n    a: ReadOnly[int]\n    b: NotRequired[ReadOnly[str]]",
    "class G(TypedDict, Generic[X]):\n    v: X\nclass T(TypedDict):\n    g: G[int]",
    "class T(TypedDict):\n    kids: 'list[T]'\n    up: 'NotRequired[T]'",
    "class T(TypedDict):\n    type: Literal['a']\n    d: Dc",
    "@dataclass\nclass T:\n    a: int = 1",
    "@dataclass\nclass T:\n    a: int\n    b: list[int] = field(default_factory=list)",
    "@dataclass\nclass T:\n    a: int\n    b: str = field(default='x')",
    "@dataclass\nclass T:\n    a: Optional[int] = None",
    "@dataclass(frozen=True)\nclass T:\n    a: int",
    "@dataclass(kw_only=True)\nclass T:\n    a: int = 1\n    b: str",
    "@dataclass\nclass B:\n    a: int\n@dataclass\nclass T(B):\n    b: str",
    "@dataclass\nclass B:\n    a: int\n@dataclass\nclass T(B):\n    a: Literal[1]",
    "@dataclass\nclass T:\n    A: ClassVar[int] = 1\n    b: int",
    "@dataclass\nclass T:\n    a: 'Optional[T]'",
    "@dataclass\nclass T:\n    a: int\n    @property\n    def b(self) -> str: return 'x'",
    "@dataclass\nclass T:\n    type: Literal['t'] = 't'\n    a: int = 0",
    "@pydantic.dataclasses.dataclass\nclass T:\n    a: int\n    b: int = Field(default=1)",
    "class N(NamedTuple):\n    a: int\n    b: str\n@dataclass\nclass T:\n    n: N",
    "@dataclass\nclass A:\n    kind: Literal['a']\n@dataclass\nclass B:\n    kind: Literal['b']\n    n: int\nT = Union[A, B]",
    "class A(TypedDict):\n    kind: Literal['a']\nclass B(TypedDict):\n    kind: Literal['b']\n    n: NotRequired[int]\nT = A | B",
    "@dataclass\nclass G(Generic[X]):\n    v: X\n@dataclass\nclass T:\n    g: G[str]",
];
