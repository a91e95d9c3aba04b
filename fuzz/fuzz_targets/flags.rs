#![no_main]

use agent_contracts_fuzz::flags;

libfuzzer_sys::fuzz_target!(|data: &[u8]| flags(data));
