//! Which commands there are, and which is below which.
//!
//! A command is known by the name of its variable, in its package or in its function. Functions hand commands on: by
//! what they return, and by what they are called with.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tree_sitter::Node;

use crate::flags::code::{around, children};
use crate::flags::expr::{Expr, Step};
use crate::flags::files::{File, Files, parent};

/// Commands below commands that nest deeper go in a circle.
const MAX_DEPTH: usize = 12;

/// A command: the folder of its package, its function (`""` outside of any) and its name there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    folder: String,
    function: String,
    name: String,
}

/// A set of flags of a command.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlagSet {
    pub(super) command: Id,
    /// Valid below the command too.
    pub(super) persistent: bool,
}

#[derive(Debug, Default)]
struct Command {
    /// The first word of its `Use`.
    word: Option<String>,
    above: Option<Id>,
    /// Something is below it, or it is executed.
    root: bool,
}

/// All commands of some packages.
#[derive(Debug, Default)]
pub(super) struct Commands {
    all: BTreeMap<Id, Command>,
    /// Variables that hold a flag set.
    sets: BTreeMap<Id, FlagSet>,
    /// What a parameter stands for, by its function.
    handed: BTreeMap<Id, BTreeSet<Handed>>,
    /// What a function returns.
    returned: BTreeMap<(String, String), Id>,
    /// The parameters of functions, in order.
    parameters: BTreeMap<(String, String), Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Handed {
    Command(Id),
    Set(FlagSet),
}

impl Commands {
    /// Reads the commands of some files.
    pub(super) fn read(files: &Files<'_>, all: &[Rc<File>]) -> Self {
        let mut commands = Self::default();
        for file in all {
            for function in file.nodes(file.root(), &["function_declaration", "method_declaration"]) {
                let parameters = function.child_by_field_name("parameters");
                let names = parameters.map(|list| parameter_names(file, list)).unwrap_or_default();
                let key = (parent(&file.path).to_owned(), function_name(file, function));
                commands.parameters.insert(key, names);
            }
            commands.declarations(files, file);
        }
        // What a call hands on may be known only after another one.
        for _ in 0..2 {
            for file in all {
                commands.calls(files, file);
            }
        }
        commands
    }

    /// Commands, flag sets and returns that are given a name.
    fn declarations(&mut self, files: &Files<'_>, file: &Rc<File>) {
        let kinds = [
            "var_spec",
            "short_var_declaration",
            "assignment_statement",
            "return_statement",
        ];
        for node in file.nodes(file.root(), &kinds) {
            let (names, values) = match node.kind() {
                "return_statement" => {
                    let values = children(node).first().map(|list| children(*list)).unwrap_or_default();
                    (vec!["return".to_owned()], values)
                }
                "var_spec" => {
                    let mut cursor = node.walk();
                    let names = node
                        .children_by_field_name("name", &mut cursor)
                        .filter(|name| name.kind() == "identifier");
                    let names = names.map(|name| file.text(name).to_owned()).collect();
                    (
                        names,
                        node.child_by_field_name("value").map(children).unwrap_or_default(),
                    )
                }
                _ => {
                    let side = |name: &str| node.child_by_field_name(name).map(children).unwrap_or_default();
                    let names = side("left")
                        .into_iter()
                        .map(|name| file.text(name).to_owned())
                        .collect();
                    (names, side("right"))
                }
            };
            for (name, value) in names.iter().zip(values) {
                let expr = file.lower(value);
                let id = self.declared_id(file, node, name);
                if name == "return" {
                    let key = (id.folder.clone(), id.function.clone());
                    if let Some(other) = expr.path().map(|path| self.id(file, node, &path)) {
                        self.returned.entry(key).or_insert(other);
                        continue;
                    }
                    if is_command(&expr) {
                        self.returned.insert(key, id.clone());
                    }
                }
                if is_command(&expr) {
                    let word = expr.get("Use").map(|text| files.value(file, text)).and_then(|text| {
                        text.text()
                            .and_then(|text| text.split_whitespace().next().map(str::to_owned))
                    });
                    self.all.entry(id).or_default().word = word;
                } else if let Some(set) = self.set(file, node, &expr) {
                    self.sets.insert(id, set);
                } else if let Some(made) = self.made(files, file, &expr) {
                    // `serverCmd := newServerCmd()`
                    self.handed.entry(id).or_default().insert(Handed::Command(made));
                }
            }
        }
    }

    fn calls(&mut self, files: &Files<'_>, file: &Rc<File>) {
        for node in file.nodes(file.root(), &["call_expression"]) {
            let expr = file.lower(node);
            let Some(chain) = expr.chain() else { continue };
            let Some((Step::Call(args, _), before)) = chain.steps.split_last() else {
                continue;
            };
            match before.last() {
                Some(Step::Member(name)) if name == "AddCommand" => {
                    let above = self.command(file, node, &chain.until(before.len() - 1));
                    for arg in args {
                        for above in &above {
                            self.add(files, file, node, above, &arg.value);
                        }
                    }
                }
                Some(Step::Member(name)) if name == "Execute" || name == "ExecuteContext" => {
                    let receiver = chain.until(before.len() - 1);
                    let executed = args.iter().map(|arg| &arg.value).chain([&receiver]);
                    for id in executed
                        .flat_map(|expr| self.command(file, node, expr))
                        .collect::<Vec<_>>()
                    {
                        if let Some(command) = self.all.get_mut(&id) {
                            command.root = true;
                        }
                    }
                }
                // A call of a function of ours.
                Some(Step::Member(_)) | None => {
                    let callee = chain.until(before.len());
                    let Some((home, range)) = files.function(file, &callee) else {
                        continue;
                    };
                    let Some(function) = home.node_at(&range) else { continue };
                    let key = (parent(&home.path).to_owned(), function_name(&home, function));
                    let parameters = self.parameters.get(&key).cloned().unwrap_or_default();
                    for (parameter, arg) in parameters.iter().zip(args) {
                        let sets = self.sets(file, node, &arg.value).into_iter().map(Handed::Set);
                        let commands = self.command(file, node, &arg.value).into_iter().map(Handed::Command);
                        let handed: Vec<Handed> = sets.chain(commands).collect();
                        let id = Id {
                            folder: key.0.clone(),
                            function: key.1.clone(),
                            name: parameter.clone(),
                        };
                        self.handed.entry(id).or_default().extend(handed);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, files: &Files<'_>, file: &Rc<File>, node: Node<'_>, above: &Id, value: &Expr) {
        let below = match self.made(files, file, value) {
            Some(id) => vec![id],
            None => self.command(file, node, value),
        };
        for id in below.into_iter().filter(|id| id != above) {
            self.all.entry(above.clone()).or_default().root = true;
            let command = self.all.entry(id).or_default();
            command.above.get_or_insert_with(|| above.clone());
        }
    }

    /// The command that a call of one of our functions makes.
    fn made(&self, files: &Files<'_>, file: &Rc<File>, value: &Expr) -> Option<Id> {
        let chain = value.chain()?;
        let (Step::Call(..), before) = chain.steps.split_last()? else {
            return None;
        };
        let (home, range) = files.function(file, &chain.until(before.len()))?;
        let function = home.node_at(&range)?;
        self.returned
            .get(&(parent(&home.path).to_owned(), function_name(&home, function)))
            .cloned()
    }

    /// The commands that an expression stands for: a name, a parameter that was handed some.
    pub(super) fn command(&self, file: &File, node: Node<'_>, expr: &Expr) -> Vec<Id> {
        let Some(path) = expr.path() else { return Vec::new() };
        // `server.Cmd` of another package is looked up by its name.
        let id = match path.split_once('.') {
            Some((_, name)) if !name.contains('.') => {
                let named = |id: &&Id| id.function.is_empty() && id.name == name;
                match self.all.keys().find(named) {
                    Some(id) => id.clone(),
                    None => self.id(file, node, &path),
                }
            }
            _ => self.id(file, node, &path),
        };
        let handed: Vec<Id> = self
            .handed
            .get(&id)
            .into_iter()
            .flatten()
            .filter_map(|handed| match handed {
                Handed::Command(id) => Some(id.clone()),
                Handed::Set(_) => None,
            })
            .collect();
        if !handed.is_empty() {
            return handed;
        }
        if self.all.contains_key(&id) {
            vec![id]
        } else {
            Vec::new()
        }
    }

    /// `cmd.Flags()`
    fn set(&self, file: &File, node: Node<'_>, expr: &Expr) -> Option<FlagSet> {
        let chain = expr.chain()?;
        let [before @ .., Step::Member(name), Step::Call(..)] = chain.steps.as_slice() else {
            return None;
        };
        let persistent = match name.as_str() {
            "Flags" | "LocalFlags" | "LocalNonPersistentFlags" => false,
            "PersistentFlags" => true,
            _ => return None,
        };
        let owner = chain.until(before.len());
        let path = owner.path()?;
        let command = self
            .command(file, node, &owner)
            .into_iter()
            .next()
            .unwrap_or_else(|| self.id(file, node, &path));
        Some(FlagSet { command, persistent })
    }

    /// The flag sets that an expression stands for: `cmd.Flags()`, a variable, a parameter, the package itself.
    pub(super) fn sets(&self, file: &File, node: Node<'_>, expr: &Expr) -> Vec<FlagSet> {
        if let Some(chain) = expr.chain()
            && let [before @ .., Step::Member(name), Step::Call(..)] = chain.steps.as_slice()
            && matches!(name.as_str(), "Flags" | "PersistentFlags" | "LocalFlags")
        {
            let owner = chain.until(before.len());
            let persistent = name == "PersistentFlags";
            let mut commands = self.command(file, node, &owner);
            if commands.is_empty() {
                commands.extend(owner.path().map(|path| self.id(file, node, &path)));
            }
            return commands
                .into_iter()
                .map(|command| FlagSet { command, persistent })
                .collect();
        }
        let Some(path) = expr.path() else { return Vec::new() };
        let id = self.id(file, node, &path);
        if let Some(set) = self.sets.get(&id) {
            return vec![set.clone()];
        }
        let handed = self
            .handed
            .get(&id)
            .into_iter()
            .flatten()
            .filter_map(|handed| match handed {
                Handed::Set(set) => Some(set.clone()),
                Handed::Command(_) => None,
            });
        handed.collect()
    }

    /// The path of a command below its program.
    pub(super) fn path(&self, id: &Id) -> String {
        let mut words = Vec::new();
        let mut at = id;
        for _ in 0..MAX_DEPTH {
            let Some(command) = self.all.get(at) else { break };
            let word = || {
                let name = at
                    .name
                    .strip_suffix("Cmd")
                    .or_else(|| at.name.strip_suffix("Command"))
                    .unwrap_or(&at.name);
                command.word.clone().unwrap_or_else(|| name.to_lowercase())
            };
            let Some(above) = &command.above else {
                if !command.root && command.word.is_some() {
                    words.push(word());
                }
                break;
            };
            words.push(word());
            at = above;
        }
        words.reverse();
        words.join(" ")
    }

    /// A name as seen from a node: of the function around it where that has it, else of the package.
    fn id(&self, file: &File, node: Node<'_>, name: &str) -> Id {
        let local = self.declared_id(file, node, name);
        let known = self.all.contains_key(&local)
            || self.sets.contains_key(&local)
            || self.handed.contains_key(&local)
            || self
                .parameters
                .get(&(local.folder.clone(), local.function.clone()))
                .is_some_and(|names| names.iter().any(|known| known == name));
        if known {
            return local;
        }
        Id {
            function: String::new(),
            ..local
        }
    }

    fn declared_id(&self, file: &File, node: Node<'_>, name: &str) -> Id {
        let global = node.kind() == "assignment_statement";
        let id = Id {
            folder: parent(&file.path).to_owned(),
            function: function_around(file, node),
            name: name.to_owned(),
        };
        let outer = Id {
            function: String::new(),
            ..id.clone()
        };
        // `rootCmd = &cobra.Command{…}` within a function sets the name of the package.
        if global && !self.all.contains_key(&id) && self.all.contains_key(&outer) {
            outer
        } else {
            id
        }
    }
}

fn is_command(expr: &Expr) -> bool {
    matches!(expr, Expr::Typed(ty, _) if ty == "cobra.Command")
}

fn function_around(file: &File, node: Node<'_>) -> String {
    let function = around(file.root(), node)
        .into_iter()
        .chain([node])
        .find(|outer| matches!(outer.kind(), "function_declaration" | "method_declaration"));
    function
        .map(|function| function_name(file, function))
        .unwrap_or_default()
}

/// The name of a function. Each `init` is another one, told apart by its file.
fn function_name(file: &File, function: Node<'_>) -> String {
    let name = function.child_by_field_name("name").map_or("", |name| file.text(name));
    match (name, function.child_by_field_name("receiver")) {
        ("init", None) => format!("init {}", file.path),
        (name, Some(receiver)) => format!("{} {name}", file.text(receiver)),
        (name, None) => name.to_owned(),
    }
}

fn parameter_names(file: &File, list: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for declaration in children(list) {
        let mut cursor = declaration.walk();
        let before = names.len();
        names.extend(
            declaration
                .children_by_field_name("name", &mut cursor)
                .map(|name| file.text(name).to_owned()),
        );
        if names.len() == before {
            names.push("_".to_owned());
        }
    }
    names
}
