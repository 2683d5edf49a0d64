import type { Deps } from "../access/deps.ts";
import { paths } from "../base/paths.ts";
import { literalVars } from "../execution/ansible/literal.ts";
import type { AnsiblePlan } from "../execution/ansible/plan.ts";
import type { TaskDetails } from "../execution/run/plan.ts";
import { isPreviewing } from "../tasks/preview_state.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { parseStrings } from "../tasks/start_form.ts";
import { readTaskArguments, type TaskArguments } from "./arguments.ts";
import { inventoryOf, repositoryFor, vaultsOf } from "./plan_parts.ts";
import { pinCheck } from "./pins.ts";
import { variablesOf } from "./plan_variables.ts";

/**
 * Returns everything needed to execute `task`, with decrypted secrets. It is read at the start and
 * never stored. Throws AppError if a part was deleted, has lost its secret, or is not as the task's
 * preview found it.
 */
export async function makePlan(deps: Deps, task: TaskRow): Promise<AnsiblePlan> {
  const { project_id: projectId } = task;
  const previewing = isPreviewing(task);
  const checked = await pinCheck(deps, task);
  const [repository, inventory, { extraVars, ...variables }, vaults] = await Promise.all([
    repositoryFor(deps, task, checked),
    inventoryOf(deps, task, checked),
    variablesOf(deps, task, checked),
    vaultsOf(deps, task),
  ]);
  const own = argumentsOf(task);
  return {
    taskId: task.id,
    projectId,
    playbook: task.playbook,
    repository,
    inventory,
    // The task's own variables have a lower precedence than those of the project's managers.
    extraVars: { ...literalVars(own.variables), ...extraVars },
    ...variables,
    vaults,
    debug: task.debug,
    dryRun: task.dry_run || previewing,
    diff: task.diff,
    previewDiff: previewing,
    limit: task.limit.length > 0 ? task.limit.join(",") : null,
    tags: task.tags,
    skipTags: task.skip_tags,
    arguments: [...wordsOf(task.template_arguments), ...own.words],
    skipGalaxyInstall: task.skip_galaxy_install,
    fullResults: fullBytesOf(deps, task) > 0,
    details: detailsOf(deps, task),
  };
}

/**
 * Returns how many bytes of module answers may be stored. Both the server and the template can
 * limit it.
 */
export const fullBytesOf = ({ config }: Pick<Deps, "config">, task: TaskRow): number =>
  task.suppress_full_results ? 0 : config.fullResultBytesMax;

const detailsOf = (deps: Deps, task: TaskRow): TaskDetails => ({
  message: task.message,
  username: task.username ?? "",
  url: taskUrl(deps, task),
  type: task.template_type,
  incomingVersion: task.incoming_version,
  targetVersion: task.version,
});

const wordsOf = (text: string | null): string[] => text ? parseStrings(text) ?? [] : [];

/** Returns the task's own arguments. Those of people who may only run tasks are checked. */
function argumentsOf({ arguments: text, arguments_checked }: TaskRow): TaskArguments {
  const words = wordsOf(text);
  return arguments_checked ? readTaskArguments(words) : { words, variables: {} };
}

/** Returns the address of the task's page; null if the server's own address is not configured. */
function taskUrl({ config }: Pick<Deps, "config">, task: TaskRow): string | null {
  if (!config.url) return null;
  return config.url.href.replace(/(?<!\/)\/+$/, "") +
    paths.task(task.project_id, task.template_id, task.id);
}
