import * as z from "zod";

export const aliasSchema = z.object({
  id: z.int(),
  /** URL for calls. */
  url: z.string(),
}).meta({ name: "Alias" });
/** An address as the API returns it. */
export type AliasView = z.output<typeof aliasSchema>;
