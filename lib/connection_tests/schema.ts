import * as z from "zod";
import { isBranchName } from "../execution/git/url.ts";

/** Name of a branch. An empty or missing one means the repository's own. */
export const optionalBranchField = z.string().trim().max(255, "errors.too_long").optional()
  .refine((branch) => !branch || isBranchName(branch), "errors.repositories.branch_name");

export const playbookQuery = z.object({
  branch: optionalBranchField.describe("Name of the branch"),
});

export const namesSchema = z.array(z.string());

/** Hosts and groups that Ansible finds in an inventory. */
export const hostsSchema = z.object({
  /** Groups that have hosts of their own. */
  groups: z.array(z.object({ name: z.string(), hosts: z.array(z.string()) })),
  /** Total number of hosts, including those that are not listed. */
  hosts: z.int(),
  /** Warnings of Ansible, for example about a file that it cannot read. */
  warnings: z.array(z.string()),
});
