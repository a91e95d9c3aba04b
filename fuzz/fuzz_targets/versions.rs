#![no_main]

use agent_contracts_fuzz::versions;

libfuzzer_sys::fuzz_target!(|data: &[u8]| versions(data));
