//! yargs.

use crate::flags::testing::{model, model_of, prefixes, print, print_file};

/// One option of a program, as a line.
fn option(text: &str) -> String {
    let file = format!("import yargs from 'yargs';\n{SHARED}\nyargs(process.argv){text}.parse();");
    print_file("src/cli.ts", &file).trim_end().to_owned()
}

const SHARED: &str = r"
const FORMATS = ['text', 'json'] as const;
enum Mode { Auto = 'auto', Never = 'never' }
const NAME = 'named';
const COMMON = { quiet: { type: 'boolean' } };
";

#[test]
fn options() {
    for (text, expected) in [
        (
            ".option('model', { alias: 'm', type: 'string' })",
            "--model -m <one> inherited",
        ),
        (
            ".option('model', { alias: ['m', 'mod'], string: true })",
            "--model --mod -m <one> inherited",
        ),
        (
            ".option('v', { type: 'boolean', default: false })",
            "-v =false inherited",
        ),
        (
            ".option('v', { count: true, alias: 'verbose' })",
            "--verbose -v inherited",
        ),
        (
            ".option('dirs', { type: 'array', nargs: 1 })",
            "--dirs <many> inherited",
        ),
        (
            ".option('pair', { type: 'string', nargs: 2 })",
            "--pair <many> inherited",
        ),
        (".option('n', { type: 'number', default: 3 })", "-n <one> =3 inherited"),
        (".option('x', { describe: 'no type' })", "-x <unknown> inherited"),
        (".option('x')", "-x <unknown> inherited"),
        (
            ".option('format', { choices: FORMATS })",
            "--format <one> {text|json} inherited",
        ),
        (
            ".option('mode', { choices: Object.values(Mode), default: Mode.Auto })",
            "--mode <one> {auto|never} =auto inherited",
        ),
        (
            ".option('mode', { choices: [...FORMATS, 'x'] })",
            "--mode <one> {text|json|x} inherited",
        ),
        (
            ".option('model', { default: process.env['MODEL'] || 'x', type: 'string' })",
            "--model <one> inherited",
        ),
        (
            ".option('fake', { hidden: true, type: 'boolean' })",
            "--fake inherited hidden",
        ),
        (
            ".option('old', { deprecated: true, type: 'boolean' })",
            "--old inherited deprecated",
        ),
        (
            ".option('old', { deprecated: 'use --new', type: 'boolean' })",
            "--old inherited deprecated",
        ),
        (
            ".option('old', { type: 'boolean', description: `[DEPRECATED: see ${URL}] x` })",
            "--old inherited deprecated",
        ),
        (
            ".option('old', { type: 'boolean', describe: 'Runs it (deprecated, use --new)' })",
            "--old inherited deprecated",
        ),
        (
            ".option('old', { type: 'boolean' }).deprecateOption('old', 'use --new')",
            "--old inherited deprecated",
        ),
        (".option('here', { type: 'boolean', global: false })", "--here"),
        (".option(NAME, { type: 'boolean' })", "--named inherited"),
        (".option(COMMON)", "--quiet inherited"),
        (
            ".options({ a: { type: 'boolean' }, 'b-c': { type: 'string' }, ...COMMON })",
            "--b-c <one> inherited\n--quiet inherited\n-a inherited",
        ),
        (
            ".boolean(['a', 'b']).string('c').alias('a', 'all').default('c', 'x').hide('b')",
            "--all -a inherited\n-b inherited hidden\n-c <one> =x inherited",
        ),
        (
            ".option('x', { type: 'string' }).choices('x', ['a', 'b']).nargs('x', 1)",
            "-x <one> {a|b} inherited",
        ),
        (
            ".option('x', { type: 'boolean' }).alias('h', 'help').version().help()",
            "-x inherited",
        ),
        (".positional('query', { type: 'string' })", ""),
        (
            ".option(compute(), { type: 'boolean' })",
            "? the name of an option: compute()",
        ),
        (".option('-n, --name <x>', 'commander')", ""),
    ] {
        assert_eq!(option(text), expected, "{text}");
    }
}

const PROGRAM: [(&str, &str); 4] = [
    (
        "src/config.ts",
        r"
import yargs from 'yargs/yargs';
import { mcpCommand } from './commands/mcp.js';
import { runCommand } from './commands/run.js';
export async function parse(settings: Settings) {
  const rawArgv = hideBin(process.argv);
  const y = yargs(rawArgv)
    .usage('x')
    .option('debug', { alias: 'd', type: 'boolean' })
    .command('$0 [query..]', 'Launch', (y) =>
      y.positional('query', { type: 'string' }).option('prompt', { alias: 'p', type: 'string' }),
    )
    .command(['chat <id>', 'c'], 'Chat', { model: { type: 'string' } }, async (argv) => run(argv))
    .command(mcpCommand);
  if (settings.run) {
    y.command(defer(runCommand, 'run'));
  }
  y.strict();
}
",
    ),
    (
        "src/commands/mcp.ts",
        r"
import type { CommandModule } from 'yargs';
import { addCommand } from './add.js';
export const mcpCommand: CommandModule = {
  command: 'mcp',
  describe: 'Manage',
  builder: (yargs) => yargs.middleware((argv) => { argv['x'] = true; }).command(addCommand).demandCommand(1).version(false),
  handler: () => {},
};
",
    ),
    (
        "src/commands/add.ts",
        r"
import { withNetwork } from './run';
export const addCommand = {
  command: 'add <name>',
  builder(yargs) {
    yargs.usage('x');
    return withNetwork(yargs).option('scope', { choices: ['user', 'project'], default: 'project' });
  },
  handler: async (argv) => {},
};
",
    ),
    (
        "src/commands/run.ts",
        r"
const network = { port: { type: 'number', default: 0 }, host: { type: 'string' } };
export function withNetwork<T>(yargs: Argv<T>) { return yargs.options(network); }
export const runCommand = cmd({
  command: 'run [message..]',
  describe: 'Run',
  builder: (yargs: Argv) => {
    return yargs.positional('message', { type: 'string' }).option('format', { type: 'string', choices: ['default', 'json'] });
  },
  handler: async (args) => { const x = foo.option('y', {}); },
});
",
    ),
];

#[test]
fn builders_and_modules_make_commands() {
    insta::assert_snapshot!(print(&model(&PROGRAM)), @r"
    --debug -d inherited
    --prompt -p <one>
    chat: --model <one> inherited
    mcp add: --host <one> inherited
    mcp add: --port <one> =0 inherited
    mcp add: --scope <one> {user|project} =project inherited
    run: --format <one> {default|json} inherited
    ");
    // A module that is added beyond the scope goes by its own name; a helper beyond it is followed.
    insta::assert_snapshot!(print(&model_of(&PROGRAM, &["src/commands/add.ts"])), @r"
    add: --host <one> inherited (beyond)
    add: --port <one> =0 inherited (beyond)
    add: --scope <one> {user|project} =project inherited
    ");
    // A module beyond the scope is not told.
    insta::assert_snapshot!(print(&model_of(&PROGRAM, &["src/config.ts"])), @r"
    --debug -d inherited
    --prompt -p <one>
    chat: --model <one> inherited
    ");
}

#[test]
fn a_long_chain_is_no_depth() {
    let options: Vec<String> = (0..600)
        .map(|n| format!(".option('o{n}', {{ type: 'boolean' }})"))
        .collect();
    let options = options.concat();
    assert_eq!(print_file("a.ts", &format!("yargs(){options};")).lines().count(), 600);
}

#[test]
fn a_broken_builder_hides_its_names() {
    let text = "import yargs from 'yargs';\nyargs.option('good', { type: 'boolean' });\nyargs.option('bad', { type: }) => {{;\n";
    let printed = print_file("a.ts", text);
    assert!(printed.contains("--good inherited\n"), "{printed}");
    assert!(printed.ends_with("! syntax error [\"--bad\"]\n"), "{printed}");
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &PROGRAM {
        prefixes(path, text);
    }
}
