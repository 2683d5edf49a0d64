import { conceal } from "@/lib/base/secret.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { parseAddress } from "@/lib/execution/git/address.ts";
import { newRunBench, type RunBench, type RunsOn } from "./run_bench.ts";

/** Returns a plan with another repository, or with other members of it. */
export function planOf(
  bench: RunBench,
  { url = bench.repository.url, ...changes }: Partial<AnsiblePlan["repository"]> & { url?: string },
): AnsiblePlan {
  const plan = bench.plan();
  const repository = { ...plan.repository, ...changes };
  repository.address = parseAddress(conceal(url), repository.key.type);
  return { ...plan, repository };
}

/** Creates a bench whose playbook prints the file `version` of its checkout. */
export async function showBench(on?: RunsOn): Promise<RunBench> {
  const bench = await newRunBench(on);
  const show = `${bench.directory}/show`;
  await Deno.writeTextFile(
    show,
    "#!/bin/sh\ncat version sub/* 2>/dev/null\ngit log --format=%s\n",
    {
      mode: 0o755,
    },
  );
  bench.environment.ansible.playbook = show;
  return bench;
}
