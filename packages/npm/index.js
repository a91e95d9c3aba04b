// The records of the registry for JavaScript: their schemas, a validator, and migrations between versions.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const read = (url) => JSON.parse(readFileSync(url, "utf8"));
const here = (path) => new URL(path, import.meta.url);

// In the repository the schemas stand in the tree; in the package beside this file.
const folder = existsSync(fileURLToPath(here("./schemas/"))) ? "./schemas/" : "../../contracts/schemas/";

export const SCHEMA_VERSION = 1;
export const kinds = read(here("./kinds.json"));
export const migrations = read(here("./migrations.json"));

export function schema(kind) {
  return read(here(`${folder}${kind}.schema.json`));
}

/** The kind of the record at a path of the tree; undefined for a text. */
export function kindOfPath(path) {
  return kinds.find(
    ({ place }) =>
      place &&
      (place.file ? path === place.file : path.startsWith(`${place.folder}/`) && path.endsWith(place.ending)),
  )?.id;
}

const parent = (record, pointer) =>
  pointer
    .split("/")
    .slice(1)
    .reduce((value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], record);

const operations = {
  rename: (object, { from, to }) => {
    if (Object.hasOwn(object, from)) {
      object[to] = object[from];
      delete object[from];
    }
  },
  default: (object, { name, value }) => {
    if (!Object.hasOwn(object, name)) object[name] = structuredClone(value);
  },
  remove: (object, { name }) => {
    delete object[name];
  },
};

/** The record in the version that is known here; throws for a version that no migration leads from. */
export function migrate(kind, record, registered = migrations) {
  let current = structuredClone(record);
  for (let used = 0; used <= registered.length; used += 1) {
    const found = current?.schema_version;
    if (!Number.isInteger(found) || found === SCHEMA_VERSION || found < 1) return current;
    const migration = registered.find((one) => one.kind === kind && one.from === found);
    if (!migration) break;
    for (const step of migration.steps) {
      const object = parent(current, step.at);
      if (object && typeof object === "object") operations[step.op](object, step);
    }
    current.schema_version = migration.to;
  }
  throw new RangeError(
    `schema_version ${current.schema_version} is not known; ${SCHEMA_VERSION} is, and no migration is registered`,
  );
}

/** Compiled schemas. `check(kind, record)` gives the errors of ajv, none when the record is one. */
export function createValidator(options = {}) {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false, allowUnionTypes: true, ...options });
  addFormats(ajv);
  const compiled = new Map();
  return {
    check(kind, record) {
      if (!compiled.has(kind)) compiled.set(kind, ajv.compile(schema(kind)));
      const validate = compiled.get(kind);
      return validate(record) ? [] : [...validate.errors];
    },
  };
}
