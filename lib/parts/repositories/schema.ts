import { z } from "zod";
import { idField, nameField, toldAtOnce } from "../../base/fields.ts";
import {
  isBranchName,
  isPlainHttp,
  repositoryKind,
  repositoryUrlProblem,
} from "../../execution/git/url.ts";

/** What clients of the API may send. Messages are locale keys, never sentences. */
export const repositoryBody = z.object({
  name: nameField,
  git_url: z.string("errors.required").trim().min(1, "errors.required")
    .max(1000, "errors.too_long"),
  git_branch: z.string().trim().max(255, "errors.too_long").nullish()
    .transform((value) => value ?? ""),
  ssh_key_id: idField,
}).superRefine(({ git_url, git_branch }: { git_url: unknown; git_branch: unknown }, ctx) => {
  if (typeof git_url !== "string" || typeof git_branch !== "string") return;
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  const problem = repositoryUrlProblem(git_url);
  if (problem) wrong("git_url", problem);
  if (repositoryKind(git_url) === "local") return;
  if (git_branch === "") wrong("git_branch", "errors.required");
  else if (!isBranchName(git_branch)) wrong("git_branch", "errors.repositories.branch_name");
}, toldAtOnce);
export type RepositoryForm = z.output<typeof repositoryBody>;

/** What a person may type. Nobody begins to send passwords in the clear; `stored` may stay. */
export const repositoryForm = (stored = "") =>
  repositoryBody.refine(({ git_url }) => git_url === stored || !isPlainHttp(git_url), {
    path: ["git_url"],
    error: "errors.repositories.incorrect_url",
  });

export const repositorySchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  /** Of an http address with login and password those are "***"; sent back, they stay. */
  git_url: z.string(),
  /** Kept for a local folder as it was sent: that is used as it is, whatever is checked out. */
  git_branch: z.string(),
  ssh_key_id: z.int(),
});
/** What the API answers. */
export type RepositoryView = z.output<typeof repositorySchema>;

/** What is stored. */
export interface RepositoryRow extends RepositoryView {
  /** What "***" in the URL stands for, sealed. */
  url_secret?: Uint8Array;
}
