//! pydantic as the judge: the JSON Schemas that it makes of models, dataclasses, typed dicts and named tuples, of what it
//! reads and of what it writes, and which values it takes.

mod cases;
mod tool;

use agent_contracts_wire::{Direction, Type, WireModel};
use serde_json::{Value, json};

use crate::differences::{Differences, Known};
use crate::{dialect, probes, shape, source};

/// What pydantic says and we do not, with the reason.
const KNOWN: &[Known] = &[
    (
        "a: Literal['a'] = 'a'",
        "a member that can hold one value only is always written with it",
    ),
    (
        "type: Literal['t'] = 't'",
        "a member that can hold one value only is always written with it",
    ),
    (
        "class Ev(BaseModel):",
        "a member that can hold one value only is always written with it",
    ),
    (
        "exclude=True",
        "a member that is read and never written is left out, as in serde",
    ),
    (
        "alias_generator=lambda",
        "what a lambda makes of a name is not worked out",
    ),
    (
        "@computed_field",
        "a computed member is always written and never read; the model can only say that nobody needs it",
    ),
    ("c: decimal.Decimal", "a decimal may be read from a number too"),
    (
        "model_config = ConfigDict(extra='forbid')",
        "a class that closes what its base left open stays open",
    ),
    ("a: datetime.datetime", "values of our own making are no dates"),
    ("a: dict[Color, int]", "the keys of a dict are data"),
];

#[test]
fn pydantic_reads_and_writes_what_the_model_says() {
    judge(&cases::models(), 150);
}

#[test]
fn typed_dicts_and_dataclasses_are_what_the_model_says() {
    judge(&cases::plain_classes(), 100);
}

fn judge(rows: &[String], least: usize) {
    let texts: Vec<String> = rows.iter().map(|row| format!("{}\n{row}\n", cases::HEAD)).collect();
    let models: Vec<WireModel> = texts.iter().map(|text| source::model("wire.py", text)).collect();
    // Under which names each is read is only known once pydantic was asked.
    let ask = |probes: &[Vec<(Value, bool)>]| {
        let question = |(index, text): (usize, &String)| {
            let probes: Vec<&Value> = probes
                .get(index)
                .into_iter()
                .flatten()
                .map(|(probe, _)| probe)
                .collect();
            json!({ "code": text, "probes": probes })
        };
        let questions: Vec<Value> = texts.iter().enumerate().map(question).collect();
        tool::run(include_str!("judge.py"), &Value::from(questions))
    };
    let Some(schemas) = ask(&[]) else { return };
    let mut found = Differences::default();
    let mut probed = Vec::new();
    for ((row, model), answer) in rows.iter().zip(&models).zip(schemas.as_array().into_iter().flatten()) {
        found.judged(row);
        assert!(answer.get("error").is_none(), "{row}\n{}", answer["error"]);
        let input = dialect::of_schema(&answer["input"]).to_string();
        let reader = readers(model).into_iter().find(|reader| {
            shape::of_model(reader, "T", Direction::Input).is_some_and(|shape| shape.to_string() == input)
        });
        if reader.is_none() {
            found.add(row, format!("input: pydantic {input}\n{}", model.print()));
        }
        let output = dialect::of_schema(&answer["output"]).to_string();
        let ours = shape::of_model(model, "T", Direction::Output)
            .map_or_else(|| "there is no T".to_owned(), |t| t.to_string());
        if ours != output {
            found.add(row, format!("output: pydantic {output}\nours            {ours}"));
        }
        probed.push(reader.map(|reader| probes::probes(&reader, "T")).unwrap_or_default());
    }
    let Some(answers) = ask(&probed) else { return };
    for ((row, probes), answer) in rows.iter().zip(&probed).zip(answers.as_array().into_iter().flatten()) {
        for ((probe, accepted), answer) in probes.iter().zip(answer["accepted"].as_array().into_iter().flatten()) {
            if answer != accepted {
                found.add(row, format!("pydantic accepts {probe}: {answer}"));
            }
        }
    }
    let known: Vec<Known> = KNOWN
        .iter()
        .filter(|(part, _)| rows.iter().any(|row| row.contains(part)))
        .copied()
        .collect();
    found.settle(least, &known);
}

/// The model with each other name that `T` accepts for a member in the place of the one it writes.
fn readers(model: &WireModel) -> Vec<WireModel> {
    let mut readers = vec![model.clone()];
    let Some(Type::Object(object)) = model.types.get("T").map(|decl| &decl.body) else {
        return readers;
    };
    for (name, field) in &object.fields {
        let mut more = Vec::new();
        for reader in &readers {
            for other in &field.accepts {
                let mut reader = reader.clone();
                if let Some(Type::Object(object)) = reader.types.get_mut("T").map(|decl| &mut decl.body) {
                    object.fields.remove(name);
                    object.fields.insert(other.clone(), field.clone());
                }
                more.push(reader);
            }
        }
        readers.extend(more);
    }
    readers
}
