import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rowKeys } from "@/lib/kv/keys.ts";
import { answerUpgrading } from "@/lib/web/server/upgrade_answers.ts";
import { freePort } from "./support/kv_server.ts";
import { until } from "./support/until.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Enough for an upgrade that takes a second or more. */
const TASKS = 4_000;

/**
 * Creates a data folder of the first version, whose tasks have rows of their own and nothing else.
 */
async function oldData(): Promise<string> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_upgrade_" });
  using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  await kv.set(rowKeys.storeVersion(), 0);
  const created = "2026-03-01T10:00:00.000Z";
  // Without these rows the server would sweep the tasks.
  const project = { id: 1, name: "Web shop", created, alert: false, max_parallel_tasks: 0 };
  await kv.set(rowKeys.project(1), project);
  for (let id = 0; id < 7; id++) {
    await kv.set(rowKeys.resource("templates", 1, id), { id, project_id: 1, name: `${id}` });
  }
  for (let id = 1; id <= TASKS;) {
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
function serve(dataDir: string, port: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "scripts/serve.ts"],
    cwd: ROOT,
    env: { CALLBOARD_DATA: dataDir, CALLBOARD_PORT: String(port) },
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
    async end() {
      child.kill("SIGTERM");
      await heard;
      return (await child.status).code;
    },
  };
}

Deno.test("an upgrade answers while it runs, ends when it is told to, and goes on at the next start", async () => {
  const dataDir = await oldData();
  const port = freePort();
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  try {
    const first = serve(dataDir, port);
    let health: Response | null = null;
    await until(async () => (health = await get("/api/health")) !== null);
    assert.equal(health!.status, 503);
    const { status, checks } = await health!.json();
    assert.equal(status, "failing");
    assert.match(checks.store.reason, /upgrading its data. Step \d+ of \d+, rows so far: [\d,]+/);
    await until(() => first.said().includes("upgrade_started"));
    assert.equal(await first.end(), 0);
    assert.match(first.said(), /"event":"upgrade_stopped"/);
    assert.match(first.said(), /^Stopped during an upgrade. The next start continues it.$/m);

    const second = serve(dataDir, port);
    await until(async () => (await get("/api/ping"))?.status === 200);
    assert.match(second.said(), /"event":"upgrade_finished"/);
    assert.equal(await second.end(), 0);
    using kv = await Deno.openKv(join(dataDir, "callboard.kv"));
    const { value } = await kv.get<Deno.KvU64>(rowKeys.rowCount(1, "tasks"));
    assert.equal(value!.value, BigInt(TASKS));
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("people and programs are told of an upgrade, in their language and below a sub-path", async () => {
  const progress = { step: 3, steps: 9, name: "indexHistory", rows: 1200 };
  const ask = (path: string, language = "en") =>
    answerUpgrading(
      new Request(`http://callboard${path}`, { headers: { "accept-language": language } }),
      "/sub",
      progress,
    );
  for (const path of ["/sub/api/ping", "/sub/api/health", "/sub/api/projects", "/sub/"]) {
    const answer = ask(path);
    assert.equal(answer.status, 503, path);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.doesNotMatch(await answer.text(), /pong/);
  }
  const html = await ask("/sub/project/1/history", "de-AT,de;q=0.9").text();
  assert.match(html, /<html lang="de">/);
  assert.match(html, /http-equiv="refresh" content="5"/);
  assert.match(html, /Schritt 3 von 9, Zeilen bisher: 1\.200\./);
});
