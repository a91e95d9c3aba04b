//! One option of commander: `.option("-s, --long <value>", …)` and `new Option("…").choices([…])`.

use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;

use crate::flags::draft::{Draft, is_spelling, says_deprecated};
use crate::flags::expr::{Arg, Expr, positional};
use crate::flags::files::{File, Files};

/// `-s, --long <value...>` as spellings and what they take. `None` when it has no spelling.
pub(super) fn spellings(text: &str) -> Option<(Vec<String>, FlagValue)> {
    let words = text.split([' ', ',', '|', '=']);
    let names: Vec<String> = words.filter(|word| is_spelling(word)).map(str::to_owned).collect();
    let variadic = text.contains("...>") || text.contains("...]");
    let value = if variadic {
        FlagValue::Many
    } else if text.contains('<') {
        FlagValue::One
    } else if text.contains('[') {
        FlagValue::Optional
    } else {
        FlagValue::Switch
    };
    (!names.is_empty()).then_some((names, value))
}

/// The flag of the arguments of `.option(…)`: spellings, description, then a parser or a default.
pub(super) fn inline(files: &Files<'_>, file: &Rc<File>, args: &[Arg], line: u32) -> Option<Draft> {
    let text = files.value(file, positional(args, 0)?);
    let (names, value) = spellings(text.text()?)?;
    let mut flag = Draft::new(names, "", file.place_at(line));
    flag.value = value;
    if let Some(text) = positional(args, 1) {
        flag.deprecated = says_deprecated(&files.value(file, text).words());
    }
    let third = positional(args, 2);
    let parses = third.is_some_and(|third| parser(files, file, third, &mut flag));
    let default = if parses { positional(args, 3) } else { third };
    flag.default = default.and_then(|default| literal(files, file, default));
    Some(flag)
}

/// The flag of `new Option(…)` and what is called on it, which may be a name or a call of a function that makes it.
pub(super) fn made(files: &Files<'_>, file: &Rc<File>, expr: &Expr, depth: usize) -> Option<Draft> {
    if depth > 8 {
        return None;
    }
    if let Expr::Name(name) = expr {
        let (home, meaning) = files.meaning(file, name)?;
        return (meaning != *expr).then(|| made(files, &home, &meaning, depth + 1))?;
    }
    let chain = expr.chain()?;
    let (callee, args, line) = chain.callee()?;
    if !matches!(callee.rsplit('.').next(), Some("Option" | "createOption")) {
        let (home, range) = files.function(file, &chain.base)?;
        let returned = home.nodes(home.node_at(&range)?, &["return_statement"]);
        let value = returned.first()?.named_child(0)?;
        return made(files, &home, &home.lower(value), depth + 1);
    }
    let mut flag = inline(files, file, args.get(..2).unwrap_or(args), line)?;
    for call in chain.calls() {
        let first = positional(call.args, 0);
        match call.name {
            "choices" => {
                let list = first.map(|list| files.value(file, list));
                flag.choices = list.and_then(|list| list.literals()).unwrap_or_default();
            }
            "default" => flag.default = first.and_then(|default| literal(files, file, default)),
            "hideHelp" => flag.hidden = first.and_then(Expr::bool) != Some(false),
            "argParser" => {
                if let Some(parse) = first {
                    parser(files, file, parse, &mut flag);
                }
            }
            _ => {}
        }
    }
    Some(flag)
}

fn literal(files: &Files<'_>, file: &Rc<File>, default: &Expr) -> Option<String> {
    match files.value(file, default) {
        // Nothing given yet.
        Expr::List(items) if items.is_empty() => None,
        value => value.literal(),
    }
}

/// Whether an argument is a function that parses the value. One that keeps what was there before takes the flag again
/// and again.
fn parser(files: &Files<'_>, file: &Rc<File>, expr: &Expr, flag: &mut Draft) -> bool {
    let function = files.function(file, expr);
    if let Some((home, range)) = &function {
        let text = home.source.text.get(range.clone()).unwrap_or_default();
        let gathers = ["...", ".concat(", ".push("].iter().any(|sign| text.contains(sign));
        if gathers && text.contains(',') {
            flag.value = FlagValue::Many;
        }
    }
    // `parseInt`, `Number`: a name that is no literal of ours.
    function.is_some() || matches!(files.value(file, expr), Expr::Name(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_what_they_take() {
        for (text, names, value) in [
            ("-p, --port <n>", vec!["-p", "--port"], FlagValue::One),
            ("-p --port [n]", vec!["-p", "--port"], FlagValue::Optional),
            ("-p|--port", vec!["-p", "--port"], FlagValue::Switch),
            ("--dirs <dir...>", vec!["--dirs"], FlagValue::Many),
            ("--no-color", vec!["--no-color"], FlagValue::Switch),
            ("--ws, --workspace", vec!["--ws", "--workspace"], FlagValue::Switch),
            ("-C", vec!["-C"], FlagValue::Switch),
        ] {
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            assert_eq!(spellings(text), Some((names, value)), "{text}");
        }
        assert_eq!(spellings("port"), None);
    }
}
