#![no_main]

use agent_contracts_fuzz::typescript;

libfuzzer_sys::fuzz_target!(|data: &[u8]| typescript(data));
