//! Shapes from wire models: which events there are, which paths, in which words.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agent_contracts_shapes::{Derived, Exit, Shape, StderrClass, Validity, derive};
use agent_contracts_wire::model::{Evidence, Place, Stability};
use agent_contracts_wire::{Arm, DiffOptions, Direction, Family, Field, Object, Type, TypeDecl, Union, WireModel};
use proptest::prelude::*;

fn family(id: &str) -> &'static Family {
    Family::of(id).unwrap()
}

/// `name` is required, `name?` is not.
fn object<const N: usize>(fields: [(&str, Type); N]) -> Type {
    Type::Object(Object {
        fields: fields
            .into_iter()
            .map(|(name, ty)| match name.strip_suffix('?') {
                Some(name) => (name.to_owned(), Field::new(ty, false, 1)),
                None => (name.to_owned(), Field::new(ty, true, 1)),
            })
            .collect(),
        ..Object::default()
    })
}

fn with_parts(ty: Type, parts: Vec<Type>) -> Type {
    match ty {
        Type::Object(object) => Type::Object(Object { parts, ..object }),
        other => other,
    }
}

fn named(id: &str) -> Type {
    Type::Named(id.to_owned())
}

fn list(item: Type) -> Type {
    Type::Array(Box::new(item))
}

fn decl(name: &str, body: Type) -> TypeDecl {
    TypeDecl {
        name: name.to_owned(),
        place: Place::default(),
        in_scope: true,
        body,
        direction: None,
        stability: Stability::Stable,
        evidence: Evidence::Declared,
    }
}

fn model<const N: usize>(types: [(&str, Type); N]) -> WireModel {
    WireModel {
        types: types
            .into_iter()
            .map(|(name, body)| (name.to_owned(), decl(name, body)))
            .collect(),
        ..WireModel::default()
    }
}

fn derived(model: &WireModel) -> Derived {
    derive(
        model,
        &DiffOptions::default(),
        family("json-event-stream/v1"),
        Validity::SourceDerived,
    )
    .unwrap()
}

/// One line a frame, one a path.
fn print(shape: &Shape) -> String {
    let mut out = String::new();
    for frame in &shape.frame_shapes {
        let word = |value: &dyn erased::Word| value.word();
        let _ = writeln!(
            out,
            "{} {} {}",
            word(&frame.direction),
            word(&frame.stream),
            frame.event_type
        );
        for path in &frame.paths {
            let mark = if path.required { "" } else { "?" };
            let values = frame
                .enums
                .get(&path.path)
                .map_or(String::new(), |values| format!(" {values:?}"));
            let _ = writeln!(out, "  {}{mark} {}{values}", path.path, word(&path.ty));
        }
    }
    out
}

/// The word that serde writes for an enum.
mod erased {
    pub(crate) trait Word {
        fn word(&self) -> String;
    }

    impl<T: serde::Serialize> Word for T {
        fn word(&self) -> String {
            serde_json::to_value(self)
                .ok()
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        }
    }
}

fn thread_events() -> WireModel {
    model([
        (
            "ThreadEvent",
            Type::union([named("TurnCompleted"), named("ItemCompleted"), named("Failed")]),
        ),
        (
            "TurnCompleted",
            object([
                ("type", Type::literal("turn.completed")),
                ("usage", named("Usage").nullable()),
            ]),
        ),
        (
            "Usage",
            object([
                ("input_tokens", Type::Number),
                ("cached?", Type::Number),
                ("by.model?", Type::Map(Box::new(Type::Number))),
            ]),
        ),
        (
            "ItemCompleted",
            object([
                ("type", Type::literal("item.completed")),
                ("item", Type::union([named("Message"), named("Command")])),
                (
                    "content",
                    list(Type::union([named("Text"), named("Image"), Type::String])),
                ),
            ]),
        ),
        (
            "Message",
            object([("type", Type::literal("message")), ("text", Type::String)]),
        ),
        (
            "Command",
            object([
                ("type", Type::literal("command")),
                ("exit_code?", Type::Number.nullable()),
                ("text", Type::Number),
                ("status", Type::union([Type::literal("done"), Type::literal("failed")])),
            ]),
        ),
        (
            "Text",
            object([("type", Type::literal("text")), ("text", Type::String)]),
        ),
        (
            "Image",
            object([
                ("type", Type::literal("image")),
                ("size", Type::Tuple(vec![Type::Number, Type::Number])),
            ]),
        ),
        (
            "Failed",
            object([("type", Type::literal("error")), ("details?", Type::Any)]),
        ),
    ])
}

#[test]
fn a_root_union_gives_one_frame_an_event_with_its_paths() {
    let derived = derived(&thread_events());
    assert!(derived.cut.is_empty());
    insta::assert_snapshot!(print(&derived.shape));
    let shape = derived.shape;
    assert_eq!(shape.frame_count, 3);
    assert_eq!(shape.event_types, ["error", "item.completed", "turn.completed"]);
    assert_eq!((shape.exit, shape.stderr_class), (Exit::Unknown, StderrClass::Unknown));
    assert_eq!(shape.sign().unwrap(), shape.signature);
    assert_eq!(
        shape.place().unwrap(),
        format!(
            "shapes/json-event-stream/{}.shape.json",
            shape.signature.replace(':', "-")
        )
    );
}

#[test]
fn the_level_is_no_part_of_the_name() {
    let model = thread_events();
    let options = DiffOptions::default();
    let of = |validity| {
        derive(&model, &options, family("json-event-stream/v1"), validity)
            .unwrap()
            .shape
    };
    let (derived, documented) = (of(Validity::SourceDerived), of(Validity::VendorDocumented));
    assert_eq!(derived.signature, documented.signature);
    let other = derive(&model, &options, family("plain/v1"), Validity::SourceDerived)
        .unwrap()
        .shape;
    assert_ne!(derived.signature, other.signature);
}

#[test]
fn tags_with_subtypes_and_types_without_tags_have_names() {
    let derived = derived(&model([
        (
            "Message",
            Type::union([
                object([("type", Type::literal("system")), ("subtype", Type::literal("init"))]),
                object([
                    ("type", Type::literal("system")),
                    ("subtype", Type::union([Type::literal("a"), Type::literal("b")])),
                ]),
                object([("type", Type::literal("assistant")), ("text", Type::String)]),
            ]),
        ),
        ("Settings", object([("model", Type::String)])),
        ("Mode", Type::union([Type::literal("on"), Type::literal("off")])),
        (
            "Keyed",
            Type::union([
                object([("Started", object([("id", Type::String)]))]),
                object([("Ended", Type::Null)]),
            ]),
        ),
    ]));
    assert_eq!(
        derived.shape.event_types,
        [
            "Ended",
            "Settings",
            "Started",
            "assistant",
            "system/a",
            "system/b",
            "system/init"
        ]
    );
}

#[test]
fn directions_come_from_options_declarations_and_answers() {
    let mut model = model([
        (
            "Request",
            Type::Union(Union {
                arms: vec![Arm {
                    result: Some(named("Opened")),
                    ..Arm::of(object([
                        ("method", Type::literal("session/new")),
                        ("params", object([("cwd", Type::String)])),
                    ]))
                }],
                tag: Some("method".to_owned()),
                open: false,
            }),
        ),
        ("Opened", object([("sessionId", Type::String)])),
        ("Update", object([("method", Type::literal("session/update"))])),
        ("Ping", object([("method", Type::literal("ping"))])),
    ]);
    model.types.get_mut("Ping").unwrap().direction = Some(Direction::Both);
    let options = DiffOptions {
        directions: BTreeMap::from([
            ("Request".to_owned(), Direction::Input),
            ("Update".to_owned(), Direction::Output),
        ]),
        ..DiffOptions::default()
    };
    let derived = derive(&model, &options, family("acp-json-rpc/v1"), Validity::SourceDerived).unwrap();
    insta::assert_snapshot!(print(&derived.shape));
}

#[test]
fn parts_are_joined_in_and_flattened_unions_make_events() {
    let derived = derived(&model([
        (
            "Envelope",
            with_parts(
                object([("id", Type::String)]),
                vec![
                    named("Base"),
                    Type::union([
                        object([("type", Type::literal("start"))]),
                        object([("type", Type::literal("end")), ("code?", Type::Number)]),
                    ]),
                ],
            ),
        ),
        (
            "Base",
            with_parts(
                object([("at", Type::Number), ("id", Type::Number)]),
                vec![named("Optional").nullable()],
            ),
        ),
        ("Optional", object([("note", Type::String)])),
    ]));
    insta::assert_snapshot!(print(&derived.shape));
}

#[test]
fn an_envelope_is_known_by_what_it_carries() {
    let derived = derived(&model([
        ("Event", object([("id", Type::String), ("msg", named("Msg"))])),
        (
            "Msg",
            Type::union([
                object([("type", Type::literal("task_started"))]),
                object([("type", Type::literal("agent_message")), ("message", Type::String)]),
            ]),
        ),
        (
            "Holder",
            object([("mode", Type::union([Type::literal("a"), Type::literal("b")]))]),
        ),
    ]));
    insta::assert_snapshot!(print(&derived.shape));
}

#[test]
fn recursive_types_end() {
    let derived = derived(&model([
        (
            "Event",
            object([
                ("type", Type::literal("tree")),
                ("root", named("Node")),
                ("value", named("Json")),
            ]),
        ),
        (
            "Node",
            object([
                ("name", Type::String),
                ("parent?", named("Node")),
                ("children", list(named("Node"))),
            ]),
        ),
        (
            "Json",
            Type::union([
                Type::Null,
                Type::String,
                list(named("Json")),
                Type::Map(Box::new(named("Json"))),
            ]),
        ),
        ("Loop", named("Loop")),
    ]));
    insta::assert_snapshot!(print(&derived.shape));
}

#[test]
fn a_source_without_events_says_unknown() {
    let derived = derived(&WireModel::default());
    assert_eq!(derived.shape.event_types, ["unknown"]);
    assert_eq!(derived.shape.frame_count, 1);
}

#[test]
fn what_would_become_too_large_is_cut_and_told() {
    // Each level names the next one four times: 4^40 paths, were it not cut.
    let mut model = WireModel::default();
    for level in 0..40 {
        let name = format!("L{level:02}");
        let next = if level == 39 {
            Type::String
        } else {
            named(&format!("L{:02}", level + 1))
        };
        let body = object([
            ("a", next.clone()),
            ("b", next.clone()),
            ("c", list(next.clone())),
            ("d?", next),
        ]);
        model.types.insert(name.clone(), decl(&name, body));
    }
    let derived = derived(&model);
    assert_eq!(derived.cut, ["L00"]);
    let paths = &derived.shape.frame_shapes[0].paths;
    assert!(paths.len() <= 1_000, "{}", paths.len());
    assert!(paths.iter().any(|path| path.path == "d"), "what is near is kept");

    // The same for unions and parts that double at every level.
    let mut model = WireModel::default();
    for level in 0..60 {
        let name = format!("L{level:02}");
        let next = named(&format!("L{:02}", level + 1));
        let body = with_parts(
            object([("x", Type::String)]),
            vec![next.clone(), Type::union([next.clone(), next])],
        );
        model.types.insert(name.clone(), decl(&name, body));
    }
    let derived = self::derived(&model);
    assert_eq!((derived.shape.frame_count, derived.cut.len()), (1, 1));
}

#[test]
fn of_many_frames_the_largest_lose_what_is_deepest_first() {
    // 60 small events, and 20 that have 900 paths each: more than a shape may hold.
    let small = |index: usize| object([("type", Type::literal(format!("s{index:02}"))), ("a", Type::String)]);
    let large = |index: usize| {
        let fields = (0..898).map(|field| (format!("f{field:03}"), Field::new(Type::literal("x"), true, 1)));
        let mut object = Object {
            fields: fields.collect(),
            ..Object::default()
        };
        let tag = Type::literal(format!("l{index:02}"));
        object.fields.insert("type".to_owned(), Field::new(tag, true, 1));
        let deep = Type::Map(Box::new(Type::String.nullable()));
        object.fields.insert("a_map".to_owned(), Field::new(deep, true, 1));
        Type::Object(object)
    };
    let arms = (0..60).map(small).chain((0..20).map(large));
    let derived = derived(&model([("Event", Type::union(arms))]));
    let paths = |frame: &agent_contracts_shapes::FrameShape| frame.paths.len();
    let total: usize = derived.shape.frame_shapes.iter().map(paths).sum();
    assert!((11_900..=12_000).contains(&total), "{total}");
    assert_eq!(derived.cut.len(), 20);
    for frame in &derived.shape.frame_shapes {
        assert!(
            frame.event_type.starts_with('l') || frame.paths.len() == 2,
            "{}",
            frame.event_type
        );
        assert!(
            frame.paths.iter().all(|path| path.path != "a_map.*"),
            "what is deepest goes first"
        );
        assert!(
            frame
                .enums
                .keys()
                .all(|path| frame.paths.iter().any(|shape| shape.path == *path))
        );
    }
}

#[test]
fn deep_expressions_do_not_end_the_program() {
    let mut ty = object([("leaf", Type::String)]);
    for _ in 0..1_000 {
        ty = Type::union([list(ty), Type::Null]);
    }
    let derived = derived(&model([(
        "Event",
        object([("type", Type::literal("deep")), ("value", ty)]),
    )]));
    assert_eq!(derived.cut, ["deep"]);
}

proptest! {
    /// The order in which arms are declared, and in which types are found, is no part of a shape.
    #[test]
    fn order_is_no_part_of_a_shape(order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(), optional in any::<u8>()) {
        let arm = |index: usize| {
            let extra = format!("f{index}{}", if optional >> index & 1 == 1 { "?" } else { "" });
            object([("type", Type::literal(format!("e{}", index / 2))), (extra.as_str(), Type::union([Type::String, Type::Number]))])
        };
        let sorted = model([("Event", Type::union((0..6).map(arm)))]);
        let shuffled = model([("Event", Type::union(order.iter().map(|index| arm(*index))))]);
        prop_assert_eq!(derived(&sorted), derived(&shuffled));
    }

    /// A field more, or one whose presence or type is another, is another shape.
    #[test]
    fn every_difference_makes_another_shape(which in 0..3usize) {
        let base = object([("type", Type::literal("e")), ("a", Type::String)]);
        let other = match which {
            0 => object([("type", Type::literal("e")), ("a", Type::String), ("b?", Type::String)]),
            1 => object([("type", Type::literal("e")), ("a?", Type::String)]),
            _ => object([("type", Type::literal("e")), ("a", Type::Number)]),
        };
        let signature = |ty: &Type| derived(&model([("Event", ty.clone())])).shape.signature;
        prop_assert_ne!(signature(&base), signature(&other));
    }
}
