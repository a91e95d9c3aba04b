export * from "./types.js";

/** Where records of a kind stand in the tree; null for what stands in none. */
export type Place = { file: string } | { folder: string; ending: string } | null;

export interface RecordKind {
  id: string;
  /** The letters of its codes, as in OBS007. */
  letters: string;
  about: string;
  place: Place;
}

export type MigrationStep =
  | { op: "rename"; at: string; from: string; to: string }
  | { op: "default"; at: string; name: string; value: unknown }
  | { op: "remove"; at: string; name: string };

export interface Migration {
  kind: string;
  from: number;
  to: number;
  changelog: string;
  steps: MigrationStep[];
}

export interface SchemaError {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

export declare const SCHEMA_VERSION: 1;
export declare const kinds: RecordKind[];
export declare const migrations: Migration[];
export declare function schema(kind: string): Record<string, unknown>;
export declare function kindOfPath(path: string): string | undefined;
export declare function migrate(kind: string, record: unknown, registered?: Migration[]): unknown;
export declare function createValidator(options?: Record<string, unknown>): {
  check(kind: string, record: unknown): SchemaError[];
};
