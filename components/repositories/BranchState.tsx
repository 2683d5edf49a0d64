import { repositoryKind } from "../../lib/execution/git/url.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { RepositoryView } from "../../lib/resources/repositories/schema.ts";
import type { UsedCommit } from "../../lib/tasks/last_uses.ts";
import { Dash } from "../ui/lists/cells.tsx";

interface BranchStateProps {
  ui: Ui;
  repository: Pick<RepositoryView, "git_url" | "git_branch"> & { commit: UsedCommit | null };
}

/** The branch of a repository, and its commit that a task checked out last. */
export function BranchState({ ui, repository }: BranchStateProps) {
  const { git_url, git_branch, commit } = repository;
  // A folder is used with whatever is checked out there.
  if (repositoryKind(git_url) === "local") return <Dash />;
  const [subject] = visible(commit?.message ?? "").split("\n", 1);
  const last = commit && ui.labelled(ui.t("repositories.last_commit"), subject);
  return (
    <span class="clamp" title={last ?? git_branch}>
      <code>{git_branch}</code> {commit && <code>{commit.hash.slice(0, 10)}</code>}
    </span>
  );
}
