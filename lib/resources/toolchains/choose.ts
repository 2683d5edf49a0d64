import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { toolchainRows } from "./repository.ts";
import { SERVER, type ToolchainRow } from "./schema.ts";

/** A template, an inventory or a project, which can name a toolchain. */
export type Choosing = { toolchain_id?: number | null } | null;

/**
 * Returns the toolchain that the first of `choosing` names, or else that of the server. Null for
 * none.
 */
export async function chosenToolchain(
  kv: Store,
  choosing: readonly Choosing[],
): Promise<number | null> {
  const first = choosing.find((one) => one?.toolchain_id)?.toolchain_id;
  return first ?? (await kv.get<number>(rowKeys.serverToolchain())).value;
}

/** Returns a toolchain of the project or of the server. */
export const findToolchain = async (kv: Store, projectId: number, id: number) =>
  await toolchainRows.find(kv, projectId, id) ?? await toolchainRows.find(kv, SERVER, id);

/** Returns the row of `findToolchain`. Throws 400 if it was deleted. */
export async function presentToolchain(
  kv: Store,
  projectId: number,
  id: number,
): Promise<ToolchainRow> {
  const found = await findToolchain(kv, projectId, id);
  if (!found) throw new AppError(400, "errors.run.missing_toolchain");
  return found.row;
}
