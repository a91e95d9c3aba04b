import { Command, Option } from "commander";
import { addProvider, withCommon } from "./sub.mjs";

const FORMATS = ["text", "json", "stream-json"];
const gather = (value, all) => [...(all ?? []), value];

const program = new Command("tool")
  .description("A tool whose description is long enough that the library has to wrap it over more than one line of text")
  .version("1.2.3", "-V, --version")
  .option("-m, --model <model>", "the model")
  .option("--port <number>", "the port to listen on, which is described at such a length that it must be wrapped by the library", "8080")
  .option("-c, --continue", "go on with what was begun")
  .option("--host [host]", "the host, --port is the port")
  .option("--dirs <dirs...>", "folders that are read")
  .option("--no-color", "plain text")
  .option("--tags [tags...]", "labels")
  .addOption(new Option("-f, --format <format>", "the form of the output").choices(FORMATS).default("text"))
  .addOption(new Option("--level <n>", "how loud").default(2).env("TOOL_LEVEL"))
  .addOption(new Option("--secret <x>").hideHelp())
  .addOption(new Option("--old", "Deprecated: use --model"))
  .option("--dir <dir>", "a folder, again and again", gather, []);

const mcp = program.command("mcp").description("servers");
mcp
  .command("add <name> [args...]")
  .alias("a")
  .description("add one")
  .option("-s, --scope <scope>", "user or project", "user")
  .option("-e, --env <pair...>", "variables")
  .option("-t, --transport <kind>", "how it is reached");
mcp.command("list").option("--json", "print JSON", false);

program.addCommand(new Command("doctor").option("--fix", "repair what can be repaired"));
addProvider(program);
withCommon(program.command("serve")).option("--tls", "over TLS");
withCommon(program.command("attach <id>", { hidden: true }));

program.parse();
