// Describes types as the TypeScript compiler resolves them, in JSON Schema: what `JSON.stringify` writes of their values.
// stdin: [{files: {path: text}, types: [name]}], the types being those of main.ts; stdout: [{name: schema}].
import fs from "node:fs";
import ts from "typescript";

const DEPTH = 7; // deeper than the shapes are compared
const cases = JSON.parse(fs.readFileSync(0, "utf8"));
const options = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};
const here = process.cwd();
const texts = new Map();
cases.forEach(({ files }, index) => {
  for (const [path, text] of Object.entries(files)) texts.set(`${here}/case${index}/${path}`, text);
});
const host = ts.createCompilerHost(options);
const { fileExists, readFile, getSourceFile, directoryExists } = host;
host.fileExists = (path) => texts.has(path) || fileExists(path);
host.readFile = (path) => texts.get(path) ?? readFile(path);
host.directoryExists = (path) => path.startsWith(`${here}/case`) || directoryExists(path);
host.getSourceFile = (path, target, ...rest) =>
  texts.has(path) ? ts.createSourceFile(path, texts.get(path), target, true) : getSourceFile(path, target, ...rest);
const program = ts.createProgram([...texts.keys()], options, host);
const checker = program.getTypeChecker();
const never = { not: {} };

function describe(type, depth) {
  const { flags } = type;
  const is = (flag) => (flags & flag) !== 0;
  if (is(ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive | ts.TypeFlags.TypeParameter)) return {};
  if (is(ts.TypeFlags.Never)) return never;
  if (type.isUnion()) {
    const arms = type.types.filter((arm) => !leftOut(arm));
    return arms.length === 0 ? never : { anyOf: arms.map((arm) => describe(arm, depth)) };
  }
  if (is(ts.TypeFlags.Null)) return { type: "null" };
  if (is(ts.TypeFlags.BooleanLiteral)) return { const: type.intrinsicName === "true" };
  if (is(ts.TypeFlags.Boolean)) return { type: "boolean" };
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (is(ts.TypeFlags.StringLike)) return { type: "string" };
  if (is(ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) return { type: "number" };
  if (type.isIntersection()) {
    // A branded `string & {…}` is a string.
    const plain = type.types.find((part) => (part.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) !== 0);
    if (plain) return describe(plain, depth);
  }
  if (depth > DEPTH) return { type: "object" };
  const below = (inner) => describe(inner, depth + 1);
  if (checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type);
    const flagsOf = type.target.elementFlags;
    if (items.length === 1 && (flagsOf[0] & ts.ElementFlags.Rest) !== 0) return { type: "array", items: below(items[0]) };
    return { type: "array", prefixItems: items.map(below) };
  }
  if (checker.isArrayType(type)) return { type: "array", items: below(checker.getTypeArguments(type)[0]) };
  const toJson = checker.getPropertyOfType(type, "toJSON");
  if (toJson) {
    const [call] = checker.getSignaturesOfType(checker.getTypeOfSymbol(toJson), ts.SignatureKind.Call);
    if (call) return describe(checker.getReturnTypeOfSignature(call), depth);
  }
  const schema = { type: "object", properties: {}, required: [] };
  for (const property of checker.getPropertiesOfType(type)) {
    const held = checker.getTypeOfSymbol(property);
    if (leftOut(held) || (held.isUnion() && held.types.every(leftOut))) continue;
    schema.properties[property.name] = below(held);
    const may = (property.flags & ts.SymbolFlags.Optional) !== 0 || (held.isUnion() && held.types.some(leftOut));
    if (!may) schema.required.push(property.name);
  }
  const [index] = checker.getIndexInfosOfType(type);
  if (index) schema.additionalProperties = below(index.type);
  return schema;
}

// What JSON has no word for.
function leftOut(type) {
  const none = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.ESSymbolLike;
  if ((type.flags & none) !== 0) return true;
  return type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0;
}

const answers = cases.map(({ types }, index) => {
  const source = program.getSourceFile(`${here}/case${index}/main.ts`);
  const wrong = program.getSemanticDiagnostics(source).concat(program.getSyntacticDiagnostics(source));
  const answer = { errors: wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")) };
  // Without an import or export a file is a script, and its names are everybody's.
  const symbol = checker.getSymbolAtLocation(source);
  const names = new Map((symbol ? checker.getExportsOfModule(symbol) : []).map((one) => [one.name, one]));
  for (const name of types) {
    const found = names.get(name);
    if (found) {
      const target = (found.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(found) : found;
      answer[name] = describe(checker.getDeclaredTypeOfSymbol(target), 0);
    }
  }
  return answer;
});
process.stdout.write(JSON.stringify(answers));
