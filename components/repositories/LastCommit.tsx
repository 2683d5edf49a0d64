import { visible } from "../../lib/i18n/visible.ts";
import type { UsedCommit } from "../../lib/tasks/last_uses.ts";
import { Dash } from "../ui/cells.tsx";

interface LastCommitProps {
  commit: UsedCommit | null;
  /** Branch of the repository, which is not repeated. */
  branch: string;
}

/** The commit that a task checked out last: its branch if it was another one, hash and message. */
export function LastCommit({ commit, branch }: LastCommitProps) {
  if (!commit) return <Dash />;
  const { hash, message } = commit;
  const [subject] = visible(message).split("\n", 1);
  return (
    <span class="clamp" title={subject}>
      {commit.branch && commit.branch !== branch && <code>{commit.branch}</code>}{" "}
      <code>{hash.slice(0, 10)}</code> {subject}
    </span>
  );
}
