const addCommand = {
  command: "add <name> <url>",
  describe: "Add a server",
  builder: (yargs) =>
    yargs
      .option("scope", { alias: "s", type: "string", choices: ["user", "project"], default: "project", describe: "Where it is kept" })
      .option("header", { alias: "H", type: "array", string: true, describe: "Headers" }),
  handler: () => {},
};

export const mcpCommand = {
  command: "mcp",
  describe: "Servers",
  builder: (yargs) => yargs.command(addCommand).demandCommand(1),
  handler: () => {},
};
