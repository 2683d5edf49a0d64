import { z } from "zod";

export const knownHostSchema = z.object({
  /** "name", or "[name]:port" where ssh listens on another port than its usual one. */
  host: z.string(),
  keys: z.array(z.object({
    type: z.string(),
    /** As `ssh-keygen -l` prints it. */
    fingerprint: z.string(),
  })),
});
/** What the API answers: a host, and the keys that are pinned for it. */
export type KnownHost = z.output<typeof knownHostSchema>;
