//! Types from outside the tree whose wire form is known: the standard library and the crates that protocols use.
//!
//! By the last name of the path, with the crate where a name alone could mean something else. Forms are those of the
//! crates' own serde support, with default features.

/// What an external type looks like; arguments are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Any,
    Null,
    Boolean,
    Number,
    String,
    Option,
    /// The argument itself.
    Same,
    /// A list of the first argument.
    List,
    /// A list of bytes.
    Bytes,
    /// An object with data as keys and the second argument as values.
    Map,
    /// An object with data as keys and any value.
    AnyMap,
    /// `{secs, nanos}`.
    Duration,
    /// `{secs_since_epoch, nanos_since_epoch}`.
    SystemTime,
    /// `{start, end}`.
    Range,
    /// `{Ok: …}` or `{Err: …}`.
    Result,
    /// One or a list of it.
    OneOrMany,
}

/// The form of the type at `path`; `None` when it is not known.
#[expect(clippy::match_same_arms, reason = "one line for what belongs together")]
pub(super) fn known(path: &[String]) -> Option<Known> {
    let (name, owner) = path.split_last()?;
    let krate = owner.first().map_or("", String::as_str);
    let from = |crates: &[&str]| krate.is_empty() || crates.contains(&krate);
    let std = ["std", "core", "alloc"];
    Some(match name.as_str() {
        "String" | "str" | "char" | "PathBuf" | "Path" | "CString" => Known::String,
        "bool" | "AtomicBool" => Known::Boolean,
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "f32"
        | "f64" => Known::Number,
        "AtomicU8" | "AtomicU16" | "AtomicU32" | "AtomicU64" | "AtomicUsize" | "AtomicI32" | "AtomicI64"
        | "AtomicIsize" => Known::Number,
        name if name.starts_with("NonZero") && from(&std) => Known::Number,
        "Option" if from(&std) => Known::Option,
        "Box" | "Rc" | "Arc" | "Cow" | "RefCell" | "Cell" | "Mutex" | "RwLock" | "Wrapping" | "Saturating"
        | "Reverse" => Known::Same,
        "OnceCell" | "OnceLock" => Known::Option,
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "LinkedList" | "BinaryHeap" => Known::List,
        "IndexSet" | "AHashSet" | "FxHashSet" | "SmallVec" | "ArrayVec" | "ThinVec" | "DashSet" | "ImVector" => {
            Known::List
        }
        "NonEmpty" | "NonEmptyVec" | "Vec1" => Known::List,
        "HashMap" | "BTreeMap" | "IndexMap" | "AHashMap" | "FxHashMap" | "DashMap" | "HashMapExt" | "LinkedHashMap" => {
            Known::Map
        }
        "Map" if from(&["serde_json", "toml"]) => Known::AnyMap,
        "Table" if from(&["toml"]) => Known::AnyMap,
        "Value" if from(&["serde_json", "serde_yaml", "serde_yml", "toml", "ciborium", "rmpv"]) => Known::Any,
        "JsonValue" | "RawValue" => Known::Any,
        "Number" if from(&["serde_json"]) => Known::Number,
        "PhantomData" | "PhantomPinned" => Known::Null,
        "Duration" if from(&std) || krate == "tokio" => Known::Duration,
        "SystemTime" if from(&std) => Known::SystemTime,
        "Range" | "RangeInclusive" if from(&std) => Known::Range,
        "Result" if from(&std) => Known::Result,
        "Ipv4Addr" | "Ipv6Addr" | "IpAddr" | "SocketAddr" | "SocketAddrV4" | "SocketAddrV6" => Known::String,
        "Bytes" | "BytesMut" | "ByteBuf" => Known::Bytes,
        // Text in JSON, by their crates.
        "Uuid" | "Url" | "Ulid" | "Utf8PathBuf" | "Utf8Path" | "SmolStr" | "CompactString" | "EcoString" | "ArcStr"
        | "KString" | "ByteString" | "ArrayString" | "SmartString" | "BigDecimal" | "Decimal" => Known::String,
        "Version" | "VersionReq" if from(&["semver"]) => Known::String,
        "DateTime" | "NaiveDate" | "NaiveDateTime" | "NaiveTime" | "FixedOffset" | "Tz" => Known::String,
        "Timestamp" | "Zoned" | "SignedDuration" | "Span" if from(&["jiff"]) => Known::String,
        "OrderedFloat" | "NotNan" | "R64" | "N64" => Known::Number,
        "OneOrMany" => Known::OneOrMany,
        _ => return None,
    })
}

/// What a module or a function that is given to `with` and the like writes, by its path: the ones that crates bring.
pub(super) fn known_codec(path: &[String]) -> Option<Codec> {
    let text = path.join("::");
    let has = |part: &str| text.contains(part);
    Some(match () {
        () if has("double_option") || has("unwrap_or_skip") => Codec::Declared,
        () if has("humantime") => Codec::String,
        () if has("chrono::serde::ts_") || has("time::serde::timestamp") => Codec::Number,
        () if has("time::serde") => Codec::String,
        () if has("serde_bytes") => Codec::Bytes,
        () if has("json_string") || has("json::nested") || has("display_fromstr") => Codec::String,
        () if path
            .first()
            .is_some_and(|krate| matches!(krate.as_str(), "hex" | "base64_serde" | "serde_base64" | "const_hex")) =>
        {
            Codec::String
        }
        () if has("uuid::serde::compact") => Codec::Bytes,
        () if has("uuid::serde") => Codec::String,
        () if has("rust_decimal::serde::str") => Codec::String,
        () if has("rust_decimal::serde::float") => Codec::Number,
        () => return None,
    })
}

/// What a codec of another crate writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    Declared,
    String,
    Number,
    Bytes,
}

/// What an adapter of `serde_with` writes in the place of a type, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adapter {
    String,
    Number,
    Bytes,
    /// What its argument writes.
    Inner,
    /// What is declared.
    Declared,
    /// Written as the type that is its argument.
    Convert,
    OneOrMany,
    /// As the container of the same name.
    Container,
}

/// `None` when the adapter is not known.
#[expect(clippy::match_same_arms, reason = "one line for what belongs together")]
pub(super) fn adapter(name: &str) -> Option<Adapter> {
    Some(match name {
        "_" | "Same" => Adapter::Declared,
        "DisplayFromStr" | "Base64" | "Hex" | "JsonString" | "NoneAsEmptyString" | "StringWithSeparator" => {
            Adapter::String
        }
        "BoolFromInt" => Adapter::Number,
        "DefaultOnError" | "DefaultOnNull" | "PickFirst" => Adapter::Inner,
        "VecSkipError"
        | "MapSkipError"
        | "SetPreventDuplicates"
        | "MapPreventDuplicates"
        | "SetLastValueWins"
        | "MapFirstKeyWins"
        | "IfIsHumanReadable"
        | "BytesOrString"
        | "Borrow"
        | "BorrowCow" => Adapter::Declared,
        "Bytes" => Adapter::Bytes,
        "FromInto" | "TryFromInto" | "FromIntoRef" | "TryFromIntoRef" | "FromResult" => Adapter::Convert,
        "OneOrMany" => Adapter::OneOrMany,
        name if name.starts_with("DurationSeconds")
            || name.starts_with("DurationMilli")
            || name.starts_with("DurationMicro") =>
        {
            Adapter::Number
        }
        name if name.starts_with("DurationNano") || name.starts_with("Timestamp") => Adapter::Number,
        "Option" | "Vec" | "VecDeque" | "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "Box" | "Arc" | "Rc"
        | "IndexMap" | "IndexSet" | "Map" => Adapter::Container,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Option<Known> {
        known(&path.split("::").map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_name_means_what_its_crate_says() {
        assert_eq!(of("std::time::Duration"), Some(Known::Duration));
        assert_eq!(of("chrono::Duration"), None);
        assert_eq!(of("serde_json::Value"), Some(Known::Any));
        assert_eq!(of("clap::Value"), None);
        assert_eq!(of("std::num::NonZeroU32"), Some(Known::Number));
        assert_eq!(of("rmcp::model::Content"), None);
        assert_eq!(of("serde_json::Map"), Some(Known::AnyMap));
    }
}
