//! zod as the judge, versions 3 and 4: what its schemas accept, the JSON Schema that version 4 makes of them, and what the
//! TypeScript compiler infers from them, of what goes in and of what comes out.

mod cases;

use agent_contracts_wire::{Direction, WireModel};
use cases::Case;
use serde_json::{Value, json};

use crate::differences::{Differences, Known};
use crate::shape::Shape;
use crate::{dialect, node, probes, shape, source, typescript};

/// What zod says and we do not, with the reason.
const KNOWN: &[Known] = &[
    (
        ".catch(",
        "what a catch mends may be anything; the model keeps what is meant to come",
    ),
    (
        "export const T = z.object({});",
        "an object without members is inferred to have none, and takes any",
    ),
    (".passthrough().strip()", "an object that was opened stays open"),
    (
        "z.undefined()",
        "a member that is always undefined has no key on a wire",
    ),
    ("z.void()", "a member that is always undefined has no key on a wire"),
    ("z.never().optional()", "a member that cannot be is no member"),
    (
        "a: z.union([z.string(), z.undefined()])",
        "JSON Schema has no undefined",
    ),
    (
        "z.record(z.enum(['a', 'b'])",
        "version 4 prints no required keys, and wants them",
    ),
    (
        "z.record(z.literal(['a', 'b'])",
        "version 4 prints no required keys, and wants them",
    ),
    (
        "transform(",
        "what a transform gives stays in the process: what goes in counts",
    ),
    ("z.preprocess(", "what a function makes of what comes in is not read"),
    (".pipe(", "the first schema is what comes over the wire"),
    (
        "z.coerce.",
        "a coercion takes nearly anything; the model keeps what is meant to come",
    ),
    (
        "z.date()",
        "JSON.stringify writes a date as text, which the schema does not take back",
    ),
    ("z.custom<", "at run time a custom schema checks nothing"),
    ("z.instanceof(", "classes are not looked into"),
    (
        "z.unknown() }",
        "a member of any value may be left out when values are parsed, though its type wants it",
    ),
    (
        "z.any() }",
        "a member of any value may be left out when values are parsed, though its type wants it",
    ),
    ("z.map(", "a Map has no form in JSON"),
    ("z.set(", "a Set has no form in JSON"),
    ("z.bigint()", "a bigint has no form in JSON"),
    (
        ".rest(z.number())",
        "a tuple with a rest is a list of what may stand in it",
    ),
    ("z.templateLiteral(", "what a text looks like is not in the model"),
    (
        ": z.ZodType<N> =",
        "of a schema with a declared type, version 4 does not infer what goes in",
    ),
    (
        "v === 'q'",
        "a comparison narrows what the compiler infers; the wire may hold any text",
    ),
    (".deepPartial()", "only members at the top are made optional"),
    ("z.json()", "any JSON value is any value"),
    (
        "z.stringbool()",
        "what it gives stays in the process: what goes in counts",
    ),
];

#[test]
fn zod_accepts_and_prints_what_the_model_says() {
    let cases = cases::all();
    let models: Vec<WireModel> = cases
        .iter()
        .map(|case| source::model("main.ts", &text(case, "zod")))
        .collect();
    let mut found = Differences::default();
    for (package, version) in [("zod", 4), ("zod3", 3)] {
        let rows: Vec<(&Case, &WireModel)> = cases
            .iter()
            .zip(&models)
            .filter(|(case, _)| case.versions.contains(&version))
            .collect();
        let Some(answers) = ask(package, &rows) else { return };
        let types = inferred(package, &rows);
        for (((case, model), answer), types) in rows.iter().zip(&answers).zip(types) {
            found.judged(&case.code);
            if answer.get("error").is_some() || types["errors"] != json!([]) {
                found.add(
                    &case.code,
                    format!("no case for zod {version}: {} {}", answer["error"], types["errors"]),
                );
                continue;
            }
            for (direction, printed, name) in [
                (Direction::Input, answer.get("input"), "In"),
                (Direction::Output, answer.get("output"), "Out"),
            ] {
                let ours = shape::of_model(model, "Root", direction);
                compare(
                    &mut found,
                    case,
                    ours.as_ref(),
                    printed,
                    &format!("zod {version} prints {name}"),
                );
                compare(
                    &mut found,
                    case,
                    ours.as_ref(),
                    types.get(name),
                    &format!("zod {version} infers {name}"),
                );
            }
            for ((probe, accepted), answer) in probed(case, model)
                .iter()
                .zip(answer["accepted"].as_array().into_iter().flatten())
            {
                if answer != accepted {
                    found.add(
                        &case.code,
                        format!("zod {version} accepts {probe}: {answer}\n{}", model.print()),
                    );
                }
            }
        }
    }
    found.settle(150, KNOWN);
}

fn compare(found: &mut Differences, case: &Case, ours: Option<&Shape>, schema: Option<&Value>, who: &str) {
    let Some(schema) = schema else { return };
    let theirs = dialect::of_schema(schema).to_string();
    let ours = ours.map_or_else(|| "there is no T".to_owned(), ToString::to_string);
    if ours != theirs {
        found.add(&case.code, format!("{who}: {theirs}\nours: {ours}"));
    }
}

fn text(case: &Case, package: &str) -> String {
    format!(
        "import {{ z }} from '{package}';\n{}\nexport type Root = z.infer<typeof T>;\n",
        case.code
    )
}

fn probed(case: &Case, model: &WireModel) -> Vec<(Value, bool)> {
    if case.checked {
        Vec::new()
    } else {
        probes::probes(model, "Root")
    }
}

fn ask(package: &str, rows: &[(&Case, &WireModel)]) -> Option<Vec<Value>> {
    let cases: Vec<Value> = rows
        .iter()
        .map(|(case, model)| {
            let probes: Vec<Value> = probed(case, model).into_iter().map(|(probe, _)| probe).collect();
            json!({ "code": case.code, "probes": probes })
        })
        .collect();
    let answers = node::run(
        "zod.mjs",
        include_str!("judge.mjs"),
        &json!({ "zod": package, "cases": cases }),
    )?;
    Some(answers.as_array().expect("the script answers with a list").clone())
}

/// What the compiler infers of what goes in and what comes out.
fn inferred(package: &str, rows: &[(&Case, &WireModel)]) -> Vec<Value> {
    let questions: Vec<Value> = rows
        .iter()
        .map(|(case, _)| {
            let text = format!(
                "{}export type In = z.input<typeof T>; export type Out = z.infer<typeof T>;",
                text(case, package)
            );
            typescript::question(&[("main.ts".to_owned(), text)], &["In", "Out"])
        })
        .collect();
    typescript::describe(&questions).unwrap_or_default()
}
