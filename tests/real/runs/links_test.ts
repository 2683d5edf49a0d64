import assert from "node:assert/strict";
import { join } from "node:path";
import { newRealBench } from "@/tests/support/programs/real_ansible.ts";
import { newRunBench, type RunBench } from "@/tests/support/server/run_bench.ts";
import { readInventory } from "@/lib/execution/ansible/inventory/inventory.ts";

const PLAY = `- hosts: web
  gather_facts: false
  tasks:
    - debug: &values
        msg: "is {{ stage }} of {{ beside }} in {{ inventory_dir | basename }}"
    - meta: refresh_inventory
    - debug: *values
`;
const FILES = {
  "shared/hosts": "[web]\nweb1 ansible_connection=local\n",
  "shared/group_vars/all.yml": "stage: shared\n",
  "shared/site.yml": PLAY,
  "prod/group_vars/web.yml": "stage: prod\n",
  "plays/group_vars/all.yml": "beside: plays\n",
};
const LINKS = {
  "prod/hosts": "../shared/hosts",
  "current": "prod",
  "plays/site.yml": "../shared/site.yml",
  "deep": "prod/group_vars",
};

async function addLinks(bench: RunBench): Promise<RunBench> {
  await Deno.mkdir(join(bench.repository.path, "prod"));
  await Deno.mkdir(join(bench.repository.path, "plays"));
  for (const [link, target] of Object.entries(LINKS)) {
    await Deno.symlink(target, join(bench.repository.path, link));
  }
  await bench.repository.commit(FILES, "Links");
  return bench;
}

const fileAt = (bench: RunBench, content: string) =>
  ({ ...bench.plan().inventory, type: "file", content }) as const;

Deno.test("variables beside a link to an inventory or a playbook are those of the link", async () => {
  await using bench = await addLinks(await newRealBench());
  for (const [path, folder] of [["prod/hosts", "prod"], ["current/hosts", "current"]]) {
    const inventory = fileAt(bench, path);
    const { end, log } = await bench.run(bench.plan({ playbook: "plays/site.yml", inventory }));
    assert.equal(end, "success", log);
    const expected = `is prod of plays in ${folder}`;
    assert.equal(log.split(expected).length - 1, 2, log);
  }
  const folder = fileAt(bench, "current");
  const { end, log } = await bench.run(
    bench.plan({ playbook: "plays/site.yml", inventory: folder }),
  );
  assert.equal(end, "success", log);
  assert.match(log, /is prod of plays in current/);
});

Deno.test("the list of hosts of an inventory behind a link is that of its target", async () => {
  await using bench = await addLinks(await newRealBench());
  const { repository } = bench.plan();
  const inventory = { type: "file", content: "current/hosts", repository } as const;
  const stop = new AbortController().signal;
  const { groups } = await readInventory(bench.environment, 1, inventory, stop);
  assert.deepEqual(groups, [{ name: "web", hosts: ["web1"] }]);
});

Deno.test("a link outside is refused, even if it leads back, and so are dots behind a link", async () => {
  await using bench = await addLinks(await newRunBench());
  const { repository, directory } = bench;
  const [checkout, outside] = [join(directory, "folder"), join(directory, "outside")];
  await Deno.mkdir(outside);
  await Deno.mkdir(join(outside, "group_vars"));
  await Deno.writeTextFile(join(outside, "group_vars", "all.yml"), "stage: stolen\n");
  await Deno.rename(repository.path, checkout);
  await Deno.symlink(outside, join(checkout, "away"));
  for (const name of ["hosts", "site.yml"]) {
    await Deno.symlink(join(checkout, "shared", name), join(outside, name));
  }
  await Deno.copyFile(join(checkout, "shared/hosts"), join(directory, "hosts"));
  const { address } = bench.plan().repository;
  const folder = {
    ...bench.plan().repository,
    branch: null,
    address: { ...address, url: checkout, kind: "local" as const },
  };
  const reasonOf = async (playbook: string, path: string) => {
    const plan = bench.plan({ repository: folder, playbook, inventory: fileAt(bench, path) });
    return (await bench.run(plan)).reason?.key;
  };
  assert.equal(await reasonOf("plays/site.yml", "current/hosts"), undefined);
  assert.equal(await reasonOf("plays/site.yml", "away/hosts"), "errors.run.inventory_outside");
  assert.equal(await reasonOf("away/site.yml", "prod/hosts"), "errors.run.playbook_outside");
  // Physically, this is the folder itself. Ansible would read its parent.
  assert.equal(
    await reasonOf("plays/site.yml", "deep/../../hosts"),
    "errors.run.inventory_outside",
  );
  assert.equal(
    await reasonOf("plays/site.yml", join(checkout, "current/hosts")),
    undefined,
    "an absolute path",
  );
});
