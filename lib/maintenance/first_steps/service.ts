import type { ProjectScope } from "../../access/scope.ts";
import { listMemberRows } from "../../access/members.ts";
import { grants, type Permission } from "../../access/permissions.ts";
import type { AlertSetup } from "../../alerts/scope.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { rowKeys } from "../../store/keys.ts";
import { listHistory } from "../../tasks/history/history.ts";
import { listOutlines } from "../../templates/outlines.ts";
import { scheduleRows } from "../../triggers/schedules/repository.ts";

/** The steps to a project's first task, and those after it, in this order. */
export type FirstStep =
  | ("keys" | "repositories" | "inventory" | "templates" | "run")
  | ("schedules" | "team" | "alerts");

export interface FirstSteps {
  /** "first" leads to the first task, and "next" goes on after it. */
  part: "first" | "next";
  steps: { step: FirstStep; done: boolean }[];
  /** The step to do now; null if all are done. */
  current: FirstStep | null;
  /** Id of the template to run, if there is exactly one. */
  templateId: number | null;
  /** Whether there is a target, so that only a rule is missing. */
  hasTarget: boolean;
}

/** The permissions for steps that people who manage resources may lack. */
const STEP_PERMISSIONS: Partial<Record<FirstStep, Permission>> = {
  schedules: "manage_triggers",
  team: "add_people",
};

/** Time after which a project with tasks needs no guide. */
const NEW_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the steps to a project's first task, or those after it, limited to what the reader may
 * do. Null for people who can do none of them, and for an older project with tasks.
 */
export async function firstSteps(scope: ProjectScope): Promise<FirstSteps | null> {
  const { deps: { kv, clock }, project, permissions } = scope;
  if (!grants(permissions, "run_tasks")) return null;
  // Checks for drift are no runs.
  if ((await listHistory(kv, project.id, { limit: 1 }, null)).tasks.length === 0) {
    return await stepsToTask(scope);
  }
  const isNew = clock.now().getTime() - Date.parse(project.created) < NEW_MS;
  return isNew ? await stepsAfterTask(scope) : null;
}

async function stepsToTask(scope: ProjectScope): Promise<FirstSteps | null> {
  const { deps: { kv }, projectId, permissions } = scope;
  const [keys, repositories, inventories, templates] = await Promise.all([
    keyRows.list(kv, projectId),
    repositoryRows.list(kv, projectId),
    inventoryRows.list(kv, projectId),
    listOutlines(scope),
  ]);
  const run = { step: "run" as const, done: false };
  const templateId = templates.length === 1 ? templates[0].id : null;
  const found = { part: "first" as const, templateId, hasTarget: false };
  if (!grants(permissions, "manage_resources")) {
    return templates.length > 0 ? { ...found, steps: [run], current: "run" } : null;
  }
  const steps: FirstSteps["steps"] = [
    { step: "keys", done: keys.some(({ type }) => type !== "none") },
    { step: "repositories", done: repositories.length > 0 },
    { step: "inventory", done: inventories.length > 0 },
    { step: "templates", done: templates.length > 0 },
    run,
  ];
  // Someone who has added a repository has already decided whether it needs a key.
  const [, ...afterKeys] = steps;
  return { ...found, steps, current: currentOf(repositories.length > 0 ? afterKeys : steps) };
}

async function stepsAfterTask(
  { deps: { kv }, projectId, permissions }: ProjectScope,
): Promise<FirstSteps | null> {
  const [schedules, members, { value: alerts }] = await Promise.all([
    scheduleRows.list(kv, projectId, 1),
    listMemberRows(kv, projectId),
    kv.get<AlertSetup>(rowKeys.alertSetup(projectId)),
  ]);
  const steps: FirstSteps["steps"] = [
    { step: "schedules", done: schedules.length > 0 },
    { step: "team", done: members.length > 1 },
    { step: "alerts", done: (alerts?.rules ?? 0) > 0 },
  ];
  const own = steps.filter(({ step }) =>
    grants(permissions, STEP_PERMISSIONS[step] ?? "manage_resources")
  );
  if (own.length === 0) return null;
  const hasTarget = (alerts?.targets ?? 0) > 0;
  return { part: "next", steps: own, current: currentOf(own), templateId: null, hasTarget };
}

const currentOf = (steps: FirstSteps["steps"]): FirstStep | null =>
  steps.find(({ done }) => !done)?.step ?? null;
