//! One lie at a time: each is told at its place, under its own code.

use serde_json::json;

use crate::witness::{AGENTS, MATRIX, PROBE, Witness, hash};

#[test]
fn the_witness_is_true() {
    let witness = Witness::new();
    assert_eq!(witness.problems(), Vec::<String>::new());
    let report = witness.report();
    assert_eq!(report.records.get("observation"), Some(&2));
    assert!(report.is_valid());
}

type Lie = (&'static str, fn(&Witness), &'static [&'static str]);

/// What is done to the tree, and every code that must be told for it.
const LIES: &[Lie] = &[
    // The specification's invalid observations.
    (
        "schema_version 2 without a migration",
        |w| w.edit(&w.second, |v| v["schema_version"] = json!(2)),
        &["OBS007", "PRM021", "MTX024"],
    ),
    (
        "redaction passed without a transcript hash",
        |w| {
            w.edit(&w.second, |v| {
                v["capture"]
                    .as_object_mut()
                    .unwrap()
                    .remove("raw_client_transcript_sha256");
            })
        },
        &["OBS001", "PRM021", "MTX024"],
    ),
    (
        "a shape that does not hash to its name",
        |w| w.edit(&w.shape, |v| v["exit"] = json!("signal")),
        &["OBS026", "SHP020"],
    ),
    (
        "a family that the agent never declared",
        |w| {
            w.edit(AGENTS, |v| v["agents"][0]["protocol_families"] = json!(["plain/v1"]));
        },
        &["OBS022", "EVI021", "MTX021"],
    ),
    (
        "version unknown",
        |w| w.edit(&w.second, |v| v["cli_version"] = json!("unknown")),
        &["OBS005", "PRM021", "MTX024"],
    ),
    (
        "source_derived observation",
        |w| w.edit(&w.second, |v| v["validity_level"] = json!("source_derived")),
        &["OBS004", "PRM021", "MTX024"],
    ),
    // Of source evidence.
    (
        "runtime_observed evidence",
        |w| w.edit(&w.evidence, |v| v["validity_level"] = json!("runtime_observed")),
        &["EVI004", "SHP028", "IDX020"],
    ),
    (
        "no source_refs",
        |w| w.edit(&w.evidence, |v| v["source_refs"] = json!([])),
        &["EVI006", "SHP028"],
    ),
    (
        "a raw transcript in evidence",
        |w| {
            w.edit(&w.evidence, |v| {
                v["capture"] = json!({"raw_client_transcript_sha256": hash('1')})
            });
        },
        &["EVI002", "SHP028"],
    ),
    // Of shapes.
    (
        "an event type is not listed",
        |w| w.edit(&w.shape, |v| v["event_types"] = json!(["other"])),
        &["SHP020", "SHP022", "OBS026"],
    ),
    (
        "a claim on a synthetic shape",
        |w| w.edit(&w.shape, |v| v["validity_level"] = json!("synthetic_mock")),
        &["MTX023", "SHP027"],
    ),
    // Of the matrix.
    (
        "status verified",
        |w| w.edit(MATRIX, |v| v["agents"][0]["support_status"] = json!("verified")),
        &["MTX004"],
    ),
    (
        "a range without shapes",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["version_ranges"] = json!([">=0.1.0"]);
                v["agents"][0]["observed_shapes"] = json!([]);
            });
        },
        &["MTX008"],
    ),
    (
        "known_breaking without a reason",
        |w| w.edit(MATRIX, |v| v["agents"][0]["support_status"] = json!("known_breaking")),
        &["MTX008"],
    ),
    (
        "a breaking shape without evidence",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["known_breaking_shapes"] = json!([{"shape": hash('1'), "reason": "x"}])
            });
        },
        &["MTX001"],
    ),
    (
        "a claim on source",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["observed_shapes"][0]["validity_level"] = json!("source_derived")
            })
        },
        &["MTX004", "MTX008"],
    ),
    // Of error cases.
    (
        "failed without a class",
        |w| {
            w.edit(&w.error, |v| {
                v.as_object_mut().unwrap().remove("expected_failure_classification");
            })
        },
        &["ERR001"],
    ),
    (
        "failed with null as class",
        |w| w.edit(&w.error, |v| v["expected_failure_classification"] = json!(null)),
        &["ERR008"],
    ),
    (
        "reauthenticate",
        |w| {
            w.edit(&w.error, |v| {
                v["expected_failure_classification"]["user_action"] = json!("reauthenticate")
            })
        },
        &["ERR004"],
    ),
    (
        "an unknown stage",
        |w| {
            w.edit(&w.error, |v| {
                v["expected_failure_classification"]["failure_stage"] = json!("lunch")
            })
        },
        &["ERR004"],
    ),
    // References and rules.
    (
        "an agent that is not registered",
        |w| w.edit(AGENTS, |v| v["agents"][0]["id"] = json!("other")),
        &["OBS020", "EVI020", "MTX020", "ERR020", "PRM020", "REL021"],
    ),
    (
        "transports of other families",
        |w| w.edit(AGENTS, |v| v["agents"][0]["transports"] = json!(["plain"])),
        &["AGT023"],
    ),
    (
        "an agent twice",
        |w| {
            w.edit(AGENTS, |v| {
                let again = v["agents"][0].clone();
                v["agents"].as_array_mut().unwrap().push(again);
            })
        },
        &["AGT020"],
    ),
    (
        "an agent that is only scanned",
        |w| {
            w.edit(AGENTS, |v| {
                v["agents"][0]["scan_only"] = json!(true);
                v["agents"][0]["protocol_families"] = json!(["scan-only/v1"]);
            });
        },
        &["OBS021", "EVI021", "MTX021"],
    ),
    ("no list of agents", |w| w.remove(AGENTS), &["AGT021"]),
    ("no probe", |w| w.remove(PROBE), &["OBS023", "PRB023"]),
    ("no shape", |w| w.remove(&w.shape), &["OBS024", "MTX022", "FIX022"]),
    ("no fixture", |w| w.remove(&w.fixture), &["OBS027"]),
    (
        "no prompt",
        |w| w.remove("probes/chat-text-success/prompt.md"),
        &["PRB021"],
    ),
    (
        "no expectation",
        |w| w.remove("probes/chat-text-success/expected-min-events.json"),
        &["PRB022"],
    ),
    (
        "a probe of another name",
        |w| w.edit(PROBE, |v| v["id"] = json!("other")),
        &["PRB020", "OBS023"],
    ),
    (
        "a golden that is not there",
        |w| {
            let golden = format!(
                "goldens/open-design-parser/json-event-stream/sha256-{}.events.json",
                "a".repeat(64)
            );
            w.edit(
                &w.second,
                |v| {
                    v["parser_replay"] =
                        json!({"open_design_commit": "b784c8650", "status": "compatible", "golden": golden})
                },
            );
        },
        &["OBS028", "PRM021"],
    ),
    (
        "a golden of a replay that did not run",
        |w| {
            let golden = format!(
                "goldens/open-design-parser/json-event-stream/sha256-{}.events.json",
                "a".repeat(64)
            );
            w.edit(&w.second, |v| v["parser_replay"]["golden"] = json!(golden));
        },
        &["OBS008", "PRM021", "MTX024"],
    ),
    (
        "a replay without its commit",
        |w| w.edit(&w.second, |v| v["parser_replay"]["status"] = json!("compatible")),
        &["OBS008", "PRM021", "MTX024"],
    ),
    (
        "a profile that is not there",
        |w| w.edit(&w.second, |v| v["extensions"]["profile"] = json!(hash('7'))),
        &["OBS029", "PRM021"],
    ),
    (
        "redaction failed",
        |w| w.edit(&w.second, |v| v["redaction"]["status"] = json!("failed")),
        &["OBS030", "PRM021"],
    ),
    (
        "no hash of standard output",
        |w| w.edit(&w.second, |v| v["capture"]["raw_stdout_sha256"] = json!(null)),
        &["OBS031", "PRM021"],
    ),
    (
        "a capture from the future",
        |w| {
            w.edit(&w.second, |v| {
                v["capture"]["captured_at"] = json!("2031-06-29T10:00:00Z")
            });
        },
        &["OBS033", "OBS037", "PRM021"],
    ),
    (
        "a capture before the release",
        |w| {
            w.edit(&w.second, |v| {
                v["capture"]["captured_at"] = json!("2026-01-29T10:00:00Z")
            });
        },
        &["OBS034", "OBS037", "PRM021"],
    ),
    (
        "versions that disagree",
        |w| w.edit(&w.second, |v| v["extensions"]["versions"]["manifest"] = json!("1.1.0")),
        &["OBS035", "PRM021"],
    ),
    (
        "evidence of another transcript",
        |w| {
            w.edit(&w.second, |v| {
                v["extensions"]["evidence"]["raw_sha256"] = json!(hash('9'))
            })
        },
        &["OBS036", "PRM021"],
    ),
    (
        "a record under another name",
        |w| w.rename(&w.second, &w.second.replace("linux-x64", "darwin-x64")),
        &["OBS037", "PRM021", "MTX024"],
    ),
    (
        "the same transcript again",
        |w| {
            w.edit(&w.second, |v| {
                v["capture"]["raw_client_transcript_sha256"] = json!(hash('4'));
                v["extensions"]["evidence"]["raw_sha256"] = json!(hash('4'));
            });
        },
        &["OBS038", "OBS037", "PRM021"],
    ),
    (
        "raw bytes kept and discarded",
        |w| {
            w.edit(&w.second, |v| {
                v["extensions"]["evidence"]["raw_retention_days"] = json!(30)
            })
        },
        &["OBS039", "PRM021"],
    ),
    (
        "an answer to nothing",
        |w| {
            w.edit(
                &w.second,
                |v| {
                    v["extensions"]["answers"] =
                        json!([{"evidence": "source-evidence/quill/1.2.0/00000000.evidence.json", "findings": {}}])
                },
            );
        },
        &["OBS040", "PRM021"],
    ),
    (
        "an answer to a finding that is not there",
        |w| {
            let evidence = w.evidence.clone();
            w.edit(&w.second, |v| {
                v["extensions"]["answers"] = json!([{"evidence": evidence, "findings": {hash('8'): "confirmed"}}])
            });
        },
        &["OBS040", "PRM021"],
    ),
    (
        "no evidence record",
        |w| {
            w.edit(&w.second, |v| {
                v["extensions"].as_object_mut().unwrap().remove("evidence");
            })
        },
        &["OBS041", "PRM021"],
    ),
    (
        "a level that only a decision gives",
        |w| w.edit(&w.second, |v| v["validity_level"] = json!("confirmed")),
        &["OBS042", "PRM021", "SHP027"],
    ),
    (
        "a shape path of another shape",
        |w| {
            w.edit(&w.second, |v| {
                v["shape"]["path"] = json!(format!("shapes/json-event-stream/sha256-{}.shape.json", "0".repeat(64)))
            });
        },
        &["OBS024", "OBS025", "PRM021"],
    ),
    (
        "the path of an observation member of the wrong family",
        |w| w.edit(&w.second, |v| v["protocol_family"] = json!("plain/v1")),
        &["OBS022", "OBS025", "OBS027", "PRM021"],
    ),
    (
        "evidence that was edited",
        |w| w.edit(&w.evidence, |v| v["source_refs"] = json!(["npm:quill@1.3.0"])),
        &["EVI024"],
    ),
    (
        "evidence in another place",
        |w| w.rename(&w.evidence, &w.evidence.replace("1.2.0", "1.3.0")),
        &["EVI025"],
    ),
    (
        "evidence from the future",
        |w| w.edit(&w.evidence, |v| v["discovered_at"] = json!("2031-01-01T00:00:00Z")),
        &["EVI026"],
    ),
    (
        "an index of nothing",
        |w| w.remove("source-evidence/index.json"),
        &["IDX020"],
    ),
    (
        "frames the wrong way",
        |w| w.edit(&w.shape, |v| v["frame_shapes"][1]["direction"] = json!("server->cli")),
        &["SHP025", "SHP020", "OBS026"],
    ),
    (
        "a wrong number of frames",
        |w| w.edit(&w.shape, |v| v["frame_count"] = json!(3)),
        &["SHP024", "SHP020", "OBS026"],
    ),
    (
        "another transport",
        |w| w.edit(&w.shape, |v| v["transport"] = json!("json")),
        &["SHP026", "SHP020", "OBS026"],
    ),
    (
        "paths out of order",
        |w| {
            w.edit(&w.shape, |v| {
                v["frame_shapes"][1]["paths"].as_array_mut().unwrap().reverse()
            })
        },
        &["SHP023", "SHP020", "OBS026"],
    ),
    (
        "values at no path",
        |w| w.edit(&w.shape, |v| v["frame_shapes"][1]["enums"] = json!({"nowhere": ["x"]})),
        &["SHP031", "SHP020", "OBS026"],
    ),
    ("a shape of nothing", |w| w.remove(&w.evidence), &["SHP028", "IDX020"]),
    (
        "two files of one signature",
        |w| {
            let copy = w.read(&w.shape);
            w.json(&w.shape.replace("json-event-stream", "plain"), &copy);
        },
        &["SHP021", "SHP029"],
    ),
    (
        "a claim without its observation",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["observations"][0] = json!(w.second.replace("2026-06-29", "2026-06-28"))
            })
        },
        &["MTX024"],
    ),
    (
        "a claim with another time",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["last_observed_at"] = json!("2026-06-30T10:00:00Z")
            })
        },
        &["MTX025"],
    ),
    (
        "a claim on a shape that is not there",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["observed_shapes"][0]["shape"] = json!(hash('3'))
            })
        },
        &["MTX022"],
    ),
    (
        "a claim of a local probe",
        |w| {
            w.edit(MATRIX, |v| {
                v["agents"][0]["support_status"] = json!("local_shape_verified")
            })
        },
        &["MTX029"],
    ),
    (
        "one observation confirms itself",
        |w| {
            w.edit(&w.promotion, |v| {
                v["action"]["observations"].as_array_mut().unwrap().pop();
            })
        },
        &["PRM023", "PRM028"],
    ),
    (
        "a promotion of other bytes",
        |w| {
            w.edit(&w.promotion, |v| {
                v["action"]["observations"][0]["sha256"] = json!(hash('6'))
            })
        },
        &["PRM021", "PRM028"],
    ),
    (
        "two captures on one runner are not independent by it",
        |w| w.edit(&w.promotion, |v| v["action"]["independence"] = json!("runner")),
        &["PRM025", "PRM028"],
    ),
    (
        "community without a reproduction",
        |w| w.edit(&w.promotion, |v| v["action"]["to"] = json!("community_confirmed")),
        &["PRM026", "PRM028"],
    ),
    (
        "attested something else",
        |w| w.edit(&w.promotion, |v| v["attestation"]["artifacts"] = json!([])),
        &["PRM027", "PRM028"],
    ),
    (
        "a contributor decides",
        |w| w.edit(&w.promotion, |v| v["attestation"]["role"] = json!("contributor")),
        &["PRM029", "PRM028"],
    ),
    (
        "an error case of no observation",
        |w| w.edit(&w.error, |v| v["raw_shape"] = json!(hash('9'))),
        &["ERR022", "ERR023"],
    ),
    (
        "an error case of a probe that succeeds",
        |w| w.edit(&w.error, |v| v["probe"] = json!("chat-text-success")),
        &["ERR021", "ERR023"],
    ),
    (
        "a secret in a fixture",
        |w| {
            let key = format!("sk-proj-{}", "aB3".repeat(14));
            w.text(&w.fixture, crate::witness::TRANSCRIPT.replace("<text>", &key));
        },
        &["PUB001"],
    ),
    (
        "a home path behind escapes",
        |w| {
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replace("<text>", r"in \\u002fhome\\u002falice"),
            );
        },
        &["PUB001"],
    ),
    (
        "a home path in a report",
        |w| w.text("reports/note.md", "see /home/alice/x\n"),
        &["PUB001"],
    ),
    (
        "an escaped home path in a record",
        |w| {
            let text = std::fs::read_to_string(w.path().join(PROBE)).unwrap();
            w.text(PROBE, text.replace("Whether it speaks.", r"in \/home\/alice"));
        },
        &["PUB001"],
    ),
    (
        "a token in a transcript",
        |w| {
            let line = r#"{"dir":"cli->server","stream":"stdout","at_ms":500,"data":"token=sk-live"}"#;
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replacen("{\"dir\":\"process", &format!("{line}\n{{\"dir\":\"process"), 1),
            );
        },
        &["PUB001"],
    ),
    (
        "an exit without code or signal",
        |w| {
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replace(r#","exit_code":0,"signal":null"#, ""),
            );
        },
        &["TRN"],
    ),
    (
        "data and data_ref",
        |w| {
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replace(r#""data_ref":"prompt""#, r#""data":"x","data_ref":"prompt""#),
            );
        },
        &["TRN002"],
    ),
    (
        "no time",
        |w| w.text(&w.fixture, crate::witness::TRANSCRIPT.replace(r#""at_ms":220,"#, "")),
        &["TRN001"],
    ),
    (
        "times that go backwards",
        |w| w.text(&w.fixture, crate::witness::TRANSCRIPT.replace("220", "2200")),
        &["FIX025"],
    ),
    (
        "a required path that the fixture does not have",
        |w| {
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replace(r#",\"text\":\"<text>\""#, ""),
            );
        },
        &["FIX021", "FIX023", "FIX027"],
    ),
    (
        "a fixture with another exit",
        |w| {
            w.text(
                &w.fixture,
                crate::witness::TRANSCRIPT.replace(r#""exit_code":0"#, r#""exit_code":3"#),
            );
        },
        &["FIX021", "FIX027"],
    ),
    (
        "a fixture of another ending",
        |w| w.rename(&w.fixture, &w.fixture.replace("sanitized", "transcript")),
        &["FIX024"],
    ),
    (
        "a fixture of nothing",
        |w| {
            w.text(
                &format!("fixtures/plain/sha256-{}.sanitized.jsonl", "0".repeat(64)),
                crate::witness::TRANSCRIPT,
            );
        },
        &["FIX022", "FIX026"],
    ),
    (
        "a profile that was edited",
        |w| {
            w.edit(&crate::witness::profile().place(), |v| {
                v["rules"]["kept"] = json!(["text"])
            });
        },
        &["PRO020"],
    ),
    (
        "a file that belongs nowhere",
        |w| w.text("registry/notes.txt", "x"),
        &["FIL011"],
    ),
    ("a hidden file", |w| w.text("registry/.hidden.json", "{}"), &["FIL010"]),
];

#[test]
fn every_lie_is_told_under_its_code() {
    let mut untold = Vec::new();
    for (what, lie, codes) in LIES {
        let witness = Witness::new();
        lie(&witness);
        let problems = witness.problems();
        for code in *codes {
            if !problems.iter().any(|problem| problem.starts_with(code)) {
                untold.push(format!("{what}: {code} is not among {problems:#?}"));
            }
        }
        assert!(!problems.is_empty() || codes.is_empty(), "{what}");
    }
    assert!(untold.is_empty(), "{}", untold.join("\n"));
}

#[test]
fn the_first_words_name_the_place() {
    let witness = Witness::new();
    witness.edit(&witness.second, |value| {
        value["capture"]["raw_stdout_sha256"] = json!(null)
    });
    let place = format!("OBS031 {}#/capture/raw_stdout_sha256", witness.second);
    assert!(witness.problems().contains(&place));
}

/// A matrix that is well-formed and rests on records, but not on what they say.
#[test]
fn a_matrix_that_the_records_do_not_give_is_told() {
    for edit in [
        |v: &mut serde_json::Value| v["agents"][0]["notes"] = json!(["all is well"]),
        |v: &mut serde_json::Value| v["agents"][0]["version_ranges"] = json!([">=1.2.0 <=1.9.0"]),
        |v: &mut serde_json::Value| v["agents"][0]["stale_after"] = json!("2027-01-01T00:00:00Z"),
        |v: &mut serde_json::Value| v["generated_at"] = json!("2026-06-30T10:00:01Z"),
        |v: &mut serde_json::Value| v["agents"] = json!([]),
    ] {
        let witness = Witness::new();
        witness.edit(MATRIX, edit);
        let problems = witness.problems();
        assert!(
            !problems.is_empty()
                && problems
                    .iter()
                    .all(|problem| problem.starts_with("MTX026 registry/support-matrix.json#/")),
            "{problems:?}"
        );
    }
    let witness = Witness::new();
    witness.edit(MATRIX, |v| v["agents"][0]["version_ranges"] = json!([">=2.0.0 <1.0.0"]));
    assert!(
        witness.problems()[0].starts_with("MTX026") || witness.problems().iter().any(|one| one.starts_with("MTX030"))
    );
}
