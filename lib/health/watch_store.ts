import { type Loop, startLoop } from "../background/loop.ts";
import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";

const LOOK_MS = 5_000;
/** A store that is there answers within milliseconds. */
const LATE_MS = 3_000;

/** Logs when the store stops answering, and when it is back. */
export function watchStore(
  { kv, clock, log }: Pick<Deps, "kv" | "clock" | "log">,
  { lookMs, lateMs } = { lookMs: LOOK_MS, lateMs: LATE_MS },
): Loop {
  return startLoop({
    name: "store_watch",
    log,
    async step(stop) {
      const asked = clock.now().getTime();
      const seconds = () => Math.round((clock.now().getTime() - asked) / 1000);
      let away = false;
      const timer = setTimeout(() => {
        away = true;
        log("error", "store_away", { seconds: seconds() });
      }, lateMs);
      const stopped = new Promise<void>((resolve) =>
        stop.addEventListener("abort", () => resolve())
      );
      await Promise.race([kv.get(keys.probe()), stopped]).finally(() => clearTimeout(timer));
      if (away && !stop.aborted) log("info", "store_back", { seconds: seconds() });
      return lookMs;
    },
  });
}
