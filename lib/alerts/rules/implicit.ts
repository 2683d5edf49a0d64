import type { ProjectRow } from "../../model/project_row.ts";
import type { Config } from "../../base/settings/config.ts";
import type { StoryAlert } from "../outbox.ts";
import type { AlertEvent } from "../schema.ts";
import { settingsTargets } from "../targets/settings_targets.ts";
import type { RuleRow } from "./schema.ts";

type Events = Partial<Record<StoryAlert["kind"], AlertEvent[]>>;

const REPORTED: Events = {
  task: ["failed", "succeeded", "waiting"],
  approval: ["waiting"],
  lost_runner: ["runner_lost"],
};
/** Members get no mails about each success, nor about each task that waits. */
const MAILED: Events = { ...REPORTED, task: ["failed"] };

/**
 * Returns the rules of a project, or of the server for null, that has none of its own: one for each
 * target that the settings define. A project has them only if its alerts are enabled.
 */
export function implicitRules(
  config: Pick<Config, "alerts">,
  project: ProjectRow | null,
  { kind }: StoryAlert,
): RuleRow[] {
  if (project && !project.alert) return [];
  return settingsTargets(config).map((target) => ({
    id: 0,
    project_id: project?.id ?? 0,
    name: "",
    target_id: target.id,
    events: (target.kind === "members" ? MAILED : REPORTED)[kind] ?? [],
    project_ids: [],
    template_ids: [],
    view_ids: [],
    workflow_ids: [],
    hosts: [],
    repeat: "each",
    digest: false,
    quiet: null,
    active: true,
  }));
}
