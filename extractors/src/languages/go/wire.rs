//! Type expressions of Go as they are written by encoding/json.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_contracts_wire::{Field, Object, Type};

use super::enums;
use super::facts::{GoType, Marshal, Member, TypeDef, Written};
use super::packages::{Key, Package, World};
use super::read::is_exported;
use super::unions;

/// How deep instances of generic types may nest.
const MAX_DEPTH: usize = 12;

/// Where a type expression stands.
#[derive(Clone)]
struct Env {
    package: Rc<Package>,
    file: usize,
    /// What the type parameters stand for.
    params: BTreeMap<String, Type>,
}

impl Env {
    /// The path that a package name of this file stands for.
    fn import(&self, package: &str) -> Option<&str> {
        let imports = &self.package.files[self.file].facts().imports;
        imports
            .iter()
            .find(|(name, _)| name == package)
            .map(|(_, path)| path.as_str())
    }
}

/// Turns declarations into wire types. References are left as the text of a [`Key`].
pub(super) struct Converter<'w, 't> {
    world: &'w World<'t>,
    /// What a plain string field may hold: by struct and Go name of the field.
    pub(super) known_values: BTreeMap<(Key, String), Type>,
    /// Generic types that are being put in place, so that a recursive one ends.
    instances: RefCell<Vec<Key>>,
    /// Embedded types that are being looked into.
    embedding: RefCell<Vec<Key>>,
}

impl<'w, 't> Converter<'w, 't> {
    pub(super) fn new(world: &'w World<'t>) -> Self {
        Self {
            world,
            known_values: BTreeMap::new(),
            instances: RefCell::default(),
            embedding: RefCell::default(),
        }
    }

    /// The wire form of a declaration.
    pub(super) fn declaration(&self, key: &Key) -> Type {
        let package = self.world.package(&key.dir);
        let Some((file, def)) = package.find(&key.name) else {
            return Type::Unresolved(key.name.clone());
        };
        let env = Env {
            package: Rc::clone(&package),
            file,
            params: def.params.iter().map(|name| (name.clone(), Type::Any)).collect(),
        };
        self.body(&env, def, 0)
    }

    fn body(&self, env: &Env, def: &TypeDef, depth: usize) -> Type {
        if let Some(ty) = enums::named_builtin(&env.package, def) {
            return ty;
        }
        if !def.alias {
            let writes = |name| env.package.method(&def.name, name);
            if let Some(marshal) = writes("MarshalJSON").and_then(|method| method.marshal.as_ref()) {
                if let Some(ty) = self.marshalled(env, def, marshal, depth) {
                    return ty;
                }
            } else if writes("MarshalText").is_some() {
                return Type::String;
            }
        }
        match &def.ty {
            GoType::Struct(members) => {
                if let Some(promoted) = self.promoted(env, members) {
                    return self.ty(env, promoted, depth);
                }
                let object = self.object(env, Some(def), members, depth);
                unions::discriminated(&env.package, object)
            }
            GoType::Interface(methods) => unions::sealed(&env.package, methods),
            ty => self.ty(env, ty, depth),
        }
    }

    /// The embedded type whose `MarshalJSON` the struct inherits: then nothing else of the struct is written.
    fn promoted<'m>(&self, env: &Env, members: &'m [Member]) -> Option<&'m GoType> {
        let writes = |member: &&Member| {
            let is_time = matches!(&member.ty, GoType::Qualified(package, name)
                if name == "Time" && env.import(package) == Some("time"));
            let own = self.key(env, &member.ty).is_some_and(|key| {
                let package = self.world.package(&key.dir);
                ["MarshalJSON", "MarshalText"]
                    .iter()
                    .any(|name| package.method(&key.name, name).is_some())
            });
            member.embedded && (is_time || own)
        };
        let mut all = members.iter().filter(writes);
        match (all.next(), all.next()) {
            (Some(only), None) => Some(&only.ty),
            _ => None,
        }
    }

    /// A type expression.
    fn ty(&self, env: &Env, ty: &GoType, depth: usize) -> Type {
        if depth > MAX_DEPTH {
            return Type::Any;
        }
        match ty {
            GoType::Name(name) => {
                if let Some(ty) = env.params.get(name) {
                    return ty.clone();
                }
                if env.package.find(name).is_some() {
                    return named(&env.package, name);
                }
                enums::builtin(name).unwrap_or_else(|| Type::Unresolved(name.clone()))
            }
            GoType::Qualified(package, name) => self.qualified(env, package, name),
            GoType::Pointer(to) => self.ty(env, to, depth),
            GoType::Slice(item) if **item == GoType::Name("byte".into()) || **item == GoType::Name("uint8".into()) => {
                Type::String
            }
            GoType::Slice(item) | GoType::Array(item) => Type::Array(Box::new(self.ty(env, item, depth))),
            GoType::Map(value) => Type::Map(Box::new(self.ty(env, value, depth))),
            GoType::Struct(members) => Type::Object(self.object(env, None, members, depth)),
            GoType::Instance(base, arguments) => self.instance(env, base, arguments, depth),
            GoType::Interface(_) | GoType::NotOnWire | GoType::Receiver => Type::Any,
            GoType::Unreadable(text) => Type::Unresolved(text.clone()),
        }
    }

    fn qualified(&self, env: &Env, package: &str, name: &str) -> Type {
        let path = env.import(package).unwrap_or(package);
        if let Some(dir) = self.world.folder_of(path) {
            let found = self.world.package(&dir);
            if found.find(name).is_some() {
                return named(&found, name);
            }
        }
        well_known(path, name).unwrap_or_else(|| Type::Unresolved(format!("{package}.{name}")))
    }

    /// A generic type with its arguments put in.
    fn instance(&self, env: &Env, base: &GoType, arguments: &[GoType], depth: usize) -> Type {
        let arguments: Vec<Type> = arguments
            .iter()
            .map(|argument| self.ty(env, argument, depth + 1))
            .collect();
        let Some(key) = self.key(env, base) else {
            return self.ty(env, base, depth);
        };
        let package = self.world.package(&key.dir);
        let Some((file, def)) = package.find(&key.name) else {
            return Type::Any;
        };
        let inner = Env {
            package: Rc::clone(&package),
            file,
            params: def.params.iter().cloned().zip(arguments).collect(),
        };
        if self.instances.borrow().contains(&key) {
            return Type::Named(key.text());
        }
        self.instances.borrow_mut().push(key);
        let body = self.body(&inner, def, depth + 1);
        self.instances.borrow_mut().pop();
        body
    }

    /// The declaration that a type expression names, pointers taken off.
    fn key(&self, env: &Env, ty: &GoType) -> Option<Key> {
        match ty {
            GoType::Pointer(to) | GoType::Instance(to, _) => self.key(env, to),
            GoType::Name(_) | GoType::Qualified(..) => match self.ty(env, ty, 0) {
                Type::Named(text) => Key::of(&text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether values of a type are structs, which `omitempty` never leaves out.
    fn is_struct(&self, env: &Env, ty: &GoType, depth: usize) -> bool {
        match ty {
            GoType::Struct(_) | GoType::Array(_) => true,
            GoType::Instance(base, _) => self.is_struct(env, base, depth),
            GoType::Qualified(package, name) if name == "Time" => env.import(package) == Some("time"),
            GoType::Name(_) | GoType::Qualified(..) if depth < MAX_DEPTH => self.key(env, ty).is_some_and(|key| {
                let package = self.world.package(&key.dir);
                package.find(&key.name).is_some_and(|(file, def)| {
                    let env = Env {
                        package: Rc::clone(&package),
                        file,
                        params: BTreeMap::new(),
                    };
                    self.is_struct(&env, &def.ty, depth + 1)
                })
            }),
            _ => false,
        }
    }

    /// The object that a struct is written as.
    fn object(&self, env: &Env, def: Option<&TypeDef>, members: &[Member], depth: usize) -> Object {
        let mut object = Object::default();
        // huma checks what it reads, encoding/json does not.
        let checked = members
            .iter()
            .any(|member| member.tag.documented || member.tag.parameter.is_some());
        let mut own: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        for member in members {
            if member.tag.skipped || member.ty == GoType::NotOnWire {
                continue;
            }
            if member.embedded && member.tag.name.is_empty() {
                self.embed(env, member, &mut object, depth);
                continue;
            }
            if !is_exported(&member.name) {
                continue;
            }
            let (name, mut field) = self.field(env, member, depth);
            field.defaulted = field.required && !checked;
            // The only tagged one stays, whatever comes after it.
            if member.tag.name.is_empty() && own.get(&name).is_some_and(|tagged| tagged.contains(&true)) {
                continue;
            }
            if let Some(def) = def
                && field.ty == Type::String
            {
                let key = Key {
                    dir: env.package.dir.clone(),
                    name: def.name.clone(),
                };
                if let Some(values) = self.known_values.get(&(key, member.name.clone())) {
                    field.ty = values.clone();
                }
            }
            own.entry(name.clone()).or_default().push(!member.tag.name.is_empty());
            object.fields.insert(name, field);
        }
        // Of members with one name the only tagged one counts; of several, none.
        for (name, tagged) in own {
            if tagged.len() > 1 && tagged.iter().filter(|tagged| **tagged).count() != 1 {
                object.fields.remove(&name);
            }
        }
        self.settle(&mut object);
        object
    }

    fn field(&self, env: &Env, member: &Member, depth: usize) -> (String, Field) {
        let tag = &member.tag;
        let pointer = matches!(member.ty, GoType::Pointer(_));
        let mut ty = self.ty(env, &member.ty, depth);
        if tag.quoted && matches!(ty, Type::Number | Type::Boolean) {
            ty = Type::String;
        }
        let omitted = tag.omit_zero || tag.omit_empty && (pointer || !self.is_struct(env, &member.ty, 0));
        if pointer && !omitted {
            ty = ty.nullable();
        }
        let (name, required) = match &tag.parameter {
            Some(name) if !tag.json => (name.clone(), tag.required),
            _ if tag.name.is_empty() => (member.name.clone(), !omitted),
            _ => (tag.name.clone(), !omitted),
        };
        let mut field = Field::new(ty, required, member.line);
        field.stability = member.stability;
        (name, field)
    }

    /// An embedded type stands at the level of the struct that holds it, unless it is no struct.
    fn embed(&self, env: &Env, member: &Member, object: &mut Object, depth: usize) {
        let is_lock =
            matches!(&member.ty, GoType::Qualified(package, _) if ["sync", "atomic"].contains(&package.as_str()));
        if is_lock {
            return;
        }
        let base = match &member.ty {
            GoType::Pointer(to) => to,
            ty => ty,
        };
        let ty = self.ty(env, base, depth);
        match &ty {
            Type::Named(_) if self.is_struct(env, base, 0) => object.parts.push(ty),
            Type::Object(_) | Type::Unresolved(_) => object.parts.push(ty),
            _ if is_exported(&member.name) => {
                let is_pointer = matches!(member.ty, GoType::Pointer(_));
                let ty = if is_pointer { ty.nullable() } else { ty };
                let mut field = Field::new(ty, true, member.line);
                field.defaulted = true;
                object.fields.insert(member.name.clone(), field);
            }
            _ => {}
        }
    }

    /// Go leaves out a name that two embedded structs bring in at one depth; then the members are written out.
    fn settle(&self, object: &mut Object) {
        if object.parts.len() < 2 {
            return;
        }
        let mut seen: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for part in &object.parts {
            for (name, depth) in self.names(part, 1) {
                let entry = seen.entry(name).or_insert((depth, 0));
                match depth.cmp(&entry.0) {
                    std::cmp::Ordering::Less => *entry = (depth, 1),
                    std::cmp::Ordering::Equal => entry.1 += 1,
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        let lost: BTreeSet<String> = seen
            .into_iter()
            .filter(|(name, (_, count))| *count > 1 && !object.fields.contains_key(name))
            .map(|(name, _)| name)
            .collect();
        if lost.is_empty() {
            return;
        }
        for part in std::mem::take(&mut object.parts) {
            for (name, field) in self.members(&part, 0) {
                if !lost.contains(&name) {
                    object.fields.entry(name).or_insert(field);
                }
            }
        }
    }

    /// The object that an embedded type is written as; none of one that embeds itself, which no compiler takes.
    fn embedded(&self, text: &str) -> Option<Object> {
        let key = Key::of(text)?;
        if self.embedding.borrow().contains(&key) {
            return None;
        }
        self.embedding.borrow_mut().push(key.clone());
        let declared = self.declaration(&key);
        self.embedding.borrow_mut().pop();
        match declared {
            Type::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The names that a part brings in, with their depth.
    fn names(&self, part: &Type, depth: usize) -> Vec<(String, usize)> {
        let object = match part {
            Type::Object(object) => object.clone(),
            Type::Named(text) if depth < MAX_DEPTH => match self.embedded(text) {
                Some(object) => object,
                _ => return vec![],
            },
            _ => return vec![],
        };
        let mut names: Vec<(String, usize)> = object.fields.keys().map(|name| (name.clone(), depth)).collect();
        for inner in &object.parts {
            for (name, at) in self.names(inner, depth + 1) {
                if !names.iter().any(|(known, _)| *known == name) {
                    names.push((name, at));
                }
            }
        }
        names
    }

    fn members(&self, part: &Type, depth: usize) -> BTreeMap<String, Field> {
        let object = match part {
            Type::Object(object) => object.clone(),
            Type::Named(text) if depth < MAX_DEPTH => match self.embedded(text) {
                Some(object) => object,
                _ => return BTreeMap::new(),
            },
            _ => return BTreeMap::new(),
        };
        let mut fields = BTreeMap::new();
        for inner in &object.parts {
            fields.extend(self.members(inner, depth + 1));
        }
        fields.extend(object.fields);
        fields
    }

    /// What a `MarshalJSON` writes; `None` when it is not understood, and the declaration has to do.
    fn marshalled(&self, env: &Env, def: &TypeDef, marshal: &Marshal, depth: usize) -> Option<Type> {
        let own = match &def.ty {
            GoType::Struct(members) => members.as_slice(),
            _ => &[],
        };
        match marshal {
            Marshal::Raw => Some(Type::Any),
            Marshal::Unknown => None,
            Marshal::One(Written::Field(name)) => {
                let member = own.iter().find(|member| member.name == *name)?;
                Some(self.ty(env, &member.ty, depth))
            }
            Marshal::One(_) => Some(Type::String),
            Marshal::OneOfFields => {
                let arms: Vec<Type> = own.iter().map(|member| self.ty(env, &member.ty, depth)).collect();
                (!arms.is_empty()).then(|| Type::union(arms))
            }
            Marshal::Struct(members, values) => {
                let plain: Vec<Member> = members
                    .iter()
                    .filter(|member| member.ty != GoType::Receiver)
                    .cloned()
                    .collect();
                let mut object = self.object(env, None, &plain, depth);
                let receiver = self.object(env, Some(def), own, depth);
                for member in &plain {
                    let value = values
                        .iter()
                        .find(|(name, _)| *name == member.name)
                        .map(|(_, value)| value);
                    let (name, _) = self.field(env, member, depth);
                    if let (Some(value), Some(field)) = (value, object.fields.get_mut(&name)) {
                        self.put(env, def, own, value, &mut field.ty);
                    }
                }
                if plain.len() < members.len() {
                    for (name, field) in receiver.fields {
                        match object.fields.get_mut(&name) {
                            // Bytes that were encoded before: what the field itself holds, each value in its wrapper.
                            Some(outer) if outer.ty == Type::Any => outer.ty = unions::wrapped(&env.package, field.ty),
                            Some(_) => {}
                            None => {
                                object.fields.insert(name, field);
                            }
                        }
                    }
                    object.parts.extend(receiver.parts);
                }
                Some(unions::discriminated(&env.package, object))
            }
        }
    }

    /// Makes the type of a member that a `MarshalJSON` builds as narrow as what is written into it.
    fn put(&self, env: &Env, def: &TypeDef, own: &[Member], value: &Written, ty: &mut Type) {
        let constant = match value {
            Written::Constant(value) => Some(value),
            Written::Call(name) => env
                .package
                .method(&def.name, name)
                .and_then(|method| method.returns.as_ref()),
            Written::Field(name) if *ty == Type::Any => {
                if let Some(member) = own.iter().find(|member| member.name == *name) {
                    *ty = self.ty(env, &member.ty, 0);
                }
                None
            }
            _ => None,
        };
        if let Some(literal) = constant.and_then(|value| enums::literal(&env.package, value, 0)) {
            *ty = Type::Literal(literal);
        }
    }
}

/// The reference to a type of a package.
pub(super) fn named(package: &Package, name: &str) -> Type {
    let key = Key {
        dir: package.dir.clone(),
        name: name.to_owned(),
    };
    Type::Named(key.text())
}

/// Types of the standard library and of a few packages that everybody uses, by import path.
fn well_known(path: &str, name: &str) -> Option<Type> {
    let last = path.rsplit('/').next().unwrap_or(path);
    Some(match (last, name) {
        ("time", "Time") | ("uuid", "UUID") | ("netip", "Addr" | "Prefix" | "AddrPort") | ("net", "IP") => Type::String,
        ("time", "Duration" | "Month" | "Weekday") | ("json", "Number") | ("big", "Int") => Type::Number,
        ("json" | "jsontext", "RawMessage" | "Value") => Type::Any,
        ("http", "Header") | ("url", "Values") => Type::Map(Box::new(Type::Array(Box::new(Type::String)))),
        _ => return None,
    })
}
