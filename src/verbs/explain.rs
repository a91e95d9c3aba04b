//! `explain`: what a rule means, whom it hurts and what to do.

use agent_contracts_registry::validate::codes;
use agent_contracts_reports::problems;
use agent_contracts_wire::rules::{self, Rule};
use serde_json::{Value, json};

use crate::cli::{Common, Format};
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

pub(crate) fn run(common: &Common, id: Option<&str>) -> Outcome {
    let Some(id) = id else {
        if common.format() == Format::Json {
            output::json(&rules::ALL.iter().map(|rule| as_json(rule)).collect::<Vec<_>>())?;
        } else {
            let rows = rules::ALL
                .iter()
                .map(|rule| [rule.id.to_owned(), rule.title.to_owned()]);
            output::text(&output::table(["rule", "what it says"], rows))?;
        }
        return Ok(Exit::Done);
    };
    if let Some(code) = codes::of(id) {
        if common.format() == Format::Json {
            output::json(&json!({"code": code.code, "title": code.title, "mend": code.mend}))?;
        } else {
            output::text(&problems::explain(&code))?;
        }
        return Ok(Exit::Done);
    }
    let rule = rules::rule(id).ok_or_else(|| {
        let meant = agent_contracts_config::nearest(id, rules::ALL.iter().map(|rule| rule.id))
            .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        Failure::usage_text(format!(
            "there is no rule `{id}`{meant}\nhint: `agent-contracts explain` lists them all, `agent-contracts validate --codes` those of the validator"
        ))
    })?;
    if common.format() == Format::Json {
        output::json(&as_json(rule))?;
    } else {
        output::text(&rules::explain(rule.id).unwrap_or_default())?;
    }
    Ok(Exit::Done)
}

fn as_json(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "title": rule.title,
        "explanation": rule.explanation,
        "before": rule.before,
        "after": rule.after,
    })
}
