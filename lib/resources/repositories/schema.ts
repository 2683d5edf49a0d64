import * as z from "zod";
import { evenIfFieldsFail, idField, nameField } from "../../base/fields.ts";
import {
  isBranchName,
  isPlainHttp,
  repositoryKind,
  repositoryUrlProblem,
} from "../../execution/git/url.ts";

/** Maximum number of commits that a checkout can be limited to. */
export const DEPTH_MAX = 100_000;

/** Body of an API request. Messages are locale keys, never sentences. */
export const repositoryBody = z.object({
  name: nameField,
  git_url: z.string("errors.required").trim().min(1, "errors.required")
    .max(1000, "errors.too_long"),
  git_branch: z.string().trim().max(255, "errors.too_long").nullish()
    .transform((value) => value ?? ""),
  git_depth: z.int("errors.integer").min(0, "errors.invalid").max(DEPTH_MAX, "errors.invalid")
    .nullish().transform((depth) => depth ?? 1),
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
}, evenIfFieldsFail).meta({
  example: {
    name: "Playbooks",
    git_url: "git@git.example.com:shop/playbooks.git",
    git_branch: "main",
    ssh_key_id: 1,
  },
});
export type RepositoryForm = z.output<typeof repositoryBody>;

/** The form of a repository. Rejects a new URL that sends passwords in clear. `stored` may stay. */
export const repositoryForm = (stored = "") =>
  repositoryBody.refine(({ git_url }) => git_url === stored || !isPlainHttp(git_url), {
    path: ["git_url"],
    error: "errors.repositories.incorrect_url",
  });

export const repositorySchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  /** Login and password of an http address are "***". Sending that back leaves them unchanged. */
  git_url: z.string(),
  /** A local folder is used with whatever is checked out. Its branch is stored as it was sent. */
  git_branch: z.string(),
  /** Number of commits that a checkout has. 0 stands for all of them, and all tags. */
  git_depth: z.int(),
  ssh_key_id: z.int(),
});
/** A repository as the API returns it. */
export type RepositoryView = z.output<typeof repositorySchema>;

/** A stored repository. */
export interface RepositoryRow extends RepositoryView {
  /** The sealed login and password that "***" in the URL stands for. */
  url_secret?: Uint8Array;
}
