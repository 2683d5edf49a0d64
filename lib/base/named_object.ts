import * as z from "zod";

/** An object of a project that another one names. */
export const namedObjectSchema = z.object({ id: z.int(), name: z.string() }).meta({
  name: "NamedObject",
});
