import assert from "node:assert/strict";
import { join } from "node:path";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

const COUNT = Number(Deno.env.get("DRIFT_HOSTS") ?? 4);
const CHANGED = Number(Deno.env.get("DRIFT_CHANGED") ?? 2);

const SETTINGS = "settings of the shop\n";

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Write the settings
      lineinfile:
        path: "{{ folder }}/{{ inventory_hostname }}"
        regexp: .
        line: ${SETTINGS.trim()}
    - name: Ask the service
      raw: "true"
      when: inventory_hostname == "web2" and asks | default(false) | bool
`;

interface Row {
  host: string;
  state: string;
  changes: number;
  since: string;
  last_described: string | null;
  task_id: number;
}

Deno.test("a check finds exactly the hosts that were changed by hand", async () => {
  await using project = await addRealProject();
  const folder = join(project.home, "files");
  await Deno.mkdir(folder);
  const names = Array.from({ length: COUNT }, (_, n) => `web${n + 1}`);
  const inventory = (hosts: string[], more = "") =>
    `${hosts.map((name) => `${name} ansible_connection=local`).join("\n")}
[all:vars]
ansible_python_interpreter={{ansible_playbook_python}}
folder=${folder}
${more}`;
  const { repository_id } = await addPlays(project, PLAY);
  const inventory_id = await addInventory(project, inventory(names));
  const template = await project.makeTemplate({ repository_id, inventory_id });
  const change = (more: string, hosts = names) =>
    project.server.api("PUT", `/api/project/${project.id}/inventory/${inventory_id}`, {
      ...{ name: "Some", type: "static", ssh_key_id: project.noKey },
      inventory: inventory(hosts, more),
    });
  const check = async () => {
    const id = await project.make(`templates/${template}/check`, {});
    const { task, log } = await project.ended(id);
    await until(async () => {
      const { templates } = await project.get("drift/stats");
      return templates[0]?.task_id === id;
    });
    return { task, log };
  };
  const withState = async (state: string): Promise<Row[]> =>
    await project.get(`drift?state=${state}`);

  for (const name of names) await Deno.writeTextFile(join(folder, name), SETTINGS);
  const first = await check();
  assert.equal(first.task.status, "success", first.log);
  assert.equal((await withState("as_described")).length, COUNT);

  const drifted = names.filter((_, n) => n % Math.floor(COUNT / CHANGED) === 0).slice(0, CHANGED);
  for (const name of drifted) await Deno.writeTextFile(join(folder, name), "changed by hand\n");
  const second = await check();
  const found = await withState("would_change");
  assert.deepEqual(found.map(({ host }) => host).toSorted(), drifted.toSorted(), second.log);
  assert.ok(
    found.every(({ changes, task_id, since, last_described }) =>
      changes === 1 && task_id === second.task.id && last_described! < since
    ),
  );
  const rest = await Deno.readTextFile(join(folder, names[1]));
  assert.equal(rest, SETTINGS);

  const fixed = drifted.slice(0, -1);
  await project.run(template, { limit: fixed.join(",") });
  await until(async () => (await withState("would_change")).length === 1);

  await change("asks=true", names.slice(0, -1));
  await check();
  assert.deepEqual(
    (await withState("would_change")).map(({ host }) => host).toSorted(),
    drifted.slice(-1).toSorted(),
  );
  // Its settings were checked, and the command was not.
  const [asked] = await project.get("drift?host=web2");
  assert.deepEqual([asked.state, asked.unchecked], ["as_described", 1]);
  assert.deepEqual([asked.reason.step, asked.reason.place.file], ["Ask the service", "site.yml"]);
  assert.match(asked.reason.message, /^\S*raw has no check mode/);
  assert.deepEqual((await withState("not_reached")).map(({ host }) => host), [`web${COUNT}`]);
});

const FIXED = `- hosts: all
  gather_facts: false
  tasks:
    - name: Write the settings
      lineinfile:
        path: "{{ folder }}/{{ inventory_hostname }}"
        regexp: .
        line: ${SETTINGS.trim()}
      tags: settings
    - name: Remove everything
      raw: "echo gone > {{ folder }}/gone"
      tags: [never, purge]
`;

Deno.test("a check fixes only named hosts, and nothing that it has not seen", async () => {
  await using project = await addRealProject();
  const folder = join(project.home, "fixed");
  await Deno.mkdir(folder);
  const { git, commit, repository_id } = await addPlays(project, FIXED, "Fixed");
  const inventory_id = await addInventory(
    project,
    `web[1:3] ansible_connection=local
[all:vars]
ansible_python_interpreter={{ansible_playbook_python}}
folder=${folder}
`,
  );
  const auto_fix = { hosts: ["web1"] };
  const template = await project.makeTemplate({ repository_id, inventory_id, auto_fix });
  const fileOf = (host: string) => join(folder, host);
  const change = (host: string) => Deno.writeTextFile(fileOf(host), "changed by hand\n");
  const isRight = async (host: string) => await Deno.readTextFile(fileOf(host)) === SETTINGS;
  /** Checks, and returns the fix that the check has started. */
  const fixed = async () => {
    const check = await project.make(`templates/${template}/check`, {});
    await project.ended(check);
    let id: number | undefined;
    await until(async () => {
      const tasks: { id: number; retry_of: number | null }[] = await project.get(
        `templates/${template}/tasks`,
      );
      id = tasks.find(({ retry_of }) => retry_of === check)?.id;
      return id !== undefined;
    });
    return id!;
  };

  for (const host of ["web1", "web2"]) await change(host);
  await Deno.writeTextFile(fileOf("web3"), SETTINGS);
  // The fix must not run this commit.
  const first = await fixed();
  await git.commit({ "site.yml": "- hosts: all\n" }, "Later");
  const { task, log } = await project.ended(first);
  assert.deepEqual([task.status, task.commit_hash], ["success", commit], log);
  assert.match(log, /Approved by Callboard/);
  assert.deepEqual([await isRight("web1"), await isRight("web2"), await isRight("web3")], [
    true,
    false,
    true,
  ]);
  await until(async () =>
    (await project.get(`drift?template_id=${template}&host=web1`))[0].state === "as_described"
  );

  // Check mode says nothing about a command, so a tag that reaches one needs a person.
  await git.commit({ "site.yml": FIXED.replace("all", "web2") }, "Back");
  await project.change("templates", template, {
    ...await project.get(`templates/${template}`),
    auto_fix: { hosts: ["web2"], tags: ["settings", "purge"] },
  });
  const second = await fixed();
  await project.until(second, ["waiting_confirmation"]);
  await until(async () =>
    (await project.get("events")).some(({ description }: { description: string }) =>
      description.includes("waiting for a person")
    )
  );
  assert.equal((await project.getTask(second)).status, "waiting_confirmation");
  await assert.rejects(Deno.stat(join(folder, "gone")), Deno.errors.NotFound);
  await project.stopTask(second);
});
