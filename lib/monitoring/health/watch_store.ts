import { unlessAborted } from "../../base/time/abort.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";

const LOOK_MS = 5_000;
/** An available store responds within milliseconds. */
const LATE_MS = 3_000;

/** Logs when the store stops responding, and when it is available again. */
export function watchStore(
  { kv, clock, log }: Pick<Deps, "kv" | "clock" | "log">,
  { lookMs, lateMs } = { lookMs: LOOK_MS, lateMs: LATE_MS },
): Loop {
  return startLoop({ kv, log }, {
    name: "store_watch",
    async step(stop) {
      const asked = clock.ticks();
      const seconds = () => Math.round((clock.ticks() - asked) / 1000);
      let away = false;
      const timer = setTimeout(() => {
        away = true;
        log("error", "store_away", { seconds: seconds() });
      }, lateMs);
      try {
        await unlessAborted(kv.get(rowKeys.probe()), stop);
        if (away) log("info", "store_back", { seconds: seconds() });
      } catch (error) {
        if (!stop.aborted) throw error;
      } finally {
        clearTimeout(timer);
      }
      return lookMs;
    },
  });
}
