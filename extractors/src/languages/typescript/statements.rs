//! Statements to declarations, imports and exports.

use agent_contracts_wire::model::{Literal, Stability};
use tree_sitter::Node;

use super::ast::{Decl, DeclKind, EnumMember, Export, Facts, Import, Keyword, Member, MemberKind, Shape, Ty};
use super::docs::Docs;
use super::source::{Source, has_token, parts};
use super::values::maker;
use super::zod_values::twin;

impl Source<'_> {
    /// Reads statements of the namespace `space` in order.
    pub(super) fn statements<'t>(&self, nodes: impl Iterator<Item = Node<'t>>, space: &str, facts: &mut Facts) {
        let mut docs = Docs::new(self.text);
        for node in nodes {
            if let Some(stability) = docs.next(node) {
                self.statement(node, space, stability, facts);
            }
        }
    }

    pub(super) fn statement(&self, node: Node<'_>, space: &str, stability: Stability, facts: &mut Facts) {
        match node.kind() {
            "import_statement" => self.import(node, facts),
            "import_alias" => self.import_alias(node, space, facts),
            "export_statement" => self.export(node, space, stability, facts),
            "ambient_declaration" => {
                for child in parts(node) {
                    // `declare global { … }` gives a block: its names are everybody's.
                    if child.kind() == "statement_block" {
                        let mut cursor = child.walk();
                        self.statements(child.children(&mut cursor), space, facts);
                    } else {
                        self.statement(child, space, stability, facts);
                    }
                }
            }
            "expression_statement" => {
                if let Some(child) = parts(node).into_iter().find(|child| child.kind() == "internal_module") {
                    self.statement(child, space, stability, facts);
                }
            }
            "internal_module" | "module" => self.namespace(node, space, facts),
            _ => self.declaration(node, space, stability, facts),
        }
    }

    fn declaration(&self, node: Node<'_>, space: &str, stability: Stability, facts: &mut Facts) {
        let mut add = |name: String, kind: DeclKind, at: Node<'_>| {
            facts.decls.push(Decl {
                name,
                space: space.to_owned(),
                line: self.line(at),
                stability,
                kind,
            });
        };
        let name = node.child_by_field_name("name");
        let body = node.child_by_field_name("body");
        match (node.kind(), name) {
            ("type_alias_declaration", Some(name)) => {
                let Some(value) = node.child_by_field_name("value") else {
                    return;
                };
                let kind = DeclKind::Alias {
                    params: self.params(node),
                    ty: self.ty(value, 0),
                };
                add(self.text(name), kind, node);
            }
            ("interface_declaration", Some(name)) => {
                let shape = Shape {
                    extends: self.extended(node),
                    members: body.map_or_else(Vec::new, |body| self.members(body, 0)),
                };
                add(
                    self.text(name),
                    DeclKind::Interface {
                        params: self.params(node),
                        shape,
                    },
                    node,
                );
            }
            ("class_declaration" | "abstract_class_declaration", Some(name)) => {
                let shape = Shape {
                    extends: self.extended(node),
                    members: body.map_or_else(Vec::new, |body| self.class_members(body)),
                };
                add(
                    self.text(name),
                    DeclKind::Class {
                        params: self.params(node),
                        shape,
                    },
                    node,
                );
            }
            ("enum_declaration", Some(name)) => {
                add(
                    self.text(name),
                    DeclKind::Enum(body.map_or_else(Vec::new, |body| self.enum_members(body))),
                    node,
                );
            }
            ("lexical_declaration" | "variable_declaration", _) => {
                let fixed = !has_token(node, "let") && !has_token(node, "var");
                for declarator in parts(node) {
                    let Some(name) = declarator
                        .child_by_field_name("name")
                        .filter(|name| name.kind() == "identifier")
                    else {
                        continue;
                    };
                    if let Some(ty) = self.constant(declarator, fixed) {
                        add(self.text(name), DeclKind::Const(ty), declarator);
                    }
                }
            }
            ("function_declaration" | "function_signature" | "generator_function_declaration", Some(name)) => {
                let schema = super::zod_values::returned(node).filter(|&value| self.is_schema(value));
                let returned = match (node.child_by_field_name("return_type"), schema) {
                    (_, Some(value)) => {
                        let returns = Ty::Schema(Box::new(self.schema(value, 0)));
                        match maker(self.parameters(node), returns) {
                            Ty::Function(Some(returns)) => *returns,
                            maker => maker,
                        }
                    }
                    (Some(ty), None) => self.ty(ty, 0),
                    (None, None) => return,
                };
                add(self.text(name), DeclKind::Function(returned), node);
            }
            _ => {}
        }
    }

    /// The type of a constant: that of its value, unless only its annotation can be read.
    fn constant(&self, declarator: Node<'_>, fixed: bool) -> Option<Ty> {
        let annotation = declarator.child_by_field_name("type").map(|ty| self.ty(ty, 0));
        let Some(value) = declarator.child_by_field_name("value") else {
            return annotation;
        };
        if let Some(annotation) = annotation {
            // `const thing: z.ZodType<Thing> = …` is the twin of `Thing`; `z.ZodType` alone says nothing.
            if self.is_schema(value) {
                return Some(Ty::Schema(Box::new(twin(annotation, self.schema(value, 0)))));
            }
            if annotation != Ty::Schema(Box::new(Ty::Keyword(Keyword::Any))) {
                return Some(annotation);
            }
        }
        let scalar = fixed
            && matches!(
                value.kind(),
                "string" | "template_string" | "number" | "true" | "false" | "unary_expression"
            );
        match self.value(value, scalar, 0) {
            // Code, not data.
            Ty::Unread(_) | Ty::Function(None) => None,
            ty => Some(ty),
        }
    }

    fn extended(&self, decl: Node<'_>) -> Vec<Ty> {
        let mut bases = Vec::new();
        for clause in parts(decl) {
            match clause.kind() {
                "extends_type_clause" => bases.extend(parts(clause).into_iter().map(|base| self.ty(base, 0))),
                "class_heritage" => {
                    let extends = parts(clause).into_iter().filter(|part| part.kind() == "extends_clause");
                    for base in extends.filter_map(|part| part.child_by_field_name("value")) {
                        bases.extend(self.path(base).map(Ty::named));
                    }
                }
                _ => {}
            }
        }
        bases
    }

    /// The public data of a class.
    fn class_members(&self, body: Node<'_>) -> Vec<Member> {
        let mut docs = Docs::new(self.text);
        let mut members = Vec::new();
        let mut cursor = body.walk();
        for node in body.children(&mut cursor) {
            let Some(stability) = docs.next(node) else { continue };
            let hidden = has_token(node, "static")
                || parts(node)
                    .iter()
                    .any(|part| part.kind() == "accessibility_modifier" && self.bytes(*part) != b"public".as_slice());
            if node.kind() != "public_field_definition" || hidden {
                continue;
            }
            let Some(name) = node.child_by_field_name("name").and_then(|name| self.member_name(name)) else {
                continue;
            };
            let value = || match self.value(node.child_by_field_name("value")?, has_token(node, "readonly"), 0) {
                // Code, not data.
                Ty::Unread(_) | Ty::Function(None) => None,
                ty => Some(ty),
            };
            let annotation = node.child_by_field_name("type").map(|ty| self.ty(ty, 0));
            let ty = annotation.or_else(value).unwrap_or(Ty::Keyword(Keyword::Any));
            let kind = MemberKind::Field { name, ty };
            members.push(Member {
                kind,
                optional: has_token(node, "?"),
                line: self.line(node),
                stability,
            });
        }
        members
    }

    /// The members of an enum with their values. A member without one counts on from the one before.
    fn enum_members(&self, body: Node<'_>) -> Vec<EnumMember> {
        let mut docs = Docs::new(self.text);
        let mut members: Vec<EnumMember> = Vec::new();
        let mut next = Some(0_i64);
        let mut cursor = body.walk();
        for node in body.children(&mut cursor) {
            let Some(stability) = docs.next(node) else { continue };
            let (name, value) = if node.kind() == "enum_assignment" {
                let Some(name) = node.child_by_field_name("name") else {
                    continue;
                };
                let value = node.child_by_field_name("value");
                (name, value.and_then(|value| self.enum_value(value, &members, 0)))
            } else {
                (node, next.map(|value| Literal::Number(value.to_string())))
            };
            let Some(name) = self.member_name(name) else { continue };
            next = match &value {
                Some(Literal::Number(text)) => text.parse::<i64>().ok().and_then(|value| value.checked_add(1)),
                _ => None,
            };
            members.push(EnumMember {
                name,
                value,
                line: self.line(node),
                stability,
            });
        }
        members
    }

    /// The value of an initialiser: a literal, an earlier member, or a simple sum of such.
    fn enum_value(&self, node: Node<'_>, earlier: &[EnumMember], depth: u32) -> Option<Literal> {
        if depth > 16 {
            return None;
        }
        if let Some(literal) = self.literal(node) {
            return Some(literal);
        }
        match node.kind() {
            "parenthesized_expression" => self.enum_value(*parts(node).first()?, earlier, depth + 1),
            "identifier" | "member_expression" => {
                let path = self.path(node)?;
                let name = path.rsplit('.').next()?;
                earlier.iter().find(|member| member.name == name)?.value.clone()
            }
            "binary_expression" => {
                let side = |field| {
                    let node = node.child_by_field_name(field)?;
                    match self.enum_value(node, earlier, depth + 1)? {
                        Literal::Number(text) => text.parse::<i64>().ok(),
                        _ => None,
                    }
                };
                let (left, right) = (side("left")?, side("right")?);
                let value = match self.text(node.child_by_field_name("operator")?).as_str() {
                    "<<" => u32::try_from(right).ok().and_then(|by| left.checked_shl(by)),
                    "|" => Some(left | right),
                    "&" => Some(left & right),
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    _ => None,
                };
                value.map(|value| Literal::Number(value.to_string()))
            }
            _ => None,
        }
    }

    fn namespace(&self, node: Node<'_>, space: &str, facts: &mut Facts) {
        let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
            return;
        };
        let name = match self.string(name) {
            Some(module) => format!("\"{module}\""),
            None => match self.path(name) {
                Some(path) => path,
                None => return,
            },
        };
        let space = if space.is_empty() {
            name
        } else {
            format!("{space}.{name}")
        };
        if space.matches('.').count() > 16 {
            self.give_up(node);
            return;
        }
        let mut cursor = body.walk();
        self.statements(body.children(&mut cursor), &space, facts);
    }

    fn module(&self, node: Node<'_>) -> Option<String> {
        self.string(node.child_by_field_name("source")?)
    }

    fn import(&self, node: Node<'_>, facts: &mut Facts) {
        for clause in parts(node) {
            let module = self.module(node).or_else(|| self.module(clause));
            let Some(module) = module else { continue };
            let mut add = |local: String, name: Option<String>| {
                facts.imports.push(Import {
                    local,
                    module: module.clone(),
                    name,
                });
            };
            match clause.kind() {
                "import_clause" => {
                    for binding in parts(clause) {
                        match binding.kind() {
                            "identifier" => add(self.text(binding), Some("default".to_owned())),
                            "namespace_import" => {
                                if let Some(&name) = parts(binding).first() {
                                    add(self.text(name), None);
                                }
                            }
                            "named_imports" => {
                                for specifier in parts(binding) {
                                    if let Some((name, local)) = self.specifier(specifier) {
                                        add(local, Some(name));
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
                "import_require_clause" => {
                    if let Some(&name) = parts(clause).first() {
                        add(self.text(name), None);
                    }
                }
                _ => {}
            }
        }
    }

    /// `import Local = Space.Thing` is an alias.
    fn import_alias(&self, node: Node<'_>, space: &str, facts: &mut Facts) {
        if let [name, target] = parts(node).as_slice()
            && let Some(path) = self.path(*target)
        {
            facts.decls.push(Decl {
                name: self.text(*name),
                space: space.to_owned(),
                line: self.line(node),
                stability: Stability::Stable,
                kind: DeclKind::Alias {
                    params: Vec::new(),
                    ty: Ty::named(path),
                },
            });
        }
    }

    /// `a as b`: both names, the same twice without `as`.
    fn specifier(&self, node: Node<'_>) -> Option<(String, String)> {
        let text = |node: Node<'_>| self.string(node).unwrap_or_else(|| self.text(node));
        let name = text(node.child_by_field_name("name")?);
        let alias = node.child_by_field_name("alias").map_or_else(|| name.clone(), text);
        Some((name, alias))
    }

    fn export(&self, node: Node<'_>, space: &str, stability: Stability, facts: &mut Facts) {
        let is_default = has_token(node, "default");
        if let Some(declaration) = node.child_by_field_name("declaration") {
            let before = facts.decls.len();
            self.statement(declaration, space, stability, facts);
            if let Some(decl) = facts.decls.get(before).filter(|_| is_default) {
                let from = decl.name.clone();
                facts.exports.push(Export::Local {
                    name: "default".to_owned(),
                    from,
                });
            }
            return;
        }
        let module = self.module(node);
        if let Some(value) = node.child_by_field_name("value") {
            if let Some(from) = self.path(value) {
                facts.exports.push(Export::Local {
                    name: "default".to_owned(),
                    from,
                });
            }
            return;
        }
        for part in parts(node) {
            match (part.kind(), &module) {
                ("export_clause", _) => {
                    for (from, name) in parts(part).into_iter().filter_map(|part| self.specifier(part)) {
                        facts.exports.push(match &module {
                            Some(module) => Export::From {
                                name,
                                from,
                                module: module.clone(),
                            },
                            None if space.is_empty() => Export::Local { name, from },
                            None => Export::Local {
                                name: format!("{space}.{name}"),
                                from,
                            },
                        });
                    }
                }
                ("namespace_export", Some(module)) => {
                    if let Some(&name) = parts(part).first() {
                        facts.exports.push(Export::Module {
                            name: self.text(name),
                            module: module.clone(),
                        });
                    }
                }
                // `export = thing`.
                ("identifier", None) if has_token(node, "=") => {
                    facts.exports.push(Export::Local {
                        name: "default".to_owned(),
                        from: self.text(part),
                    });
                }
                _ => {}
            }
        }
        if let Some(module) = module
            && has_token(node, "*")
        {
            facts.exports.push(Export::All { module });
        }
    }
}

impl Shape {
    /// It can be called, and has no data beside.
    pub(super) fn is_function(&self) -> bool {
        let is_call = |member: &Member| matches!(member.kind, MemberKind::Call);
        self.members.iter().any(is_call)
            && self.extends.is_empty()
            && self
                .members
                .iter()
                .all(|member| matches!(member.kind, MemberKind::Call | MemberKind::Method))
    }

    /// The field of this name, as it is declared here, and whether it is optional.
    pub(super) fn field(&self, wanted: &str) -> Option<(&Ty, bool)> {
        self.members.iter().find_map(|member| match &member.kind {
            MemberKind::Field { name, ty } if name == wanted => Some((ty, member.optional)),
            _ => None,
        })
    }
}
