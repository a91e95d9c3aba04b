#![no_main]

use agent_contracts_fuzz::archive;

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive(data));
