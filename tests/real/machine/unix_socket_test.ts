import assert from "node:assert/strict";
import { join } from "node:path";
import { startNginx } from "@/tests/support/programs/nginx.ts";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "@/tests/support/server/real_server.ts";

/** Starts servers on one socket, each with data of its own. */
async function newStage() {
  const cleanup = new AsyncDisposableStack();
  const dir = await Deno.makeTempDir({ prefix: "callboard_socket_" });
  cleanup.defer(() => Deno.remove(dir, { recursive: true }));
  const path = join(dir, "callboard.sock");
  const client = cleanup.use(Deno.createHttpClient({ proxy: { transport: "unix", path } }));
  const ansibleDir = await installStandIn(join(dir, "stand_in"));
  const start = (name: string, env: Record<string, string> = {}): Promise<RealServer> =>
    startRealServer({
      dataDir: join(dir, name),
      ansibleDir,
      client,
      env: { CALLBOARD_SOCKET: path, CALLBOARD_DRAIN_SECONDS: "0", ...env },
    });
  return { path, client, start, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

const exists = (path: string): Promise<boolean> => Deno.lstat(path).then(() => true, () => false);

Deno.test("a server listens on a socket with its mode, and removes it at its end", async () => {
  await using stage = await newStage();
  const server = await stage.start("one", { CALLBOARD_SOCKET_MODE: "666" });
  const { mode, isSocket } = await Deno.lstat(stage.path);
  assert.ok(isSocket);
  assert.equal(mode! & 0o777, 0o666);
  assert.equal((await server.api("GET", "/api/user")).status, 200);
  assert.equal(await server.end("SIGTERM"), 0);
  assert.equal(await exists(stage.path), false);
});

Deno.test("the socket of a dead server is replaced, and that of a running one is not", async () => {
  await using stage = await newStage();
  const dead = await stage.start("one");
  await dead.end("SIGKILL");
  assert.ok(await exists(stage.path));
  const server = await stage.start("one");
  assert.equal((await Deno.lstat(stage.path)).mode! & 0o777, 0o660);
  await assert.rejects(stage.start("two"), /another server listens on/);
  assert.equal((await server.api("GET", "/api/user")).status, 200);
  await server.end("SIGTERM");
  await Deno.writeTextFile(stage.path, "mine");
  await assert.rejects(stage.start("one"), /exists, and is no socket/);
  assert.equal(await Deno.readTextFile(stage.path), "mine");
});

Deno.test("behind nginx, the client's address is the one that the proxy has seen", async () => {
  await using stage = await newStage();
  const server = await stage.start("one", {
    CALLBOARD_SOCKET_MODE: "666",
    CALLBOARD_TRUST_PROXY: "true",
    CALLBOARD_ACCESS_LOG: "true",
    CALLBOARD_LOG_FORMAT: "json",
  });
  const content = `location / {
    proxy_pass http://unix:${stage.path}:; proxy_http_version 1.1;
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
  }`;
  {
    await using nginx = await startNginx({ front: content });
    const response = await fetch(`${nginx.urls.front}/api/ping`, {
      headers: { "X-Forwarded-For": "203.0.113.9", "X-Request-Id": "through-nginx" },
    });
    assert.equal(await response.text(), "pong");
  }
  await server.end("SIGTERM");
  const line = server.output().split("\n").find((one) => one.includes("through-nginx"))!;
  assert.equal(JSON.parse(line).address, "127.0.0.1");
});
