import assert from "node:assert/strict";
import { newRealBench } from "@/tests/support/programs/real_ansible.ts";
import { leftovers, newRunBench, proveOnBoth, replace } from "@/tests/support/server/run_bench.ts";
import { conceal } from "@/lib/base/secret.ts";

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - debug:
        msg: "{{ lookup('password', playbook_dir ~ '/credentials/db length=9') | length }}"
    - fail:
`;

Deno.test("a run that leaves generated passwords says so, also if git ignores them and it fails", async () => {
  await using bench = await newRealBench();
  await bench.repository.commit({ "site.yml": PLAY, ".gitignore": "credentials\n" }, "Passwords");
  const { end, log } = await bench.run(bench.plan());
  assert.equal(end, "error");
  assert.match(log, /^New files in the checkout are removed with it: credentials\/\. A template/m);
  assert.deepEqual(leftovers(bench), []);
});

proveOnBoth("five new files are named, without secrets, and others are counted", async (on) => {
  await using bench = await newRunBench(on);
  await replace(
    bench,
    "playbook",
    `mkdir -p plugins/__pycache__ empty a && ln -s / a/link && >plugins/__pycache__/x.pyc
    >"b top secret" && >ü && >"new
line" && for n in 1 2 3 4; do >"c$n"; done`,
  );
  const plan = bench.plan({ secretVars: { pin: conceal("top secret") } });
  const { end, log } = await bench.run(plan);
  assert.equal(end, "success", log);
  const said = log.split("\n").filter((line) => line.startsWith("New files"));
  assert.deepEqual(said, [
    "New files in the checkout are removed with it: a/, b ***, c1, c2, c3 and 3 more. " +
    "A template or an inventory can name files to keep.",
  ]);
});

Deno.test("nothing is said about a run that leaves nothing, or has removed its checkout", async () => {
  await using bench = await newRunBench();
  for (const script of ["true", "rm -rf .git; >x", 'rm -rf "$PWD"']) {
    await replace(bench, "playbook", script);
    const { end, log } = await bench.run(bench.plan());
    assert.equal(end, "success", log);
    assert.doesNotMatch(log, /New files/);
  }
});
