import { takeTestReport } from "@/lib/queue/remote/connection_tests.ts";
import { runnerRunOperations } from "@/lib/queue/remote/operations.ts";
import { pollForRuns } from "@/lib/queue/remote/poll.ts";
import { takeReport } from "@/lib/queue/remote/report.ts";
import { authenticateRunner } from "@/lib/runners/authenticate.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const runnerRuns = bind(runnerRunOperations, {
  poll: {
    admit: ({ scope, req }) => authenticateRunner(scope.deps, req.headers),
    run: ({ scope, req, body }) => pollForRuns(scope.deps, req, body),
  },
  answerCheck: {
    admit: ({ scope, req }) => authenticateRunner(scope.deps, req.headers),
    run: ({ scope, req, params, body }) =>
      takeTestReport(scope.deps, req.headers, params.check, body),
  },
  report: ({ scope, req, ids }) => takeReport(scope.deps, req, ids.taskId),
});
