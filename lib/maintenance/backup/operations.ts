import { operation } from "../../access/operation.ts";
import { backupQuery, backupSchema, restoreAnswer, restoreQuery, sentBackup } from "./schema.ts";
import { backUpProject, restoreProject } from "./service.ts";

const tag = "Backup";

/** Enough for a project with long inventories and surveys. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

export const backupOperations = [
  operation({
    id: "backUpProject",
    method: "GET",
    path: "/project/{projectId}/backup",
    tag,
    summary: "Download a backup of a project",
    details: "Everything except secrets, members and history.",
    access: "update_project",
    query: backupQuery,
    answer: backupSchema,
    async run({ scope, query }) {
      const { file, fileName } = await backUpProject(scope, query.format);
      return new Response(JSON.stringify(file, null, 2) + "\n", {
        headers: {
          "Content-Type": "application/json",
          "Content-Disposition": `attachment; filename="${fileName}"`,
        },
      });
    },
  }),
  operation({
    id: "restoreProject",
    method: "POST",
    path: "/projects/restore",
    tag,
    summary: "Create a project from a backup",
    details:
      "With `dry_run`, nothing is created and the answer shows what would be. With `strict`, an" +
      " entry that cannot be restored is an error.",
    access: "create_project",
    query: restoreQuery,
    body: sentBackup,
    bodyBytesMax: FILE_BYTES_MAX,
    answer: restoreAnswer,
    status: 200,
    run: ({ scope, body, query }) =>
      restoreProject(scope, body, { dryRun: query.dry_run, strict: query.strict }),
  }),
];
