import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { giveKnownAnsible } from "./known_ansible.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Number of tasks: enough for an upgrade that takes a second or more. */
export const TASKS = 4_000;

/**
 * Creates a data folder of the first version, whose tasks have rows of their own and nothing else.
 * `tasks` is a multiple of 100, and `padding` a number of rows of 60 kB.
 */
export async function oldData(tasks = TASKS, padding = 0): Promise<string> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_upgrade_" });
  await giveKnownAnsible(dataDir);
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  await kv.set(rowKeys.storeVersion(), 0);
  const created = "2026-03-01T10:00:00.000Z";
  // Without these rows the server would sweep the tasks.
  const project = { id: 1, name: "Web shop", created, alert: false, max_parallel_tasks: 0 };
  await kv.set(rowKeys.project(1), project);
  const value = new Uint8Array(60_000);
  for (let n = 0; n < padding; n++) await kv.set(["padding", n], value);
  for (let id = 0; id < 7; id++) {
    await kv.set(rowKeys.resource("templates", 1, id), { id, project_id: 1, name: `${id}` });
  }
  for (let id = 1; id <= tasks;) {
    const op = kv.atomic();
    for (let n = 0; n < 100; n++, id++) {
      const task = {
        id,
        project_id: 1,
        template_id: id % 7,
        status: "success",
        created,
        start: created,
        end: created,
      };
      op.set(rowKeys.task(1, id), { ...task, user_id: 1, template_type: "" })
        .set(rowKeys.taskByTemplate(1, id % 7, id), true);
    }
    await op.commit();
  }
  return dataDir;
}

/** Starts a server with the current code, and collects its output. */
export function serve(dataDir: string, port: number, settings: Record<string, string> = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "_fresh/server/serve.js"],
    cwd: ROOT,
    env: { CALLBOARD_DATA: dataDir, CALLBOARD_PORT: String(port), ...settings },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  const listen = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) said += text;
  };
  const heard = Promise.all([listen(child.stdout), listen(child.stderr)]);
  return {
    said: () => said,
    async end(signal: Deno.Signal = "SIGTERM") {
      child.kill(signal);
      await heard;
      return (await child.status).code;
    },
    /** Waits until it ends on its own. */
    async ended() {
      await heard;
      return (await child.status).code;
    },
  };
}
