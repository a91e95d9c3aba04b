//! Groups of constants: typed, untyped, repeated, counted by `iota`.

use tree_sitter::Node;

use super::facts::{Const, Facts, Value};
use super::read::literal;
use super::tags::unquote;
use crate::stability::of_comment;
use crate::syntax::{Source, children, comment_above, fields, line};

/// Reads one `const` declaration.
pub(super) fn group(source: &Source<'_>, node: Node<'_>, group: u32, facts: &mut Facts) {
    // A specification without a value repeats the one before it, type included, with the next `iota`.
    let mut repeated: (Option<String>, Vec<Node<'_>>) = (None, vec![]);
    let above = comment_above(source, node);
    for (iota, spec) in (0_i64..).zip(children(node).into_iter().filter(|spec| spec.kind() == "const_spec")) {
        let values = spec.child_by_field_name("value").map(children).unwrap_or_default();
        if !values.is_empty() {
            repeated = (source.field(spec, "type").map(str::to_owned), values);
        }
        let own = comment_above(source, spec);
        let stability = of_comment(if own.is_empty() { &above } else { &own });
        // The comma between names fills the same field in this grammar.
        let names = fields(spec, "name").into_iter().filter(Node::is_named);
        for (at, name) in names.enumerate() {
            let name = source.of(name);
            let Some(&expression) = repeated.1.get(at).filter(|_| name != "_") else {
                continue;
            };
            let (value, converted) = evaluate(source, expression, iota, 0);
            facts.consts.push(Const {
                name: name.to_owned(),
                ty: repeated.0.clone().or(converted),
                value,
                group,
                line: line(spec),
                stability,
            });
        }
    }
}

/// The value of a constant expression, and the type it is converted to.
pub(super) fn evaluate(source: &Source<'_>, node: Node<'_>, iota: i64, depth: usize) -> (Value, Option<String>) {
    let text = source.of(node);
    let none = (Value::Unknown, None);
    if depth > 50 {
        return none;
    }
    let value = match node.kind() {
        "interpreted_string_literal" | "raw_string_literal" => Value::Text(literal(text)),
        "int_literal" => integer(text).map_or(Value::Unknown, Value::Integer),
        "rune_literal" => match unquote(text.trim_matches('\'')).chars().collect::<Vec<_>>()[..] {
            [only] => Value::Integer(i64::from(u32::from(only))),
            _ => Value::Unknown,
        },
        "iota" => Value::Integer(iota),
        "identifier" if text == "iota" => Value::Integer(iota),
        "identifier" | "selector_expression" => Value::Name(text.to_owned()),
        "parenthesized_expression" => {
            let Some(&inner) = children(node).first() else {
                return none;
            };
            return evaluate(source, inner, iota, depth + 1);
        }
        "unary_expression" => {
            let operand = node.child_by_field_name("operand");
            let value = operand.map_or(none.clone(), |operand| evaluate(source, operand, iota, depth + 1));
            match (text.as_bytes().first(), value.0) {
                (Some(b'-'), Value::Integer(number)) => Value::Integer(number.wrapping_neg()),
                (Some(b'+'), value) => value,
                _ => Value::Unknown,
            }
        }
        "binary_expression" => {
            let side = |field| {
                let side = node.child_by_field_name(field);
                side.map_or(none.clone(), |side| evaluate(source, side, iota, depth + 1))
            };
            let ((left, left_ty), (right, right_ty)) = (side("left"), side("right"));
            let operator = source.field(node, "operator").unwrap_or_default();
            return (combined(operator, left, right), left_ty.or(right_ty));
        }
        // `Kind("a")`: a conversion, as far as a file alone can tell it from a call.
        "call_expression" | "type_conversion_expression" => {
            let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
            let operand = node.child_by_field_name("operand").or(arguments.first().copied());
            let name = source.field(node, "function").or_else(|| source.field(node, "type"));
            let (Some(operand), Some(name)) = (operand, name) else {
                return none;
            };
            return (evaluate(source, operand, iota, depth + 1).0, Some(name.to_owned()));
        }
        _ => Value::Unknown,
    };
    (value, None)
}

fn combined(operator: &str, left: Value, right: Value) -> Value {
    let number = match (operator, left, right) {
        ("+", Value::Text(left), Value::Text(right)) => return Value::Text(left + &right),
        ("+", Value::Integer(left), Value::Integer(right)) => left.checked_add(right),
        ("-", Value::Integer(left), Value::Integer(right)) => left.checked_sub(right),
        ("*", Value::Integer(left), Value::Integer(right)) => left.checked_mul(right),
        ("|", Value::Integer(left), Value::Integer(right)) => Some(left | right),
        ("<<", Value::Integer(left), Value::Integer(right)) => {
            u32::try_from(right).ok().filter(|&by| by < 63).map(|by| left << by)
        }
        _ => None,
    };
    number.map_or(Value::Unknown, Value::Integer)
}

fn integer(text: &str) -> Option<i64> {
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        Some("0o" | "0O") => (&text[2..], 8),
        _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        _ => (text.as_str(), 10),
    };
    i64::from_str_radix(digits, radix).ok()
}
