//! What a user of the Python extractor relies on, one source and one line of model a row.

use crate::testing::{MemoryTree, print_file};

const HEAD: &str = "from __future__ import annotations
import datetime, enum, typing as t
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum, IntEnum, StrEnum, auto
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Generic, Literal, NamedTuple, NotRequired, Optional, Protocol, Required, TypedDict, TypeVar, Union
from uuid import UUID
from pydantic import AliasChoices, AliasGenerator, BaseModel, ConfigDict, Discriminator, Field, PrivateAttr, RootModel, computed_field
from pydantic.alias_generators import to_camel
from elsewhere import Thing
";

/// The line of type `T` in a module.
fn one(source: &str) -> String {
    let printed = print_file("p/t.py", &format!("{HEAD}\n{source}\n"));
    let line = printed.lines().find(|line| line.starts_with("T ")).unwrap_or(&printed);
    line.strip_prefix("T = ").unwrap_or(line).to_owned()
}

#[test]
fn annotations() {
    for (ty, expected) in [
        ("str", "string"),
        ("int", "number"),
        ("float", "number"),
        ("bool", "boolean"),
        ("bytes", "string"),
        ("None", "null"),
        ("Any", "any"),
        ("object", "any"),
        ("datetime.datetime", "string"),
        ("timedelta", "string"),
        ("UUID", "string"),
        ("Path", "string"),
        ("Thing", "?Thing"),
        ("Gone", "?Gone"),
        ("list[str]", "string[]"),
        ("list", "any[]"),
        ("t.List[int]", "number[]"),
        ("Sequence[str]", "string[]"),
        ("set[str]", "string[]"),
        ("tuple[str, ...]", "string[]"),
        ("tuple[str, int]", "[string, number]"),
        ("tuple[()]", "[]"),
        ("dict[str, int]", "{*: number}"),
        ("dict", "{*: any}"),
        ("Mapping[str, list[T]]", "{*: T[]}"),
        ("str | None", "string | null"),
        ("None | str", "string | null"),
        ("Optional[str]", "string | null"),
        ("Union[str, int, None]", "string | number | null"),
        ("Optional[Union[str, int]]", "string | number | null"),
        ("\"T\"", "T"),
        ("list[\"T | None\"]", "(T | null)[]"),
        ("Literal[\"a\"]", "\"a\""),
        ("Literal['a', 'b', 1, True, None]", "\"a\" | \"b\" | 1 | true | null"),
        ("Literal[\"a\"] | Literal[\"b\"]", "\"a\" | \"b\""),
        ("Literal[\"a\"] | str", "\"a\" | *"),
        ("Annotated[str, 'doc', len]", "string"),
        ("Annotated[\"T\", Field(description='x')]", "T"),
        ("Callable[[int], None]", "any"),
        ("type[Thing]", "any"),
        ("(\n        str\n        | int\n    )", "string | number"),
        ("str | list[int] | dict[str, Any]", "string | number[] | {*: any}"),
    ] {
        assert_eq!(
            one(&format!("class T(BaseModel):\n    a: {ty}")),
            format!("{{a: {expected}}}"),
            "{ty}"
        );
    }
}

#[test]
fn fields_of_models() {
    for (fields, expected) in [
        ("pass", "{}"),
        ("'''Says.'''\n    a: int", "{a: number}"),
        ("a: int = 1", "{a?: number}"),
        ("a: int | None = None", "{a?: number | null}"),
        ("a: int | None", "{a: number | null}"),
        ("a: int = Field(...)", "{a: number}"),
        ("a: int = Field(description='x')", "{a: number}"),
        ("a: int = Field(default=1)", "{a?: number}"),
        ("a: int = Field(1, ge=0)", "{a?: number}"),
        ("a: list[int] = Field(default_factory=list)", "{a?: number[]}"),
        ("a: Annotated[int, Field(gt=0)]", "{a: number}"),
        ("a: Annotated[int, Field(default=3)]", "{a?: number}"),
        ("a: int = Field(alias='b')", "{b: number}"),
        ("a: Annotated[int, Field(alias='b')] = 1", "{b?: number}"),
        (
            "a: int = Field(serialization_alias='b', validation_alias='c')",
            "{b~c: number}",
        ),
        (
            "a: int = Field(validation_alias=AliasChoices('a', 'c'))",
            "{a~c: number}",
        ),
        ("a: int = Field(exclude=True)\n    b: int", "{b: number}"),
        ("a: int = Field(deprecated=True)", "{a: number !deprecated}"),
        ("a: int\n    '''Experimental: may go.'''", "{a: number !experimental}"),
        ("_a: int = 1\n    b: int", "{b: number}"),
        ("a: int = PrivateAttr()\n    b: int", "{b: number}"),
        ("A: ClassVar[int] = 1\n    b: int", "{b: number}"),
        ("A: ClassVar = 1\n    b: int", "{b: number}"),
        ("A: Final[int] = 1\n    b: int", "{b: number}"),
        ("a = 1\n    b: int", "{b: number}"),
        ("description: str\n    type: str", "{description: string, type: string}"),
        // a member with one value is always written with it
        ("kind: Literal['a'] = 'a'", "{kind=: \"a\"}"),
        ("kind: Literal['a', 'b'] = 'a'", "{kind?: \"a\" | \"b\"}"),
        ("model_config = ConfigDict(extra='allow')\n    a: int", "{a: number, *}"),
        ("model_config = {'extra': 'forbid'}\n    a: int", "{a: number}"),
        (
            "model_config = ConfigDict(alias_generator=to_camel)\n    some_name: int",
            "{someName: number}",
        ),
        (
            "model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)\n    some_name: int\n    x: int = Field(alias='y')",
            "{someName~some_name: number, y~x: number}",
        ),
        (
            "model_config = ConfigDict(alias_generator=AliasGenerator(serialization_alias=to_camel))\n    some_name: int",
            "{someName~some_name: number}",
        ),
        ("class Config:\n        extra = 'allow'\n    a: int", "{a: number, *}"),
        (
            "a: int\n    @computed_field\n    @property\n    def b(self) -> str: ...",
            "{a: number, b=: string}",
        ),
        (
            "a: int\n    @property\n    def b(self) -> str: ...\n    def __init__(self): self._x: int = 1",
            "{a: number}",
        ),
        (
            "a: int\n    @field_validator('a')\n    @classmethod\n    def check(cls, v): return v",
            "{a: number}",
        ),
    ] {
        assert_eq!(one(&format!("class T(BaseModel):\n    {fields}")), expected, "{fields}");
    }
}

#[test]
fn kinds_of_classes() {
    for (source, expected) in [
        (
            "class T(TypedDict):\n    a: int\n    b: NotRequired[str]",
            "{a: number, b?: string}",
        ),
        (
            "class T(TypedDict, total=False):\n    a: int\n    b: Required[str]",
            "{a?: number, b: string}",
        ),
        (
            "T = TypedDict('T', {'a-b': int, 'c': NotRequired[str]})",
            "{a-b: number, c?: string}",
        ),
        (
            "@dataclass\nclass T:\n    a: int\n    b: list[int] = field(default_factory=list)\n    c: str = 'x'",
            "{a: number, b?: number[], c?: string}",
        ),
        ("@dataclass(frozen=True)\nclass T:\n    a: int", "{a: number}"),
        (
            "@dataclass\nclass T:\n    a: Callable[[], None]",
            "{a: any} (in process)",
        ),
        ("class T(NamedTuple):\n    a: int\n    b: str = ''", "[number, string]"),
        (
            "class T(str, Enum):\n    A = 'a'\n    B = 'b'\n    def f(self): ...",
            "A=\"a\" | B=\"b\"",
        ),
        (
            "class T(StrEnum):\n    First = auto()\n    B = 'x'",
            "First=\"first\" | B=\"x\"",
        ),
        (
            "class T(IntEnum):\n    A = auto()\n    B = 5\n    C = auto()\n    D = B",
            "A=1 | B=5 | C=6",
        ),
        (
            "class T(enum.Enum):\n    A = 'a'\n    _ignore_ = ['x']\n    b: int",
            "A=\"a\"",
        ),
        ("class T:\n    A = -1\n    '''Says.'''\n    B = -2", "A=-1 | B=-2 | *"),
        ("class T:\n    A = 'a'\n    B = compute()", "any (in process)"),
        ("class T(Exception):\n    a: int", "any (in process)"),
        (
            "class Base(Exception): ...\nclass T(Base):\n    a: int",
            "any (in process)",
        ),
        ("class T(Protocol):\n    a: int", "any (in process)"),
        ("class T:\n    def __init__(self): self.a = 1", "any (in process)"),
        ("class T(RootModel[list[int]]): ...", "number[]"),
        ("class T(str): ...", "string (in process)"),
        // derived from something that is not in the tree
        ("class T(Thing):\n    a: int", "{a: number}"),
        (
            "class T(Thing):\n    type: str = 'diff'\n    a: str = ''",
            "{a?: string, type=: \"diff\"}",
        ),
        ("class T(BaseModel):\n    type: str = 'diff'", "{type?: string}"),
        ("class T(Thing): ...", "any (in process)"),
        // bases
        (
            "class B(BaseModel):\n    a: int\nclass T(B):\n    b: int",
            "{b: number, ...B}",
        ),
        (
            "class B(BaseModel):\n    type: str\nclass T(B):\n    type: str = 'diff'",
            "{type=: \"diff\", ...B}",
        ),
        (
            "class B(BaseModel):\n    type: str = ''\nclass T(B):\n    type: str = 'diff'",
            "{type?: string, ...B}",
        ),
        (
            "class B(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\nclass T(B):\n    a_b: int",
            "{aB: number, ...B}",
        ),
        (
            "P = TypeVar('P')\nclass B(BaseModel, Generic[P]):\n    p: P\nclass T(B[int]):\n    b: int",
            "{b: number, ...{p: number}}",
        ),
        (
            "class B[P](BaseModel):\n    p: list[P]\nclass T(BaseModel):\n    b: B[str]\n    c: B",
            "{b: {p: string[]}, c: B}",
        ),
        // nested
        (
            "class T(BaseModel):\n    class Params(BaseModel):\n        a: int\n    type Kind = Literal['a', 'b']\n    params: Params\n    kind: Kind",
            "{kind: T.Kind, params: T.Params}",
        ),
        (
            "class U(BaseModel):\n    class Inner(BaseModel):\n        a: int\nclass T(BaseModel):\n    a: U.Inner",
            "{a: U.Inner}",
        ),
        (
            "class K(Enum):\n    A = 'a'\nclass T(BaseModel):\n    a: Literal[K.A]",
            "{a: \"a\"}",
        ),
        (
            "if t.TYPE_CHECKING:\n    pass\ntry:\n    class T(BaseModel):\n        a: int\nexcept ImportError:\n    pass",
            "{a: number}",
        ),
    ] {
        assert_eq!(one(source), expected, "{source}");
    }
}

#[test]
fn aliases() {
    const ARMS: &str = "class A(BaseModel):\n    a: int\nclass B(BaseModel):\n    b: int\n";
    for (source, expected) in [
        ("type T = A | B", "A | B"),
        ("type T = (\n    A\n    | B\n)", "A | B"),
        ("T: t.TypeAlias = 'A | B'", "A | B"),
        ("T = Union[A, B]", "A | B"),
        ("T = A | B", "A | B"),
        ("T = Optional[A]", "A | null"),
        (
            "T = Annotated[Union[A, B], Field(discriminator='kind')]",
            "<kind> A | B",
        ),
        ("T = Annotated[A | B, Discriminator('kind')]", "<kind> A | B"),
        ("type T[X] = list[X]", "any[] (in process)"),
        ("T = Literal['a', 'b']", "\"a\" | \"b\" (in process)"),
        ("type T = Callable[[A], B]", "any (in process)"),
        ("T = t.NewType('T', int)", "number (in process)"),
    ] {
        assert_eq!(one(&format!("{ARMS}{source}")), expected, "{source}");
    }
    // What is no type is none.
    for source in [
        "T = A",
        "T = CONFIG['x']",
        "T = 1 | 2",
        "T = flags.A | flags.B | other()",
        "T = [A, B]",
        "T = TypeAdapter[A](A)",
    ] {
        let printed = print_file("p/t.py", &format!("{HEAD}\n{ARMS}{source}\n"));
        assert!(
            !printed.contains("\nT ") && !printed.contains("T ="),
            "{source}: {printed}"
        );
    }
}

#[test]
fn a_long_union_is_read_whole() {
    let arms: Vec<String> = (0..500).map(|n| format!("Literal['v{n}']")).collect();
    let line = one(&format!("type T = {}", arms.join(" | ")));
    assert!(
        line.starts_with("\"v0\" | \"v1\"") && line.contains("\"v499\""),
        "{line}"
    );
}

#[test]
fn class_names_as_tags() {
    let source = "
class Begin(BaseModel):
    n: int
class End(BaseModel): ...
class Ask(BaseModel):
    id: str
type Event = Begin | End | Thing
type Request = Ask
type Message = Event | Request
type Other = Begin | End
_TYPES = cast(tuple[type[Message], ...], flatten(Message))
_BY_NAME: dict[str, type] = {cls.__name__: cls for cls in _TYPES}
class Envelope(BaseModel):
    type: str
    payload: dict[str, Any]
class Frame(BaseModel):
    params: Event
";
    insta::assert_snapshot!(print_file("p/t.py", &format!("{HEAD}{source}")), @r#"
    Ask = {id: string}
    Begin = {n: number}
    End = {}
    Envelope = {payload: {*: any}, type: string}
    Event = <type> Begin={payload: Begin, type: "Begin"} | End={payload: End, type: "End"} | Thing={payload: ?Thing, type: "Thing"}
    Frame = {params: Event}
    Message = Event | Request
    Other = Begin | End
    Request = <type> Ask={payload: Ask, type: "Ask"}
    unresolved p/t.py:19 Thing
    "#);
    let source = "
class Begin(BaseModel):
    n: int
class End(BaseModel): ...
Event = Begin | End
def write(event: Event) -> dict:
    return {'kind': type(event).__name__, 'data': event.model_dump()}
";
    insta::assert_snapshot!(print_file("p/t.py", &format!("{HEAD}{source}")), @r#"
    Begin = {n: number}
    End = {}
    Event = <kind> Begin={data: Begin, kind: "Begin"} | End={data: End, kind: "End"}
    "#);
}

#[test]
fn modules_and_imports() {
    let tree = MemoryTree::new(&[
        (
            "src/app/wire/types.py",
            "from lib.message import Part as P, Kind\nfrom . import display\nfrom ..tools.show import *\nimport lib.usage\nimport lib.usage as u\n\
             from .display import Gone\nfrom outside import Missing\n\
             class T:\n    pass\n\
             class Root(display.Block):\n    part: P\n    kind: Kind\n    show: Show\n    usage: lib.usage.Usage\n    again: u.Usage\n    gone: Gone\n    missing: list[Missing]\n",
        ),
        (
            "src/app/wire/display.py",
            "from pydantic import BaseModel\nclass Block(BaseModel):\n    type: str\n",
        ),
        ("src/app/wire/__init__.py", ""),
        (
            "src/app/tools/show.py",
            "from pydantic import BaseModel\nclass Show(BaseModel):\n    a: int\n",
        ),
        (
            "packages/lib/src/lib/message/__init__.py",
            "from ._impl import Part\nfrom lib.message._impl import Kind\n",
        ),
        (
            "packages/lib/src/lib/message/_impl.py",
            "from pydantic import BaseModel\nfrom enum import Enum\nclass Part(BaseModel):\n    text: str\nclass Kind(Enum):\n    A = 'a'\n",
        ),
        (
            "packages/lib/src/lib/usage.py",
            "from pydantic import BaseModel\nclass Usage(BaseModel):\n    n: int\nclass Root(BaseModel):\n    n: int\n",
        ),
        (
            "tests/test_types.py",
            "from pydantic import BaseModel\nclass Root(BaseModel):\n    x: int\n",
        ),
    ]);
    let model = tree.link(&[
        "src/app/wire/types.py",
        "packages/lib/src/lib/usage.py",
        "tests/test_types.py",
    ]);
    insta::assert_snapshot!(model.print(), @r#"
    Block = {type: string} (beyond)
    Kind = A="a" (beyond)
    Part = {text: string} (beyond)
    Root = {n: number}
    [Root@src/app/wire/types.py] Root = {again: Usage, gone: ?Gone, kind: Kind, missing: ?Missing[], part: Part, show: Show, usage: Usage, ...Block}
    Show = {a: number} (beyond)
    T = any (in process)
    Usage = {n: number}
    unresolved src/app/wire/types.py:10 Gone
    unresolved src/app/wire/types.py:10 Missing
    "#);
    assert_eq!(model.files, 2);
}

#[test]
fn constants_of_a_handshake() {
    let source =
        "WIRE_PROTOCOL_VERSION: str = \"1.10\"\nPROTOCOL_VERSION = 3\nVERSION = \"1\"\nprotocol_versions = [1]\n";
    insta::assert_snapshot!(print_file("p/t.py", source), @r#"
    const PROTOCOL_VERSION = 3
    const WIRE_PROTOCOL_VERSION = "1.10"
    "#);
}

#[test]
fn spaces_comments_and_order_say_nothing() {
    let plain =
        format!("{HEAD}class T(BaseModel):\n    a: int\n    b: str | None = None\nclass U(BaseModel):\n    t: T\n");
    let dressed = format!(
        "#!/usr/bin/env python\n{HEAD}import os\nclass U(BaseModel):\n    \"\"\"U.\"\"\"\n\n    t: \"T\"\n    \"\"\"The t.\"\"\"\n\n    def f(self):\n        return 1\n\nclass T(BaseModel):\n    # b\n    b: Optional[str] = Field(default=None, description=\"b\")\n    a: int  # a\n"
    )
    .replace('\n', "\r\n");
    assert_eq!(print_file("p/t.py", &dressed), print_file("p/t.py", &plain));
}

#[test]
fn one_mistake_costs_one_type() {
    let types: Vec<String> = (0..10)
        .map(|n| format!("class T{n}(BaseModel):\n    a: int\n    b: str = ''\n"))
        .collect();
    let text = format!("{HEAD}\n{}", types.join("\n"));
    let broken = text.replacen(
        "class T4(BaseModel):\n    a: int\n",
        "class T4(BaseModel):\n    a: : int )\n",
        1,
    );
    let model = MemoryTree::new(&[("p/a.py", broken)]).link(&["p/a.py"]);
    for n in [0, 1, 2, 3, 5, 6, 7, 8, 9] {
        let decl = model.types.get(&format!("T{n}")).map(ToString::to_string);
        assert_eq!(
            decl,
            Some(format!("T{n} = {{a: number, b?: string}}")),
            "{}",
            model.print()
        );
    }
    assert!(
        model
            .degraded
            .iter()
            .any(|degraded| degraded.hides.contains(&"T4".to_owned())),
        "{}",
        model.print()
    );
    // An error inside a function hides nothing.
    let model = MemoryTree::new(&[("p/a.py", format!("{text}\ndef f():\n    return = 1\n"))]).link(&["p/a.py"]);
    assert_eq!((model.types.len(), model.degraded.len()), (10, 0), "{}", model.print());
}

#[test]
fn no_prefix_panics() {
    let text = "from a import (b as c, d)\nfrom .x import *\n@dataclass\nclass T[K](B[K], total=False):\n    \"\"\"é\"\"\"\n    model_config = ConfigDict(extra='allow')\n    a: Annotated[list[\"T | None\"], Field(alias='b')] = field(default_factory=list)\n    class N(Enum):\n        A = auto()\n    type X = Literal[-1, 'a'] | dict[str, N]\ntype E = (T | int)\nM = {c.__name__: c for c in E}\ndef f(x: E): return {'type': type(x).__name__, 'p': 1}\n";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let model = MemoryTree::new(&[("p/a.py", &text[..end])]).link(&["p/a.py"]);
        assert_eq!(model.files, 1);
    }
    for deep in [
        format!("a: {}int{}\n", "list[".repeat(5_000), "]".repeat(5_000)),
        format!("type T = {}1\n", "1 | ".repeat(5_000)),
        format!("type T = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000)),
        (0..300).fold(String::new(), |text, n| text + &" ".repeat(n) + "class A:\n"),
        "class A(A): ...\nclass B(C):\n    x: int\nclass C(B): ...\ntype D = D | E\ntype E = D\nF = F\nG = H\nH = G\n"
            .to_owned(),
    ] {
        let model = MemoryTree::new(&[("p/a.py", deep)]).link(&["p/a.py"]);
        assert_eq!(model.files, 1);
    }
}

#[test]
fn dicts_that_are_sent_are_events() {
    let source = r#"
import json, sys
async def run(self):
    print(json.dumps({"type": "start", "id": self.id, "n": 1}))
    sys.stdout.write(json.dumps({'type': 'stop', "parts": [1], "in": {"ok": True}}) + "\\n")
    await self._send_frame({"method": "item/done", **rest})
    yield {"type": "delta", "text": f"{x}"}
    x = {"type": "kept"}
    json.dumps({"type": "object", "properties": {}})
    dispatch({"type": "other"})
"#;
    insta::assert_snapshot!(print_file("p/t.py", source), @r#"
    dict(method) = <method> {method: "item/done", *} | * (literal)
    dict(type) = <type> {text: string, type: "delta"} | {id: any, n: number, type: "start"} | {in: {ok: boolean}, parts: any[], type: "stop"} | * (literal)
    "#);
    assert_eq!(print_file("tests/t.py", source), "");
}
