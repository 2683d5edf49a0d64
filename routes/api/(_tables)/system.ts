import { jobOperations } from "@/lib/monitoring/jobs/operations.ts";
import { discardJob, listJobs, listSetAside, retryJob } from "@/lib/monitoring/jobs/service.ts";
import { healthOperations } from "@/lib/monitoring/health/operations.ts";
import { checkHealth, readChecks, runServerChecks } from "@/lib/monitoring/health/service.ts";
import { Answer, paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { maintenanceOperations } from "@/lib/maintenance/mode/operations.ts";
import { endMaintenance, getMaintenance, setMaintenance } from "@/lib/maintenance/mode/service.ts";
import { taskIdentityOperations } from "@/lib/task_identity/operations.ts";
import { getTaskIdentity, revokeIdentityKeys } from "@/lib/task_identity/service.ts";
import { systemOperations } from "@/lib/web/system/operations.ts";
import { getApp, listApps, listOptions, systemInfo } from "@/lib/web/system/service.ts";

export const system = bind(systemOperations, {
  ping: () => new Response("pong"),
  info: ({ scope }) => systemInfo(scope.deps),
  apps: () => listApps(),
  app: ({ params }) => getApp(params.app),
  options: ({ scope }) => listOptions(scope),
});

export const taskIdentity = bind(taskIdentityOperations, {
  get: ({ scope }) => getTaskIdentity(scope),
  revoke: ({ scope }) => revokeIdentityKeys(scope),
});

export const maintenance = bind(maintenanceOperations, {
  get: ({ scope }) => getMaintenance(scope),
  set: ({ scope, body }) => setMaintenance(scope, body),
  end: ({ scope }) => endMaintenance(scope),
});

export const jobs = bind(jobOperations, {
  list: ({ scope }) => listJobs(scope),
  async listSetAside({ scope, query }) {
    const { jobs, hasNext } = await listSetAside(scope, query);
    return paged(jobs, hasNext, () => ({ skip: query.skip + query.limit }));
  },
  retry: ({ scope, params }) => retryJob(scope, params.id),
  discard: ({ scope, params }) => discardJob(scope, params.id),
});

export const health = bind(healthOperations, {
  async check({ scope }) {
    const health = await checkHealth(scope.deps);
    return new Answer(health, {
      status: health.status === "failing" ? 503 : 200,
      headers: { "Cache-Control": "no-store" },
    });
  },
  list: ({ scope }) => readChecks(scope),
  run: ({ scope }) => runServerChecks(scope),
});
