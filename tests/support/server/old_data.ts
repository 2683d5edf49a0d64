import { join } from "node:path";
import { FIRST_VERSION } from "@/lib/maintenance/migrations.ts";
import type { ProjectRow } from "@/lib/model/project_row.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { giveKnownAnsible } from "./known_ansible.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/**
 * Creates a data folder whose store has the first version, with a project. `padding` is a number of
 * rows of 60 kB.
 */
export async function oldData(padding = 0): Promise<string> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_upgrade_" });
  await giveKnownAnsible(dataDir);
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  await kv.set(rowKeys.storeVersion(), FIRST_VERSION);
  const created = "2026-03-01T10:00:00.000Z";
  const project: ProjectRow = {
    ...{ id: 1, name: "Web shop", created, alert: false, alert_chat: null },
    ...{ max_parallel_tasks: 0, type: "" },
  };
  await kv.set(rowKeys.project(1), project);
  const value = new Uint8Array(60_000);
  for (let n = 0; n < padding; n++) await kv.set(["padding", n], value);
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
