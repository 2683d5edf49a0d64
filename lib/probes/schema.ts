import { z } from "zod";
import { isBranchName } from "../execution/git/url.ts";

/** What a repository is asked about: without a branch, its own. */
export const playbookQuery = z.object({
  branch: z.string().max(255, "errors.too_long").optional()
    .refine((branch) => !branch || isBranchName(branch), "errors.repositories.branch_name"),
});

export const namesSchema = z.array(z.string());
