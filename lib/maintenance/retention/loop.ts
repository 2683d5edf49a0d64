import { type Loop, startLoop } from "../../kv/loop.ts";
import { isShared } from "../../base/config.ts";
import { isMuchFree } from "../../kv/store_file.ts";
import type { Deps } from "../../access/deps.ts";
import { sweepFolders } from "../projects/folders.ts";
import { sweepOrphans } from "../projects/orphans.ts";
import { sweepPast } from "./sweep.ts";

const HOUR_MS = 3_600_000;

/** Removes orphans and expired history, soon after the start and then every hour. */
export function startRetention(deps: Deps, intervalMs = HOUR_MS): Loop {
  return startLoop(deps, {
    name: "retention",
    sleepMsMax: intervalMs,
    step: async (stop) => {
      await sweepOrphans(deps);
      const swept = await sweepPast(deps, stop);
      await sweepFolders(deps);
      if (swept.tasks + swept.events > 0) {
        const isFree = !isShared(deps.config) && isMuchFree(deps.config.kv);
        // The next start then compacts the file.
        deps.log("info", "past_swept", { ...swept, compact_at_next_start: isFree });
      }
      return intervalMs;
    },
  });
}
