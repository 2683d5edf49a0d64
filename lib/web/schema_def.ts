import type * as z from "zod";

/** Zod's definition of a schema, for code that walks through schemas. */
export type Def = z.core.$ZodTypes["_zod"]["def"];

/**
 * Returns the definition of a schema without its wrappers, and whether it may be null or missing.
 */
export function defOf(schema: z.core.$ZodType, mayMiss = false): { def: Def; mayMiss: boolean } {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "nullable":
    case "optional":
      return defOf(def.innerType, true);
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return defOf(def.innerType, mayMiss);
    case "pipe":
      return defOf(def.in._zod.def.type === "transform" ? def.out : def.in, mayMiss);
    default:
      return { def, mayMiss };
  }
}
