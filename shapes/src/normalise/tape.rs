//! One JSON value, read once and laid flat: what the normaliser needs of it and nothing else.
//!
//! Numbers lose their value, strings that are too long for a name lose their text, and what is nested deeper than any
//! protocol ends as the kind that it is. The memory of one frame is used again for the next.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Objects and lists below this are not looked into.
pub(super) const MAX_DEPTH: usize = 64;
/// Longer strings are no names.
const MAX_NAME: usize = 128;
/// A frame with more values than this is not looked into.
pub(super) const MAX_NODES: usize = 4_000_000;

/// A value and all it holds, each before what is inside it.
pub(super) type Tape<'a> = Vec<Node<'a>>;

/// One value.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// The member it is; empty for items of a list and for the whole.
    pub(super) key: Cow<'a, str>,
    pub(super) value: Scalar<'a>,
    /// The place behind it and all it holds.
    pub(super) end: usize,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Boolean(bool),
    /// A whole number that can be an id keeps its value.
    Number(Option<i64>),
    /// A string; `None` when it is too long for a name.
    String(Option<Cow<'a, str>>),
    Array,
    Object,
}

/// Adds one value to a tape.
struct Value<'t, 'a> {
    tape: &'t mut Tape<'a>,
    key: Cow<'a, str>,
    depth: usize,
}

/// Reads one value.
pub(super) fn read<'a, D: Deserializer<'a>>(from: D, tape: &mut Tape<'a>) -> Result<(), D::Error> {
    tape.clear();
    let value = Value {
        tape,
        key: Cow::Borrowed(""),
        depth: 0,
    };
    value.deserialize(from)
}

/// An empty tape in the memory of a full one.
pub(super) fn emptied<'b>(mut tape: Tape<'_>) -> Tape<'b> {
    tape.clear();
    // Nothing is left to be mapped; the standard library keeps the allocation.
    tape.into_iter()
        .map(|node| Node {
            key: Cow::Owned(node.key.into_owned()),
            value: Scalar::Null,
            end: node.end,
        })
        .collect()
}

/// The value of the member `name` of the object at `at`; the last one where there are several, as readers of JSON do.
pub(super) fn member(tape: &Tape<'_>, at: usize, name: &str) -> Option<usize> {
    if tape.get(at)?.value != Scalar::Object {
        return None;
    }
    inside(tape, at).filter(|index| tape[*index].key == name).last()
}

/// The text of the string at `at`.
pub(super) fn text<'t>(tape: &'t Tape<'_>, at: usize) -> Option<&'t str> {
    match &tape.get(at)?.value {
        Scalar::String(text) => text.as_deref(),
        _ => None,
    }
}

/// What an object or a list holds.
pub(super) fn inside<'t>(tape: &'t Tape<'_>, at: usize) -> impl Iterator<Item = usize> + use<'t> {
    let end = tape[at].end;
    let ends = move |index: &usize| Some(tape[*index].end).filter(|next| *next < end);
    std::iter::successors(Some(at + 1).filter(|first| *first < end), ends)
}

impl<'a> Value<'_, 'a> {
    fn scalar<E: Error>(self, value: Scalar<'a>) -> Result<(), E> {
        let end = self.tape.len() + 1;
        if end > MAX_NODES {
            return Err(E::custom(format_args!("more than {MAX_NODES} values")));
        }
        self.tape.push(Node {
            key: self.key,
            value,
            end,
        });
        Ok(())
    }
}

impl<'a> DeserializeSeed<'a> for Value<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Value<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar(Scalar::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(Scalar::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.scalar(Scalar::Number(Some(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.scalar(Scalar::Number(i64::try_from(value).ok()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar(Scalar::Number(None))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'a str) -> Result<(), E> {
        let name = (text.len() <= MAX_NAME).then_some(Cow::Borrowed(text));
        self.scalar(Scalar::String(name))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let name = (text.len() <= MAX_NAME).then(|| Cow::Owned(text.to_owned()));
        self.scalar(Scalar::String(name))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { tape, depth, key } = self;
        let at = tape.len();
        Value { tape, key, depth }.scalar::<A::Error>(Scalar::Array)?;
        if depth >= MAX_DEPTH {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        loop {
            let item = Value {
                tape,
                key: Cow::Borrowed(""),
                depth: depth + 1,
            };
            if items.next_element_seed(item)?.is_none() {
                break;
            }
        }
        tape[at].end = tape.len();
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { tape, depth, key } = self;
        let at = tape.len();
        Value { tape, key, depth }.scalar::<A::Error>(Scalar::Object)?;
        if depth >= MAX_DEPTH {
            while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        while let Some(Key(key)) = members.next_key()? {
            members.next_value_seed(Value {
                tape,
                key,
                depth: depth + 1,
            })?;
        }
        tape[at].end = tape.len();
        Ok(())
    }
}

/// A key, without a copy where the text holds it as it is.
struct Key<'a>(Cow<'a, str>);

impl<'a> serde::Deserialize<'a> for Key<'a> {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'a> Visitor<'a> for Text {
            type Value = Key<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'a str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        from.deserialize_str(Text)
    }
}
