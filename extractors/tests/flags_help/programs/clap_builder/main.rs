use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, Command};

const LEVELS: [&str; 2] = ["low", "high"];

fn common(command: Command) -> Command {
    command.arg(
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("Say less"),
    )
}

fn port() -> Arg {
    Arg::new("port")
        .long("port")
        .value_name("PORT")
        .default_value("8080")
        .help("The port")
}

fn mcp() -> Command {
    let mut add = Command::new("add").arg(Arg::new("name").required(true));
    add = add.arg(
        Arg::new("scope")
            .long("scope")
            .value_parser(PossibleValuesParser::new(["user", "project"]))
            .help("Where it is kept"),
    );
    Command::new("mcp")
        .about("Servers")
        .subcommand_required(true)
        .subcommands([common(add), Command::new("list")])
}

fn build() -> Command {
    let mut command = Command::new("tool")
        .version("1.0.0")
        .term_width(100)
        .arg(
            Arg::new("model")
                .long("model")
                .short('m')
                .visible_alias("mod")
                .visible_short_alias('k')
                .help("The model"),
        )
        .arg(
            Arg::new("level")
                .long("level")
                .value_parser(LEVELS)
                .default_value("low")
                .help("How hard it thinks"),
        )
        .args([
            Arg::new("verbose")
                .long("verbose")
                .short('v')
                .action(ArgAction::Count)
                .help("Say more"),
            Arg::new("dirs")
                .long("add-dir")
                .action(ArgAction::Append)
                .value_name("DIR")
                .help("Folders"),
        ])
        .arg(Arg::new("maybe").long("maybe").num_args(0..=1).help("With or without"))
        .arg(
            Arg::new("pair")
                .long("pair")
                .num_args(2)
                .value_names(["A", "B"])
                .help("Two"),
        )
        .arg(Arg::new("secret").long("secret").hide(true).action(ArgAction::SetTrue))
        .arg(Arg::new("later").long("later").action(ArgAction::SetTrue))
        .arg(port())
        .group(ArgGroup::new("either").args(["model", "level"]))
        .mut_arg("later", |arg| arg.hide(true))
        .subcommand(common(
            Command::new("run").arg(Arg::new("what")).arg(
                Arg::new("jobs")
                    .long("jobs")
                    .short('j')
                    .default_value("4")
                    .help("How many"),
            ),
        ))
        .subcommand(mcp());
    for name in ["alpha", "beta"] {
        command = command.arg(Arg::new(name).long(name).action(ArgAction::SetTrue));
    }
    if cfg!(unix) {
        command = command.arg(
            Arg::new("fork")
                .long("fork")
                .action(ArgAction::SetTrue)
                .help("(deprecated) Fork"),
        );
    }
    command
}

fn main() {
    build().get_matches();
}
