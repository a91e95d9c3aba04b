//! What the store writes, the validator finds true; what is not true, the store does not write.

use agent_contracts_registry::{Store, StoreError, Written};
use agent_contracts_shapes::{Profile, Rules, Validity};
use agent_contracts_wire::Family;

use crate::witness::{TRANSCRIPT, Witness, profile, shape};

#[test]
fn artifacts_go_to_their_places_once() {
    let witness = Witness::new();
    let store = Store::open(witness.path()).unwrap();
    let shape = shape(Validity::RuntimeObserved);
    for path in [&witness.fixture, &profile().place()] {
        witness.remove(path);
    }
    let writer = store.lock().unwrap();
    for wanted in [Written::New, Written::Same] {
        let fixture = writer.put_fixture(&shape, &profile(), TRANSCRIPT).unwrap();
        assert_eq!((fixture.path, fixture.written), (witness.fixture.clone(), wanted));
        assert_eq!(writer.put_profile(&profile()).unwrap().written, wanted);
        let golden = writer.put_golden(&shape, "open-design-parser", &[]).unwrap();
        assert_eq!(golden.written, wanted);
    }
    // A later transcript of the same shape does not replace the first one.
    let later = TRANSCRIPT.replace("220", "221");
    assert_eq!(
        writer.put_fixture(&shape, &profile(), &later).unwrap().written,
        Written::Same
    );
    drop(writer);
    assert_eq!(witness.problems(), Vec::<String>::new());
}

#[test]
fn a_fixture_of_another_shape_is_refused() {
    let witness = Witness::new();
    witness.remove(&witness.fixture);
    let store = Store::open(witness.path()).unwrap();
    let shape = shape(Validity::RuntimeObserved);
    let writer = store.lock().unwrap();
    for text in [
        TRANSCRIPT.replace(r#""exit_code":0"#, r#""exit_code":1"#),
        TRANSCRIPT.replace("stdout", "stdfoo"),
        "{}\n".to_owned(),
    ] {
        let refused = writer.put_fixture(&shape, &profile(), &text).unwrap_err();
        assert!(matches!(refused, StoreError::Conflict { .. }), "{refused}");
    }
    let secret = TRANSCRIPT.replace("<text>", &format!("sk-proj-{}", "aB3".repeat(14)));
    let refused = writer.put_fixture(&shape, &profile(), &secret).unwrap_err();
    assert!(matches!(refused, StoreError::NotPublishable { .. }), "{refused}");
    assert_eq!(store.read(&witness.fixture).unwrap(), None);
}

#[test]
fn a_profile_that_lies_about_its_name_is_refused() {
    let witness = Witness::new();
    let store = Store::open(witness.path()).unwrap();
    let family = Family::of("plain/v1").unwrap();
    let mut profile = Profile::new(None, family, &Rules::default()).unwrap();
    profile.agent = Some("quill".to_owned());
    let refused = store.lock().unwrap().put_profile(&profile).unwrap_err();
    assert!(refused.to_string().contains("hashes to"), "{refused}");
}
