import assert from "node:assert/strict";
import { join } from "node:path";
import { addInventory, addPlays } from "../support/real_plays.ts";
import { addRealProject } from "../support/real_project.ts";
import { until } from "../support/until.ts";

const COUNT = Number(Deno.env.get("DRIFT_HOSTS") ?? 12);
const CHANGED = Number(Deno.env.get("DRIFT_CHANGED") ?? 6);

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Write the settings
      copy:
        content: "{{ 'settings of the shop\\n' }}"
        dest: "{{ folder }}/{{ inventory_hostname }}"
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

  await project.run(template);
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
  assert.equal(rest, "settings of the shop\n");

  const fixed = drifted.slice(0, 5);
  await project.run(template, { limit: fixed.join(",") });
  await until(async () => (await withState("would_change")).length === CHANGED - 5);

  await change("asks=true", names.slice(0, -1));
  await check();
  assert.deepEqual(
    (await withState("would_change")).map(({ host }) => host).toSorted(),
    drifted.slice(5).toSorted(),
  );
  assert.deepEqual((await withState("unknown")).map(({ host }) => host), ["web2"]);
  assert.deepEqual((await withState("not_reached")).map(({ host }) => host), [`web${COUNT}`]);
});

Deno.test("a host is not as described if another one's failure has ended the play before its end", async () => {
  await using project = await addRealProject();
  const { repository_id } = await addPlays(
    project,
    `- hosts: all
  gather_facts: false
  any_errors_fatal: true
  tasks:
    - name: Ask the service
      assert: { that: inventory_hostname == "web1" }
    - name: Change something
      command: "true"
`,
  );
  const inventory = "web1 ansible_connection=local\nweb2 ansible_connection=local\n";
  const template = await project.makeTemplate({
    repository_id,
    inventory_id: await addInventory(project, inventory),
  });
  const { log } = await project.ended(await project.make(`templates/${template}/check`, {}));
  assert.doesNotMatch(log, /Change something/);
  await until(async () => (await project.get("drift")).length === 2);
  const rows: Row[] = await project.get("drift");
  assert.deepEqual(rows.map(({ host, state }) => `${host} ${state}`).toSorted(), [
    "web1 unknown",
    "web2 unknown",
  ]);
});
