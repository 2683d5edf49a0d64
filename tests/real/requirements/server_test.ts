import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

const role = (who: string) => ({
  "tasks/main.yml": `- debug: { msg: "hello from ${who}" }\n`,
  "meta/main.yml": "galaxy_info: { author: a, description: d, license: MIT }\n",
});

Deno.test("a task shows which roles ran, and a repeated or confirmed one has the same", async () => {
  await using project = await addRealProject();
  const greeter = await newGitRepository(join(project.home, "greeter"));
  const first = await greeter.commit(role("first"), "First");
  const { repository_id } = await addPlays(project, {
    "requirements.yml": `roles:\n  - { src: "git+${greeter.url}", version: main }\n`,
    "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [greeter]\n",
  });
  const template = await project.makeTemplate({ repository_id });
  const item = (resolved: string) => [
    { kind: "role", name: "greeter", version: "main", resolved },
  ];
  const old = await project.run(template);
  assert.match(old.log, new RegExp(`^  greeter main ${first.slice(0, 7)}$`, "m"));
  assert.deepEqual(old.task.requirements, item(first));

  const second = await greeter.commit(role("second"), "Second");
  const moved = await project.run(template);
  assert.match(moved.log, /hello from second/);
  assert.deepEqual(moved.task.requirements, item(second));
  const page = async (path: string) => {
    const headers = { Cookie: project.server.cookie };
    return await (await fetch(`${project.server.url}/project/${project.id}${path}`, { headers }))
      .text();
  };
  const compared = await page(`/templates/${template}/compare?run=${moved.task.id}`);
  assert.match(compared, new RegExp(`greeter main ${first.slice(0, 7)}`));
  assert.match(compared, new RegExp(`greeter main ${second.slice(0, 7)}`));
  const again = await project.run(template, old.task);
  assert.match(again.log, /already installed[^]*hello from first/);
  assert.deepEqual(again.task.requirements, item(first));

  const previewing = await project.makeTemplate({ repository_id, preview_first: true });
  const id = await project.startTask(previewing);
  const { requirements } = await project.until(id, ["waiting_confirmation"]);
  assert.deepEqual(requirements, item(second));
  await greeter.commit(role("third"), "Third");
  const call = (path: string) =>
    project.server.api("POST", `/api/project/${project.id}/${path}`, {});
  assert.equal((await call(`tasks/${id}/confirm`)).status, 204);
  const confirmed = await project.ended(id);
  assert.match(confirmed.log, /hello from second[^]*running now[^]*hello from second/);
  assert.doesNotMatch(confirmed.log, /hello from third/);

  // Nothing has changed, but someone wants everything again.
  await project.run(template);
  assert.match((await project.run(template)).log, /already installed[^]*hello from third/);
  assert.equal((await call(`repositories/${repository_id}/requirements`)).status, 204);
  assert.match((await project.run(template)).log, /Installing the requirements/);
  assert.match((await project.run(template)).log, /already installed/);
  const forced = await project.run(template, { params: { force_galaxy_install: true } });
  assert.match(forced.log, /Installing the requirements/);
});
