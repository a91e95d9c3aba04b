//! Which finding of a step tells of a name: of it alone, or of what it came or went with.

use agent_contracts_wire::diff::inventory::{NameKind, WireName};
use agent_contracts_wire::{Finding, Severity};
use serde_json::Value;

/// What a finding says of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) severity: Severity,
    pub(super) rule: Option<String>,
    pub(super) with: Option<String>,
    pub(super) other_name: Option<String>,
    pub(super) before: Value,
    pub(super) after: Value,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            severity: Severity::None,
            rule: None,
            with: None,
            other_name: None,
            before: Value::Null,
            after: Value::Null,
        }
    }
}

/// A finding that says that something is another, and whose it is.
pub(super) struct Change {
    pub(super) addresses: Vec<(NameKind, String, String, String)>,
    /// The name as the finding has it.
    pub(super) name: WireName,
    type_name: Option<String>,
    pub(super) told: Told,
}

impl Change {
    /// Whether a name is declared where the change is.
    pub(super) fn is_of(&self, name: &WireName) -> bool {
        name.kind == self.name.kind
            && name.name == self.name.name
            && self
                .type_name
                .as_ref()
                .is_some_and(|type_name| *type_name == name.type_name)
    }
}

/// The kind of name that a rule is about.
fn kind_of(rule: &str) -> Option<NameKind> {
    Some(match rule {
        "flag_choice_added" | "flag_choice_removed" => NameKind::Choice,
        "handshake_changed" => NameKind::Constant,
        "usage_shape_changed" => NameKind::Field,
        "discriminator_renamed" | "output_format_changed" | "order_changed" => NameKind::Type,
        rule => match rule.split('_').next()? {
            "event" => NameKind::Event,
            "variant" => NameKind::Variant,
            "field" => NameKind::Field,
            "enum" => NameKind::EnumValue,
            "method" => NameKind::Method,
            "type" => NameKind::Type,
            "flag" => NameKind::Flag,
            _ => return None,
        },
    })
}

/// The old and the new name of a rename, which stand in `wire_name` as `old -> new`.
fn renamed(finding: &Finding) -> Option<(&str, &str)> {
    if !finding.rule.ends_with("_renamed") {
        return None;
    }
    let both = finding.wire_name.as_deref().or(finding.flag.as_deref())?;
    both.split_once(" -> ")
}

/// The finding that tells of a name that left (`gone`) or came: by where it stands, else by the type that declares it.
pub(super) fn tells_of(findings: &[Finding], name: &WireName, gone: bool) -> Option<Told> {
    let exact = |by_type: bool| {
        let exact = findings
            .iter()
            .filter_map(|finding| exactly(finding, name, gone, by_type));
        // Of several, the worst.
        exact.max_by_key(|told| told.severity)
    };
    exact(false)
        .or_else(|| exact(true))
        .or_else(|| around(findings, name, gone))
}

fn exactly(finding: &Finding, name: &WireName, gone: bool, by_type: bool) -> Option<Told> {
    let ending = if gone { "_removed" } else { "_added" };
    let (own, other) = match renamed(finding) {
        Some((old, new)) if gone => (old, Some(new)),
        Some((old, new)) => (new, Some(old)),
        None if finding.rule.ends_with(ending) => (finding.wire_name.as_deref().or(finding.flag.as_deref())?, None),
        None => return None,
    };
    let kind = kind_of(&finding.rule)?;
    let same_kind = kind == name.kind || (is_outer(kind) && is_outer(name.kind));
    let place = if name.kind == NameKind::Flag || name.kind == NameKind::Choice {
        finding.command.as_deref().unwrap_or_default() == name.holder
            && (name.kind == NameKind::Flag || finding.flag.as_deref() == Some(&name.path))
    } else if by_type {
        finding.type_name.as_ref() == Some(&name.type_name)
    } else {
        ways(finding).any(|(event, path)| event == name.holder && path == name.path)
    };
    // An event stands in its finding under the name of its holder, whatever the arm is called.
    let called = own == name.name
        || (name.kind != NameKind::Variant
            && is_outer(name.kind)
            && finding.event_type.as_deref() == Some(&name.holder));
    (same_kind && place && called).then(|| Told {
        severity: finding.severity,
        rule: Some(finding.rule.clone()),
        with: None,
        other_name: other.map(str::to_owned),
        before: finding.before.clone(),
        after: finding.after.clone(),
    })
}

/// Events, methods, variants and types: one may be called the other where a union is no stream.
fn is_outer(kind: NameKind) -> bool {
    matches!(
        kind,
        NameKind::Event | NameKind::Method | NameKind::Variant | NameKind::Type
    )
}

/// The finding about what holds a name: its event, a member above it, its type, the whole format.
fn around(findings: &[Finding], name: &WireName, gone: bool) -> Option<Told> {
    let covers = |finding: &&Finding| {
        let right_way = if gone {
            !finding.before.is_null()
        } else {
            !finding.after.is_null()
        };
        if !right_way {
            return false;
        }
        if finding.rule == "output_format_changed" {
            return true;
        }
        if finding.rule.starts_with("type_") && finding.type_name.as_ref() == Some(&name.type_name) {
            return true;
        }
        if finding.command.is_some() {
            return finding.flag.as_deref() == Some(&name.path) && finding.command.as_deref() == Some(&name.holder);
        }
        ways(finding).any(|(event, path)| event == name.holder && leads_to(&path, &name.path))
    };
    // The nearest one: the longest path.
    let nearest = findings.iter().filter(covers).max_by_key(|finding| {
        let rank = usize::from(finding.rule != "output_format_changed");
        (rank, finding.path.as_deref().map_or(0, str::len))
    })?;
    let holder = nearest
        .event_type
        .clone()
        .or_else(|| nearest.type_name.clone())
        .unwrap_or_default();
    let path = nearest.path.as_deref().unwrap_or_default();
    Some(Told {
        rule: Some(nearest.rule.clone()),
        with: Some(format!("{holder} {path}").trim().to_owned()),
        ..Told::default()
    })
}

/// The events and paths that a finding names: its own first.
fn ways(finding: &Finding) -> impl Iterator<Item = (String, String)> + '_ {
    let own = (
        finding.event_type.clone().unwrap_or_default(),
        finding.path.clone().unwrap_or_default(),
    );
    let all = finding.reached_by.iter().flat_map(|ways| ways.first.iter().cloned());
    std::iter::once(own).chain(all)
}

/// Whether a path is another or leads to it.
fn leads_to(path: &str, to: &str) -> bool {
    to.strip_prefix(path)
        .is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The findings that say that something is another.
pub(super) fn changes(findings: &[Finding]) -> impl Iterator<Item = Change> + '_ {
    findings.iter().filter_map(|finding| {
        let rule = finding.rule.as_str();
        let comes_or_goes = rule.ends_with("_added") || rule.ends_with("_removed") || rule == "source_lost";
        // A rename is told where the old name leaves and the new one comes, but for flags, which may keep both.
        if comes_or_goes || (rule.ends_with("_renamed") && rule != "discriminator_renamed") {
            return None;
        }
        let kind = kind_of(rule)?;
        let name = finding
            .flag
            .as_deref()
            .or(finding.wire_name.as_deref())
            .unwrap_or_default();
        let holder = match kind {
            NameKind::Flag => finding.command.clone().unwrap_or_default(),
            NameKind::Constant => String::new(),
            _ => finding
                .event_type
                .clone()
                .or_else(|| finding.type_name.clone())
                .unwrap_or_default(),
        };
        let path = finding.path.clone().unwrap_or_default();
        let path = if kind == NameKind::Flag { String::new() } else { path };
        let addresses = std::iter::once((kind, holder.clone(), path.clone(), name.to_owned()))
            .chain(ways(finding).map(|(event, path)| (kind, event, path, name.to_owned())))
            .collect();
        Some(Change {
            addresses,
            name: super::track::bare(kind, &holder, &path, name),
            type_name: finding.type_name.clone(),
            told: Told {
                severity: finding.severity,
                rule: Some(finding.rule.clone()),
                with: None,
                other_name: None,
                before: finding.before.clone(),
                after: finding.after.clone(),
            },
        })
    })
}
