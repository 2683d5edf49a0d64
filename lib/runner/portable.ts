import { AppError } from "../base/errors.ts";
import type { RepositoryPlan } from "../execution/run/plan.ts";

/** Throws 422 if a repository is a folder of the server, which runners cannot read. */
export function requirePortable(...repositories: (RepositoryPlan | null)[]): void {
  if (repositories.some((repository) => repository?.address.kind === "local")) {
    throw new AppError(422, "errors.run.folder_on_server");
  }
}
