//! One file into facts: the grammar's declarations, those that macros of the file expand to, and what could not be read.

use std::collections::BTreeMap;

use super::attrs::{Collected, without_unread};
use super::chunks::{self, Chunk, ChunkKind};
use super::facts::{Facts, MacroCall, MacroDef, ModItem, Scope};
use super::items::{self, Call};
use super::lex::{Kind, Lines, Token, after, close_groups, inside, lex, marks, render};
use super::literals;
use super::macros::{self, Rules};
use super::rows;
use super::syntax::{Expansion, Source, SourcePlace, tree};
use crate::content::{self, Damage};

/// Larger files are not read: no protocol is declared by hand in so much text.
const MAX_BYTES: usize = 4 << 20;
/// How many names an unread span may list.
const MAX_HIDDEN: usize = 200;
/// How deep macros may call macros, and modules with errors may nest.
const MAX_DEPTH: usize = 8;
/// Longer inputs of unknown macros are not kept.
const MAX_INPUT: usize = 100_000;

/// Reads a Rust file.
pub(super) fn parse(bytes: &[u8]) -> Facts {
    let text = match content::text(bytes) {
        Ok(text) if text.len() <= MAX_BYTES => text,
        Ok(_) => {
            return lost(
                bytes,
                Damage::whole(format!("over the budget of {} MB", MAX_BYTES >> 20)),
            );
        }
        Err(damage) => return lost(bytes, damage),
    };
    let lines = Lines::new(text);
    let mut file = File {
        lines: &lines,
        damage: Vec::new(),
        calls: Vec::new(),
        code: Vec::new(),
    };
    let mut root = file.piece(text, 0, &[], 0);
    let calls = std::mem::take(&mut file.calls);
    let definitions = definitions(&root);
    let rules: BTreeMap<&str, Rules<'_>> = definitions
        .iter()
        .filter_map(|definition| Some((definition.name.as_str(), macros::rules(&definition.rules)?)))
        .collect();
    for call in calls {
        let input = text.get(call.start..call.end).unwrap_or_default();
        let line = lines.line(call.start);
        let name = call.path.last().map_or("", String::as_str);
        let Some(scope) = scope_at(&mut root, &call.module) else {
            continue;
        };
        if rules.contains_key(name) || declares(input) {
            let mut tokens = lex(input);
            for token in &mut tokens {
                token.at = token.at.saturating_add(u32::try_from(call.start).unwrap_or(0));
            }
            let context = Context {
                rules: &rules,
                lines: &lines,
                line,
            };
            if expand(&context, name, &tokens, 0, scope, &mut file.damage) {
                continue;
            }
        }
        if !input.trim().is_empty() && input.len() <= MAX_INPUT {
            scope.calls.push(MacroCall {
                path: call.path,
                line,
                input: input.to_owned(),
            });
        }
    }
    root.sort();
    Facts {
        root: Box::new(root),
        literals: literals::find(text, &file.code, &lines),
        degraded: file.damage,
        manifest: None,
    }
}

/// Nothing but what the file may hide.
fn lost(bytes: &[u8], mut damage: Damage) -> Facts {
    damage.hides = guessed_names(&String::from_utf8_lossy(bytes));
    Facts {
        degraded: vec![damage],
        ..Facts::default()
    }
}

/// What a call outside this file stands for, once its rules are found.
pub(super) fn expand_call(call: &MacroCall, rules_text: &str) -> Option<Scope> {
    let name = call.path.last()?;
    let rules = BTreeMap::from([(name.as_str(), macros::rules(rules_text)?)]);
    let lines = Lines::starting_at(&call.input, call.line);
    let tokens = lex(&call.input);
    let context = Context {
        rules: &rules,
        lines: &lines,
        line: call.line,
    };
    let mut scope = Scope::default();
    expand(&context, name, &tokens, 0, &mut scope, &mut Vec::new()).then_some(())?;
    scope.sort();
    Some(scope)
}

/// Whether an input holds declarations that derive serde's traits, as that of `paste!` does.
fn declares(input: &str) -> bool {
    (input.contains("struct ") || input.contains("enum "))
        && (input.contains("Serialize") || input.contains("Deserialize"))
}

fn definitions(scope: &Scope) -> Vec<MacroDef> {
    let mut all = scope.macros.clone();
    for module in scope.mods.iter().filter_map(|module| module.inline.as_ref()) {
        all.extend(definitions(module));
    }
    all
}

fn scope_at<'s>(scope: &'s mut Scope, path: &[String]) -> Option<&'s mut Scope> {
    match path.split_first() {
        None => Some(scope),
        Some((first, rest)) => {
            let module = scope.mods.iter_mut().find(|module| module.name == *first)?;
            scope_at(module.inline.as_mut()?, rest)
        }
    }
}

struct Context<'c, 'a> {
    rules: &'c BTreeMap<&'c str, Rules<'a>>,
    lines: &'c Lines,
    line: u32,
}

/// Reads what a call stands for into `scope`. `false` when that is not known.
fn expand(
    context: &Context<'_, '_>,
    name: &str,
    input: &[Token<'_>],
    depth: usize,
    scope: &mut Scope,
    damage: &mut Vec<Damage>,
) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let rows = rows::rows_within(input);
    let output = match context.rules.get(name) {
        Some(rules) if !rules.may_declare() => return true,
        Some(rules) => match rules.expand(input) {
            Some(output) => output,
            None => return false,
        },
        // A macro from elsewhere that is given declarations hands them on.
        None => macros::paste(input.to_vec()),
    };
    let mut output = without_unread(&output);
    close_groups(&mut output);
    let known = context.rules.contains_key(name);
    let before = scope.types.len();
    for chunk in chunks::split(&output) {
        let tokens = &output[chunk.start..chunk.end];
        match chunk.kind {
            ChunkKind::MacroCall => {
                let Some(open) = tokens
                    .iter()
                    .position(|token| token.kind == Kind::Open && token.skip > 0)
                else {
                    continue;
                };
                let inner = inside(tokens, open);
                if context.rules.contains_key(chunk.name.as_str()) || declares(&render(inner).0) {
                    expand(context, &chunk.name, inner, depth + 1, scope, damage);
                }
                continue;
            }
            ChunkKind::Fn | ChunkKind::Other | ChunkKind::MacroDef => continue,
            ChunkKind::Impl
                if !tokens
                    .iter()
                    .any(|token| token.text.ends_with("erialize") || token.is("type")) =>
            {
                continue;
            }
            _ => {}
        }
        let (text, starts) = render(tokens);
        let expansion = Expansion {
            starts,
            origins: tokens.iter().map(|token| token.at).collect(),
            lines: context.lines,
            line: context.line,
            rows: &rows,
        };
        match tree(&text).filter(|tree| !tree.root_node().has_error()) {
            Some(tree) => {
                let source = Source {
                    text: &text,
                    place: SourcePlace::Expansion(&expansion),
                };
                items::read(&source, tree.root_node(), false, scope);
            }
            None if known && matches!(chunk.kind, ChunkKind::Struct | ChunkKind::Enum | ChunkKind::Mod) => {
                damage.push(Damage {
                    lines: Some((context.line, context.line)),
                    why: format!("what `{name}!` expands to cannot be read"),
                    hides: vec![chunk.name],
                });
            }
            None => {}
        }
    }
    known || scope.types.len() > before
}

struct File<'a> {
    lines: &'a Lines,
    damage: Vec<Damage>,
    calls: Vec<Call>,
    /// Where functions and impls stand, those of tests left out.
    code: Vec<std::ops::Range<usize>>,
}

impl File<'_> {
    /// Reads a piece of the file that starts at `offset` and stands in `module`.
    fn piece(&mut self, text: &str, offset: usize, module: &[String], depth: usize) -> Scope {
        let mut scope = Scope::default();
        match tree(text) {
            Some(tree) if !tree.root_node().has_error() => {
                self.read(text, offset, module, &tree, false, &mut scope);
            }
            _ => self.recover(text, offset, module, depth, &mut scope),
        }
        scope
    }

    fn read(
        &mut self,
        text: &str,
        offset: usize,
        module: &[String],
        tree: &tree_sitter::Tree,
        sound_only: bool,
        scope: &mut Scope,
    ) {
        let source = Source {
            text,
            place: SourcePlace::Piece(self.lines, offset),
        };
        let found = items::read(&source, tree.root_node(), sound_only, scope);
        if found.test_only {
            *scope = Scope::default();
            return;
        }
        self.code.extend(
            found
                .code
                .into_iter()
                .map(|code| offset + code.start..offset + code.end),
        );
        self.calls.extend(found.calls.into_iter().map(|mut call| {
            call.start += offset;
            call.end += offset;
            call.module.splice(0..0, module.iter().cloned());
            call
        }));
    }

    /// Reads a piece item by item, so that one bad item loses itself alone.
    fn recover(&mut self, text: &str, offset: usize, module: &[String], depth: usize, scope: &mut Scope) {
        let tokens = lex(text);
        let place = |index: usize| tokens.get(index).map_or(text.len(), |token| token.at as usize);
        for chunk in chunks::split(&tokens) {
            let (start, end) = (place(chunk.start), place(chunk.end));
            let piece = text.get(start..end).unwrap_or_default();
            let Some(tree) = tree(piece) else {
                self.unread(
                    &tokens,
                    &chunk,
                    offset,
                    end,
                    "over the parse budget",
                    vec![chunk.name.clone()],
                );
                continue;
            };
            if !tree.root_node().has_error() {
                self.read(piece, offset + start, module, &tree, false, scope);
                continue;
            }
            if test_only(&tokens[chunk.start..chunk.head]) {
                continue;
            }
            if matches!(chunk.kind, ChunkKind::Fn | ChunkKind::Impl) {
                self.code.push(offset + start..offset + end);
            }
            let group = (chunk.head..chunk.end).find(|&at| tokens[at].kind == Kind::Open && tokens[at].skip > 0);
            match (chunk.kind, group) {
                (ChunkKind::Mod, Some(group)) if !chunk.open && depth < MAX_DEPTH => {
                    let inner_end = place(after(&tokens, group) - 1);
                    let inner_start = place(group) + 1;
                    let inner = text.get(inner_start..inner_end).unwrap_or_default();
                    let mut path = module.to_vec();
                    path.push(chunk.name.clone());
                    let inline = self.piece(inner, offset + inner_start, &path, depth + 1);
                    scope.mods.push(ModItem {
                        name: chunk.name,
                        inline: Some(inline),
                        path: None,
                    });
                }
                (ChunkKind::MacroDef, Some(group)) => {
                    let rules = text
                        .get(place(group)..place(after(&tokens, group) - 1) + 1)
                        .unwrap_or_default();
                    scope.macros.push(MacroDef {
                        name: chunk.name,
                        rules: rules.to_owned(),
                    });
                }
                (ChunkKind::MacroCall, Some(group)) => self.calls.push(Call {
                    path: tokens[chunk.head..group]
                        .iter()
                        .filter(|token| token.is_ident())
                        .map(Token::name)
                        .collect(),
                    start: offset + place(group) + 1,
                    end: offset + place(after(&tokens, group) - 1),
                    module: module.to_vec(),
                }),
                (ChunkKind::Struct | ChunkKind::Enum | ChunkKind::Alias, _) if !chunk.open => {
                    let name = chunk.name.clone();
                    self.unread(&tokens, &chunk, offset, end, "syntax error", vec![name]);
                }
                _ => {
                    let mut hides = Vec::new();
                    if chunk.open || chunk.kind == ChunkKind::Other {
                        self.read(piece, offset + start, module, &tree, true, scope);
                        hides = declared_names(&tokens[chunk.start..chunk.end], scope);
                    }
                    self.unread(&tokens, &chunk, offset, end, "syntax error", hides);
                }
            }
        }
    }

    fn unread(
        &mut self,
        tokens: &[Token<'_>],
        chunk: &Chunk,
        offset: usize,
        end: usize,
        why: &str,
        hides: Vec<String>,
    ) {
        let first = tokens
            .get(chunk.head)
            .or(tokens.last())
            .map_or(0, |token| token.at as usize);
        let last = tokens
            .get(chunk.end.saturating_sub(1))
            .map_or(end, |token| token.at as usize);
        self.damage.push(Damage {
            lines: Some((self.lines.line(offset + first), self.lines.line(offset + last))),
            why: why.to_owned(),
            hides: hides.into_iter().filter(|name| !name.is_empty()).collect(),
        });
    }
}

/// Whether attributes say that an item is there in a test build only.
fn test_only(attributes: &[Token<'_>]) -> bool {
    let mut collected = Collected::default();
    let mut at = 0;
    while at < attributes.len() {
        if attributes[at].is("[") {
            collected.add(inside(attributes, at));
        }
        at = after(attributes, at);
    }
    collected.test_only
}

/// The names of types that a text seems to declare, in words alone: a text over the budget is not lexed either.
fn guessed_names(text: &str) -> Vec<String> {
    let mut names = std::collections::BTreeSet::new();
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if matches!(word, "struct" | "enum" | "type" | "union") && names.len() < MAX_HIDDEN {
            let name: String = words
                .next()
                .unwrap_or_default()
                .chars()
                .take_while(|char| char.is_alphanumeric() || *char == '_')
                .collect();
            if name.starts_with(char::is_uppercase) {
                names.insert(name);
            }
        }
    }
    names.into_iter().collect()
}

/// The names of types that tokens seem to declare and `known` does not hold.
fn declared_names(tokens: &[Token<'_>], known: &Scope) -> Vec<String> {
    let mut names: Vec<String> = tokens
        .windows(2)
        .enumerate()
        .filter(|(at, pair)| {
            let declares = ["struct", "enum", "type", "union"].iter().any(|word| pair[0].is(word));
            declares
                && pair[1].is_ident()
                && pair[1].text.starts_with(char::is_uppercase)
                && !marks(tokens, at + 2, "::")
        })
        .map(|(_, pair)| pair[1].name())
        .filter(|name| !known.types.iter().any(|item| item.name == *name))
        .collect();
    names.sort();
    names.dedup();
    names.truncate(MAX_HIDDEN);
    names
}
