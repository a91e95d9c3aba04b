//! What holds for every pair of models.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Diff, DiffOptions, diff};
use crate::finding::Verdict;
use crate::model::{Arm, Evidence, Field, Literal, Object, Place, Stability, Type, TypeDecl, Union, WireModel};

const NAMES: [&str; 5] = ["Alpha", "BetaEvent", "GammaParams", "Delta", "Epsilon"];

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::String),
        Just(Type::Number),
        Just(Type::Boolean),
        Just(Type::Null),
        Just(Type::Any),
        "[abc]".prop_map(Type::literal),
        (0..3u8).prop_map(|n| Type::Literal(Literal::Number(n.to_string()))),
        any::<bool>().prop_map(|b| Type::Literal(Literal::Boolean(b))),
        prop::sample::select(&NAMES[..]).prop_map(|name| Type::Named(name.to_owned())),
        Just(Type::Unresolved("Foreign".to_owned())),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|item| Type::Array(Box::new(item))),
            1 => inner.clone().prop_map(|value| Type::Map(Box::new(value))),
            1 => prop::collection::vec(inner.clone(), 1..3).prop_map(Type::Tuple),
            3 => object(inner.clone()).prop_map(Type::Object),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(Type::union),
            2 => prop::collection::btree_map("[pqrs]", object(inner), 2..4).prop_map(tagged),
        ]
    })
}

fn object(inner: impl Strategy<Value = Type> + Clone) -> impl Strategy<Value = Object> {
    let field = (inner.clone(), any::<bool>(), any::<bool>()).prop_map(|(ty, required, defaulted)| Field {
        defaulted,
        ..Field::new(ty, required, 1)
    });
    (
        prop::collection::btree_map("[vwxyz]", field, 0..4),
        prop::collection::vec(inner, 0..2),
        any::<bool>(),
    )
        .prop_map(|(fields, parts, open)| Object { fields, parts, open })
}

fn tagged(arms: BTreeMap<String, Object>) -> Type {
    Type::union(arms.into_iter().map(|(tag, mut object)| {
        object
            .fields
            .insert("type".to_owned(), Field::new(Type::literal(tag), true, 1));
        Type::Object(object)
    }))
}

fn decl(name: &str, body: Type) -> TypeDecl {
    TypeDecl {
        name: name.to_owned(),
        place: Place {
            file: "a.ts".to_owned(),
            line: 1,
        },
        in_scope: true,
        body,
        direction: None,
        stability: Stability::Stable,
        evidence: Evidence::Declared,
    }
}

/// No type is a part or an arm of itself, which no language allows: at those places, only later types are named.
fn untangle(ty: Type, index: usize) -> Type {
    match ty {
        Type::Named(name)
            if NAMES
                .iter()
                .position(|other| *other == name)
                .is_some_and(|at| at <= index) =>
        {
            Type::String
        }
        Type::Object(object) => Type::Object(Object {
            parts: object.parts.into_iter().map(|part| untangle(part, index)).collect(),
            ..object
        }),
        Type::Union(union) => Type::union(union.arms.into_iter().map(|arm| untangle(arm.ty, index))),
        other => other,
    }
}

fn model() -> impl Strategy<Value = WireModel> {
    prop::collection::vec(ty(), NAMES.len()).prop_map(|bodies| WireModel {
        types: NAMES
            .iter()
            .zip(bodies)
            .enumerate()
            .map(|(index, (name, body))| ((*name).to_owned(), decl(name, untangle(body, index))))
            .collect(),
        files: 1,
        ..WireModel::default()
    })
}

/// Every type expression of `model`, changed by `f` from the inside out.
fn map_types(model: &WireModel, f: &impl Fn(Type) -> Type) -> WireModel {
    let mut model = model.clone();
    for ty in model.types.values_mut() {
        ty.body = map_type(&ty.body, f);
    }
    model
}

fn map_type(ty: &Type, f: &impl Fn(Type) -> Type) -> Type {
    let below = |ty: &Type| map_type(ty, f);
    f(match ty {
        Type::Array(item) => Type::Array(Box::new(below(item))),
        Type::Map(value) => Type::Map(Box::new(below(value))),
        Type::Tuple(items) => Type::Tuple(items.iter().map(below).collect()),
        Type::Object(object) => Type::Object(Object {
            fields: object
                .fields
                .iter()
                .map(|(name, field)| {
                    let ty = below(&field.ty);
                    (name.clone(), Field { ty, ..field.clone() })
                })
                .collect(),
            parts: object.parts.iter().map(below).collect(),
            open: object.open,
        }),
        Type::Union(union) => Type::Union(Union {
            arms: union
                .arms
                .iter()
                .map(|arm| Arm {
                    ty: below(&arm.ty),
                    ..arm.clone()
                })
                .collect(),
            ..union.clone()
        }),
        other => other.clone(),
    })
}

/// Declared under other names, in another file.
fn renamed(model: &WireModel) -> WireModel {
    let name = |name: &str| format!("{}Renamed", name.chars().rev().collect::<String>());
    let mut out = map_types(model, &|ty| match ty {
        Type::Named(id) => Type::Named(name(&id)),
        other => other,
    });
    out.types = out
        .types
        .values()
        .map(|ty| {
            let place = Place {
                file: "b.ts".to_owned(),
                line: 9,
            };
            let decl = TypeDecl {
                name: name(&ty.name),
                place,
                ..ty.clone()
            };
            (decl.name.clone(), decl)
        })
        .collect();
    out
}

/// Arms in another order, and each twice.
fn shuffled(model: &WireModel) -> WireModel {
    map_types(model, &|ty| match ty {
        Type::Union(mut union) => {
            let twice: Vec<Arm> = union.arms.iter().rev().cloned().collect();
            union.arms.extend(twice);
            union.arms.rotate_left(1);
            Type::Union(union)
        }
        other => other,
    })
}

/// Each reference to a type goes through an alias of its own, and each type that refers to nothing stands inline.
fn respelled(model: &WireModel) -> WireModel {
    let closed = |ty: &Type| !format!("{ty:?}").contains("Named(");
    let mut out = map_types(model, &|ty| match ty {
        Type::Named(id) => match model.types.get(&id) {
            Some(decl) if closed(&decl.body) => decl.body.clone(),
            _ => Type::Named(format!("{id}Alias")),
        },
        other => other,
    });
    for id in model.types.keys() {
        let alias = format!("{id}Alias");
        out.types.insert(alias.clone(), decl(&alias, Type::Named(id.clone())));
    }
    out
}

fn compare(old: &WireModel, new: &WireModel) -> Diff {
    diff(old, new, &DiffOptions::default())
}

fn nothing(old: &WireModel, new: &WireModel) -> Result<(), TestCaseError> {
    let found = compare(old, new);
    prop_assert!(found.findings.is_empty(), "{:#?}", found.findings);
    prop_assert_eq!(found.verdict, Verdict::NoProtocolChange, "{:?}", found.doubts);
    Ok(())
}

/// The names that came or went by themselves.
fn names(found: &Diff, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = found
        .findings
        .iter()
        .filter(|finding| finding.rule.starts_with("field_") && finding.rule.ends_with(ending))
        .filter_map(|finding| finding.wire_name.clone())
        .collect();
    names.sort();
    names
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_model_does_not_differ_from_itself(model in model()) {
        nothing(&model, &model)?;
    }

    #[test]
    fn names_order_and_spelling_do_not_go_over_the_wire(model in model()) {
        nothing(&model, &renamed(&model))?;
        nothing(&model, &shuffled(&model))?;
        nothing(&model, &respelled(&model))?;
        nothing(&respelled(&model), &model)?;
    }

    #[test]
    fn any_two_models_are_compared_the_same_way_twice_and_without_panic(old in model(), new in model()) {
        prop_assert_eq!(compare(&old, &new), compare(&old, &new));
    }

    #[test]
    fn what_is_added_one_way_is_removed_the_other_way(model in model(), at in 0..NAMES.len()) {
        let mut more = model.clone();
        if let Some(TypeDecl { body: Type::Object(object), .. }) = more.types.get_mut(NAMES[at]) {
            object.fields.insert("brand_new".to_owned(), Field::new(Type::String, true, 2));
        }
        let (there, back) = (compare(&model, &more), compare(&more, &model));
        prop_assert_eq!(names(&there, "_added"), names(&back, "_removed"));
        prop_assert_eq!(names(&there, "_removed"), names(&back, "_added"));
        prop_assert_eq!(there.findings.is_empty(), back.findings.is_empty());
    }
}
