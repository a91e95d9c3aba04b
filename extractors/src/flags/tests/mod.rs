//! What a user relies on, library by library: source in, one line for each flag out.
//!
//! A line reads `command: --name -alias <one|many|unknown> or [optional] {choices} =default marks`; a flag without a
//! value mark is a switch. `?` lines are unresolved, `!` lines could not be read.

mod argparse;
mod clap_builder;
mod clap_derive;
mod click;
mod cobra;
mod commander;
mod hand_written;
mod parse_args;
mod typer;
mod yargs;
