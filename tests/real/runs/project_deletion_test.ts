import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";

/** Returns the files below a folder, except those of the store. */
async function filesBelow(folder: string, below = ""): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
    const path = join(below, name);
    if (isDirectory) files.push(...await filesBelow(folder, path));
    else if (!name.startsWith("callboard.kv")) files.push(path);
  }
  return files.toSorted();
}

const PLAYBOOK = `- hosts: localhost
  gather_facts: false
  roles: [greeter]
  tasks:
    - shell: >
        mkdir -p ~/cache/locked && touch ~/cache/locked/file &&
        chmod a-w ~/cache/locked && sleep {{ seconds | default(0) }}
`;

Deno.test("a project that is deleted leaves nothing in the data folder, whatever its runs made", async () => {
  await using project = await newRealProject();
  const before = await filesBelow(project.dataDir);
  const role = await newGitRepository(join(project.home, "role"));
  await role.commit({
    "tasks/main.yml": '- debug: { msg: "hello" }\n',
    "meta/main.yml": "galaxy_info: { author: a, description: d, license: MIT }\n",
  }, "Role");
  const git = await newGitRepository(join(project.home, "repository"));
  await git.commit({
    "site.yml": PLAYBOOK,
    "roles/requirements.yml": `- { name: greeter, src: "${role.url}", scm: git }\n`,
  }, "Use it");
  const repository_id = await project.make("repositories", {
    name: "Own",
    git_url: `file://${git.path}`,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  const template = await project.makeTemplate({ repository_id });
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log);
  await Deno.mkdir(join(project.dataDir, "known_hosts"), { recursive: true });
  await Deno.writeTextFile(join(project.dataDir, "known_hosts", `${project.id}`), "web x y\n");
  const made = new Set((await filesBelow(project.dataDir)).map((path) => path.split("/")[0]));
  for (const folder of ["repositories", "galaxy", "homes"]) assert.ok(made.has(folder), folder);

  const running = await project.startTask(template, { environment: '{"seconds": 60}' });
  await project.until(running, ["running"]);
  const path = `/api/project/${project.id}`;
  assert.equal((await project.server.api("DELETE", path)).status, 409);
  assert.equal((await project.server.api("DELETE", `${path}?force=true`)).status, 204);
  assert.deepEqual(await filesBelow(project.dataDir), before);
  const folders = ["repositories", "galaxy", "homes", "known_hosts", "tasks"];
  for (const folder of folders) {
    const left = await Array.fromAsync(Deno.readDir(join(project.dataDir, folder)));
    assert.deepEqual(left.map(({ name }) => name), [], folder);
  }
});
