import { backupOperations } from "@/lib/backup/operations.ts";
import { restoreProject } from "@/lib/backup/service.ts";
import { answer, api } from "@/lib/http/api.ts";

export const handler = api(
  answer(
    backupOperations.restore,
    ({ deps, actor, body, query }) =>
      restoreProject(deps, actor, body, { dryRun: query.dry_run, strict: query.strict }),
  ),
);
