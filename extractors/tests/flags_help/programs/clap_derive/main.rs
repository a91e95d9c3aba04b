use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

#[derive(Parser)]
#[command(name = "tool", version = "1.0.0", term_width = 100)]
struct Cli {
    /// The model.
    #[arg(long, short = 'm', visible_alias = "mod")]
    model: Option<String>,
    /// When to colour, which is told at such a length that the library has to wrap it over lines.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
    /// Say more.
    #[arg(short, long, action = ArgAction::Count)]
    verbose: u8,
    /// Folders.
    #[arg(long = "add-dir", value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// How it is printed.
    #[arg(long, value_parser = ["text", "json"], default_value = "text")]
    format: String,
    /// With or without.
    #[arg(long, num_args = 0..=1, default_missing_value = "x")]
    maybe: Option<String>,
    /// Two of them.
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pair: Vec<String>,
    #[arg(long, hide = true)]
    secret: bool,
    /// (deprecated) Use --model.
    #[arg(long)]
    old: bool,
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Option<Commands>,
}

#[derive(Args)]
struct Shared {
    /// Set a value.
    #[arg(short = 'c', long = "config", value_name = "key=value", action = ArgAction::Append)]
    overrides: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    /// As the terminal is.
    Auto,
    /// In any case.
    Always,
    Never,
}

#[derive(Subcommand)]
enum Commands {
    /// Run it.
    Run(RunArgs),
    /// Servers.
    #[command(subcommand)]
    Mcp(Mcp),
}

#[derive(Args)]
struct RunArgs {
    what: String,
    /// How many.
    #[arg(long, short, default_value_t = 4)]
    jobs: u8,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Mcp {
    /// Add one.
    Add {
        name: String,
        /// Variables.
        #[arg(long, value_name = "KEY=VALUE")]
        env: Vec<String>,
    },
}

fn main() {
    Cli::parse();
}
