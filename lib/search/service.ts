import type { ProjectScope } from "../access/scope.ts";
import { BESIDE, excerptOfText, RANK, rankOf, type SearchWords, wantedOf } from "./rank.ts";
import { type Found, HITS_MAX, SEARCH_KINDS, type SearchKind } from "./schema.ts";
import { numberedTask, searchedTasks, textsOfTask } from "./tasks.ts";
import { memberThings, namedThings, reachedHosts, searchableHosts, type Thing } from "./things.ts";
import { grants, RESOURCE_PERMISSIONS } from "../access/permissions.ts";
import { SECTION_OF } from "../base/nouns.ts";
import { paths } from "../base/paths.ts";

interface Search {
  /** The search text; an empty one finds nothing. */
  q: string;
  /** Only objects of this kind. */
  kind?: SearchKind;
  /** Maximum number of hits of each kind. */
  limit?: number;
  /** Number of hits of each kind that were already shown. */
  skip?: number;
  /** Only tasks with a smaller id. */
  before?: number;
}

const LIMIT = 20;

/** An object that matches, with its rank. */
interface Fit {
  kind: SearchKind;
  id: number;
  name: string;
  detail: string;
  rank: number;
  templateId?: number;
  workflowId?: number;
  /** Whether a task has reached the host. */
  isReached?: boolean;
}

/** Searches names and other texts of a project's objects. Returns hits by kind, best first. */
export async function searchProject(scope: ProjectScope, search: Search): Promise<Found> {
  const { q, kind, limit = LIMIT, skip = 0 } = search;
  const wanted = wantedOf(q);
  const found: Found = { groups: [], tasks_since: null, all_hosts: true };
  if (wanted.text === "") return found;
  const [named, hosts, tasks] = await Promise.all([
    fitsOfNames(scope, wanted, kind),
    kind === undefined || kind === "hosts" ? fitsOfHosts(scope, wanted) : null,
    kind === undefined || kind === "tasks" ? fitsOfTasks(scope, wanted, search) : null,
  ]);
  const fits = [...named, ...hosts?.fits ?? [], ...tasks?.fits ?? []];
  for (const each of SEARCH_KINDS) {
    // Objects of equal rank stay in the order in which they were read.
    const its = fits.filter((fit) => fit.kind === each).toSorted((a, b) => a.rank - b.rank);
    if (its.length === 0) continue;
    const hits = its.slice(skip, skip + Math.min(limit, HITS_MAX)).map((fit) => ({
      kind: each,
      id: fit.id,
      name: fit.name,
      detail: excerptOfText(fit.detail, wanted),
      page: hitPage(scope, fit),
    }));
    found.groups.push({ kind: each, count: its.length, hits });
  }
  return { ...found, tasks_since: tasks?.since ?? null, all_hosts: hosts?.isAll ?? true };
}

async function fitsOfNames(
  scope: ProjectScope,
  wanted: SearchWords,
  kind?: SearchKind,
): Promise<Fit[]> {
  const isWanted = (thing: Thing) => kind === undefined || thing.kind === kind;
  const things = [...await namedThings(scope), ...await memberThings(scope)].filter(isWanted);
  return things.flatMap(({ beside, ...thing }) => {
    const rank = rankOf(thing.name, wanted);
    if (rank !== null) return [{ ...thing, rank, detail: beside[0] ?? "" }];
    const best = bestOf(beside, wanted);
    return best ? [{ ...thing, rank: best.rank + BESIDE, detail: best.text }] : [];
  });
}

function bestOf(texts: string[], wanted: SearchWords): { text: string; rank: number } | null {
  const fits = texts.flatMap((text) => {
    const rank = rankOf(text, wanted);
    return rank === null ? [] : [{ text, rank }];
  });
  return fits.toSorted((a, b) => a.rank - b.rank).at(0) ?? null;
}

/**
 * Returns matching hosts of inventories and of tasks. Hosts that a task has reached have a page.
 */
async function fitsOfHosts(scope: ProjectScope, wanted: SearchWords) {
  const [{ lists, isAll }, reached] = await Promise.all([
    searchableHosts(scope),
    reachedHosts(scope),
  ]);
  const named = new Set(lists.flatMap(({ hosts }) => hosts));
  const others = [...reached.names].filter((name) => !named.has(name));
  const fits = [...lists, { id: 0, name: "", hosts: others }].flatMap((
    { id, name: detail, hosts },
  ) =>
    hosts.flatMap((name): Fit[] => {
      const rank = rankOf(name, wanted);
      const isReached = reached.names.has(name);
      return rank === null ? [] : [{ kind: "hosts", id, name, detail, rank, isReached }];
    })
  );
  return { fits, isAll: isAll && reached.isAll };
}

async function fitsOfTasks(scope: ProjectScope, wanted: SearchWords, { before }: Search) {
  const [numbered, { tasks, since }, things] = await Promise.all([
    before === undefined ? numberedTask(scope, wanted.text) : null,
    searchedTasks(scope, before),
    namedThings(scope),
  ]);
  const templates = things.filter((thing) => thing.kind === "templates");
  const names = new Map(templates.map(({ id, name }) => [id, name]));
  const fitOf = (task: typeof tasks[number], detail: string, rank: number): Fit => ({
    kind: "tasks",
    id: task.id,
    name: `#${task.id} ${names.get(task.template_id) ?? ""}`,
    detail,
    rank,
    templateId: task.template_id,
  });
  const fits = tasks.flatMap((task) => {
    const best = task.id === numbered?.id ? null : bestOf(textsOfTask(task), wanted);
    return best ? [fitOf(task, best.text, best.rank)] : [];
  });
  // A number that someone types means a task first, before it is a part of other texts.
  if (numbered) fits.push(fitOf(numbered, textsOfTask(numbered)[0] ?? "", RANK.exact - 1));
  return { fits, since };
}

/** An object that was found, and the template whose page is shown if the object has none. */
interface FoundObject {
  kind: SearchKind;
  id: number;
  name: string;
  templateId?: number;
  workflowId?: number;
  /** Whether a task has reached the host, which then has a page. */
  isReached?: boolean;
}

/** Returns the page of a hit. People who may not change a resource get the list that it is in. */
function hitPage(
  { projectId, permissions }: ProjectScope,
  { kind, id, name, templateId, workflowId, isReached }: FoundObject,
): string {
  if (isReached) return paths.host(projectId, name);
  switch (kind) {
    case "templates":
      return paths.template(projectId, id);
    case "workflows":
      return paths.workflow(projectId, id);
    case "tasks":
      return paths.task(projectId, templateId!, id);
    case "schedules":
      return paths.startTarget(projectId, {
        template_id: templateId ?? null,
        workflow_id: workflowId,
      });
    case "views":
      return paths.templates(projectId, id);
    case "integrations":
      return paths.integration(projectId, id);
    case "members":
      return paths.section(projectId, "team");
    default: {
      const noun = kind === "hosts" ? "inventories" : kind;
      const section = SECTION_OF[noun];
      return grants(permissions, RESOURCE_PERMISSIONS[noun])
        ? paths.item(projectId, section, id)
        : paths.section(projectId, section);
    }
  }
}
