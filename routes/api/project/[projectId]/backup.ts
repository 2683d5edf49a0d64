import { backupOperations } from "@/lib/upkeep/backup/operations.ts";
import { backUpProject } from "@/lib/upkeep/backup/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(backupOperations.backUp, async ({ deps, actor, ids, query }) => {
    const { file, fileName } = await backUpProject(deps, actor, ids.projectId, query.format);
    return new Response(JSON.stringify(file, null, 2) + "\n", {
      headers: {
        "Content-Type": "application/json",
        "Content-Disposition": `attachment; filename="${fileName}"`,
      },
    });
  }),
);
