import { createHash } from "node:crypto";
import { join } from "node:path";
import { until } from "@/tests/support/basics/until.ts";
import { aptSource } from "./apt_source.ts";
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";

/** Packages that docs/install.md asks for. */
const PACKAGES = ["git", "openssh-client", "python3", "python3-venv"];

/** An ordinary account of the machine. */
const EVE = { id: 1000, name: "eve" };

/** A fresh Debian without a network: only what docs/install.md asks for is installed. */
export interface Machine extends AsyncDisposable {
  /** The machine's root folder, as seen from outside. */
  root: string;
  /** Runs a command of the shell as root, and returns its output. Throws if it fails. */
  run(script: string): Promise<string>;
  /** The same as an ordinary user, in their home. */
  runAsUser(script: string): Promise<string>;
  /** Starts a command that keeps running as an ordinary user. */
  start(script: string): Promise<Running>;
  /** Sends a request to a server on the machine. Returns null if none answers. */
  request(path: string, options?: RequestOptions): Promise<Answer | null>;
}

export interface Running {
  output(): string;
  /** CPU time that it and its ended children have used. */
  cpuSeconds(): Promise<number>;
  /** Ends it, and returns its exit code. */
  end(signal: "TERM" | "KILL"): Promise<number>;
}

interface RequestOptions {
  port?: number;
  cookie?: string;
  /** Sent as JSON with POST. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Creates a machine from a folder of debootstrap, which is downloaded once. */
export async function newMachine(): Promise<Machine> {
  const root = await Deno.makeTempDir({ prefix: "callboard_machine_" });
  await succeed(["cp", "-a", `${await freshDebian()}/.`, root]);
  const { pid, process } = await boot(root);
  const enter = ["nsenter", `--target=${pid}`, "--mount", "--net", "--pid", "--uts"];
  const inside = [...enter, "env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin"];
  const asRoot = [...inside, "HOME=/root", "sh", "-c"];
  const asUser = [
    ...[...inside, `HOME=/home/${EVE.name}`],
    ...["setpriv", `--reuid=${EVE.id}`, `--regid=${EVE.id}`, "--clear-groups", "sh", "-c"],
  ];
  return {
    root,
    run: (script) => succeed([...asRoot, script]),
    runAsUser: (script) => succeed([...asUser, `cd; ${script}`]),
    start: (script) => start([...asUser, `echo "$$"; cd; exec ${script}`], [...asRoot]),
    request: (path, options) =>
      request(["nsenter", `--target=${pid}`, "--net", "curl"], path, options),
    async [Symbol.asyncDispose]() {
      // Everything that runs on the machine ends with its first process.
      process.kill("SIGKILL");
      await process.status;
      await Deno.remove(root, { recursive: true });
    },
  };
}

/** Returns the folder of debootstrap. Only copies of it are changed. */
export async function freshDebian(): Promise<string> {
  const { mirror, suite } = await aptSource();
  const key = createHash("sha256").update([mirror, suite, ...PACKAGES].join()).digest("hex");
  return await onceForTests("debian", key.slice(0, 16), async (folder) => {
    const include = `--include=${PACKAGES.join()}`;
    await succeed(["debootstrap", "--variant=minbase", include, suite, folder, mirror]);
    await succeed(["chroot", folder, "apt-get", "clean"]);
    const { id, name } = EVE;
    await succeed(["chroot", folder, "useradd", "--create-home", `--uid=${id}`, name]);
  });
}

/** Starts the first process of a machine, with a network that only leads to itself. */
async function boot(root: string) {
  const info = join(root, "run", "boot.json");
  const process = new Deno.Command("sh", {
    args: [
      ...["-c", 'exec bwrap "$@" 3>"$0"', info],
      ...["--bind", root, "/", "--dev", "/dev", "--proc", "/proc"],
      ...["/tmp", "/dev/shm"].flatMap((path) => ["--perms", "1777", "--tmpfs", path]),
      ...["--unshare-net", "--unshare-pid", "--unshare-uts", "--hostname", "fresh"],
      ...["--die-with-parent", "--info-fd", "3", "sleep", "infinity"],
    ],
    stdin: "null",
  }).spawn();
  const read = async () => JSON.parse(await Deno.readTextFile(info).catch(() => "") || "{}");
  await until(async () => "child-pid" in await read());
  return { process, pid: (await read())["child-pid"] as number };
}

async function start([program, ...args]: string[], shell: string[]): Promise<Running> {
  const child = new Deno.Command(program!, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    const write = (text: string) => void (said += text);
    stream.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }));
  }
  await until(() => said.includes("\n"));
  const pid = parseInt(said);
  return {
    output: () => said,
    async cpuSeconds() {
      const stat = await succeed([...shell, `cat /proc/${pid}/stat; getconf CLK_TCK`]);
      const [fields, ticks] = stat.split(") ")[1]!.split("\n");
      const used = fields!.split(" ").slice(11, 15).map(Number);
      return used.reduce((sum, each) => sum + each) / Number(ticks);
    },
    async end(signal) {
      await succeed([...shell, `kill -${signal} ${pid}`]);
      return (await child.status).code;
    },
  };
}

async function request(
  [program, ...curl]: string[],
  path: string,
  { port = 3000, cookie, body }: RequestOptions = {},
): Promise<Answer | null> {
  const sent = body === undefined
    ? []
    : ["--header", "Content-Type: application/json", "--data", JSON.stringify(body)];
  const { success, stdout } = await new Deno.Command(program!, {
    args: [
      ...[...curl, "--silent", "--include", "--max-time", "30", ...sent],
      ...(cookie ? ["--header", `Cookie: ${cookie}`] : []),
      `http://127.0.0.1:${port}${path}`,
    ],
  }).output();
  if (!success) return null;
  const answer = new TextDecoder().decode(stdout);
  const end = answer.indexOf("\r\n\r\n");
  const [first, ...lines] = answer.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line) => {
    const [name, ...value] = line.split(": ");
    return [name!, value.join(": ")] as [string, string];
  }));
  return { status: Number(first!.split(" ")[1]), headers, text: answer.slice(end + 4) };
}
