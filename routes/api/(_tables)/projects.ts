import { backupOperations } from "@/lib/maintenance/backup/operations.ts";
import { backUpProject, restoreProject } from "@/lib/maintenance/backup/service.ts";
import { projectOperations } from "@/lib/maintenance/projects/operations.ts";
import {
  createProject,
  getProject,
  getProjectRole,
  listProjects,
  updateProject,
} from "@/lib/maintenance/projects/service.ts";
import { clearProjectCache } from "@/lib/maintenance/projects/cache.ts";
import { deleteProject } from "@/lib/maintenance/projects/deletion.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const projects = bind(projectOperations, {
  list: ({ scope }) => listProjects(scope),
  create: ({ scope, body }) => createProject(scope, body),
  get: ({ scope }) => getProject(scope),
  update: ({ scope, body, expected }) => updateProject(scope, body, expected),
  delete: ({ scope, body, query, expected }) =>
    deleteProject(scope, { force: body.force || query.force || false, expected }),
  clearCache: ({ scope }) => clearProjectCache(scope),
  role: ({ scope }) => getProjectRole(scope),
});

export const backups = bind(backupOperations, {
  async backUp({ scope, query }) {
    const { file, fileName } = await backUpProject(scope, query.format);
    return new Response(JSON.stringify(file, null, 2) + "\n", {
      headers: {
        "Content-Type": "application/json",
        "Content-Disposition": `attachment; filename="${fileName}"`,
      },
    });
  },
  restore: ({ scope, body, query }) =>
    restoreProject(scope, body, { dryRun: query.dry_run, strict: query.strict }),
});
