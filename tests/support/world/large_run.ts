import type { ResultStatus, RunEvent } from "@/lib/execution/run/events.ts";
import { EPOCH, play, result, task } from "./reported_task.ts";

export const HOSTS = 500;
export const TASKS = 200;

/** Yields the events of a made-up run with 100,000 results, each with the position of its line. */
export function* largeRun(): Generator<RunEvent> {
  yield play("Large");
  for (let t = 1; t <= TASKS; t++) {
    yield task(`t${t}`, EPOCH + t * 1000, t * (HOSTS + 2));
    for (let h = 1; h <= HOSTS; h++) {
      const line = t * (HOSTS + 2) + h;
      const status: ResultStatus = h === 77 && t > 150
        ? "failed"
        : h % 10 === t % 10
        ? "changed"
        : t % 7 === 0
        ? "skipped"
        : "ok";
      const began = EPOCH + t * 1000 + (h * 7919) % 400;
      yield result(`t${t}`, `host-${h}.example.com`, {
        status,
        began,
        ended: began + 50 + (h * t * 31) % 700,
        lines: { from: line, to: line },
        message: status === "skipped"
          ? "Conditional result was False"
          : status === "failed"
          ? `It failed on host ${h} at ${t}: ${"because ".repeat(20)}`
          : "",
        diff: status === "changed" ? `--- a\n+++ b\n-${t % 3}\n+${t}\n` : null,
      });
    }
  }
  yield { type: "end", at: EPOCH + 300_000, lost: 0 };
}
