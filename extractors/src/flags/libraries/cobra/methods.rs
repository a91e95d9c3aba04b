//! The methods of a flag set, and what each declares. Source: pflag's `FlagSet` (pkg.go.dev/github.com/spf13/pflag); the
//! `flag` package of Go has the same names without short forms.

use agent_contracts_wire::model::FlagValue;

use crate::flags::expr::{Arg, Expr, positional};

/// What one call declares.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) name: &'a Expr,
    pub(super) short: Option<&'a Expr>,
    pub(super) default: Option<&'a Expr>,
    pub(super) usage: Option<&'a Expr>,
    pub(super) value: FlagValue,
}

/// Types with one value.
const ONE: [&str; 27] = [
    "String",
    "Int",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "Uint",
    "Uint8",
    "Uint16",
    "Uint32",
    "Uint64",
    "Float32",
    "Float64",
    "Duration",
    "IP",
    "IPMask",
    "IPNet",
    "BytesHex",
    "BytesBase64",
    "Time",
    "Text",
    "Func",
    "Var",
    "Enum",
    "Path",
    "File",
    "Secret",
];
/// Types with several.
const MANY: [&str; 15] = [
    "StringSlice",
    "StringArray",
    "StringToString",
    "StringToInt",
    "StringToInt64",
    "IntSlice",
    "Int32Slice",
    "Int64Slice",
    "UintSlice",
    "Float32Slice",
    "Float64Slice",
    "DurationSlice",
    "BoolSlice",
    "IPSlice",
    "IPNetSlice",
];
/// Types with none.
const NONE: [&str; 3] = ["Bool", "Count", "BoolFunc"];

/// Reads a call of `method`; `None` when it declares no flag.
pub(super) fn declared<'a>(method: &str, args: &'a [Arg]) -> Option<Declared<'a>> {
    for suffix in ["", "P", "Var", "VarP"] {
        let Some(base) = method.strip_suffix(suffix) else {
            continue;
        };
        let value = if NONE.contains(&base) {
            FlagValue::Switch
        } else if ONE.contains(&base) {
            FlagValue::One
        } else if MANY.contains(&base) {
            FlagValue::Many
        } else {
            continue;
        };
        // `Var(&x, "name", …)` holds its variable first too.
        let first = usize::from(suffix.starts_with("Var") || base == "Var");
        let short = suffix.ends_with('P').then_some(first + 1);
        let rest = short.unwrap_or(first) + 1;
        let has_default = !matches!(base, "Count" | "Var" | "Func" | "BoolFunc");
        let usage = rest + usize::from(has_default);
        return Some(Declared {
            name: positional(args, first)?,
            short: short.and_then(|at| positional(args, at)),
            default: if has_default { positional(args, rest) } else { None },
            usage: positional(args, usage),
            value: if base == "Var" { FlagValue::Unknown } else { value },
        });
    }
    None
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn arguments_stand_where_the_method_says() {
        for (method, args, expected) in [
            ("String", "name def use", ("name", None, Some("def"), FlagValue::One)),
            (
                "StringP",
                "name n def use",
                ("name", Some("n"), Some("def"), FlagValue::One),
            ),
            (
                "BoolVar",
                "x name def use",
                ("name", None, Some("def"), FlagValue::Switch),
            ),
            (
                "StringSliceVarP",
                "x name n def use",
                ("name", Some("n"), Some("def"), FlagValue::Many),
            ),
            ("IP", "name def use", ("name", None, Some("def"), FlagValue::One)),
            (
                "IPP",
                "name n def use",
                ("name", Some("n"), Some("def"), FlagValue::One),
            ),
            (
                "CountVarP",
                "x name n use",
                ("name", Some("n"), None, FlagValue::Switch),
            ),
            ("VarP", "x name n use", ("name", Some("n"), None, FlagValue::Unknown)),
            ("Func", "name use f", ("name", None, None, FlagValue::One)),
        ] {
            let args: Vec<Arg> = args
                .split(' ')
                .map(|text| Arg {
                    name: None,
                    value: Expr::Text(text.to_owned()),
                })
                .collect();
            let found = declared(method, &args).unwrap();
            let text = |expr: Option<&Expr>| expr.and_then(Expr::text).map(str::to_owned);
            assert_eq!(
                (
                    found.name.text().unwrap(),
                    text(found.short).as_deref(),
                    text(found.default).as_deref(),
                    found.value
                ),
                expected,
                "{method}"
            );
            assert_eq!(text(found.usage).as_deref(), Some("use"), "{method}");
        }
        assert!(declared("GetString", &[]).is_none() && declared("Lookup", &[]).is_none());
    }
}
