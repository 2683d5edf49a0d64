import assert from "node:assert/strict";
import { join } from "node:path";
import { ADMIN, installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";

/** Runs a server with settings of its log, and returns what it printed on each stream. */
async function printed(env: Record<string, string>) {
  const home = await Deno.makeTempDir({ prefix: "callboard_log_" });
  try {
    const stdout = join(home, "stdout");
    const server = await startRealServer({
      dataDir: join(home, "data"),
      ansibleDir: await installStandIn(join(home, "stand_in")),
      under: ["sh", "-c", 'exec "$@" >"$0"', stdout],
      env: { CALLBOARD_ACCESS_LOG: "true", CALLBOARD_DRAIN_SECONDS: "0", ...env },
    });
    // The API knows no such parameter, and its answer is logged all the same.
    await server.api("GET", "/api/user?secret=Zs3cretZ");
    assert.equal(await server.end("SIGTERM"), 0);
    return { stdout: await Deno.readTextFile(stdout), stderr: server.output() };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("a server logs everything on one stream, as JSON from the first line to the last", async () => {
  const { stdout, stderr } = await printed({ CALLBOARD_LOG_FORMAT: "json" });
  assert.equal(stdout, "");
  const lines = stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const event of ["ansible_found", "started", "stopping"]) {
    assert.ok(lines.some((line) => line.event === event), event);
  }
  const [line] = lines.filter(({ path }) => path === "/api/user");
  const { method, status, account, address } = line;
  assert.deepEqual({ method, status, account, address }, {
    method: "GET",
    status: 400,
    account: ADMIN.login,
    address: "127.0.0.1",
  });
  assert.ok(!stderr.includes("Zs3cretZ"));
});

Deno.test("lines of text are for people", async () => {
  const { stderr } = await printed({ CALLBOARD_LOG_FORMAT: "text" });
  assert.match(stderr, /^\S+Z INFO {2}started Callboard \S+ is at http:\/\/127\.0\.0\.1:\d+\/ as/m);
  assert.match(stderr, /^\S+Z INFO {2}request .*\bmethod=GET path=\/api\/user status=400 ms=\d+ /m);
});
