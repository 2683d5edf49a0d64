import { backupOperations } from "@/lib/upkeep/backup/operations.ts";
import { restoreProject } from "@/lib/upkeep/backup/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(
    backupOperations.restore,
    ({ deps, actor, body, query }) =>
      restoreProject(deps, actor, body, { dryRun: query.dry_run, strict: query.strict }),
  ),
);
