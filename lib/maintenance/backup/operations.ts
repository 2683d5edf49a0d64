import { operation } from "../../access/operation.ts";
import { backupQuery, backupSchema, restoreAnswer, restoreQuery, sentBackup } from "./schema.ts";

const tag = "Backup";

/** Enough for a project with long inventories and surveys. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

export const backupOperations = {
  backUp: operation({
    id: "backUpProject",
    method: "GET",
    path: "/project/{projectId}/backup",
    tag,
    summary: "The project as a file: all but secrets, members and history",
    access: "update_project",
    query: backupQuery,
    answer: backupSchema,
  }),
  restore: operation({
    id: "restoreProject",
    method: "POST",
    path: "/projects/restore",
    tag,
    summary: "Make a project of a backup file; with dry_run only tell what would be made, " +
      "with strict leave nothing out",
    access: "create_project",
    query: restoreQuery,
    body: sentBackup,
    bodyBytesMax: FILE_BYTES_MAX,
    answer: restoreAnswer,
    status: 200,
  }),
};
