import { join } from "node:path";
import { installStandIn, startRealServer } from "../../tests/support/real_server.ts";
import type { Row } from "./measure.ts";

/** The first paths that a client and a person request. */
const PATHS = ["/api/user", "/api/projects", "/project/new", "/account", "/users"];
const REST_MS = 10_000;

/** Measures the memory of an idle server after a person has signed in and looked around. */
export async function measureRest(): Promise<Row> {
  const home = await Deno.makeTempDir({ prefix: "callboard_rest_" });
  const ansibleDir = await installStandIn(join(home, "bin"));
  const server = await startRealServer({ dataDir: join(home, "data"), ansibleDir });
  try {
    for (const path of PATHS) {
      await (await fetch(new URL(path, server.url), { headers: { Cookie: server.cookie } })).text();
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
    const mb = (name: string) => Math.round(Number(status.match(`${name}:\\s+(\\d+)`)![1]) / 1024);
    const note = `${mb("VmRSS")} MB, of which ${mb("RssFile")} MB are files`;
    return ["memory at rest", { note }];
  } finally {
    await server.end("SIGTERM");
    await Deno.remove(home, { recursive: true });
  }
}
