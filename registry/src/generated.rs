//! Everything that is generated from the records, as paths and texts: schemas, TypeScript types, the list of kinds.

use serde_json::{Value, json};

use crate::records::kind::Place;
use crate::records::{KINDS, Kind};
use crate::{migrations, typescript};

/// Why nothing could be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// Two types share a name.
    #[error(transparent)]
    Twice(#[from] typescript::Twice),
    /// A value cannot be written.
    #[error("cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Every file with its text; paths are relative to the root of the repository.
pub fn files() -> Result<Vec<(String, String)>, GenerateError> {
    let mut files = Vec::new();
    let mut schemas = Vec::new();
    for kind in KINDS {
        let schema = (kind.schema)(kind);
        files.push((
            format!("contracts/{}", kind.schema_path()),
            crate::store::pretty(&schema)?,
        ));
        schemas.push(schema);
    }
    files.push((
        "packages/npm/types.d.ts".to_owned(),
        typescript::declarations(&schemas)?,
    ));
    files.push((
        "packages/npm/kinds.json".to_owned(),
        crate::store::pretty(&KINDS.iter().map(place).collect::<Vec<_>>())?,
    ));
    files.push((
        "packages/npm/migrations.json".to_owned(),
        crate::store::pretty(&migrations::all()?)?,
    ));
    Ok(files)
}

/// A kind as the TypeScript package needs it.
fn place(kind: &Kind) -> Value {
    let place = match kind.place {
        Place::File(file) => json!({"file": file}),
        Place::Below { folder, ending } => json!({"folder": folder, "ending": ending}),
        Place::Nowhere => Value::Null,
    };
    json!({"id": kind.id, "letters": kind.letters, "about": kind.about, "place": place})
}
