import type { ProjectScope } from "../access/scope.ts";
import { hitPage } from "./hit_page.ts";
import { BESIDE, excerptOf, RANK, rankOf, type Wanted, wantedOf } from "./rank.ts";
import { type Found, HITS_MAX, SEARCH_KINDS, type SearchKind } from "./schema.ts";
import { numberedTask, searchedTasks, textsOfTask } from "./tasks.ts";
import { inventoryHosts, memberThings, namedThings, reachedHosts, type Thing } from "./things.ts";

interface Search {
  /** What is looked for; empty finds nothing. */
  q: string;
  /** Only what is of this kind. */
  kind?: SearchKind;
  /** Of each kind, at most. */
  limit?: number;
  /** Hits of each kind that were shown already. */
  skip?: number;
  /** Only tasks with a smaller id are looked at. */
  before?: number;
}

const LIMIT = 20;

/** Something that fits, and how well. */
interface Fit {
  kind: SearchKind;
  id: number;
  name: string;
  detail: string;
  rank: number;
  templateId?: number;
  /** Whether a run has reached the host. */
  isReached?: boolean;
}

/** What of a project has a text in its name, or beside it: best first, kind by kind. */
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
    // All came in the order that equally good ones stay in.
    const its = fits.filter((fit) => fit.kind === each).toSorted((a, b) => a.rank - b.rank);
    if (its.length === 0) continue;
    const hits = its.slice(skip, skip + Math.min(limit, HITS_MAX)).map((fit) => ({
      kind: each,
      id: fit.id,
      name: fit.name,
      detail: excerptOf(fit.detail, wanted),
      page: hitPage(scope, fit),
    }));
    found.groups.push({ kind: each, count: its.length, hits });
  }
  return { ...found, tasks_since: tasks?.since ?? null, all_hosts: hosts?.isAll ?? true };
}

async function fitsOfNames(scope: ProjectScope, wanted: Wanted, kind?: SearchKind): Promise<Fit[]> {
  const isWanted = (thing: Thing) => kind === undefined || thing.kind === kind;
  const things = [...await namedThings(scope), ...await memberThings(scope)].filter(isWanted);
  return things.flatMap(({ beside, ...thing }) => {
    const rank = rankOf(thing.name, wanted);
    if (rank !== null) return [{ ...thing, rank, detail: beside[0] ?? "" }];
    const best = bestOf(beside, wanted);
    return best ? [{ ...thing, rank: best.rank + BESIDE, detail: best.text }] : [];
  });
}

function bestOf(texts: string[], wanted: Wanted): { text: string; rank: number } | null {
  const fits = texts.flatMap((text) => {
    const rank = rankOf(text, wanted);
    return rank === null ? [] : [{ text, rank }];
  });
  return fits.toSorted((a, b) => a.rank - b.rank).at(0) ?? null;
}

/** Hosts of inventories, and those that only runs have told of; who was reached has a page. */
async function fitsOfHosts(scope: ProjectScope, wanted: Wanted) {
  const [{ lists, isAll }, reached] = await Promise.all([
    inventoryHosts(scope),
    reachedHosts(scope),
  ]);
  const named = new Set(lists.flatMap(({ hosts }) => hosts));
  const told = [...reached.names].filter((name) => !named.has(name));
  const fits = [...lists, { id: 0, name: "", hosts: told }].flatMap(({ id, name: detail, hosts }) =>
    hosts.flatMap((name): Fit[] => {
      const rank = rankOf(name, wanted);
      const isReached = reached.names.has(name);
      return rank === null ? [] : [{ kind: "hosts", id, name, detail, rank, isReached }];
    })
  );
  return { fits, isAll: isAll && reached.isAll };
}

async function fitsOfTasks(scope: ProjectScope, wanted: Wanted, { before }: Search) {
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
  // A number that one types is that of a task, before it is a part of anything else.
  if (numbered) fits.push(fitOf(numbered, textsOfTask(numbered)[0] ?? "", RANK.exact - 1));
  return { fits, since };
}
