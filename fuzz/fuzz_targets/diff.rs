#![no_main]

use agent_contracts_fuzz::diff;

libfuzzer_sys::fuzz_target!(|data: &[u8]| diff(data));
