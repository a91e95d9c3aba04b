//! The diff, over models that the bytes describe: an old one, and a new one that is partly the old one.

use agent_contracts_wire::model::{
    Arm, Constant, Degraded, Evidence, Field, Flag, FlagValue, Literal, Object, Place, Stability, Type, TypeDecl,
    Union, Unresolved, WireModel,
};
use agent_contracts_wire::{DiffOptions, Direction, diff as compare, rules};
use arbitrary::{Result, Unstructured};

/// Names of types; some say a direction.
const TYPES: [&str; 7] = [
    "Event",
    "ItemEvent",
    "StartParams",
    "StartResponse",
    "Item",
    "Kind",
    "ServerNotification",
];
/// Names of members; some are tags.
const MEMBERS: [&str; 8] = [
    "type",
    "method",
    "id",
    "params",
    "usage",
    "data",
    "kind",
    "protocolVersion",
];
/// Texts of literals.
const TEXTS: [&str; 7] = ["start", "item/started", "item/done", "stop", "a", "b", ""];
/// How deep a type goes.
const DEPTH: u8 = 5;

/// A model against itself is no change, and two models can be compared either way round.
pub fn diff(data: &[u8]) {
    let _ = pair(&mut Unstructured::new(data));
}

fn pair(u: &mut Unstructured<'_>) -> Result<()> {
    let old = model(u)?;
    let mut new = model(u)?;
    for (id, decl) in &old.types {
        if u.arbitrary()? {
            new.types.insert(id.clone(), decl.clone());
        }
    }
    let mut options = DiffOptions::default();
    if u.arbitrary()? {
        options.roots.push(pick(u, &TYPES)?.to_owned());
    }
    if u.arbitrary()? {
        options
            .directions
            .insert(pick(u, &TYPES)?.to_owned(), direction(u)?.unwrap_or(Direction::Both));
    }
    for model in [&untangled(&old), &untangled(&new)] {
        let nothing = compare(model, model, &DiffOptions::default());
        assert!(
            nothing.findings.is_empty(),
            "differs from itself: {:#?}\n{}",
            nothing.findings,
            model.print()
        );
    }
    for (from, to) in [(&old, &new), (&new, &old)] {
        let found = compare(from, to, &options);
        for finding in &found.findings {
            assert!(
                rules::rule(&finding.rule).is_some(),
                "there is no rule {:?}",
                finding.rule
            );
        }
        let again = compare(from, to, &options);
        assert!(
            found == again,
            "two answers to one question:\n{}\n{}",
            from.print(),
            to.print()
        );
    }
    Ok(())
}

/// The model without what no extractor says: types that are part or arm of themselves, one flag twice.
fn untangled(model: &WireModel) -> WireModel {
    let mut model = model.clone();
    for (id, decl) in &mut model.types {
        untangle(&mut decl.body, id);
    }
    model
        .flags
        .sort_by(|a, b| (&a.command, &a.name).cmp(&(&b.command, &b.name)));
    model
        .flags
        .dedup_by(|a, b| (&a.command, &a.name) == (&b.command, &b.name));
    model
}

/// At the level of the type `id` itself, only types after it are named.
fn untangle(ty: &mut Type, id: &str) {
    match ty {
        Type::Named(name) if name.as_str() <= id => *ty = Type::String,
        Type::Object(object) => object.parts.iter_mut().for_each(|part| untangle(part, id)),
        Type::Union(union) => union.arms.iter_mut().for_each(|arm| untangle(&mut arm.ty, id)),
        _ => {}
    }
}

fn pick<'a, T: ?Sized>(u: &mut Unstructured<'_>, from: &[&'a T]) -> Result<&'a T> {
    u.choose(from).copied()
}

fn model(u: &mut Unstructured<'_>) -> Result<WireModel> {
    let mut model = WireModel {
        files: u.int_in_range(0..=3)?,
        ..WireModel::default()
    };
    for _ in 0..u.int_in_range(0..=5)? {
        let name = pick(u, &TYPES)?.to_owned();
        let decl = TypeDecl {
            place: place(u)?,
            in_scope: u.ratio(7, 8)?,
            body: ty(u, DEPTH)?,
            direction: direction(u)?,
            stability: stability(u)?,
            evidence: *u.choose(&[
                Evidence::Declared,
                Evidence::Declared,
                Evidence::Literal,
                Evidence::InProcess,
            ])?,
            name: name.clone(),
        };
        model.types.insert(name, decl);
    }
    for _ in 0..u.int_in_range(0..=2)? {
        let constant = Constant {
            value: literal(u)?,
            place: place(u)?,
            in_scope: u.arbitrary()?,
        };
        model
            .constants
            .insert(pick(u, &["PROTOCOL_VERSION", "B"])?.to_owned(), constant);
    }
    for _ in 0..u.int_in_range(0..=3)? {
        model.flags.push(flag(u)?);
    }
    if u.ratio(1, 8)? {
        model.unresolved.push(Unresolved {
            place: place(u)?,
            what: "x".to_owned(),
        });
    }
    if u.ratio(1, 8)? {
        model.degraded.push(Degraded {
            file: place(u)?.file,
            lines: u.arbitrary()?,
            why: "syntax error".to_owned(),
            hides: vec![pick(u, &TYPES)?.to_owned()],
        });
    }
    Ok(model)
}

fn place(u: &mut Unstructured<'_>) -> Result<Place> {
    Ok(Place {
        file: pick(u, &["a.ts", "b.ts"])?.to_owned(),
        line: u.int_in_range(0..=9)?,
    })
}

fn direction(u: &mut Unstructured<'_>) -> Result<Option<Direction>> {
    let all = [Direction::Output, Direction::Input, Direction::Both, Direction::Unknown];
    Ok(if u.arbitrary()? { Some(*u.choose(&all)?) } else { None })
}

fn stability(u: &mut Unstructured<'_>) -> Result<Stability> {
    u.choose(&[
        Stability::Stable,
        Stability::Stable,
        Stability::Experimental,
        Stability::Deprecated,
    ])
    .copied()
}

fn literal(u: &mut Unstructured<'_>) -> Result<Literal> {
    Ok(match u.int_in_range(0..=5)? {
        0 => Literal::Boolean(u.arbitrary()?),
        1 => Literal::Number(u.int_in_range(0..=3)?.to_string()),
        _ => Literal::String(pick(u, &TEXTS)?.to_owned()),
    })
}

fn ty(u: &mut Unstructured<'_>, depth: u8) -> Result<Type> {
    let kinds = if depth == 0 { 7 } else { 14 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Type::Any,
        1 => Type::Null,
        2 => Type::Boolean,
        3 => Type::Number,
        4 => Type::String,
        5 => Type::Literal(literal(u)?),
        6 => Type::Unresolved(pick(u, &TYPES)?.to_owned()),
        7 => Type::Named(pick(u, &TYPES)?.to_owned()),
        8 => Type::Array(Box::new(ty(u, depth - 1)?)),
        9 => Type::Tuple(several(u, |u| ty(u, depth - 1))?),
        10 => Type::Map(Box::new(ty(u, depth - 1)?)),
        11 | 12 => Type::Object(object(u, depth - 1)?),
        _ => Type::Union(Union {
            arms: several(u, |u| arm(u, depth - 1))?,
            tag: if u.arbitrary()? {
                Some(pick(u, &MEMBERS)?.to_owned())
            } else {
                None
            },
            open: u.ratio(1, 4)?,
        }),
    })
}

fn several<T>(u: &mut Unstructured<'_>, mut one: impl FnMut(&mut Unstructured<'_>) -> Result<T>) -> Result<Vec<T>> {
    (0..u.int_in_range(0..=3)?).map(|_| one(u)).collect()
}

fn object(u: &mut Unstructured<'_>, depth: u8) -> Result<Object> {
    let mut object = Object {
        open: u.ratio(1, 4)?,
        ..Object::default()
    };
    for _ in 0..u.int_in_range(0..=4)? {
        let field = Field {
            defaulted: u.ratio(1, 8)?,
            stability: stability(u)?,
            accepts: if u.ratio(1, 8)? {
                vec!["alias".to_owned()]
            } else {
                vec![]
            },
            ..Field::new(ty(u, depth)?, u.arbitrary()?, u.int_in_range(0..=9)?)
        };
        object.fields.insert(pick(u, &MEMBERS)?.to_owned(), field);
    }
    if u.ratio(1, 3)? {
        object.parts = several(u, |u| ty(u, depth))?;
    }
    Ok(object)
}

fn arm(u: &mut Unstructured<'_>, depth: u8) -> Result<Arm> {
    Ok(Arm {
        name: if u.ratio(1, 4)? {
            Some(pick(u, &TYPES)?.to_owned())
        } else {
            None
        },
        result: if u.ratio(1, 8)? { Some(ty(u, depth)?) } else { None },
        stability: stability(u)?,
        accepts: if u.ratio(1, 8)? { vec!["old".to_owned()] } else { vec![] },
        ..Arm::of(ty(u, depth)?)
    })
}

fn flag(u: &mut Unstructured<'_>) -> Result<Flag> {
    let names = ["--json", "--model", "--no-json", "-m"];
    Ok(Flag {
        name: pick(u, &names)?.to_owned(),
        aliases: if u.arbitrary()? {
            vec![pick(u, &names)?.to_owned()]
        } else {
            vec![]
        },
        command: pick(u, &["", "exec", "exec resume"])?.to_owned(),
        command_aliases: if u.ratio(1, 4)? {
            vec![pick(u, &["e", "exec", "e resume"])?.to_owned()]
        } else {
            vec![]
        },
        inherited: u.arbitrary()?,
        value: *u.choose(&[
            FlagValue::Switch,
            FlagValue::One,
            FlagValue::Optional,
            FlagValue::Many,
            FlagValue::Unknown,
        ])?,
        choices: if u.arbitrary()? {
            vec![pick(u, &TEXTS)?.to_owned()]
        } else {
            vec![]
        },
        default: if u.arbitrary()? {
            Some(pick(u, &TEXTS)?.to_owned())
        } else {
            None
        },
        hidden: u.arbitrary()?,
        deprecated: u.arbitrary()?,
        place: place(u)?,
        in_scope: u.ratio(7, 8)?,
    })
}
