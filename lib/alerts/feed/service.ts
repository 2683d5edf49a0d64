import { claimedUserId, hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import type { PublicDeps } from "../../access/deps.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { notFound } from "../../base/errors.ts";
import { paths } from "../../base/paths.ts";
import { recordChange } from "../../events/record_change.ts";
import { guardProject } from "../../store/guard_project.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { getUserRow } from "../../model/accounts.ts";
import { publicUrl } from "../message.ts";
import { CHAT_LANGUAGE, languageOf } from "../recipients.ts";
import { alertEvent, openPlace } from "../scope.ts";
import { atomOf } from "./atom.ts";
import { type FeedRow, findFeed, listFeedEntries, removeFeed } from "./repository.ts";
import type { FeedView, NewFeed } from "./schema.ts";

type FeedScope = ProjectScope<"manage_resources">;

/** Returns whether the project has a feed, and since when its token is valid. */
export const getFeed = async (scope: FeedScope): Promise<FeedView> => ({
  created: (await findFeed(scope.deps.kv, await openPlace(scope))).value?.created ?? null,
});

/**
 * Creates the feed of a project, or gives it another token. Its entries stay. Its token belongs to
 * the project, so that the feed tells its readers about all of it.
 */
export async function createFeed(scope: FeedScope): Promise<NewFeed> {
  const { deps: { kv, clock }, deps, actor, project } = scope;
  const projectId = await openPlace(scope);
  const { text: token, hash } = newBearerToken(projectId);
  const user = actor.kind === "user" ? await getUserRow(kv, actor.id) : null;
  await transact(kv, async (op) => {
    await guardProject(kv, op, projectId);
    const entry = await findFeed(kv, projectId);
    const row: FeedRow = {
      id: entry.value?.id ?? crypto.randomUUID(),
      hash,
      language: user ? languageOf(user) : CHAT_LANGUAGE,
      created: clock.now().toISOString(),
    };
    op.check(entry).set(entry.key, row);
    const event = alertEvent({ project_id: projectId, id: 0, name: project.name }, "feed_created");
    await recordChange(op, deps, actor, event, { before: null, after: null });
  });
  return { token };
}

/** Deletes the feed of a project with its entries. Throws not found. */
export async function deleteFeed(scope: FeedScope): Promise<void> {
  const { deps, actor, project } = scope;
  const projectId = await openPlace(scope);
  await transact(deps.kv, async (op) => {
    const entry = await findFeed(deps.kv, projectId);
    if (entry.value === null) throw notFound();
    await removeFeed(deps.kv, op.check(entry), projectId);
    const event = alertEvent({ project_id: projectId, id: 0, name: project.name }, "feed_deleted");
    await recordChange(op, deps, actor, event, { before: null, after: null });
  });
}

/** Returns the feed that a token opens as a document of Atom. Throws not found. */
export async function readFeed({ kv, config }: PublicDeps, token: string): Promise<string> {
  const projectId = claimedUserId(token);
  if (projectId === null) throw notFound();
  const [feed, project] = await kv.getMany<[FeedRow, ProjectRow]>([
    rowKeys.alertFeed(projectId),
    rowKeys.project(projectId),
  ]);
  const isOpen = project.value && !project.value.deleting && feed.value?.hash === hashToken(token);
  if (!isOpen || !feed.value) throw notFound();
  const entries = await listFeedEntries(kv, projectId);
  return atomOf({
    ...feed.value,
    title: project.value!.name,
    url: publicUrl(config, paths.alerts(projectId)),
  }, entries.map(({ value }) => value));
}
