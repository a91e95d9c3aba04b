//! JSON with line numbers.
//!
//! `serde_json` drops positions, refuses the whole text for one mistake and keeps one of two equal keys without a word,
//! so this reads the few rules of RFC 8259 itself; strings and numbers are still decoded by `serde_json`. A container
//! with a mistake ends at its closing bracket and is marked as cut; its neighbours are kept.

use crate::content::Damage;

/// How many containers may stand in each other. The deepest real schema that we know has 30.
const MAX_DEPTH: usize = 128;
/// How many values are kept. The largest real schema that we know has 60,000.
const MAX_NODES: usize = 2_000_000;

/// A value and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The line it starts at, from 1.
    pub(super) line: u32,
    /// Something inside this very container could not be read.
    pub(super) cut: bool,
    /// The value.
    pub(super) kind: Kind,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    /// Its shortest text.
    Number(String),
    String(String),
    Array(Vec<Node>),
    /// In the order of the text, each key once.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The member `key` of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.members()
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, node)| node)
    }

    /// The members of an object; none of anything else.
    pub(super) fn members(&self) -> &[(String, Node)] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array; none of anything else.
    pub(super) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub(super) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The string member `key`.
    pub(super) fn str(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The member `key` is `true`.
    pub(super) fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(|node| node.kind == Kind::Bool(true))
    }

    /// Whether this is an object.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    /// The node at a JSON pointer (RFC 6901), `""` for this one.
    pub(super) fn at(&self, pointer: &str) -> Option<&Node> {
        let mut node = self;
        for segment in pointer.split('/').skip(1) {
            let name = segment.replace("~1", "/").replace("~0", "~");
            node = match &node.kind {
                Kind::Array(items) => items.get(name.parse::<usize>().ok()?)?,
                _ => node.get(&name)?,
            };
        }
        Some(node)
    }
}

/// A name as a segment of a JSON pointer.
pub(super) fn segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The value that a text holds, as far as it can be read, and what could not.
pub(super) fn read(text: &str) -> (Option<Node>, Vec<Damage>) {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        nodes: 0,
        within: vec![],
        damage: vec![],
    };
    let node = reader.value(0).map_err(|why| reader.lose_rest(why)).ok();
    reader.space();
    if node.is_some() && reader.at < text.len() {
        reader.lose_rest("text after the end of the value");
    }
    (node, reader.damage)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    nodes: usize,
    /// The keys that lead to the value that is being read.
    within: Vec<String>,
    damage: Vec<Damage>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, &'static str> {
        self.space();
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err("over the budget of 2000000 values");
        }
        let line = self.line;
        let mut cut = false;
        let kind = match self.peek() {
            Some(b'{' | b'[') if depth == MAX_DEPTH => {
                self.at += 1;
                self.lose_container("nested deeper than 128 levels");
                cut = true;
                Kind::Null
            }
            Some(b'{') => {
                let (members, whole) = self.container(depth, b'}', Self::member);
                cut = !whole;
                Kind::Object(self.once(members))
            }
            Some(b'[') => {
                let (items, whole) = self.container(depth, b']', Self::value);
                cut = !whole;
                Kind::Array(items)
            }
            Some(b'"') => Kind::String(self.string()?),
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => return Err("syntax error: a value was expected"),
            None => return Err("syntax error: the text ends too early"),
        };
        Ok(Node { line, cut, kind })
    }

    /// What stands between two brackets, and whether all of it could be read.
    fn container<T>(
        &mut self,
        depth: usize,
        close: u8,
        mut one: impl FnMut(&mut Self, usize) -> Result<T, &'static str>,
    ) -> (Vec<T>, bool) {
        self.at += 1;
        let mut all = vec![];
        self.space();
        if self.peek() == Some(close) {
            self.at += 1;
            return (all, true);
        }
        loop {
            let keys = self.within.len();
            match one(self, depth + 1) {
                Ok(item) => all.push(item),
                Err(why) => {
                    self.lose_container(why);
                    self.within.truncate(keys);
                    return (all, false);
                }
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return (all, true);
                }
                _ => {
                    self.lose_container("syntax error: a comma or a closing bracket was expected");
                    return (all, false);
                }
            }
        }
    }

    fn member(&mut self, depth: usize) -> Result<(String, Node), &'static str> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err("syntax error: a key was expected");
        }
        let name = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return Err("syntax error: a colon was expected");
        }
        self.at += 1;
        self.within.push(name.clone());
        let value = self.value(depth)?;
        // After a mistake the key stays, so that the span that is given up names it.
        self.within.pop();
        Ok((name, value))
    }

    /// Each key once, with its last value, as JSON readers do.
    fn once(&mut self, members: Vec<(String, Node)>) -> Vec<(String, Node)> {
        let mut last = std::collections::HashMap::new();
        for (index, (name, _)) in members.iter().enumerate() {
            last.insert(name.clone(), index);
        }
        if last.len() == members.len() {
            return members;
        }
        let mut kept = vec![];
        for (index, (name, node)) in members.into_iter().enumerate() {
            if last.get(&name) == Some(&index) {
                kept.push((name, node));
            } else {
                self.damage.push(Damage {
                    lines: Some((node.line, node.line)),
                    why: format!("the key `{name}` stands twice; the later one counts"),
                    hides: vec![name],
                });
            }
        }
        kept
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(0..=0x1f) => return Err("syntax error: a line ends inside a string"),
                Some(_) => self.at += 1,
                None => return Err("syntax error: the text ends inside a string"),
            }
        }
        self.at += 1;
        let whole = &self.text[start..self.at];
        if escaped {
            serde_json::from_str(whole).map_err(|_| "syntax error: an escape that is none")
        } else {
            Ok(whole[1..whole.len() - 1].to_owned())
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Kind, &'static str> {
        if !self.text[self.at..].starts_with(word) {
            return Err("syntax error: a value was expected");
        }
        self.at += word.len();
        Ok(kind)
    }

    fn number(&mut self) -> Result<Kind, &'static str> {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
            .unwrap_or(rest.len());
        let number: serde_json::Number =
            serde_json::from_str(&rest[..end]).map_err(|_| "syntax error: a number that is none")?;
        self.at += end;
        let text = number.to_string();
        Ok(Kind::Number(text.strip_suffix(".0").unwrap_or(&text).to_owned()))
    }

    /// Gives up on the container that is open here: goes on behind its closing bracket.
    fn lose_container(&mut self, why: &'static str) {
        let (start, first) = (self.at.min(self.text.len()), self.line);
        let mut open = 1_usize;
        while let (Some(byte), true) = (self.peek(), open > 0) {
            match byte {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                b'"' => {
                    // A string that does not end on its line is taken as a stray quote.
                    let before = self.at;
                    if self.string().is_err() {
                        self.at = before;
                    } else {
                        continue;
                    }
                }
                b'\n' => self.line += 1,
                _ => {}
            }
            self.at += 1;
        }
        self.lost(start, first, why);
    }

    fn lose_rest(&mut self, why: &'static str) {
        let (start, first) = (self.at.min(self.text.len()), self.line);
        while let Some(byte) = self.peek() {
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
        self.lost(start, first, why);
    }

    fn lost(&mut self, start: usize, first: u32, why: &'static str) {
        let span = self.text.get(start..self.at.min(self.text.len())).unwrap_or_default();
        self.damage.push(Damage {
            lines: Some((first, self.line)),
            why: why.to_owned(),
            hides: names_hidden(&self.within, span),
        });
    }
}

/// The keys around an unreadable span, and those inside it that stand in front of an object: each may be a declaration.
fn names_hidden(within: &[String], span: &str) -> Vec<String> {
    let mut found = within.to_vec();
    let pieces: Vec<&str> = span.split('"').collect();
    for pair in pieces.windows(2) {
        let value = pair[1].trim_start();
        if let Some(value) = value.strip_prefix(':')
            && value.trim_start().starts_with('{')
            && !pair[0].is_empty()
        {
            found.push(pair[0].to_owned());
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn plain(node: &Node) -> serde_json::Value {
        match &node.kind {
            Kind::Null => serde_json::Value::Null,
            Kind::Bool(value) => (*value).into(),
            Kind::Number(text) => serde_json::from_str(text).unwrap(),
            Kind::String(text) => text.clone().into(),
            Kind::Array(items) => items.iter().map(plain).collect(),
            Kind::Object(members) => members
                .iter()
                .map(|(name, node)| (name.clone(), plain(node)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    #[test]
    fn reads_what_serde_json_reads() {
        for text in [
            "null",
            " [ ] ",
            "{}",
            r#"{"a": [1, -2.5e-3, true, false, null, {"b": "\u00e9\n\"\\ \ud83d\ude00 é"}], "": {}}"#,
            "[[],[[]]]\r\n",
        ] {
            let (node, damage) = read(text);
            assert_eq!(
                plain(&node.unwrap()),
                serde_json::from_str::<serde_json::Value>(text).unwrap(),
                "{text}"
            );
            assert_eq!(damage, [], "{text}");
        }
    }

    #[test]
    fn refuses_what_serde_json_refuses() {
        for text in [
            "", "{", "nul", "[1,]", "{\"a\"}", "{a: 1}", "01", "\"\n\"", "\"\\x\"", "[1] 2", "[1 2]", "+1",
        ] {
            let (_, damage) = read(text);
            assert_ne!(damage, [], "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_and_pointers() {
        let (node, _) = read("{\r\n  \"a/b\": {\r\n    \"c~\": [\n 1,\n {\"d\": 2}]}}");
        let node = node.unwrap();
        assert_eq!(node.at("/a~1b/c~0/1/d").unwrap().line, 5);
        assert_eq!(node.at("/a~1b").unwrap().line, 2);
        assert_eq!(node.at("/a~1b/c~0/9"), None);
        assert_eq!(segment("a/b~"), "a~1b~0");
    }

    #[test]
    fn a_mistake_costs_its_container_only() {
        let (node, damage) = read("{\"a\": {\"x\": 1 \"y\": {\"z\": []}},\n\"b\": {\"ok\": true}}");
        let node = node.unwrap();
        assert!(node.get("a").unwrap().cut && !node.cut);
        assert!(node.get("b").unwrap().is_true("ok"));
        assert_eq!(damage.len(), 1);
        assert_eq!(damage[0].lines, Some((1, 1)));
        assert_eq!(damage[0].hides, ["a", "y"]);
        let (node, damage) = read("{\"d\": {\"a\": nul, \"b\": {}}, \"c\": 1}");
        assert!(node.unwrap().get("c").is_some());
        assert_eq!(damage[0].hides, ["a", "b", "d"]);
    }

    #[test]
    fn a_key_twice_counts_once_and_is_said() {
        let (node, damage) = read("{\"a\": 1, \"b\": 2, \"a\": 3}");
        assert_eq!(plain(&node.unwrap()), serde_json::json!({"a": 3, "b": 2}));
        assert_eq!(damage[0].why, "the key `a` stands twice; the later one counts");
    }

    #[test]
    fn depth_is_bounded_and_neighbours_stay() {
        let deep = format!("{{\"a\": {}{}, \"b\": 1}}", "[".repeat(10_000), "]".repeat(10_000));
        let (node, damage) = read(&deep);
        assert!(node.unwrap().get("b").is_some());
        assert_eq!(damage[0].why, "nested deeper than 128 levels");
        assert_eq!(damage.len(), 1);
    }

    #[test]
    fn no_prefix_panics() {
        let text = "{\"a\": [1, {\"é\\n\": true}], \"b\": {\"c\": null, \"d\": -1.5}}";
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            assert_ne!(read(&text[..end]).1, [], "{end}");
        }
    }
}
