import { isShared } from "../lib/base/settings/config.ts";
import { keepWatchdog } from "../lib/base/machine/service_manager.ts";
import { rowKeys } from "../lib/store/keys.ts";
import { listen } from "../lib/web/server/listen.ts";
import type { ServeHandler } from "../lib/web/server/tls_front.ts";
import { describeError } from "../lib/base/log.ts";
import { announce, printFirstAdmin } from "./console.ts";
import { runScript } from "./run_script.ts";
import { makeDemo } from "./demo.ts";
import { waitForStop } from "./wait_for_stop.ts";

/** Time for everything else that a stop does. */
const STOP_MS = 30_000;
/** Time for open streams to report how their tasks ended. */
const STREAMS_MS = 500;

/** Path of the build's module from here, which the bundler inserts. */
declare const BUILT_SERVER: string;

/** Serves the build of `deno task build` until the process gets a signal to end. */
async function serve(): Promise<void> {
  const { server } = await import("../main.ts");
  const { fetch }: { fetch: ServeHandler } = (await import(BUILT_SERVER)).default;
  const { certificate, manager, deps } = server;
  const { config, log, kv } = deps;

  const onError = (error: unknown) => {
    log("error", "request_failed", describeError(error));
    return new Response("Internal Server Error", { status: 500 });
  };
  const listener = await listen({ config, certificate, onError, log }, fetch);
  greet(server, listener.address);
  // SIGHUP drains. At SIGUSR1, Deno opens its debugger, through which everyone on this machine
  // could take over.
  Deno.addSignalListener("SIGUSR2", () => {
    certificate?.renew().catch((error) => log("error", "certificate_kept", describeError(error)));
  });
  const statusOf = () => `Serving. Tasks that run here: ${deps.running()}`;
  manager.notify({ READY: 1, STATUS: statusOf() });
  // A service that is away comes back, and tasks go on meanwhile.
  const works = () => isShared(config) ? Promise.resolve() : kv.get(rowKeys.probe());
  const watchdog = keepWatchdog(manager, works, statusOf);

  const end = waitForStop();
  await greetDemo(server);
  await end;
  watchdog.stop();
  manager.notify({
    STOPPING: 1,
    STATUS: "Waiting for running tasks",
    EXTEND_TIMEOUT_USEC: (config.drainMs + STOP_MS) * 1000,
  });
  announce(
    "stopping",
    `Stopping. Running tasks have up to ${config.drainMs / 1000} seconds to finish.`,
  );
  listener.shutdown();
  await server.drain();
  await new Promise((resolve) => setTimeout(resolve, STREAMS_MS));
  server.close();
}

function greet({ deps: { config }, firstAdmin }: Server, address: string) {
  printFirstAdmin(firstAdmin);
  const { version, url, socket } = config;
  const reached = url ?? (socket ? address : `${address}/`);
  announce("started", `Callboard ${version} is at ${reached} as process ${Deno.pid}.`);
}
type Server = typeof import("../main.ts")["server"];

/** Creates the demo project if it is wanted. The server runs even if that fails. */
async function greetDemo({ deps }: Server): Promise<void> {
  if (Deno.env.get("CALLBOARD_DEMO") !== "true") return;
  try {
    const id = await makeDemo(deps);
    const path = `${deps.config.basePath}/project/${id}/history`;
    if (id) {
      announce("demo_created", `Created the demo project and started its first build: ${path}`);
    }
  } catch (error) {
    deps.log("error", "demo_failed", describeError(error));
  }
}

await runScript(serve);
Deno.exit(0);
