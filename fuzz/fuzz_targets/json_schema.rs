#![no_main]

use agent_contracts_fuzz::json_schema;

libfuzzer_sys::fuzz_target!(|data: &[u8]| json_schema(data));
