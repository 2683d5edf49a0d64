import type { UserActor } from "../access/actor.ts";
import { ALL_PERMISSIONS } from "../access/permissions.ts";
import {
  type AccountScope,
  findMembership,
  type ProjectScope,
  type UserScope,
} from "../access/scope.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { newestOfAccount } from "./activity.ts";
import { SEES_ALL, type Sight, sightOf, stampsFor } from "../access/sight.ts";
import type { EventFilter } from "./find.ts";
import { newestSeen, newestSeenOf } from "./seen.ts";
import type { StoredEvent } from "./repository.ts";
import { type EventPage, EVENTS_MAX, type EventView } from "./schema.ts";
import { type EventSight, eventSightOf, eventView } from "./view.ts";

interface EventQuery extends EventFilter {
  limit?: number;
}

/** The events of a project, latest first. */
export async function listEvents(
  scope: ProjectScope,
  { limit = EVENTS_MAX, ...filter }: EventQuery = {},
): Promise<EventPage> {
  const { deps: { kv }, projectId } = scope;
  const readable = projectOf(scope);
  const sight = await sightOf(scope);
  const read = () => readPage(newestSeen(kv, sight, projectId, filter, limit + 1), readable, limit);
  const isPolled = limit <= POLLED_MAX && Object.values(filter).every((one) => one === undefined);
  if (!isPolled) return await read();
  const { changes, client, readerId } = readable.sight(projectId);
  const name = `${limit} events of ${projectId}: ${changes} ${client || readerId} ${sight.readers}`;
  return await cachedWhile(kv, [rowKeys.eventsStamp(), ...stampsFor(sight, projectId)], name, read);
}

/** Clients poll the latest events. Answers with up to this many events are cached. */
const POLLED_MAX = 200;

/** The events of the projects that `actor` is a member of. Admins also see the server's own. */
export async function listOwnEvents(
  { deps, actor }: UserScope,
  { limit = EVENTS_MAX, ...filter }: EventQuery = {},
): Promise<EventPage> {
  const projects = await projectsOf(deps.kv, actor);
  return await readPage(newestSeenOf(deps.kv, projects.sights, filter), projects, limit);
}

/** The matching events of a project, latest first, one by one. */
export async function* exportEvents(
  scope: ProjectScope,
  { limit, ...filter }: EventQuery,
): AsyncGenerator<EventView> {
  const sight = await sightOf(scope);
  const events = newestSeen(scope.deps.kv, sight, scope.projectId, filter, limit);
  for await (const event of events) yield viewIn(projectOf(scope), event);
}

/** The same for the projects of a person, and for the server if that is an admin. */
export async function* exportOwnEvents(
  { deps, actor }: UserScope,
  { limit = EVENTS_MAX, ...filter }: EventQuery,
): AsyncGenerator<EventView> {
  const projects = await projectsOf(deps.kv, actor);
  let left = limit;
  for await (const event of newestSeenOf(deps.kv, projects.sights, filter)) {
    if (left-- === 0) return;
    yield viewIn(projects, event);
  }
}

/** Number of events on an account's page. */
const ACCOUNT_EVENTS = 20;

/** The latest events of an account, latest first. Its owner and admins may see them. */
export async function listAccountEvents(
  { deps, actor, userId }: AccountScope,
): Promise<EventView[]> {
  const sight = { ...eventSightOf(actor, actor.admin ? ALL_PERMISSIONS : 0), changes: true };
  const events = await newestOfAccount(deps.kv, userId, ACCOUNT_EVENTS);
  return events.map((event) => eventView(event, new Map(), sight));
}

/** The projects of a reader's events, and the parts of events that the reader sees in each. */
interface Readable {
  names: ReadonlyMap<number, string>;
  sight(projectId: number): EventSight;
}

/** The projects of a person, and 0 for the server. */
interface OwnProjects extends Readable {
  sights: ReadonlyMap<number, Sight>;
}

function projectOf({ actor, projectId, project, permissions }: ProjectScope): Readable {
  const sight = eventSightOf(actor, permissions);
  return { names: new Map([[projectId, project.name]]), sight: () => sight };
}

async function projectsOf(kv: Store, actor: UserActor): Promise<OwnProjects> {
  const names = new Map<number, string>();
  const sights = new Map<number, Sight>();
  const parts = new Map<number, EventSight>();
  for await (const { key } of kv.list({ prefix: rowKeys.membersByUser(actor.id) })) {
    const membership = await findMembership(kv, actor, key[2] as number);
    if (!membership) continue;
    const { id: projectId, name } = membership.project;
    names.set(projectId, name);
    sights.set(projectId, await sightOf({ deps: { kv }, actor, projectId, ...membership }));
    parts.set(projectId, eventSightOf(actor, membership.permissions));
  }
  const server = eventSightOf(actor, actor.admin ? ALL_PERMISSIONS : 0);
  if (actor.admin) sights.set(0, SEES_ALL);
  return { names, sights, sight: (projectId) => parts.get(projectId) ?? server };
}

const viewIn = ({ names, sight }: Readable, event: StoredEvent): EventView =>
  eventView(event, names, sight(event.projectId));

async function readPage(
  events: AsyncIterable<StoredEvent>,
  projects: Readable,
  limit: number,
): Promise<EventPage> {
  const page: EventPage = { events: [], hasNext: false };
  for await (const event of events) {
    if (page.events.length === limit) return { ...page, hasNext: true };
    page.events.push(viewIn(projects, event));
  }
  return page;
}
