import type { AccountScope, ProjectScope, UserScope } from "../access/scope.ts";
import { cachedWhile } from "../kv/cached.ts";
import { rowKeys } from "../kv/keys.ts";
import type { ProjectRow } from "../access/rows.ts";
import { newestOfAccount } from "./activity.ts";
import { newestEvents, newestEventsOf, type StoredEvent } from "./repository.ts";
import { eventDescription, type EventPage, EVENTS_MAX, type EventView } from "./schema.ts";

export interface EventQuery {
  limit?: number;
  /** Id of an event. Only older ones are returned. */
  before?: string;
}

/** The events of a project, latest first. */
export async function listEvents(
  { deps, projectId, project }: ProjectScope,
  query: EventQuery = {},
): Promise<EventPage> {
  const names = new Map([[project.id, project.name]]);
  const { limit = EVENTS_MAX, before } = query;
  const take = () => Array.fromAsync(newestEvents(deps.kv, projectId, before, limit + 1));
  const events = limit > POLLED_MAX || before !== undefined
    ? await take()
    : await cachedWhile(deps.kv, [rowKeys.eventsStamp()], `${limit} events of ${projectId}`, take);
  return await readPage(events, names, query);
}

/** Clients poll the latest events. Answers with up to this many events are cached. */
const POLLED_MAX = 200;

/** The events of the projects that `actor` is a member of. Admins also see the server's own. */
export async function listOwnEvents(
  { deps, actor }: UserScope,
  query: EventQuery = {},
): Promise<EventPage> {
  const names = await projectNames(deps.kv, actor.id);
  const projectIds = [...names.keys(), ...(actor.admin ? [0] : [])];
  return await readPage(newestEventsOf(deps.kv, projectIds, query.before), names, query);
}

/** Number of events on an account's page. */
const ACCOUNT_EVENTS = 20;

/** The latest events of an account, latest first. Its owner and admins may see them. */
export async function listAccountEvents({ deps, userId }: AccountScope): Promise<EventView[]> {
  const events = await newestOfAccount(deps.kv, userId, ACCOUNT_EVENTS);
  return events.map((event) => eventView(event, new Map()));
}

async function projectNames(kv: Deno.Kv, userId: number): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for await (const { key } of kv.list({ prefix: rowKeys.membersByUser(userId) })) {
    const project = await kv.get<ProjectRow>(rowKeys.project(key[2] as number));
    if (project.value && !project.value.deleting) names.set(project.value.id, project.value.name);
  }
  return names;
}

async function readPage(
  events: Iterable<StoredEvent> | AsyncIterable<StoredEvent>,
  projectNames: Map<number, string>,
  { limit = EVENTS_MAX }: EventQuery,
): Promise<EventPage> {
  const page: EventPage = { events: [], hasNext: false };
  for await (const event of events) {
    if (page.events.length === limit) return { ...page, hasNext: true };
    page.events.push(eventView(event, projectNames));
  }
  return page;
}

function eventView(
  { id, projectId, row }: StoredEvent,
  projectNames: Map<number, string>,
): EventView {
  return {
    id,
    user_id: row.user_id,
    username: row.username,
    project_id: projectId || null,
    project_name: projectNames.get(projectId) ?? null,
    integration_id: row.object_type === "integration" ? row.object_id : null,
    object_id: row.object_id,
    object_type: row.object_type,
    object_name: row.object_name,
    description: eventDescription(row),
    created: row.created,
  };
}
