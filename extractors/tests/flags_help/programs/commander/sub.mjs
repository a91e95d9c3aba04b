import { Command } from "commander";

export function addProvider(parent) {
  const provider = parent.command("provider");
  provider
    .command("add <url>")
    .requiredOption("-k, --api-key <key>", "the key")
    .option("--base-url <url>", "where it is");
  provider.addCommand(new Command("list").option("--all", "also what is off"));
}

export function withCommon(command) {
  return command.option("--quiet", "say less").option("--timeout <ms>", "how long is waited", "1000");
}
