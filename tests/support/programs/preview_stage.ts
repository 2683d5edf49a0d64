import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { hostsOf } from "./many_plays.ts";
import { addRealProject } from "./real_project.ts";

export const SECRET = "correct-horse-battery";

/**
 * Each host has a file of its own. Check mode cannot predict the effect of `raw`, which starts no
 * module. `copy` would start two, and take four times as long as `lineinfile`.
 */
export const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - name: Write a file
      lineinfile:
        path: "{{ folder }}/{{ inventory_hostname }}.txt"
        create: true
        regexp: "."
        line: "{{ text }} {{ password | default('') }}"
    - name: Look twice
      lineinfile: { path: "{{ folder }}/twice.txt", create: true, line: same }
      when: inventory_hostname == "db"
    - name: Touch by hand
      raw: touch {{ folder }}/{{ inventory_hostname }}.touched
`;

/**
 * Creates a real project with a template that previews its runs, whose play writes into a folder.
 */
export async function newPreviewStage(
  play = PLAY,
  template: Record<string, unknown> = {},
  hosts = ["web", "db"],
) {
  const project = await addRealProject();
  const git = await newGitRepository(join(project.home, "plays"));
  const folder = join(project.home, "target");
  await Deno.mkdir(folder);
  const first = await git.commit({ "site.yml": play }, "Play");
  const repository_id = await project.make("repositories", {
    name: "Plays",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  const inventory = {
    name: "Some",
    type: "static",
    inventory: hostsOf(...hosts),
    ssh_key_id: project.noKey,
  };
  const inventory_id = await project.make("inventory", inventory);
  const environment = {
    name: "Settings",
    json: JSON.stringify({ folder, text: "first" }),
    secrets: [{ type: "var", name: "password", secret: SECRET, operation: "create" }],
  };
  const environment_id = await project.make("environment", environment);
  const template_id = await project.makeTemplate({
    repository_id,
    inventory_id,
    environment_id,
    preview_first: true,
    ...template,
  });
  const send = async (method: string, path: string, body?: unknown) =>
    (await project.server.api(method, `/api/project/${project.id}/${path}`, body)).status;
  return {
    project,
    git,
    folder,
    first,
    template_id,
    send,
    files: async () => (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).toSorted(),
    async changeInventory(text: string) {
      const body = { ...inventory, id: inventory_id, project_id: project.id, inventory: text };
      assert.equal(await send("PUT", `inventory/${inventory_id}`, body), 204);
    },
    async changeEnvironment(json: unknown) {
      const id = environment_id;
      const body = { name: "Settings", id, project_id: project.id, json: JSON.stringify(json) };
      assert.equal(await send("PUT", `environment/${id}`, body), 204);
    },
    /** Starts a task, and waits until its preview is ready. */
    async previewed(input = {}) {
      const id = await project.startTask(template_id, input);
      await project.until(id, ["waiting_confirmation"]);
      return id;
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}
