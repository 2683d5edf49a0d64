import { z } from "zod";
import { isBranchName } from "../execution/git/url.ts";

/** A branch, where an empty one or none is the repository's own. */
export const branchField = z.string().trim().max(255, "errors.too_long").optional()
  .refine((branch) => !branch || isBranchName(branch), "errors.repositories.branch_name");

export const playbookQuery = z.object({ branch: branchField });

export const namesSchema = z.array(z.string());

/** What Ansible sees in an inventory. */
export const hostsSchema = z.object({
  /** Those that have hosts of their own. */
  groups: z.array(z.object({ name: z.string(), hosts: z.array(z.string()) })),
  /** How many hosts there are, be they told or not. */
  hosts: z.int(),
});
