import { join } from "node:path";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { type RealServer, startRealServer } from "@/tests/support/server/real_server.ts";

type Env = Record<string, string>;

/** A server to which things happen. It may be away at any time. */
export interface ChaosServer {
  url: string;
  dataDir: string;
  logTo: string;
  start(zone: string): Promise<void>;
  /** Stops its process for a while, and continues it. */
  pause(ms: number): Promise<void>;
  kill(): Promise<void>;
  /** Ends it as a service does, and returns its exit code. */
  end(): Promise<number>;
  residentBytes(): Promise<number | null>;
  output(): Promise<string>;
}

/** Servers with one store, and calls to whichever is there. */
export interface ChaosServers {
  servers: ChaosServer[];
  /** Calls the API of one of them. Returns null if it is away, or answers too late. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer | null>;
}

interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

const CALL_LIMIT_MS = 15_000;

interface Options {
  home: string;
  count: number;
  /** Settings of the shared store, if there is one. */
  shared?: Env;
  planted: Env;
}

/** Returns the servers, none of which has started. All of them isolate tasks with bubblewrap. */
export function newChaosServers({ home, count, shared, planted }: Options): ChaosServers {
  const env: Env = {
    ...planted,
    CALLBOARD_TASK_ISOLATION: "bwrap",
    CALLBOARD_DRAIN_SECONDS: "10",
    CALLBOARD_STOP_GRACE_SECONDS: "2",
    CALLBOARD_MAX_PARALLEL_TASKS: "3",
  };
  if (shared) {
    // A service of KV Connect has its own token and backups.
    for (
      const name of ["DENO_KV_ACCESS_TOKEN_FILE", "CALLBOARD_BACKUP_AT", "CALLBOARD_BACKUP_TO"]
    ) {
      delete env[name];
    }
    Object.assign(env, shared);
  }
  let cookie = "";
  const servers = Array.from({ length: count }, (_, n) => {
    const server = newServer(join(home, `server-${n}`), env, !!shared);
    const start = server.start;
    return {
      ...server,
      async start(zone: string) {
        cookie = await start(zone);
      },
    };
  });
  return {
    servers,
    async call(method, path, body, key) {
      const { url } = servers[Math.floor(Math.random() * servers.length)]!;
      try {
        const answer = await fetch(url + path, {
          method,
          headers: {
            Cookie: cookie,
            "Content-Type": "application/json",
            ...key && { "Idempotency-Key": key },
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: AbortSignal.timeout(CALL_LIMIT_MS),
        });
        return { status: answer.status, text: await answer.text(), headers: answer.headers };
      } catch {
        return null;
      }
    },
  };
}

function newServer(folder: string, env: Env, shared: boolean) {
  const [dataDir, logTo] = [join(folder, "data"), join(folder, "log", "server.log")];
  const port = freePort();
  const own: Env = shared ? { CALLBOARD_AUDIT_FILE: join(folder, "audit.jsonl") } : {};
  let running: RealServer | null = null;
  /** Whether its process is stopped or about to end. */
  let busy = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = busy.then(act);
    busy = done.then(() => {}, () => {});
    return done;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    logTo,
    start: (zone: string) =>
      inTurn(async () => {
        const settings = { ...env, ...own, CALLBOARD_PORT: String(port), TZ: zone };
        running = await untilStarted(() =>
          startRealServer({ dataDir, env: settings, logTo, under: ["env"] })
        );
        return running.cookie;
      }),
    pause: (ms: number) =>
      inTurn(async () => {
        if (!running) return;
        Deno.kill(running.pid, "SIGSTOP");
        await new Promise((resolve) => setTimeout(resolve, ms));
        Deno.kill(running.pid, "SIGCONT");
      }),
    kill: () =>
      inTurn(async () => {
        await running?.end("SIGKILL");
        running = null;
      }),
    end: () =>
      inTurn(async () => {
        const code = await running!.end("SIGTERM");
        running = null;
        return code;
      }),
    async residentBytes() {
      if (!running) return null;
      const status = await Deno.readTextFile(`/proc/${running.pid}/status`).catch(() => "");
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
      return kilobytes ? Number(kilobytes) * 1024 : null;
    },
    output: () => Deno.readTextFile(logTo).catch(() => ""),
  };
}

/** Starts again while a full disk or a store that is away refuses it, as a service would. */
async function untilStarted(start: () => Promise<RealServer>): Promise<RealServer> {
  for (let tries = 0;; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries >= 30) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
