import * as z from "zod";

const HOSTS_MAX = 10_000;

export const fixDriftForm = z.object({
  /** Hosts that differ. Without any, all that differ. */
  hosts: z.array(z.string().max(1_000, "errors.too_long")).max(HOSTS_MAX, "errors.drift.hosts_max")
    .nullish().transform((hosts) => hosts ?? []),
  /** The commit that the check ran, or the latest one. */
  commit: z.enum(["check", "latest"]).nullish().transform((commit) => commit ?? "check"),
}).meta({ example: { hosts: ["web1"], commit: "check" } });
export type FixDriftForm = z.output<typeof fixDriftForm>;
