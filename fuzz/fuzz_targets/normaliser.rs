#![no_main]

use agent_contracts_fuzz::normaliser;

libfuzzer_sys::fuzz_target!(|data: &[u8]| normaliser(data));
