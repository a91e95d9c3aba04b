//! commander.

use crate::flags::testing::{model_of, prefixes, print, print_file};

/// The options of a program, in one line each.
fn option(text: &str) -> String {
    let file = format!(
        "import {{ Command, Option }} from 'commander';\n{SHARED}\nconst program = new Command();\nprogram{text};"
    );
    print_file("src/cli.ts", &file).trim_end().to_owned()
}

const SHARED: &str = r"
const FORMATS = ['text', 'json'] as const;
const NAME = 'named';
const collect = (value: string, all: string[]) => [...all, value];
const shared = new Option('--shared <x>').hideHelp();
function common() { return new Option('--common').choices(FORMATS); }
";

#[test]
fn options() {
    for (text, expected) in [
        (".option('-m, --model <id>', 'the model')", "--model -m <one> inherited"),
        (".option('--json', 'print JSON', false)", "--json =false inherited"),
        (".option('--host [host]', 'x', 'a')", "--host [optional] =a inherited"),
        (".option('--dir <dir...>', 'x')", "--dir <many> inherited"),
        (".option('--dir <dir>', 'x', collect, [])", "--dir <many> inherited"),
        (".option('--n <n>', 'x', parseInt, 3)", "--n <one> =3 inherited"),
        (
            ".option('--n <n>', 'x', (value) => Number(value), 3)",
            "--n <one> =3 inherited",
        ),
        (".option('--no-color', 'x')", "--no-color inherited"),
        (".option(`--${NAME} <x>`, 'x')", "--named <one> inherited"),
        (
            ".requiredOption('-k, --key <key>', 'Deprecated: use --api-key')",
            "--key -k <one> inherited deprecated",
        ),
        (
            ".addOption(new Option('-f, --format <f>', 'x').choices(['text', 'json']).default('text'))",
            "--format -f <one> {text|json} =text inherited",
        ),
        (
            ".addOption(new Option('--format <f>').choices(FORMATS).env('F').conflicts('x').hideHelp())",
            "--format <one> {text|json} inherited hidden",
        ),
        (
            ".addOption(shared).addOption(common())",
            "--common {text|json} inherited\n--shared <one> inherited hidden",
        ),
        (
            ".addOption(new Option('--dir <d>').argParser((v, all) => [...(all ?? []), v]).default([]))",
            "--dir <many> inherited",
        ),
        (".version('1.0.0')", "--version -V inherited"),
        (".version('1.0.0', '-v, --ver', 'x')", "--ver -v inherited"),
        (".option(table.flags, 'x')", "? an option: table.flags"),
        (".option('name', { type: 'string' })", ""),
        (".enablePositionalOptions().option('--x')", "--x"),
    ] {
        assert_eq!(option(text), expected, "{text}");
    }
}

#[test]
fn commands() {
    for (text, expected) in [
        (".command('run <what>').option('--fast')", "run: --fast"),
        (
            ".command('run', { hidden: true }).option('--fast')",
            "run: --fast hidden",
        ),
        // Started as a program of its own; the chain stays with the program.
        (".command('run', 'run it').option('--fast')", "--fast inherited"),
        (
            ".option('--all').command('run').alias('r').option('--fast')",
            "--all inherited\nrun (r): --fast",
        ),
        (
            "; const run = program.command('run').option('-f'); run.command('once').option('--x')",
            "run: -f inherited\nrun once: --x",
        ),
        (
            ".addCommand(new Command('run').option('--fast')); function unused() {}",
            "run: --fast",
        ),
        (
            "; function add(cmd: Command): Command { return cmd.option('--x'); } add(program.command('a')).option('--y'); add(program.command('b'))",
            "a: --x\na: --y\nb: --x",
        ),
        (
            "; function add({ program: p, io }: Options) { p.command('a').option('--x'); } add({ program: program, io })",
            "a: --x",
        ),
        (
            "; const make = () => { const cmd = new Command('made'); cmd.option('--x'); return cmd; }; program.addCommand(make())",
            "made: --x",
        ),
        (
            "; if (true) { const sub = program.command('a'); sub.option('--x'); } else { const sub = program.command('b'); sub.option('--y'); }",
            "a: --x\nb: --y",
        ),
        ("; let sub; sub = program.command('a'); sub.option('--x')", "a: --x"),
        (
            "; class Cli { private program = new Command(); setup() { this.program.option('--x'); this.more(this.program); } more(p: Command) { p.command('m').option('--y'); } }",
            "--x inherited\nm: --y",
        ),
        (
            ".command(dynamic()).option('--x')",
            "--x inherited\n? the name of a command",
        ),
    ] {
        assert_eq!(option(text), expected, "{text}");
    }
}

#[test]
fn a_program_that_stands_apart_goes_by_its_name() {
    let main = "import { Command } from 'commander';\nexport const program = new Command('tool').option('--a').option('--b').option('--c');\nprogram.command('doctor').allowUnknownOption();";
    let doctor = "import { Command } from 'commander';\nexport function create() { const d = new Command('doctor').option('--json'); d.command('fix').option('--all'); return d; }";
    let files = [("src/main.ts", main), ("src/doctor.ts", doctor)];
    // What the package installs is the program; it goes by its name as well.
    let installed = [
        ("package.json", r#"{"name":"@x/y","bin":{"tool":"x.js"}}"#),
        files[0],
        files[1],
    ];
    assert_eq!(
        print(&model_of(&installed, &["src/main.ts", "src/doctor.ts"])),
        " (tool): --a inherited\n (tool): --b inherited\n (tool): --c inherited\ndoctor: --json inherited\ndoctor fix: --all\n"
    );
    assert_eq!(
        print(&model_of(&files, &["src/doctor.ts"])),
        "--json inherited\nfix: --all\n"
    );
}

#[test]
fn commands_are_followed_over_files() {
    let main = "import { Command } from 'commander';\nimport { register } from './sub';\nconst program = new Command('x');\nregister(program);\nregister(program.command('deep'));";
    let sub = "import type { Command } from 'commander';\nexport function register(parent: Command): void {\n  const p = parent.command('provider');\n  p.command('add <url>').option('--key <k>');\n  parent.option('--top');\n}";
    let files = [("src/main.ts", main), ("src/sub.ts", sub)];
    assert_eq!(
        print(&model_of(&files, &["src/main.ts", "src/sub.ts"])),
        "--top inherited\ndeep: --top inherited\ndeep provider add: --key <one>\nprovider add: --key <one>\n"
    );
    // Alone it adds to the program.
    assert_eq!(
        print(&model_of(&files, &["src/sub.ts"])),
        "--top inherited\nprovider add: --key <one>\n"
    );
    // A helper beyond the scope gives its options to commands in it; commands that it makes are its own.
    assert_eq!(
        print(&model_of(&files, &["src/main.ts"])),
        "--top inherited (beyond)\ndeep: --top inherited (beyond)\n"
    );
}

#[test]
fn what_nobody_registers_is_no_part_of_the_program() {
    let main = "import { Command } from 'commander';\nimport { used, listed } from './sub';\nconst program = new Command('x').option('--a');\nused(program);\nfor (const add of [listed]) add(program);";
    let sub = "import type { Command } from 'commander';\nexport function used(p: Command) { p.command('u').option('--x'); }\nexport function unused(p: Command) { p.command('n').option('--x'); }\nexport const listed = (p: Command) => { p.command('l').option('--x'); };";
    let files = [("src/main.ts", main), ("src/sub.ts", sub)];
    assert_eq!(
        print(&model_of(&files, &["src/main.ts", "src/sub.ts"])),
        "--a inherited\nl: --x\nu: --x\n"
    );
    assert_eq!(print(&model_of(&files, &["src/sub.ts"])), "l: --x\nn: --x\nu: --x\n");
}

#[test]
fn the_shared_program_is_one() {
    let file =
        "import { program } from 'commander';\nprogram.option('--a').command('x').option('--b');\nprogram.parse();";
    assert_eq!(print_file("a.js", file), "--a inherited\nx: --b\n");
    let common = "const { program } = require('commander');\nprogram.option('--a');";
    assert_eq!(print_file("a.cjs", common), "--a inherited\n");
}

#[test]
fn circles_and_cut_files_are_read() {
    let circle = "import { Command } from 'commander';\nfunction f(a) { return g(a).option('--x'); }\nfunction g(a) { return f(a).option('--y'); }\nlet p = new Command(); p = f(p); p.addCommand(p); f(g(p));";
    assert_eq!(print_file("a.ts", circle), "");
    prefixes("a.ts", circle);
    prefixes(
        "a.ts",
        "import { Command } from 'commander';\nnew Command('x').command('y <z>').addOption(new Option('-a, --b <c>').choices(['d'])).option('--e [f...]', 'g', (h, i) => [...i, h], []);",
    );
}
