import { join } from "node:path";

/**
 * Path of the self-hosted KV Connect server (`cargo install denokv`). Tests that need it are
 * skipped without it.
 */
export const denokv = (Deno.env.get("PATH") ?? "").split(":")
  .map((directory) => join(directory, "denokv"))
  .find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });

/** A KV Connect server on this machine that can stop and start again. */
interface KvServer {
  /** Settings that servers need to use it. */
  env: { CALLBOARD_KV: string; DENO_KV_ACCESS_TOKEN: string };
  /** Its process while it runs. */
  readonly pid: number;
  /** Its database, in the format of a store that is a file. */
  file: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export function newKvServer(directory: string, program = denokv!): KvServer {
  const token = crypto.randomUUID();
  const file = join(directory, "kv.sqlite");
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: Deno.ChildProcess | null = null;
  return {
    env: { CALLBOARD_KV: url, DENO_KV_ACCESS_TOKEN: token },
    file,
    get pid() {
      return child!.pid;
    },
    async start() {
      child = new Deno.Command(program, {
        args: [
          "--sqlite-path",
          file,
          "serve",
          "--addr",
          `127.0.0.1:${port}`,
        ],
        env: { DENO_KV_ACCESS_TOKEN: token },
        stdout: "null",
        stderr: "null",
      }).spawn();
      while (
        !await fetch(url).then((answer) => answer.body?.cancel().then(() => true), () => false)
      ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async kill() {
      child?.kill("SIGKILL");
      await child?.status;
    },
  };
}

export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
