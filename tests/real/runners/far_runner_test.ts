import assert from "node:assert/strict";
import { newFarRunner, requireComplete, standIn } from "@/tests/support/programs/far_runner.ts";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { until } from "@/tests/support/basics/until.ts";

Deno.test("a link that cuts each connection after 200 ms loses no line of 50,000", async () => {
  await using far = await newFarRunner();
  far.link.become({ delayMs: 50, cutMs: 200 });
  await requireComplete(far, await far.project.startTask(far.templateId, standIn(50_000)));
  assert.ok(far.link.counts.cut > 10, JSON.stringify(far.link.counts));
});

Deno.test("results of a real play are complete over TLS on a link that cuts connections", async () => {
  await using far = await newFarRunner({
    tls: true,
    real: true,
    inventory: hostsOf("web1", "web2", "web3"),
    plays: `- hosts: all
  gather_facts: false
  tasks:
    - debug: msg="{{ range(2000) | list }}"
    - debug: msg="{{ item }}"
      loop: "{{ range(20) | list }}"
      when: inventory_hostname != "web2"
    - assert: { that: inventory_hostname != "web3" }
      ignore_errors: true
`,
  });
  far.link.become({ delayMs: 50, cutMs: 500 });
  await requireComplete(far, await far.project.startTask(far.templateId));
  assert.ok(far.link.counts.cut > 0, JSON.stringify(far.link.counts));
});

Deno.test("a play continues while its server is away, and nothing of it is lost", async () => {
  await using far = await newFarRunner();
  const id = await far.project.startTask(far.templateId, standIn(400, 20));
  await until(async () => (await far.project.log(id)).includes("item=5)"));
  await far.project.restart("SIGKILL", () => new Promise((done) => setTimeout(done, 5_000)));
  await requireComplete(far, id);
  assert.equal(far.runner.output().match(/"event":"run_started"/g)?.length, 1);
});
