import type { ProjectRow } from "../../access/rows.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { InventoryRow } from "../inventories/schema.ts";
import { toolchainRows } from "./repository.ts";
import { SERVER, type ToolchainRow } from "./schema.ts";

/**
 * Returns the toolchain of a task: that of its template, of its inventory, of its project or of the
 * server, whichever is set first. Null if none is.
 */
export async function chosenToolchain(
  kv: Deno.Kv,
  projectId: number,
  template: number | null | undefined,
  inventoryId: number,
): Promise<number | null> {
  if (template) return template;
  const [inventory, project, server] = await kv.getMany<[InventoryRow, ProjectRow, number]>([
    rowKeys.resource("inventories", projectId, inventoryId),
    rowKeys.project(projectId),
    rowKeys.serverToolchain(),
  ]);
  return inventory.value?.toolchain_id || project.value?.toolchain_id || server.value || null;
}

/** Returns a toolchain of the project or of the server. Throws 400 if it was deleted. */
export async function presentToolchain(
  kv: Deno.Kv,
  projectId: number,
  id: number,
): Promise<ToolchainRow> {
  const found = await toolchainRows.find(kv, projectId, id) ??
    await toolchainRows.find(kv, SERVER, id);
  if (!found) throw new AppError(400, "errors.run.missing_toolchain");
  return found.row;
}
