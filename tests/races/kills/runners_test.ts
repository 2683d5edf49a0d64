import { crashRunners } from "@/tests/support/kills/crash_runners.ts";

Deno.test("tasks of a runner end once when it, its server or both are killed, and leave nothing", () =>
  crashRunners(3));
