import { join } from "node:path";
import { type RealServer, startRealServer } from "../../tests/support/server/real_server.ts";
import { installPlaybook } from "../bench/playbook.ts";
import { newProject } from "../bench/project.ts";
import { INSPECT_FLAGS } from "./heap.ts";

/**
 * A server of its own, in a folder that is removed afterwards, and one task that runs all the time.
 */
export interface SoakLab extends AsyncDisposable {
  server: RealServer;
  projectId: number;
  /** Its runs take a moment and come from a git repository. */
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
  const { projectId, git, repository, environment, template, startTask } = await newProject(
    server,
    home,
    "Soak",
  );
  const gitTemplateId = await template(
    "Short",
    await repository("Git", git.url),
    await environment({}),
  );
  const longTemplateId = await template(
    "Long",
    await repository("Local", git.path),
    await environment({ BENCH_SECONDS: String(seconds) }),
  );
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
