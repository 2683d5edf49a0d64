import * as z from "zod";

export const knownHostSchema = z.object({
  /** "name", or "[name]:port" if ssh does not listen on its default port. */
  host: z.string(),
  keys: z.array(z.object({
    type: z.string(),
    /** Format of `ssh-keygen -l`. */
    fingerprint: z.string(),
  })),
});
/** A host with its pinned keys, as the API returns it. */
export type KnownHost = z.output<typeof knownHostSchema>;
