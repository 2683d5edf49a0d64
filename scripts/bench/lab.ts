import { join } from "node:path";
import { type RealServer, startRealServer } from "../../tests/support/real_server.ts";
import { newGitRepository } from "../../tests/support/git_repository.ts";
import { installPlaybook } from "./playbook.ts";

/** A server of its own with a project to measure, in a folder that is gone afterwards. */
export interface Lab {
  server: RealServer;
  projectId: number;
  /** Its playbook comes from a git repository. */
  gitTemplateId: number;
  /** Its playbook lies in a local folder. */
  localTemplateId: number;
  /** Its playbook prints as many lines as it can. */
  linesTemplateId: number;
  /** Its playbook prints the time, again and again. */
  clockTemplateId: number;
  dataDir: string;
  /** Ends the server, lets `work` change what is in its store, and starts it again. */
  restart(work: () => Promise<void>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const LINES = 300_000;
export const CLOCK_LINES = 400;

export async function newLab(): Promise<Lab> {
  const home = await Deno.makeTempDir({ prefix: "callboard_bench_" });
  const options = {
    dataDir: join(home, "data"),
    ansibleDir: await installPlaybook(join(home, "bin")),
  };
  const server = await startRealServer(options);
  const templates = await makeProject(server, home);
  const lab: Lab = {
    server,
    ...templates,
    dataDir: options.dataDir,
    async restart(work) {
      await lab.server.end("SIGTERM");
      await work();
      lab.server = await startRealServer(options);
    },
    async [Symbol.asyncDispose]() {
      await lab.server.end("SIGTERM");
      await Deno.remove(home, { recursive: true });
    },
  };
  return lab;
}

async function makeProject(server: RealServer, home: string) {
  const make = async (path: string, body: Record<string, unknown>): Promise<number> => {
    const { status, body: answer } = await server.api("POST", path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.id;
  };
  const git = await newGitRepository(join(home, "repository"));
  await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const projectId = await make("/api/projects", { name: "Bench" });
  const below = `/api/project/${projectId}`;
  const keyId = await make(`${below}/keys`, { name: "No key", type: "none" });
  const inventoryId = await make(`${below}/inventory`, {
    name: "Hosts",
    type: "static",
    inventory: "localhost ansible_connection=local\n",
    ssh_key_id: keyId,
  });
  const repository = (name: string, url: string) =>
    make(`${below}/repositories`, { name, git_url: url, git_branch: "main", ssh_key_id: keyId });
  const environment = (env: Record<string, string>) =>
    make(`${below}/environment`, { name: "Env", json: "{}", env: JSON.stringify(env) });
  const template = (name: string, repositoryId: number, environmentId: number) =>
    make(`${below}/templates`, {
      name,
      playbook: "site.yml",
      inventory_id: inventoryId,
      repository_id: repositoryId,
      environment_id: environmentId,
      allow_parallel_tasks: true,
    });
  const gitId = await repository("Git", git.url);
  const localId = await repository("Local", git.path);
  const plain = await environment({});
  const templates = {
    gitTemplateId: await template("From git", gitId, plain),
    localTemplateId: await template("From a folder", localId, plain),
    linesTemplateId: await template(
      "Lines",
      localId,
      await environment({ BENCH_LINES: `${LINES}` }),
    ),
    clockTemplateId: await template(
      "Clock",
      localId,
      await environment({ BENCH_CLOCK: `${CLOCK_LINES}` }),
    ),
  };
  for (let n = 5; n <= 500; n++) await template(`Template ${n}`, gitId, plain);
  return { projectId, ...templates };
}
