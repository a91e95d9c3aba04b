//! node's `parseArgs`.

use crate::flags::testing::{prefixes, print_file};

#[test]
fn options() {
    for (text, expected) in [
        (
            "parseArgs({ options: { model: { type: 'string', short: 'm', default: 'x' }, json: { type: 'boolean' } } })",
            "--json\n--model -m <one> =x\n",
        ),
        (
            "parseArgs({ options: { dir: { type: 'string', multiple: true } } })",
            "--dir <many>\n",
        ),
        ("parseArgs({ options: OPTIONS, strict: false })", "--quiet -q\n"),
        (
            "parseArgs({ allowNegative: true, options: { ...OPTIONS, n: { type: 'string' } } })",
            "--n <one>\n--quiet --no-quiet -q\n",
        ),
        ("parseArgs({ options: load() })", "? the options of parseArgs\n"),
        ("own({ options: OPTIONS })", ""),
        (
            "function run(args: string[]) { const [command, ...rest] = args; switch (command) { case 'add': case 'new': { parseArgs({ args: rest, options: OPTIONS }); break; } default: parseArgs({ options: { help: { type: 'boolean' } } }); } }",
            "--help\nadd: --quiet -q\nnew: --quiet -q\n",
        ),
    ] {
        let file = format!(
            "import {{ parseArgs }} from 'node:util';\nconst OPTIONS = {{ quiet: {{ type: 'boolean', short: 'q' }} }} as const;\n{text};"
        );
        assert_eq!(print_file("src/cli.ts", &file), expected, "{text}");
        prefixes("src/cli.ts", &file);
    }
}

#[test]
fn however_it_is_imported() {
    let options = "({ options: { x: { type: 'boolean' } } });";
    for (import, expected) in [
        ("import * as util from 'util';\nutil.parseArgs", "--x\n"),
        ("import util from 'node:util';\nutil.parseArgs", "--x\n"),
        ("const { parseArgs } = require('util');\nparseArgs", "--x\n"),
        ("import { parseArgs as parse } from 'node:util';\nparse", "--x\n"),
        ("import { parseArgs } from './own';\nparseArgs", ""),
    ] {
        assert_eq!(print_file("a.ts", &format!("{import}{options}")), expected, "{import}");
    }
}
