import * as z from "zod";

const identityKeySchema = z.object({
  /** Thumbprint of the public key (RFC 7638). */
  kid: z.string(),
  created: z.iso.datetime(),
  /** Time of its first signature. It is published a day before. */
  signs_from: z.iso.datetime(),
  state: z.enum(["previous", "current", "next"]),
});

export const taskIdentitySchema = z.object({
  /** Issuer of all identities; null if the server's own address is not configured. */
  issuer: z.string().nullable(),
  /** Published keys, the oldest first. */
  keys: z.array(identityKeySchema),
});
/** The issuer and the keys of identities of tasks, as the API returns them. */
export type TaskIdentityView = z.output<typeof taskIdentitySchema>;
export type IdentityKeyView = z.output<typeof identityKeySchema>;
