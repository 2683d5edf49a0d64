import { cropTrailingSlash } from "../lib/app.ts";
import { ConfigError } from "../lib/config.ts";
import { describeError } from "../lib/log.ts";
import { say } from "./console.ts";

type Fetch = (req: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>) => Promise<Response>;

/** Time for open streams to tell how the tasks that they show ended. */
const STREAMS_MS = 500;

/** Serves what `deno task build` made until the process is told to end. */
async function serve(): Promise<void> {
  const { server } = await import("../main.ts");
  const built = new URL("../_fresh/server.js", import.meta.url).href;
  const { fetch }: { fetch: Fetch } = (await import(built)).default;
  const { config, log } = server.deps;

  const listener = Deno.serve({
    hostname: config.host,
    port: config.port,
    onListen: ({ hostname, port }) => greet(server, hostname, port),
    onError(error) {
      log("error", "request_failed", describeError(error));
      return new Response("Internal Server Error", { status: 500 });
    },
  }, (req, info) => fetch(cropTrailingSlash(req), info));

  await toldToEnd();
  say(`Ending: running tasks get up to ${config.drainMs / 1000} seconds.`);
  listener.shutdown();
  await server.stop();
  await new Promise((resolve) => setTimeout(resolve, STREAMS_MS));
}

function greet({ deps: { config } }: Server, hostname: string, port: number) {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  say(`Callboard ${config.version} is at ${config.url ?? `http://${host}:${port}/`}`);
}
type Server = typeof import("../main.ts")["server"];

/** Resolves at the first signal; a second one ends the process at once. */
function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    const listen = () => {
      if (told) Deno.exit(1);
      told = true;
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, listen);
  });
}

try {
  await serve();
  Deno.exit(0);
} catch (error) {
  if (error instanceof ConfigError) say(error.message);
  else if (error instanceof Deno.errors.AddrInUse) {
    say("The port is taken: choose another with CALLBOARD_PORT.");
  } else throw error;
  Deno.exit(1);
}
