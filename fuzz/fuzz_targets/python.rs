#![no_main]

use agent_contracts_fuzz::python;

libfuzzer_sys::fuzz_target!(|data: &[u8]| python(data));
