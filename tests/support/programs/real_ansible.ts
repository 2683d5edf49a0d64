import { stripVTControlCharacters } from "node:util";
import { dirname } from "node:path";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { newRunBench, type Ran, type RunBench } from "@/tests/support/server/run_bench.ts";

export interface RunWithEvents extends Ran {
  events: RunEvent[];
  /** Lines of the output, numbered from 1, without colors. */
  lineOf(n: number): string;
}

/** Finds the Ansible that tests use, which is the first on their PATH. */
export async function findRealAnsible(): Promise<{ playbook: string; galaxy: string }> {
  const which = new Deno.Command("sh", { args: ["-c", "command -v ansible-playbook"] });
  const playbook = new TextDecoder().decode((await which.output()).stdout).trim();
  return { playbook, galaxy: `${dirname(playbook)}/ansible-galaxy` };
}

/** Like `newRunBench`, with the machine's own Ansible. */
export async function newRealBench(): Promise<RunBench> {
  const bench = await newRunBench();
  bench.environment.ansible = await findRealAnsible();
  return bench;
}

/** Runs a playbook of these files, and returns its events. */
export async function runWithEvents(
  bench: RunBench,
  files: Record<string, string>,
  inventory: string,
  changes: Partial<AnsiblePlan> = {},
): Promise<RunWithEvents> {
  if (Object.keys(files).length > 0) await bench.repository.commit(files, "Play");
  const events: RunEvent[] = [];
  const plan = bench.plan(changes);
  plan.inventory = { ...plan.inventory, content: inventory };
  const ran = await bench.run(plan, { onEvent: (event) => void events.push(event) });
  const lines = ran.log.split("\n");
  const lineOf = (n: number) => stripVTControlCharacters(lines[n - 1] ?? "");
  return { ...ran, events, lineOf };
}
