import { openProject } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import type { ProjectRow } from "../../access/rows.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
import { parseAddress } from "../../execution/git/address.ts";
import type { RepositoryPlan } from "../../execution/run/plan.ts";
import { openSecret } from "../../resources/keys/secret.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { rowKeys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import { describeError } from "../../base/log.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { openUrl } from "../../resources/repositories/sealed_url.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { startInTurn } from "../../queue/start_in_turn.ts";
import { taskLabels } from "../../queue/task_labels.ts";
import { checkOnRunner } from "../../runners/checks.ts";
import { needsRunner } from "../../runners/rows.ts";
import { templateRows } from "../../templates/repository.ts";
import { scheduleActor } from "./actor.ts";
import { remember, type ScheduleOutcome } from "./remember.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import type { ScheduleRow } from "./schema.ts";
import type { Firing } from "./firing.ts";

/** Reads the latest commit of exactly the plan's branch here. Throws when `stop` is aborted. */
export type RemoteCommit = (
  projectId: number,
  plan: RepositoryPlan,
  stop: AbortSignal,
) => Promise<string>;

export interface CommitCheck {
  remoteCommit: RemoteCommit;
  /** Aborted when the server shuts down. An unfinished check is repeated at the next time. */
  stop: AbortSignal;
}

/**
 * Starts the task of a taken time, and stores the result. A failure to start it is stored, not
 * thrown.
 */
export async function fire(
  deps: Deps,
  { row, unfinished }: Firing,
  look: CommitCheck,
): Promise<void> {
  const outcome = await start(deps, row, look);
  await transact(deps.kv, async (op) => {
    op.delete(unfinished);
    await remember(deps, op, row, outcome);
  });
}

async function start(deps: Deps, row: ScheduleRow, look: CommitCheck): Promise<ScheduleOutcome> {
  try {
    const seen = row.repository_id === null ? null : await newestCommit(deps, row, look);
    if (seen && seen.commit === row.commit) return { task: null };
    const input = {
      ...row.task_params,
      template_id: row.template_id,
      ...(seen?.isTemplates ? { commit_hash: seen.commit } : {}),
    };
    const started = await startInTurn(
      await openProject({ deps, actor: scheduleActor(row) }, row.project_id, "run_tasks"),
      parseStart(input),
      row.if_waiting ?? "all",
    );
    if ("waits" in started) return { skipped: started.waits };
    return { task: started.task, commit: seen?.commit ?? null };
  } catch (error) {
    if (look.stop.aborted) return { task: null };
    return { error: messageOf(deps, row, error) };
  }
}

/**
 * The current commit of the watched branch, read where the task would run. With `isTemplates`, it
 * is the commit that the task would check out.
 */
async function newestCommit(deps: Deps, row: ScheduleRow, { remoteCommit, stop }: CommitCheck) {
  const { kv } = deps;
  const { project_id: projectId } = row;
  const [repository, template] = await Promise.all([
    repositoryRows.get(kv, projectId, row.repository_id!),
    templateRows.get(kv, projectId, row.template_id),
  ]);
  const isTemplates = template.repository_id === repository.id;
  const ownBranch = isTemplates ? row.task_params?.git_branch || template.git_branch : null;
  const key = await openSecret(
    deps.secrets,
    await keyRows.get(kv, projectId, repository.ssh_key_id),
  );
  const plan: RepositoryPlan = {
    id: repository.id,
    address: parseAddress(await openUrl(deps.secrets, repository), key.type),
    branch: ownBranch ? String(ownBranch) : repository.git_branch || null,
    commit: null,
    key,
  };
  const [labels, project] = await Promise.all([
    taskLabels(kv, template, chosenInventory(row.task_params)),
    kv.get<ProjectRow>(rowKeys.project(projectId)),
  ]);
  const commit = needsRunner(labels, project.value)
    ? await checkOnRunner(deps, { projectId, labels }, { kind: "commit", repository: plan }, stop)
    : await remoteCommit(projectId, plan, stop);
  return { commit, isTemplates };
}

function messageOf({ log }: Deps, { id }: ScheduleRow, error: unknown): Sentence {
  if (error instanceof AppError) return sentenceOf(error);
  const number = crypto.randomUUID().slice(0, 8);
  log("error", "schedule_failed", { id: number, schedule: id, ...describeError(error) });
  return { key: "errors.internal", params: { id: number } };
}
