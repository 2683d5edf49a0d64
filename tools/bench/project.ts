import { join } from "node:path";
import { newGitRepository } from "../../tests/support/services/git_repository.ts";
import type { RealServer } from "../../tests/support/server/real_server.ts";

/**
 * Creates a project with a key and an inventory, and returns functions that create the rest of it.
 */
export async function newProject(server: RealServer, home: string, name: string) {
  const make = async (path: string, body: Record<string, unknown>): Promise<number> => {
    const { status, body: answer } = await server.api("POST", path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.id;
  };
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const projectId = await make("/api/projects", { name });
  const below = `/api/project/${projectId}`;
  const keyId = await make(`${below}/keys`, { name: "No key", type: "none" });
  const inventoryId = await make(`${below}/inventory`, {
    name: "Hosts",
    type: "static",
    inventory: "localhost ansible_connection=local\n",
    ssh_key_id: keyId,
  });
  return {
    projectId,
    git,
    repository: (name: string, url: string) =>
      make(`${below}/repositories`, { name, git_url: url, git_branch: "main", ssh_key_id: keyId }),
    environment: (env: Record<string, string>) =>
      make(`${below}/environment`, { name: "Env", json: "{}", env: JSON.stringify(env) }),
    template: (name: string, repositoryId: number, environmentId: number) =>
      make(`${below}/templates`, {
        name,
        playbook: "site.yml",
        inventory_id: inventoryId,
        repository_id: repositoryId,
        environment_id: environmentId,
        allow_parallel_tasks: true,
      }),
    startTask: (templateId: number) => make(`${below}/tasks`, { template_id: templateId }),
  };
}
