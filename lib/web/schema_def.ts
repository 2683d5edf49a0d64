import type { z } from "zod";

/** What of zod's description of a schema is looked at by those who read texts for it. */
export interface Def {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  values?: unknown[];
  entries?: Record<string, unknown>;
}

/** How zod describes the schema. */
export const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;
