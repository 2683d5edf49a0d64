import { join } from "node:path";
import { type RealServer, startRealServer } from "../../tests/support/server/real_server.ts";
import { installPlaybook } from "./playbook.ts";
import { newProject } from "./project.ts";

/** A server of its own with a project to measure, in a folder that is removed afterwards. */
export interface Lab {
  server: RealServer;
  projectId: number;
  /** Its playbook comes from a git repository. */
  gitTemplateId: number;
  /** Its playbook lies in a local folder. */
  localTemplateId: number;
  /** Its playbook lies in a local folder, and ends immediately. */
  noopTemplateId: number;
  /** Its playbook prints as many lines as it can. */
  linesTemplateId: number;
  /** Its playbook prints the time again and again. */
  clockTemplateId: number;
  dataDir: string;
  /** Stops the server, lets `work` change its store, and starts it again. */
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
  const { projectId, git, repository, environment, template } = await newProject(
    server,
    home,
    "Bench",
  );
  const gitId = await repository("Git", git.url);
  const localId = await repository("Local", git.path);
  const plain = await environment({});
  const templates = {
    gitTemplateId: await template("From git", gitId, plain),
    localTemplateId: await template("From a folder", localId, plain),
    noopTemplateId: await template("No-op", localId, await environment({ BENCH_NOOP: "1" })),
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
  for (let n = 6; n <= 500; n++) await template(`Template ${n}`, gitId, plain);
  return { projectId, ...templates };
}
