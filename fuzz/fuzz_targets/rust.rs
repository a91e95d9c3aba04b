#![no_main]

use agent_contracts_fuzz::rust;

libfuzzer_sys::fuzz_target!(|data: &[u8]| rust(data));
