// Builds schemas with zod, prints their JSON Schema where zod can, and parses values with them.
// stdin: {zod: package, cases: [{code, probes}]}; stdout: [{input, output, accepted, error}].
import fs from "node:fs";
import ts from "typescript";

const { zod, cases } = JSON.parse(fs.readFileSync(0, "utf8"));
const { z } = await import(zod);
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };

function judge({ code, probes }) {
  const exports = {};
  new Function("z", "exports", ts.transpileModule(code, { compilerOptions }).outputText)(z, exports);
  const { T } = exports;
  const answer = { accepted: probes.map((probe) => T.safeParse(probe).success) };
  for (const io of ["input", "output"]) {
    if (z.toJSONSchema) answer[io] = z.toJSONSchema(T, { io, unrepresentable: "any" });
  }
  return answer;
}

const answers = cases.map((one) => {
  try {
    return judge(one);
  } catch (error) {
    return { error: String(error) };
  }
});
process.stdout.write(JSON.stringify(answers));
