import { ConfigError } from "../../base/settings/settings.ts";
import {
  prepareFolders,
  readIsolation,
  tryIsolation,
} from "../../execution/process/prepare_isolation.ts";
import { shellWithin } from "../../execution/process/shell.ts";
import type { RunsCheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";
import { checkHome } from "./home_check.ts";

const LIMIT_MS = 5_000;
const IN_CONTAINER = "[ -e /run/.containerenv ] || [ -e /.dockerenv ]";

/** Tries the isolation of the settings as a start does, or whether there could be one. */
export async function checkIsolation(checkUp: RunsCheckUp): Promise<Finding[]> {
  const { taskIsolation: mode } = checkUp.config;
  if (mode === "none") {
    const key = await whyNot(checkUp, "bwrap") === null ? "possible" : "none";
    return [problem("ok", `doctor.isolation.${key}`), ...await checkHome(checkUp)];
  }
  const why = await whyNot(checkUp, mode);
  if (why === null) return [fine("doctor.isolation.works", { mode })];
  const { success: contained } = await shellWithin(LIMIT_MS, IN_CONTAINER);
  const key = mode === "bwrap" && contained ? "container" : "broken";
  return [problem("failed", `doctor.isolation.${key}`, { why })];
}

/** Returns the reason why a kind of isolation does not work; null if it does. */
async function whyNot(
  { config, environment }: RunsCheckUp,
  taskIsolation: "user" | "bwrap",
): Promise<string | null> {
  try {
    const { dataDir } = environment;
    const isolation = await readIsolation({ ...config, dataDir, taskIsolation });
    // The server's own folder was prepared at its start.
    if (dataDir !== config.dataDir) await prepareFolders(dataDir, isolation);
    return await tryIsolation({ ...environment, isolation }, config);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
