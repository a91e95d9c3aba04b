#![no_main]

use agent_contracts_fuzz::go;

libfuzzer_sys::fuzz_target!(|data: &[u8]| go(data));
