import assert from "node:assert/strict";
import { newRealBench, runWithEvents } from "@/tests/support/programs/real_ansible.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { addPlays } from "@/tests/support/programs/real_plays.ts";

const HOSTS = Array.from({ length: 50 }, (_, n) => `web${n + 1}`);
const BROKEN = ["web3", "web8", "web14", "web21", "web30", "web37", "web50"];

const INVENTORY = `[web]
${
  HOSTS.map((name) => `${name} ansible_connection=local broken=${BROKEN.includes(name)}`).join("\n")
}

[broken]
web8
web9

[all:vars]
ansible_python_interpreter={{ansible_playbook_python}}
`;

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Look [at] *everything*
      debug:
        msg: looked
    - name: Roll out
      fail:
        msg: no space left
      when: broken | bool
`;

Deno.test("a retry of 50 hosts touches exactly the 7 that failed", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(project, PLAY);
  const inventory_id = await project.make("inventory", {
    name: "Fifty",
    type: "static",
    inventory: INVENTORY,
    ssh_key_id: project.noKey,
  });
  const template = await project.makeTemplate({ repository_id, inventory_id });
  const { task } = await project.run(template);
  assert.equal(task.status, "error");
  const { task: again, log } = await project.ended(
    await project.make(`tasks/${task.id}/retry`, { hosts: "failed" }),
  );
  assert.deepEqual(again.retry, { hosts: 7, of: 50, start_at_task: null }, log);
  assert.equal(again.commit_hash, task.commit_hash);
  const hosts = await project.get(`tasks/${again.id}/hosts`);
  assert.deepEqual(hosts.map(({ name }: { name: string }) => name).sort(), BROKEN.toSorted());
});

Deno.test("Ansible runs on listed hosts alone, and on none if a name has become a group", async () => {
  await using bench = await newRealBench();
  const files = { "site.yml": PLAY };
  const hostsOf = ({ events }: Awaited<ReturnType<typeof runWithEvents>>) =>
    events.flatMap((event) => event.type === "recap" ? [...event.hosts.keys()] : []);
  const inventory = INVENTORY.replaceAll("=true", "=false");
  const some = await runWithEvents(bench, files, inventory, {
    hosts: ["web1", "web50"],
    limit: "web2",
  });
  assert.equal(some.end, "success", some.log);
  assert.deepEqual(hostsOf(some), ["web1", "web50"]);

  const group = await runWithEvents(bench, {}, inventory, { hosts: ["web1", "broken"] });
  assert.deepEqual([group.end, group.reason?.key], ["error", "errors.retry.other_host"]);
  assert.equal(group.started, false);
  const gone = await runWithEvents(bench, {}, inventory, { hosts: ["web51"] });
  assert.deepEqual([gone.end, gone.reason?.key], ["error", "errors.retry.hosts_gone"], gone.log);
  for (const name of ["all", "!web1", "~web.*", "@/etc/passwd"]) {
    const strange = await runWithEvents(bench, {}, inventory, { hosts: ["web1", name] });
    assert.deepEqual([strange.started, strange.reason?.key], [false, "errors.retry.host_name"]);
  }

  const late = await runWithEvents(bench, {}, inventory, { hosts: ["web1"], startAt: "Roll out" });
  assert.equal(late.end, "success", late.log);
  assert.doesNotMatch(late.log, /looked/);
  const exact = await runWithEvents(bench, {}, inventory, {
    hosts: ["web1"],
    startAt: "Look [at] *everything*",
  });
  assert.match(exact.log, /looked/);
});
