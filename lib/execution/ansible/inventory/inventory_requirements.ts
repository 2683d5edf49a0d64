import { linkedAbort } from "../../../base/time/abort.ts";
import { after } from "../../../base/time/after.ts";
import { openWorkspace, type Workspace } from "../../git/workspace.ts";
import { baseEnvironment, type Variables } from "../../process/variables.ts";
import type { RunContext } from "../../run/context.ts";
import type { RepositoryPlan } from "../../run/plan.ts";
import { inContainer } from "../container.ts";
import { galaxyVariables } from "../environment.ts";
import type { InventoryContents } from "./graph.ts";
import { type CheckoutFacts, inspectCheckout } from "./inspect.ts";
import type { InventoryPlan, ToolchainPlan } from "../plan.ts";
import { installRequirements } from "../requirements.ts";

/** An inventory that can be read without a playbook and without the keys of its hosts. */
export interface LoneInventory extends Pick<InventoryPlan, "type" | "content"> {
  /** The repository of a `file`. */
  repository: RepositoryPlan | null;
  /** The repository of the playbook, if it is another one. */
  plays?: RepositoryPlan;
  /** Missing where the Ansible of the machine reads it. */
  toolchain?: ToolchainPlan;
  /** Time to install requirements, if they are needed. */
  installMs?: number;
}

interface Place {
  workspace: Workspace;
  facts: CheckoutFacts;
}

/** Inspects a checkout without a playbook. A `file` inventory at `path` must lie inside. */
export async function inspectRoot(
  context: RunContext,
  { directory: root, commit }: Workspace,
  path: string | null,
): Promise<CheckoutFacts> {
  // The root stands for the playbook, because there is none.
  const started = { playbook: ".", workingDirectory: ".", home: context.directory.path };
  const inPlace = commit === null ? [root] : [];
  const inventory = path === null ? null : { root, path };
  return await inspectCheckout(context, { inPlace, root, ...started, config: null, inventory });
}

/**
 * Reads an inventory. Only if Ansible warns about it, it is read again with the collections that a
 * run would have, because installing them may take long. Without them, the first result counts.
 */
export async function withRequirements(
  context: RunContext,
  inventory: LoneInventory,
  place: Place,
  read: (content: Variables) => Promise<InventoryContents>,
): Promise<InventoryContents> {
  const first = await settled(read({}));
  if (first.value?.warnings.length === 0) return first.value;
  context.supervision.stop.throwIfAborted();
  const content = await contentOf(context, inventory, place);
  if (content) return await read(content);
  if (first.value) return first.value;
  throw first.error;
}

const settled = <T>(work: Promise<T>): Promise<{ value?: T; error?: unknown }> =>
  work.then((value) => ({ value }), (error) => ({ error }));

/** Returns the variables that name installed collections; null if there are none. */
async function contentOf(
  context: RunContext,
  { plays, installMs = 0 }: LoneInventory,
  place: Place,
): Promise<Variables | null> {
  const limit = linkedAbort(context.supervision.stop);
  const release = after(installMs, limit.abort);
  const supervision = { ...context.supervision, stop: limit.signal };
  try {
    return await installed({ ...context, supervision }, plays, place);
  } catch {
    // Ansible has already said what is missing.
    return null;
  } finally {
    release();
    limit.release();
  }
}

async function installed(
  context: RunContext,
  plays: RepositoryPlan | undefined,
  place: Place,
): Promise<Variables | null> {
  if (!plays) return await installedIn(context, place);
  const workspace = await openWorkspace(context, plays, "checkout");
  try {
    return await installedIn(context, {
      workspace,
      facts: await inspectRoot(context, workspace, null),
    });
  } finally {
    await workspace.close();
  }
}

async function installedIn(
  context: RunContext,
  { workspace: { directory: root, commit, gitEnv }, facts }: Place,
): Promise<Variables | null> {
  const { env, directory } = context;
  const made = await installRequirements(context, await inContainer(context, [root]), {
    facts,
    root,
    cwd: root,
    commit: commit?.hash ?? null,
    plan: {},
    env: { ...gitEnv, ...env.variables, ...baseEnvironment(env.path, directory.path) },
  });
  if (!made) return null;
  const { config } = facts;
  const files = { workingDirectory: root, config, galaxy: made.folder };
  return galaxyVariables({ env: {}, secretEnv: {} }, files);
}
