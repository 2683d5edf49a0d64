import { join } from "node:path";
import { SSHD_SETTINGS } from "./sshd.ts";
import { until } from "./until.ts";

/** One real sshd that stands for several hosts, each a port that accepts a key of its own. */
export interface SshHosts {
  ports: number[];
  /** Login of the account that runs the tests. */
  login: string;
  /** Private half of the key of each host. */
  privateKeys: string[];
  /** Numbers of the keys that each host was offered so far, in order, without repetitions. */
  offered(): Promise<number[][]>;
  stop(): Promise<void>;
}

/** Starts the hosts. Their keys have the passphrase, if it is not empty. */
export async function startSshHosts(
  directory: string,
  count: number,
  passphrase = "",
): Promise<SshHosts> {
  await Deno.mkdir(directory, { recursive: true });
  const path = (name: string) => join(directory, name);
  // One round of the key derivation. The usual 16 take a tenth of a second at each use of a key.
  const newKey = (file: string, passphrase: string) =>
    run("ssh-keygen", "-q", "-t", "ed25519", "-a", "1", "-N", passphrase, "-f", file);
  await newKey(path("host_key"), "");
  const ports = freePorts(count);
  const numbers = ports.map((_, n) => n);
  await Promise.all(numbers.map((n) => newKey(path(`key_${n}`), passphrase)));
  await Deno.mkdir("/run/sshd", { recursive: true }).catch(() => {});
  await Deno.writeTextFile(
    path("sshd_config"),
    [
      ...ports.map((port) => `ListenAddress 127.0.0.1:${port}`),
      `HostKey ${path("host_key")}`,
      "AuthorizedKeysFile none",
      ...SSHD_SETTINGS,
      "MaxStartups 200",
      "LogLevel VERBOSE",
      ...ports.flatMap((port, n) => [
        `Match LocalPort ${port}`,
        `  AuthorizedKeysFile ${path(`key_${n}.pub`)}`,
      ]),
    ].join("\n") + "\n",
  );
  const log = path("sshd.log");
  const server = new Deno.Command("/usr/sbin/sshd", {
    args: ["-D", "-f", path("sshd_config"), "-E", log],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await until(async () => {
    const text = await Deno.readTextFile(log).catch(() => "");
    return (text.match(/^Server listening/gm) ?? []).length === count;
  });
  const fingerprints = await Promise.all(
    numbers.map(async (n) => (await run("ssh-keygen", "-lf", path(`key_${n}.pub`))).split(" ")[1]),
  );
  return {
    ports,
    login: (await run("id", "-un")).trim(),
    privateKeys: await Promise.all(numbers.map((n) => Deno.readTextFile(path(`key_${n}`)))),
    async offered() {
      const hostOf = new Map<string, number>();
      const seen: Set<number>[] = ports.map(() => new Set());
      for (const line of (await Deno.readTextFile(log)).split(/\r?\n/)) {
        const [, from, to] = /^Connection from \S+ port (\d+) on \S+ port (\d+)/.exec(line) ?? [];
        if (from) hostOf.set(from, ports.indexOf(Number(to)));
        const [, by, key] = /(?:Failed|Accepted) publickey for .* port (\d+) ssh2: \S+ (\S+)$/
          .exec(line) ?? [];
        if (by) seen[hostOf.get(by)!].add(fingerprints.indexOf(key));
      }
      return seen.map((keys) => [...keys]);
    },
    async stop() {
      server.kill("SIGTERM");
      await server.status;
    },
  };
}

function freePorts(count: number): number[] {
  const listeners = Array.from(
    { length: count },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const ports = listeners.map(({ addr }) => (addr as Deno.NetAddr).port);
  listeners.forEach((listener) => listener.close());
  return ports;
}

async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
