import type { ProjectScope } from "../access/scope.ts";
import { digest } from "../base/version.ts";
import type { RepositoryContents } from "../execution/git/contents.ts";
import { findStoredText, storeText } from "../store/stored_texts.ts";
import type { RepositoryRow } from "../resources/repositories/schema.ts";

type RefNames = Pick<RepositoryContents, "branches" | "tags">;
type Source = Pick<RepositoryRow, "id" | "git_url">;

/** Name of the stored text. Another address has another name. */
const textName = ({ id, git_url }: Source) => `refs ${id} ${digest(git_url, 22)}`;

/** Stores the branches and tags that a look at a repository has found. */
export const keepRefNames = (
  { deps, projectId }: ProjectScope,
  source: Source,
  { branches, tags }: RefNames,
): Promise<void> =>
  storeText(deps.kv, projectId, textName(source), {
    text: JSON.stringify({ branches, tags } satisfies RefNames),
    readAt: deps.clock.now().toISOString(),
  });

/** Returns branches and tags as the last look has found them; null if there was none. */
export async function findRefNames(
  { deps: { kv }, projectId }: ProjectScope,
  source: Source,
): Promise<RefNames | null> {
  const kept = await findStoredText(kv, projectId, textName(source));
  return kept && JSON.parse(kept.text);
}
