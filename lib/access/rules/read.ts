import { type AccessRule, RULED_KINDS, type RuledKind } from "../../model/access_rule.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { listUsing } from "../../store/references.ts";
import type { Store } from "../../store/store.ts";

/** Rules of a project: those of its objects, and the views whose rules its templates follow. */
export interface Rules {
  own: Record<RuledKind, ReadonlyMap<number, AccessRule>>;
  /** Views with rules, by their templates. */
  viewOf: ReadonlyMap<number, number>;
}

/** Rows that change with what someone sees of a project, apart from their role and from tasks. */
export const sightStamps = (projectId: number): Deno.KvKey[] => [
  rowKeys.accessRulesStamp(projectId),
  rowKeys.resourcesStamp("templates"),
];

/** More rules than a project has objects: one that is not read would hide nothing. */
const RULES_MAX = 100_000;

/** Returns the rules of a project, read once per change; null without any. */
export const rulesOf = (kv: Store, projectId: number): Promise<Rules | null> =>
  cachedWhile(
    kv,
    sightStamps(projectId),
    `access rules of ${projectId}`,
    () => readRules(kv, projectId),
  );

async function readRules(kv: Store, projectId: number): Promise<Rules | null> {
  const own = {
    templates: new Map<number, AccessRule>(),
    workflows: new Map<number, AccessRule>(),
    views: new Map<number, AccessRule>(),
  };
  const rows = kv.list<AccessRule>({ prefix: rowKeys.accessRules(projectId) }, {
    limit: RULES_MAX,
    batchSize: 500,
  });
  for await (const { key, value } of rows) {
    own[key.at(-2) as RuledKind].set(key.at(-1) as number, value);
  }
  const viewOf = new Map<number, number>();
  for (const viewId of own.views.keys()) {
    for (const id of await listUsing(kv, projectId, ["views", viewId], "templates")) {
      viewOf.set(id, viewId);
    }
  }
  return RULED_KINDS.every((kind) => own[kind].size === 0) ? null : { own, viewOf };
}
