import { type DueList, startDueLoop } from "../../store/due.ts";
import type { Loop } from "../../store/loop.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { rowKeys } from "../../store/keys.ts";
import { listUsing } from "../../store/references.ts";
import { templateRows } from "../../templates/repository.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { type AutorunRow, putAutorun } from "../outboxes/autorun_outbox.ts";
import { followBuilds } from "./follow_builds.ts";
import { startTask } from "./start.ts";

/** Starts the automatic deploys of builds, on this server or another one that shares the store. */
export const startAutoruns = (deps: Deps): Loop =>
  startDueLoop(deps, "autoruns", rowKeys.autorunsWake(), dueAutoruns(deps), maintenanceHold(deps));

/** Returns the builds whose automatic deploys are still to be started. */
export const dueAutoruns = (deps: Deps): DueList<AutorunRow> =>
  followBuilds(deps, {
    prefix: rowKeys.autorunsDue(),
    put: putAutorun,
    object: "template",
    async list({ project_id, template_id }) {
      const users = await listUsing(deps.kv, project_id, ["templates", template_id], "templates");
      return (await templateRows.some(deps.kv, project_id, users)).filter((template) =>
        template.autorun && template.build_template_id === template_id
      );
    },
    start: (scope, { id: build_task_id }, { id: template_id }, also) =>
      startTask(scope, parseStart({ template_id, build_task_id }), also),
  });
