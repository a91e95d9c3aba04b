//! Platforms.

use super::words::words;

words! {
    /// Where a CLI ran. `unknown` where nobody said.
    Platform {
        DarwinArm64 = "darwin-arm64",
        DarwinX64 = "darwin-x64",
        LinuxX64 = "linux-x64",
        LinuxArm64 = "linux-arm64",
        Win32X64 = "win32-x64",
        Unknown = "unknown",
    }
}
