#!/usr/bin/env node
// Checks every record of a tree against its schema. What needs other files (hashes, references) is for
// `agent-contracts validate`.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { createValidator, kindOfPath, migrate } from "./index.js";

const tree = process.argv[2] ?? "contracts";
const validator = createValidator();
let records = 0;
let wrong = 0;

const tell = (path, place, message) => {
  wrong += 1;
  console.log(`${path}${place}: ${message}`);
};

// A transcript is one record a line.
const lines = (file, path) => {
  for (const [at, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line === "") continue;
    records += 1;
    try {
      for (const error of validator.check("transcript", JSON.parse(line))) {
        tell(path, ` line ${at + 1}${error.instancePath}`, error.message ?? error.keyword);
      }
    } catch (error) {
      tell(path, ` line ${at + 1}`, error.message);
    }
  }
};

const files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const entry of files) {
  const file = join(entry.parentPath ?? entry.path, entry.name);
  const path = relative(tree, file).split(sep).join("/");
  const kind = kindOfPath(path);
  if (path.startsWith("fixtures/") && path.endsWith(".jsonl")) lines(file, path);
  if (!kind) continue;
  records += 1;
  try {
    const record = migrate(kind, JSON.parse(readFileSync(file, "utf8")));
    for (const error of validator.check(kind, record)) tell(path, error.instancePath, error.message ?? error.keyword);
  } catch (error) {
    tell(path, "", error.message);
  }
}
console.log(`${records} records, ${wrong} errors`);
process.exitCode = wrong === 0 ? 0 : 1;
