//! The serialiser as the judge: for each language, tables of declarations are given to our extractor and to the real
//! thing (serde, `encoding/json`, the TypeScript compiler, zod, pydantic), and both must say the same.
//!
//! Where they do not, the row stands in the judge's table of known differences, with the reason; a row that no longer
//! differs fails. A judge is skipped, with a line that says so, only where its tool cannot be had: no network, or no
//! toolchain.

mod dialect;
mod differences;
mod golang;
mod node;
mod probes;
mod pydantic;
mod rust;
mod shape;
mod source;
mod typescript;
mod values;
mod zod;
