import { hostOperations } from "@/lib/hosts/operations.ts";
import { forgetHost, getHostFacts, listHostRuns, listProjectHosts } from "@/lib/hosts/service.ts";
import { hasAddress, nameRank } from "@/lib/hosts/rows.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

const HOSTS_MAX = 1_000;
const RUNS_MAX = 200;

export const hosts = bind(hostOperations, {
  async list({ scope, query: { limit, count, q, after_host: name } }) {
    const { hosts, next } = await listProjectHosts(scope, {
      q,
      order: "name",
      isReverse: false,
      after: name && hasAddress(name) ? { rank: nameRank(name), name } : null,
      limit: Math.min(limit ?? count ?? HOSTS_MAX, HOSTS_MAX),
    });
    return paged(hosts, next !== null, ({ name }) => ({ after_host: name }));
  },
  async runs({ scope, params, query: { limit, count, before } }) {
    const page = { before, limit: Math.min(limit ?? count ?? RUNS_MAX, RUNS_MAX) };
    const { runs, hasNext } = await listHostRuns(scope, params.host, page);
    return paged(runs, hasNext, ({ task_id }) => ({ before: task_id }));
  },
  facts: ({ scope, params }) => getHostFacts(scope, params.host),
  forget: ({ scope, params }) => forgetHost(scope, params.host),
});
