import { join } from "node:path";
import { newGitRepository } from "../../tests/support/git_repository.ts";
import { type RealServer, startRealServer } from "../../tests/support/real_server.ts";
import { installPlaybook } from "../bench/playbook.ts";
import { INSPECT_FLAGS } from "./heap.ts";

/** A server of its own, in a folder that is gone afterwards, and one task that runs all the time. */
export interface SoakLab extends AsyncDisposable {
  server: RealServer;
  projectId: number;
  /** Its runs take a moment, and come from a git repository. */
  gitTemplateId: number;
  longTaskId: number;
  startTask(templateId: number): Promise<number>;
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function openLab(seconds: number): Promise<SoakLab> {
  const home = await Deno.makeTempDir({ prefix: "callboard_soak_" });
  const server = await startRealServer({
    dataDir: join(home, "data"),
    ansibleDir: await installPlaybook(join(home, "bin")),
    flags: INSPECT_FLAGS,
  });
  const make = async (path: string, body: Record<string, unknown>): Promise<number> => {
    const { status, body: answer } = await server.api("POST", path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.id;
  };
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const projectId = await make("/api/projects", { name: "Soak" });
  const below = `/api/project/${projectId}`;
  const keyId = await make(`${below}/keys`, { name: "No key", type: "none" });
  const inventoryId = await make(`${below}/inventory`, {
    name: "Hosts",
    type: "static",
    inventory: "localhost ansible_connection=local\n",
    ssh_key_id: keyId,
  });
  const template = async (name: string, gitUrl: string, env: Record<string, string>) =>
    await make(`${below}/templates`, {
      name,
      playbook: "site.yml",
      inventory_id: inventoryId,
      repository_id: await make(`${below}/repositories`, {
        name,
        git_url: gitUrl,
        git_branch: "main",
        ssh_key_id: keyId,
      }),
      environment_id: await make(`${below}/environment`, {
        name,
        json: "{}",
        env: JSON.stringify(env),
      }),
      allow_parallel_tasks: true,
    });
  const startTask = (templateId: number) => make(`${below}/tasks`, { template_id: templateId });
  const gitTemplateId = await template("Short", git.url, {});
  const longTemplateId = await template("Long", git.path, { BENCH_SECONDS: String(seconds) });
  return {
    server,
    projectId,
    gitTemplateId,
    longTaskId: await startTask(longTemplateId),
    startTask,
    async [Symbol.asyncDispose]() {
      await server.end("SIGTERM");
      await Deno.remove(home, { recursive: true });
    },
  };
}
