import type { KeptPlaybooks } from "../execution/git/contents.ts";

/** Playbooks in the latest commit of each branch, least recently stored first. */
type Found = Map<string, { commit: string; playbooks: string[] }>;

const stores = new WeakMap<Deno.Kv, Found>();
const KEPT_MAX = 200;

/**
 * Cache of the playbooks in a stored repository's branch, valid while its commit stays the same.
 */
export function keptPlaybooks(kv: Deno.Kv, repositoryId: number, branch: string): KeptPlaybooks {
  const kept = stores.get(kv) ?? new Map();
  stores.set(kv, kept);
  const name = `${repositoryId} ${branch}`;
  return {
    get(commit) {
      const found = kept.get(name);
      return found?.commit === commit ? found.playbooks : undefined;
    },
    set(commit, playbooks) {
      kept.delete(name);
      kept.set(name, { commit, playbooks });
      if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    },
  };
}
