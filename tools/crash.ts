import { crash } from "../tests/support/kills/crash.ts";
import { say } from "../scripts/console.ts";

/** Kills its own server again and again: `deno run -A tools/crash.ts [times]`. */
const rounds = Number(Deno.args[0] ?? 20);
await crash(rounds, ({ killedAfterMs, ends }) => {
  const counts = Object.entries(ends).map(([end, count]) => `${count} ${end}`).join(", ");
  say(`killed after ${String(killedAfterMs).padStart(3)} ms: ${counts}`);
});
say(
  `Killed ${rounds} times: no task open, no process left, no secret on disk, each good build ` +
    "deployed once, the queue went on.",
);
