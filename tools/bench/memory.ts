import { join } from "node:path";
import { installStandIn, startRealServer } from "../../tests/support/server/real_server.ts";
import type { Row } from "./measure.ts";
import { cpuMs, residentMb } from "./process.ts";

/** The first project of a new server is created before. */
const PAGES = ["templates", "history", "keys", "inventory", "repositories", "team"]
  .map((name) => `/project/1/${name}`);
/** The first paths that a client and a person request. */
const PATHS = ["/api/user", "/api/projects", "/project/new", "/account", "/users", ...PAGES];
/** V8 returns memory ten seconds after the last page at the latest. */
const SETTLE_MS = 20_000;
const IDLE_MS = 60_000;

/** Measures the start of a server, and what it needs after a person has looked around. */
export async function* measureRest(): AsyncGenerator<Row> {
  const home = await Deno.makeTempDir({ prefix: "callboard_rest_" });
  const ansibleDir = await installStandIn(join(home, "bin"));
  const startedAt = performance.now();
  const server = await startRealServer({ dataDir: join(home, "data"), ansibleDir });
  try {
    const wallMs = performance.now() - startedAt;
    const startCpuMs = await cpuMs(server.pid);
    const startNote = `${Math.round(wallMs)} ms, of which ${startCpuMs} ms are CPU time`;
    yield ["start until the first sign-in", { note: startNote }];
    await server.api("POST", "/api/projects", { name: "Bench" });
    for (const path of PATHS) {
      await (await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } })).text();
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const files = await residentMb(server.pid, "RssFile");
    const note = `${await residentMb(server.pid)} MB, of which ${files} MB are files`;
    yield ["memory after a sign-in and ten pages", { note }];
    const before = await cpuMs(server.pid);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const share = (await cpuMs(server.pid) - before) / IDLE_MS * 100;
    yield ["CPU time of an idle server", { note: `${share.toFixed(2)} % of a core` }];
  } finally {
    await server.end("SIGTERM");
    await Deno.remove(home, { recursive: true });
  }
}
