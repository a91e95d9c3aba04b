import yargs from "yargs";
import { mcpCommand } from "./mcp.mjs";

yargs(process.argv.slice(2))
  .scriptName("tool")
  .usage("Usage: $0 [options] [command]")
  .option("model", { alias: "m", type: "string", description: "The model" })
  .option("format", { alias: ["f", "fmt"], choices: ["text", "json", "stream-json"], default: "text", describe: "The form of what is printed, told at such a length that it has to be wrapped" })
  .option("dirs", { type: "array", describe: "Folders" })
  .option("verbose", { alias: "v", type: "count", describe: "Say more" })
  .option("color", { type: "boolean", default: true, describe: "In colour" })
  .option("port", { type: "number", default: 8080, describe: "The port" })
  .option("old", { type: "boolean", deprecated: "use --model", describe: "As before" })
  .option("gone", { type: "boolean", hidden: true })
  .option("key", { type: "string", demandOption: true, describe: "The key" })
  .command("run <what>", "Run it", (y) =>
    y.option("fast", { type: "boolean", describe: "Hurry" }).option("jobs", { alias: "j", type: "number", describe: "How many" }),
  )
  .command(mcpCommand)
  .strict()
  .wrap(90)
  .parse();
