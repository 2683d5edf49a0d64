import { Buffer } from "node:buffer";
import { join } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { giveKnownAnsible, keepKnownAnsible } from "./known_ansible.ts";
import { STAND_IN } from "./run_bench.ts";
import { type ApiAnswer, readAnswer } from "@/tests/support/world/world.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Time limit of a start on a busy machine. */
const START_LIMIT_MS = 120_000;
export const ADMIN = { login: "admin", password: "only for tests" };

/** A server in a process of its own, as started by `deno task start`, on a port of its own. */
export interface RealServer {
  url: string;
  pid: number;
  /** Calls the API as the first administrator. */
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** The session cookie of the first administrator. */
  cookie: string;
  /** Returns its output so far. */
  output(): string;
  /** Ends it with a signal and returns its exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number>;
}

export interface RealServerOptions {
  dataDir: string;
  /** A folder with `ansible-playbook` and `ansible-galaxy`: see `installStandIn`. */
  ansibleDir?: string;
  env?: Record<string, string>;
  /** A command that starts the server's command, for example as another account. */
  under?: string[];
  /** Number of files and connections that it may have open. */
  openFilesMax?: number;
  /** Client that reaches a server with a certificate of its own, or on a socket. */
  client?: Deno.HttpClient;
  /** Options of `deno run`, for example to inspect the process. */
  flags?: string[];
  /** File to append its output to. It may be full, so the server needs a fixed port. */
  logTo?: string;
}

/** Starts a server on `dataDir`, from the last build. */
export async function startRealServer(options: RealServerOptions): Promise<RealServer> {
  const { dataDir, ansibleDir, env, under, client } = options;
  // Another account could not read the record.
  const isUsual = !ansibleDir && !env?.PATH && !under;
  if (isUsual) await giveKnownAnsible(dataDir);
  const child = spawn(options);
  const output = collect(child.stdout, child.stderr);
  const printed = options.logTo
    ? await untilReady(`http://127.0.0.1:${env!.CALLBOARD_PORT}`, child)
    : await readUrl(output, child);
  if (isUsual) await keepKnownAnsible(dataDir);
  const onSocket = printed.startsWith("unix:");
  const url = onSocket ? "http://localhost/" : env?.CALLBOARD_URL ? directUrl(env) : printed;
  const cookie = await signIn(url, client);
  return {
    url,
    pid: child.pid,
    cookie,
    output,
    api: async (method, path, body) =>
      await readAnswer(
        await fetch(below(url, path), {
          method,
          headers: { Cookie: cookie, "Content-Type": "application/json" },
          body: body === undefined ? undefined : JSON.stringify(body),
          client,
        }),
      ),
    async end(signal) {
      child.kill(signal);
      // A terminal's signal reaches `deno task` too, which passes it on.
      const again = signal === "SIGTERM" ? setTimeout(() => child.kill(signal), 50) : undefined;
      const { code } = await child.status;
      clearTimeout(again);
      return code;
    },
  };
}

function spawn(
  { dataDir, ansibleDir, env = {}, under = [], openFilesMax, flags = [], logTo }: RealServerOptions,
): Deno.ChildProcess {
  const path = Deno.env.get("PATH")!;
  // The exact command of `deno task start`, with its permissions.
  const command = denoJson.tasks.serve.command
    .replace(/\bdeno run /, ['exec "$DENO" run', ...flags, ""].join(" "));
  const limit = openFilesMax ? `ulimit -n ${openFilesMax}; ` : "";
  const script = `${limit}${command}${logTo ? ` >>"${logTo}" 2>&1` : ""}`;
  const [program, ...args] = [...under, "sh", "-c", script];
  return new Deno.Command(program!, {
    args,
    cwd: ROOT,
    clearEnv: true,
    env: {
      DENO: Deno.execPath(),
      HOME: Deno.env.get("HOME") ?? "/",
      PATH: ansibleDir ? `${ansibleDir}:${path}` : path,
      CALLBOARD_DATA: dataDir,
      CALLBOARD_PORT: "0",
      CALLBOARD_ADMIN: ADMIN.login,
      CALLBOARD_ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function collect(...streams: ReadableStream<Uint8Array>[]): () => string {
  const chunks: Uint8Array[] = [];
  for (const stream of streams) {
    stream.pipeTo(new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
  }
  return () => Buffer.concat(chunks).toString();
}

/** Returns the URL that the server prints. Throws its output if it ends instead. */
async function readUrl(output: () => string, child: Deno.ChildProcess): Promise<string> {
  let ended = "";
  child.status.then(({ code }) => ended = `it ended with code ${code}`);
  const startedAt = Date.now();
  while (Date.now() - startedAt < START_LIMIT_MS) {
    const url = output().match(/ is at (\S+)/)?.[1];
    if (url) return url;
    if (ended) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The server did not start: ${ended}\n${output()}`);
}

/** Returns the address once the server answers there. Throws if it ends instead. */
async function untilReady(url: string, child: Deno.ChildProcess): Promise<string> {
  let ended = "";
  child.status.then(({ code }) => ended = `The server ended with code ${code}.`);
  const signal = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    if (ended) throw new Error(ended);
    const answer = await fetch(`${url}/api/ping`, { signal }).catch(() => null);
    if (answer?.ok && await answer.text() === "pong") return url;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the address of a server that prints the address of its proxy. */
const directUrl = ({ CALLBOARD_URL, CALLBOARD_PORT }: Record<string, string>): string =>
  `http://127.0.0.1:${CALLBOARD_PORT}${new URL(CALLBOARD_URL).pathname}`;

/** Returns a URL below that of a server, which may have a sub-path. */
const below = (url: string, path: string): string => url.replace(/\/$/, "") + path;

/** Signs the first administrator in, and returns the session cookie. */
export async function signIn(url: string, client?: Deno.HttpClient): Promise<string> {
  const response = await fetch(below(url, "/api/auth/login"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ auth: ADMIN.login, password: ADMIN.password }),
    client,
  });
  if (!response.ok) throw new Error(`Signing in: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
}

/** Creates a folder with the stand-in under Ansible's names. */
export async function installStandIn(directory: string): Promise<string> {
  await Deno.mkdir(directory, { recursive: true });
  const script = `#!/bin/sh
[ "$1" != --version ] || { echo "ansible-playbook [core 2.19.14]"; exit; }
exec sh "${STAND_IN}" "$@"
`;
  for (const name of ["ansible-playbook", "ansible-galaxy"]) {
    await Deno.writeTextFile(join(directory, name), script, { mode: 0o755 });
  }
  const graph = "#!/bin/sh\nprintf '@all:\\n  |--@ungrouped:\\n  |  |--localhost\\n'\n";
  await Deno.writeTextFile(join(directory, "ansible-inventory"), graph, { mode: 0o755 });
  return directory;
}
