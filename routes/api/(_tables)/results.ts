import { notFound } from "@/lib/base/errors.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { resultOperations } from "@/lib/results/operations.ts";
import {
  findFullResult,
  getResultsSummary,
  listRunHosts,
  listRunPlays,
  listRunResults,
} from "@/lib/results/service.ts";
import { FAILURES } from "@/lib/results/statuses.ts";
import { ansibleError, ansibleHost } from "@/lib/results/view.ts";
import { bind } from "@/lib/web/api/bind.ts";

const HOSTS_MAX = 1_000;
const RESULTS_MAX = 200;
const ERRORS_MAX = 1_000;

export const results = bind(resultOperations, {
  summary: ({ scope, ids, query }) => getResultsSummary(scope, ids.taskId, query),
  async hosts({ scope, ids, query: { limit, count, status: statuses, ...of } }) {
    const page = { ...of, statuses, limit: Math.min(limit ?? count ?? HOSTS_MAX, HOSTS_MAX) };
    const { hosts, hasNext } = await listRunHosts(scope, ids.taskId, page);
    return paged(hosts, hasNext, ({ id }) => ({ after: id }));
  },
  plays: ({ scope, ids, query }) => listRunPlays(scope, ids.taskId, query),
  async results({ scope, ids, query: { limit, count, play_task, status, ...of } }) {
    const { results, hasNext } = await listRunResults(scope, ids.taskId, {
      ...of,
      playTask: play_task,
      statuses: status,
      limit: Math.min(limit ?? count ?? RESULTS_MAX, RESULTS_MAX),
    });
    return paged(results, hasNext, ({ id }) => ({ after: id }));
  },
  async result({ scope, ids, query }) {
    const result = await findFullResult(scope, ids.taskId, ids.resultId, query);
    if (!result) throw notFound();
    return result;
  },
  async ansibleHosts({ scope, ids }) {
    const { hosts } = await listRunHosts(scope, ids.taskId);
    return hosts.map((host) => ansibleHost(ids, host));
  },
  async ansibleErrors({ scope, ids }) {
    const { results } = await listRunResults(scope, ids.taskId, {
      statuses: FAILURES,
      limit: ERRORS_MAX,
    });
    return results.map((result) => ansibleError(ids, result));
  },
});
