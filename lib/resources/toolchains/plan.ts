import type { Deps } from "../../access/deps.ts";
import type { ToolchainPlan } from "../../execution/ansible/plan.ts";
import { linesOf } from "../../execution/ansible/toolchains/toolchain_lines.ts";
import { keyOf } from "../keys/plan_key.ts";
import { type Choosing, chosenToolchain, presentToolchain } from "./choose.ts";
import type { ToolchainRow } from "./schema.ts";

/** A toolchain as a run gets it, but for the token of its Galaxy server. */
export const toolchainPlan = (row: ToolchainRow): ToolchainPlan => ({
  name: row.name,
  kind: row.kind,
  ansibleCore: row.ansible_core,
  pip: linesOf(row.pip),
  collections: linesOf(row.collections),
  python: row.python,
  path: row.path,
  ...row.image && { image: row.image },
  ...row.galaxy_url && {
    galaxy: { url: row.galaxy_url, ...row.galaxy_key_id && { owner: row.project_id } },
  },
});

/**
 * Returns the toolchain that the first of `choosing` names, as a member of a plan. Without one, the
 * Ansible of the machine is used.
 */
export async function plannedToolchain(
  deps: Deps,
  projectId: number,
  choosing: readonly Choosing[],
): Promise<{ toolchain?: ToolchainPlan }> {
  const id = await chosenToolchain(deps.kv, choosing);
  if (!id) return {};
  const row = await presentToolchain(deps.kv, projectId, id);
  return { toolchain: await toolchainWithToken(deps, row) };
}

/** A toolchain as a run gets it. Throws 400 for a key without its secret. */
export async function toolchainWithToken(deps: Deps, row: ToolchainRow): Promise<ToolchainPlan> {
  const plan = toolchainPlan(row);
  const { project_id, galaxy_key_id } = row;
  if (!plan.galaxy || galaxy_key_id === null) return plan;
  const key = await keyOf(deps, project_id, galaxy_key_id);
  if (key.type !== "login_password") return plan;
  return { ...plan, galaxy: { ...plan.galaxy, token: key.password } };
}
