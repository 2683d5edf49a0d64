import { type Catalog, catalogs } from "./catalogs.ts";

let known: Set<string> | undefined;

/** Whether a key is that of an error, which has a sentence. */
export const isErrorKey = (key: string): boolean => (known ??= new Set(errorKeys())).has(key);

function* errorKeys(): Generator<string> {
  const { errors } = catalogs.get("en")!.read();
  if (typeof errors === "object") yield* keysIn(errors, "errors");
}

function* keysIn(catalog: Catalog, prefix: string): Generator<string> {
  for (const [name, value] of Object.entries(catalog)) {
    const key = `${prefix}.${name}`;
    if (typeof value === "object") yield* keysIn(value, key);
    else yield key.replace(/_(one|other)$/, "");
  }
}
