import * as z from "zod";
import { personalFields } from "./personal.ts";
import { startTaskFields } from "./start_form.ts";

/** Hosts on which a task may be repeated, by how they ended; the first one by default. */
export const RETRIED_HOSTS = ["not_ok", "failed", "unreachable"] as const;
export type RetriedHosts = (typeof RETRIED_HOSTS)[number];

/** Request to repeat a task on some of its hosts. */
export const retryForm = z.object({
  hosts: z.enum(RETRIED_HOSTS, "errors.invalid").nullish()
    .transform((value) => value ?? RETRIED_HOSTS[0]),
  /** The same commit by default, or the latest one of the branch. */
  commit: z.enum(["same", "latest"], "errors.invalid").nullish()
    .transform((value) => value ?? "same"),
  /** Whether to skip the Ansible tasks before the first one that failed. */
  start_at_failed: z.boolean().nullish().transform((value) => value ?? false),
  message: startTaskFields.shape.message,
  /** Secret answers, which are not kept after the end of a task. */
  secret: startTaskFields.shape.secret,
  ...personalFields,
}).meta({ example: { hosts: "not_ok", commit: "same" } });
export type RetryForm = z.output<typeof retryForm>;
