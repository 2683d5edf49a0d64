import { requireSemaphoreAccess } from "@/lib/queue/remote/semaphore/door.ts";
import { semaphoreRunnerOperations } from "@/lib/queue/remote/semaphore/operations.ts";
import { pollForJobs } from "@/lib/queue/remote/semaphore/poll.ts";
import { takeProgress } from "@/lib/queue/remote/semaphore/progress.ts";
import {
  registerSemaphoreRunner,
  unregisterSemaphoreRunner,
} from "@/lib/queue/remote/semaphore/register.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const semaphoreRunners = bind(semaphoreRunnerOperations, {
  register: {
    admit: ({ scope, req: { headers }, url }) =>
      requireSemaphoreAccess(scope.deps, { headers, url }),
    run: ({ scope, req: { headers }, url, address, body }) =>
      registerSemaphoreRunner(scope.deps, { headers, url, address }, body),
  },
  poll: ({ scope, req: { headers }, url }) => pollForJobs(scope.deps, { headers, url }),
  async report({ scope, req: { headers, body }, url }) {
    const terminated_jobs = await takeProgress(scope.deps, { headers, body, url });
    return terminated_jobs.length > 0 ? { terminated_jobs } : new Response(null, { status: 204 });
  },
  unregister: ({ scope, req: { headers }, url }) =>
    unregisterSemaphoreRunner(scope.deps, { headers, url }),
});
