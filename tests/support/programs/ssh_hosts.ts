import { join } from "node:path";
import { SSHD_SETTINGS } from "./sshd.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Several hosts of this machine, each a real sshd that accepts a key of its own. */
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
      `HostKey ${path("host_key")}`,
      ...SSHD_SETTINGS,
      "MaxStartups 200",
      "LogLevel VERBOSE",
    ].join("\n") + "\n",
  );
  // Each has a log of its own. In a common one, connections to several ports would be mixed up: a
  // line about a key tells only the client's port, and the kernel gives clients the same one for
  // different ports of servers.
  const log = (n: number) => Deno.readTextFile(path(`log_${n}`)).catch(() => "");
  const servers = ports.map((port, n) => {
    const address = `ListenAddress=127.0.0.1:${port}`;
    const keys = `AuthorizedKeysFile=${path(`key_${n}.pub`)}`;
    return new Deno.Command("/usr/sbin/sshd", {
      args: ["-D", "-f", path("sshd_config"), "-E", path(`log_${n}`), "-o", address, "-o", keys],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  });
  for (const n of numbers) {
    await until(async () => (await log(n)).startsWith("Server listening"));
  }
  const fingerprints = await Promise.all(
    numbers.map(async (n) => (await run("ssh-keygen", "-lf", path(`key_${n}.pub`))).split(" ")[1]),
  );
  const offeredTo = async (n: number) => {
    const offers = (await log(n)).matchAll(/^(?:Failed|Accepted) publickey .* (SHA256:\S+)\s*$/gm);
    return [...new Set(offers.map(([, key]) => fingerprints.indexOf(key)))];
  };
  return {
    ports,
    login: (await run("id", "-un")).trim(),
    privateKeys: await Promise.all(numbers.map((n) => Deno.readTextFile(path(`key_${n}`)))),
    offered: () => Promise.all(numbers.map(offeredTo)),
    async stop() {
      for (const server of servers) server.kill("SIGTERM");
      await Promise.all(servers.map((server) => server.status));
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
