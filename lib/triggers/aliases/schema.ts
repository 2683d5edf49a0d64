import { z } from "zod";

export const aliasSchema = z.object({
  id: z.int(),
  /** Where calls go. */
  url: z.string(),
});
/** What the API answers. */
export type AliasView = z.output<typeof aliasSchema>;
