//! Strict JSON: what two readers could read differently is an error with a place.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::problem::{Teller, step};

/// The largest number that every reader of JSON keeps as it is.
const LARGEST: u64 = (1 << 53) - 1;

/// Reads a record; what is wrong with its text is told. `None` when there is no value to go on with.
pub(super) fn json(bytes: &[u8], teller: &mut Teller<'_>) -> Option<Value> {
    let text = text(bytes, teller)?;
    parse(text, teller, "")
}

/// The text of a file.
pub(super) fn text<'b>(bytes: &'b [u8], teller: &mut Teller<'_>) -> Option<&'b str> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        teller.error("FIL004", "", "EF BB BF", "a text without a byte order mark");
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            teller.error(
                "FIL003",
                "",
                format!("a byte that is no UTF-8 at offset {}", error.valid_up_to()),
                "UTF-8",
            );
            None
        }
    }
}

/// Reads one JSON value; `at` is its place in the file.
pub(super) fn parse(text: &str, teller: &mut Teller<'_>, at: &str) -> Option<Value> {
    let quick = Reader::new(false);
    let value = read(text, &quick);
    if value.is_ok() && quick.doubts.get() == 0 {
        return value.ok();
    }
    // Rare, so it may cost a second reading that knows where it is.
    let slow = Reader::new(true);
    let value = read(text, &slow);
    for doubt in slow.told.into_inner() {
        match doubt {
            Doubt::Twice(pointer) => teller.error(
                "FIL006",
                format!("{at}{pointer}"),
                "the same member again",
                "each member once",
            ),
            Doubt::Number(pointer, number) => {
                teller.error(
                    "FIL007",
                    format!("{at}{pointer}"),
                    number,
                    "a number up to 9007199254740991",
                );
            }
        }
    }
    match value {
        Ok(value) => Some(value),
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            let words = error.to_string();
            if words.contains("recursion limit") {
                teller.error("FIL008", at, place, "at most 128 levels");
            } else if words.contains("number out of range") {
                teller.error("FIL007", at, place, "a number that fits");
            } else if error.is_eof() {
                teller.error(
                    "FIL005",
                    at,
                    format!("the end of the text at {place}"),
                    "the rest of the record",
                );
            } else {
                teller.error("FIL005", at, words, "JSON");
            }
            None
        }
    }
}

fn read(text: &str, reader: &Reader) -> serde_json::Result<Value> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = reader.deserialize(&mut json)?;
    json.end()?;
    Ok(value)
}

enum Doubt {
    Twice(String),
    Number(String, String),
}

/// Reads values, and notes what is in doubt: how often, or with its places.
struct Reader {
    places: bool,
    doubts: Cell<u32>,
    at: RefCell<String>,
    told: RefCell<Vec<Doubt>>,
}

impl Reader {
    fn new(places: bool) -> Self {
        Self {
            places,
            doubts: Cell::new(0),
            at: RefCell::new(String::new()),
            told: RefCell::new(Vec::new()),
        }
    }

    fn doubt(&self, doubt: impl FnOnce(String) -> Doubt) {
        self.doubts.set(self.doubts.get() + 1);
        if self.places {
            let doubt = doubt(self.at.borrow().clone());
            self.told.borrow_mut().push(doubt);
        }
    }

    fn inside<T>(&self, name: impl FnOnce() -> String, read: impl FnOnce() -> T) -> T {
        if !self.places {
            return read();
        }
        let before = self.at.borrow().len();
        let longer = step(&self.at.borrow(), &name());
        *self.at.borrow_mut() = longer;
        let result = read();
        self.at.borrow_mut().truncate(before);
        result
    }
}

impl<'de> DeserializeSeed<'de> for &Reader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        if value > LARGEST {
            self.doubt(|at| Doubt::Number(at, value.to_string()));
        }
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        if value.unsigned_abs() > LARGEST {
            self.doubt(|at| Doubt::Number(at, value.to_string()));
        }
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact")]
        if value.abs() > LARGEST as f64 {
            self.doubt(|at| Doubt::Number(at, value.to_string()));
        }
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = self.inside(|| list.len().to_string(), || items.next_element_seed(self))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = self.inside(
                || name.clone(),
                || {
                    if object.contains_key(&name) {
                        self.doubt(Doubt::Twice);
                    }
                    members.next_value_seed(self)
                },
            )?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
