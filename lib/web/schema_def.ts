import type { z } from "zod";

/** What zod says of a schema to those who walk through schemas. */
export type Def = z.core.$ZodTypes["_zod"]["def"];

/** What is said of a schema without what stands around it, and whether it may be null or missing. */
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
