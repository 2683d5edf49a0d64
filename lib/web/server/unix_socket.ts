import type { Config } from "../../base/settings/config.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/** Lets accounts of its group connect to a socket, which this process has just created. */
export async function restrictSocket({ path, mode }: NonNullable<Config["socket"]>): Promise<void> {
  await Deno.chmod(path, mode);
}

/**
 * Removes the socket of a server that has not removed its own. Throws ConfigError if one listens on
 * it, or if the path is something else.
 */
export async function claimSocket({ path }: NonNullable<Config["socket"]>): Promise<void> {
  try {
    const info = await Deno.lstat(path);
    if (!info.isSocket) throw new ConfigError(`CALLBOARD_SOCKET: ${path} exists, and is no socket`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`CALLBOARD_SOCKET: ${path} cannot be used: ${explain(error)}`);
  }
  if (await isAnswered(path)) {
    throw new ConfigError(`CALLBOARD_SOCKET: another server listens on ${path}`);
  }
  await Deno.remove(path);
}

async function isAnswered(path: string): Promise<boolean> {
  try {
    const connection = await Deno.connect({ transport: "unix", path });
    connection.close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    // The socket of another account, whose server may run.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** Removes the socket at the end of its server. */
export async function releaseSocket({ path }: NonNullable<Config["socket"]>): Promise<void> {
  await Deno.remove(path).catch(() => {});
}
