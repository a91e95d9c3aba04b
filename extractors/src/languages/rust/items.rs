//! Declarations, read from the syntax tree.

use std::sync::Arc;

use agent_contracts_wire::Stability;
use tree_sitter::Node;

use super::attrs::Collected;
use super::facts::{
    Codec, ConstItem, ConstValue, FieldItem, Fields, ImplItem, Import, MacroDef, ModItem, Scope, TypeBody, TypeExpr,
    TypeItem, Variant,
};
use super::lex::{Kind, Token, after, inside, lex, marks, split_commas, string_value, unraw};
use super::syntax::Source;
use super::{hand_written, types};

/// How deep modules may nest.
const MAX_MODULES: usize = 32;

/// A macro call where an item stands, with the offset of its input in the text.
pub(super) struct Call {
    pub(super) path: Vec<String>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The module it stands in, as a path of inline modules below the one that is read.
    pub(super) module: Vec<String>,
}

/// What a walk gives beside declarations.
#[derive(Default)]
pub(super) struct Found {
    pub(super) calls: Vec<Call>,
    /// `#![cfg(test)]`.
    pub(super) test_only: bool,
    /// Where functions and impls stand, those of tests left out.
    pub(super) code: Vec<std::ops::Range<usize>>,
}

/// Reads the declarations directly inside `parent`. With `sound_only`, declarations that hold an error are left out and
/// what stands inside errors is looked through for sound ones.
pub(super) fn read(source: &Source<'_>, parent: Node<'_>, sound_only: bool, scope: &mut Scope) -> Found {
    let mut reader = Reader {
        source,
        sound_only,
        depth: 0,
        found: Found::default(),
        module: Vec::new(),
    };
    reader.children(parent, scope);
    reader.found
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    sound_only: bool,
    depth: usize,
    found: Found,
    module: Vec<String>,
}

impl Reader<'_, '_> {
    fn children(&mut self, parent: Node<'_>, scope: &mut Scope) {
        let mut pending = Collected::default();
        let mut cursor = parent.walk();
        for node in parent.children(&mut cursor) {
            match node.kind() {
                "attribute_item" => pending.add_text(self.source.of(node)),
                "line_comment" | "block_comment" => self.comment(node, &mut pending),
                "inner_attribute_item" => {
                    let mut inner = Collected::default();
                    inner.add_text(self.source.of(node));
                    if inner.test_only {
                        self.found.test_only = true;
                        return;
                    }
                }
                _ => {
                    let attrs = std::mem::take(&mut pending);
                    if !attrs.test_only {
                        self.item(node, attrs, scope);
                    }
                }
            }
        }
    }

    fn comment(&self, node: Node<'_>, pending: &mut Collected) {
        let text = self.source.of(node);
        let doc = text.starts_with("///") && !text.starts_with("////")
            || text.starts_with("/**") && !text.starts_with("/***");
        if doc {
            pending.add_text(text);
        }
    }

    fn item(&mut self, node: Node<'_>, attrs: Collected, scope: &mut Scope) {
        if self.sound_only && node.has_error() {
            let declares = matches!(
                node.kind(),
                "struct_item" | "enum_item" | "type_item" | "use_declaration" | "macro_definition"
            );
            if !declares && self.depth < MAX_MODULES {
                self.depth += 1;
                self.children(node, scope);
                self.depth -= 1;
            }
            return;
        }
        if matches!(
            node.kind(),
            "function_item" | "impl_item" | "trait_item" | "static_item"
        ) {
            self.found.code.push(node.byte_range());
        }
        match node.kind() {
            "struct_item" | "enum_item" | "type_item" => scope.types.extend(self.type_item(node, attrs).map(Arc::new)),
            "mod_item" => self.mod_item(node, &attrs, scope),
            "use_declaration" | "extern_crate_declaration" => imports(self.source.of(node), &mut scope.imports),
            "const_item" | "static_item" => scope.consts.extend(self.constant(node, None)),
            "impl_item" => self.impl_item(node, scope),
            "function_item" => self.codec(node, scope),
            "macro_definition" => {
                let text = self.source.of(node);
                let open = text
                    .find('!')
                    .and_then(|at| text[at..].find(['{', '(', '[']).map(|open| at + open));
                if let (Some(name), Some(open)) = (self.field(node, "name"), open) {
                    scope.macros.push(MacroDef {
                        name: unraw(name).to_owned(),
                        rules: text[open..].trim_end_matches(';').to_owned(),
                    });
                }
            }
            "macro_invocation" => self.call(node),
            "expression_statement" => {
                if let Some(inner) = node.named_child(0).filter(|inner| inner.kind() == "macro_invocation") {
                    self.call(inner);
                }
            }
            _ => {}
        }
    }

    fn field(&self, node: Node<'_>, name: &str) -> Option<&str> {
        node.child_by_field_name(name).map(|child| self.source.of(child))
    }

    fn call(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let input = node.children(&mut cursor).find(|child| child.kind() == "token_tree");
        if let (Some(path), Some(input)) = (self.field(node, "macro"), input) {
            self.found.calls.push(Call {
                path: path
                    .split("::")
                    .map(|part| unraw(part.trim()).to_owned())
                    .filter(|part| !part.is_empty())
                    .collect(),
                start: input.start_byte() + 1,
                end: input.end_byte().saturating_sub(1).max(input.start_byte() + 1),
                module: self.module.clone(),
            });
        }
    }

    fn type_item(&self, node: Node<'_>, attrs: Collected) -> Option<TypeItem> {
        let name = self.field(node, "name")?;
        let body = node.child_by_field_name("body");
        let body = match node.kind() {
            "struct_item" => TypeBody::Struct(self.fields(body)),
            "enum_item" => TypeBody::Enum(self.variants(body?)),
            _ => TypeBody::Alias(types::parse_text(self.field(node, "type")?)),
        };
        Some(TypeItem {
            name: unraw(name).to_owned(),
            line: self.source.line_of(node.child_by_field_name("name")?),
            attrs: attrs.finish(),
            generics: self.field(node, "type_parameters").map(generics).unwrap_or_default(),
            body,
        })
    }

    fn fields(&self, body: Option<Node<'_>>) -> Fields {
        let Some(body) = body else {
            return Fields::Unit;
        };
        let (mut fields, mut pending) = (Vec::<FieldItem>::new(), Collected::default());
        let mut without = Vec::new();
        let named = body.kind() == "field_declaration_list";
        let mut cursor = body.walk();
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            match node.kind() {
                "attribute_item" => pending.add_text(self.source.of(node)),
                "line_comment" | "block_comment" => self.comment(node, &mut pending),
                "," => pending = Collected::default(),
                _ => {
                    let (name, ty) = if named {
                        (self.field(node, "name"), self.field(node, "type"))
                    } else {
                        let is_type = cursor.field_name() == Some("type");
                        (Some(""), is_type.then(|| self.source.of(node)))
                    };
                    if let (Some(name), Some(ty)) = (name, ty) {
                        let attrs = std::mem::take(&mut pending);
                        if !attrs.test_only {
                            without.push(attrs.without);
                            fields.push(FieldItem {
                                name: unraw(name).to_owned(),
                                line: self.source.line_of(node),
                                attrs: attrs.finish(),
                                ty: types::parse_text(ty),
                            });
                        }
                    }
                }
            }
            more = cursor.goto_next_sibling();
        }
        // With all features on, what stands in for another member of its name is not there.
        let twice = |name: &str| fields.iter().filter(|field| field.name == name).count() > 1;
        let there: Vec<bool> = fields
            .iter()
            .zip(without)
            .map(|(field, without)| !(named && without && twice(&field.name)))
            .collect();
        let mut there = there.into_iter();
        fields.retain(|_| there.next().unwrap_or(true));
        if named {
            Fields::Named(fields)
        } else {
            Fields::Tuple(fields)
        }
    }

    fn variants(&self, body: Node<'_>) -> Vec<Variant> {
        let (mut variants, mut pending, mut next) = (Vec::new(), Collected::default(), 0i64);
        let mut cursor = body.walk();
        for node in body.children(&mut cursor) {
            match node.kind() {
                "attribute_item" => pending.add_text(self.source.of(node)),
                "line_comment" | "block_comment" => self.comment(node, &mut pending),
                "enum_variant" => {
                    let attrs = std::mem::take(&mut pending);
                    let Some(name) = node.child_by_field_name("name").filter(|_| !attrs.test_only) else {
                        continue;
                    };
                    let fields = self.fields(node.child_by_field_name("body"));
                    let value = match self.field(node, "value") {
                        Some(text) => integer(text),
                        None => Some(next),
                    };
                    next = value.unwrap_or(next).saturating_add(1);
                    let row = self.source.row(name.start_byte());
                    let mut attrs = attrs.finish();
                    if let Some(row) = row.filter(|row| row.attrs.stability != Stability::Stable) {
                        attrs.stability = row.attrs.stability;
                    }
                    let answer = row
                        .and_then(|row| row.answer.clone())
                        .filter(|answer| !holds(&fields, answer));
                    variants.push(Variant {
                        name: unraw(self.source.of(name)).to_owned(),
                        line: self.source.line_of(name),
                        attrs,
                        fields,
                        value,
                        answer,
                    });
                }
                _ => {}
            }
        }
        variants
    }

    fn mod_item(&mut self, node: Node<'_>, attrs: &Collected, scope: &mut Scope) {
        let Some(name) = self.field(node, "name").map(|name| unraw(name).to_owned()) else {
            return;
        };
        let inline = match node.child_by_field_name("body") {
            Some(body) if self.module.len() < MAX_MODULES => {
                let mut inner = Scope::default();
                self.module.push(name.clone());
                self.children(body, &mut inner);
                self.module.pop();
                Some(inner)
            }
            Some(_) => Some(Scope::default()),
            None => None,
        };
        scope.mods.push(ModItem {
            name,
            inline,
            path: attrs.path.clone(),
        });
    }

    fn constant(&self, node: Node<'_>, owner: Option<&str>) -> Option<ConstItem> {
        let name = self.field(node, "name")?;
        let wanted = match owner {
            // Every one, since the latest is often named by another: `LATEST: Self = Self::V1`.
            Some(owner) => is_version_name(owner),
            None => is_version_name(name),
        };
        if !wanted {
            return None;
        }
        Some(ConstItem {
            name: owner.map_or_else(|| name.to_owned(), |owner| format!("{owner}::{name}")),
            line: self.source.line_of(node),
            value: const_value(&lex(self.field(node, "value")?))?,
        })
    }

    fn impl_item(&self, node: Node<'_>, scope: &mut Scope) {
        let Some(ty) = self.field(node, "type").map(types::parse_text) else {
            return;
        };
        let of = match self.field(node, "trait").map(types::parse_text) {
            Some(TypeExpr::Path(segments, _)) => segments.last().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let by_hand = matches!(of.as_str(), "Serialize" | "Deserialize");
        let Some(body) = node.child_by_field_name("body") else {
            return;
        };
        let owner = match &ty {
            TypeExpr::Path(segments, _) => segments.last().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let (mut assoc, mut forms) = (Vec::new(), Vec::new());
        let mut cursor = body.walk();
        for child in body.children(&mut cursor) {
            match child.kind() {
                "type_item" => {
                    if let (Some(name), Some(ty)) = (self.field(child, "name"), self.field(child, "type")) {
                        assoc.push((name.to_owned(), types::parse_text(ty)));
                    }
                }
                "const_item" if of.is_empty() => scope.consts.extend(self.constant(child, Some(&owner))),
                "function_item"
                    if by_hand && matches!(self.field(child, "name"), Some("serialize" | "deserialize")) =>
                {
                    forms = hand_written::forms(self.source.of(child));
                }
                _ => {}
            }
        }
        if !of.is_empty() && (by_hand || !assoc.is_empty() && !is_common(&of)) {
            scope.impls.push(ImplItem { of, ty, assoc, forms });
        }
    }

    fn codec(&self, node: Node<'_>, scope: &mut Scope) {
        let (Some(name), Some(body)) = (self.field(node, "name"), node.child_by_field_name("body")) else {
            return;
        };
        let head = self
            .source
            .text
            .get(node.start_byte()..body.start_byte())
            .unwrap_or_default();
        if head.contains("erializer") {
            scope.codecs.push(Codec {
                name: name.to_owned(),
                forms: hand_written::forms(self.source.of(node)),
            });
        }
    }
}

/// Traits of the standard library whose associated types no protocol names.
fn is_common(of: &str) -> bool {
    matches!(
        of,
        "TryFrom"
            | "TryInto"
            | "FromStr"
            | "Deref"
            | "Iterator"
            | "IntoIterator"
            | "Index"
            | "Add"
            | "Future"
            | "Visitor"
    )
}

/// Whether a field is of this type: an enum of the answers themselves, made from the same rows.
fn holds(fields: &Fields, ty: &TypeExpr) -> bool {
    match fields {
        Fields::Named(fields) | Fields::Tuple(fields) => fields.iter().any(|field| field.ty == *ty),
        Fields::Unit => false,
    }
}

/// Whether a constant of this name is a protocol version that a handshake sends.
fn is_version_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase().replace('_', "");
    [
        "PROTOCOLVERSION",
        "WIREVERSION",
        "WIREFORMATVERSION",
        "MCPSCHEMAVERSION",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// A literal, `Self(literal)`, or the name of another constant.
fn const_value(tokens: &[Token<'_>]) -> Option<ConstValue> {
    match tokens {
        [only] if only.kind == Kind::Literal => match string_value(only) {
            Some(text) => Some(ConstValue::Text(text)),
            None => integer(&only.text).map(|number| ConstValue::Number(number.to_string())),
        },
        [first, .., last] if last.is(")") && first.is_ident() => {
            let open = tokens.iter().position(|token| token.is("("))?;
            const_value(inside(tokens, open))
        }
        [first, .., last] if first.is_ident() && last.is_ident() => Some(ConstValue::Other(last.name())),
        _ => None,
    }
}

/// The value of an integer as code writes it.
fn integer(text: &str) -> Option<i64> {
    let text = text.replace(['_', ' '], "");
    let (sign, digits) = text.strip_prefix('-').map_or((1, text.as_str()), |digits| (-1, digits));
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some("0o") => (&digits[2..], 8),
        _ => (digits, 10),
    };
    let end = digits.find(|char: char| !char.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let plain = suffix.is_empty() || suffix.starts_with(['u', 'i']);
    i64::from_str_radix(digits, radix)
        .ok()
        .filter(|_| plain)
        .map(|number| sign * number)
}

/// The names of type parameters.
fn generics(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or(&[]);
    split_commas(inner)
        .into_iter()
        .filter_map(|part| {
            part.iter()
                .find(|token| token.is_ident())
                .filter(|_| part[0].kind != Kind::Lifetime)
        })
        .filter(|token| !token.is("const"))
        .map(Token::name)
        .collect()
}

/// The names that a `use` or an `extern crate` brings in.
fn imports(text: &str, into: &mut Vec<Import>) {
    let tokens = lex(text);
    let head = super::chunks::head(&tokens, 0);
    let public = tokens[..head].iter().any(|token| token.is("pub"));
    let mut add = |name: String, path: Vec<String>| into.push(Import { name, path, public });
    if tokens.get(head).is_some_and(|token| token.is("extern")) {
        let names: Vec<String> = tokens[head + 2..]
            .iter()
            .filter(|token| token.is_ident() && !token.is("as"))
            .map(Token::name)
            .collect();
        if let (Some(name), Some(bound)) = (names.first(), names.last()) {
            add(bound.clone(), vec![name.clone()]);
        }
        return;
    }
    let end = tokens.len() - usize::from(tokens.last().is_some_and(|token| token.is(";")));
    use_tree(tokens.get(head + 1..end).unwrap_or(&[]), &[], 0, &mut add);
}

fn use_tree(tokens: &[Token<'_>], prefix: &[String], depth: usize, add: &mut dyn FnMut(String, Vec<String>)) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            if depth < MAX_MODULES {
                for part in split_commas(inside(tokens, at)) {
                    use_tree(part, &path, depth + 1, add);
                }
            }
            return;
        }
        if token.is("*") {
            add("*".to_owned(), path);
            return;
        }
        if token.is("as") {
            if let Some(name) = tokens.get(at + 1).filter(|name| name.is_ident() && name.text != "_") {
                add(name.name(), path);
            }
            return;
        }
        if token.is_ident() {
            // `{self}` is the module itself.
            if !token.is("self") || path.is_empty() {
                path.push(token.name());
            }
            at += 1;
        } else if marks(tokens, at, "::") {
            at += 2;
        } else {
            at = after(tokens, at);
        }
    }
    if let Some(name) = path.last().cloned() {
        add(name, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_bring_in_names() {
        let mut found = Vec::new();
        imports("pub use a::{b::{self, C as D}, e::*, F}; ", &mut found);
        imports("use ::g::H;", &mut found);
        imports("use i as _;", &mut found);
        imports("pub(crate) extern crate j as k;", &mut found);
        let short: Vec<String> = found
            .iter()
            .map(|import| format!("{}={}", import.name, import.path.join("::")))
            .collect();
        assert_eq!(short, ["b=a::b", "D=a::b::C", "*=a::e", "F=a::F", "H=g::H", "k=j"]);
    }

    #[test]
    fn integers_are_read_as_code_writes_them() {
        for (text, value) in [
            ("1", Some(1)),
            ("-1_000i32", Some(-1000)),
            ("0xff", Some(255)),
            ("0b11u8", Some(3)),
            ("A + 1", None),
            ("1.5", None),
        ] {
            assert_eq!(integer(text), value, "{text}");
        }
    }
}
