import { join } from "node:path";
import { until } from "@/tests/support/basics/until.ts";

/** A real sshd on loopback, for the account that runs the tests. */
export interface Sshd {
  port: number;
  /** `login@host` of the account. */
  login: string;
  /** Creates a key pair that may sign in, and returns its private half. */
  newKey(passphrase: string): Promise<string>;
  /** Lets the owner of the private half of this public key sign in. */
  authorize(publicKey: string): Promise<void>;
  /** Starts again with another host key, like a reinstalled host. `before` is called first. */
  changeHostKey(before?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAM = "/usr/sbin/sshd";

/** Settings of each sshd of a test. */
export const SSHD_SETTINGS = [
  "PidFile none",
  "StrictModes no",
  "UsePAM no",
  "PasswordAuthentication no",
  "PermitRootLogin prohibit-password",
  "Subsystem sftp internal-sftp",
  // Bash reads the account's .bashrc, which may take longer than a task, unless it is nested.
  "SetEnv SHLVL=1",
];

/** Whether there is an sshd on this machine. */
export const hasSshd = (): Promise<boolean> => Deno.stat(PROGRAM).then(() => true, () => false);

/** Starts an sshd with its files in `directory`. `settings` are further lines of its file. */
export async function startSshd(directory: string, settings: string[] = []): Promise<Sshd> {
  const port = freePort();
  const authorizedKeys = join(directory, "authorized_keys");
  await Deno.writeTextFile(authorizedKeys, "");
  await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", join(directory, "host_key"));
  // The folder for sshd's unprivileged part, which exists only if its service was started.
  await Deno.mkdir("/run/sshd", { recursive: true }).catch(() => {});
  await Deno.writeTextFile(
    join(directory, "sshd_config"),
    [
      // The first one of a setting counts.
      ...settings,
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${join(directory, "host_key")}`,
      `AuthorizedKeysFile ${authorizedKeys}`,
      ...SSHD_SETTINGS,
    ].join("\n") + "\n",
  );
  let keys = 0;
  let server = await start(directory, port);
  const authorize = (publicKey: string) =>
    Deno.writeTextFile(authorizedKeys, `${publicKey.trim()}\n`, { append: true });
  const stop = async () => {
    server.kill("SIGTERM");
    await server.status;
  };
  return {
    port,
    login: (await run("id", "-un")).trim(),
    async newKey(passphrase) {
      const file = join(directory, `key_${keys++}`);
      await run("ssh-keygen", "-q", "-t", "ed25519", "-a", "1", "-N", passphrase, "-f", file);
      await authorize(await Deno.readTextFile(`${file}.pub`));
      return await Deno.readTextFile(file);
    },
    authorize,
    async changeHostKey(before) {
      await stop();
      for (const name of ["host_key", "host_key.pub"]) await Deno.remove(join(directory, name));
      await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", join(directory, "host_key"));
      await before?.();
      server = await start(directory, port);
    },
    stop,
  };
}

let shared: Promise<Sshd & { directory: string }> | null = null;

async function startShared() {
  const directory = await Deno.makeTempDir({ prefix: "callboard_sshd_" });
  return { ...await startSshd(directory), directory };
}

Deno.test.afterAll(async () => {
  const sshd = await shared;
  shared = null;
  if (!sshd) return;
  await sshd.stop();
  await Deno.remove(sshd.directory, { recursive: true });
});

/** Returns the sshd that the tests of a module share. Keys of earlier tests stay authorized. */
export const sharedSshd = (): Promise<Sshd> => shared ??= startShared();

async function start(directory: string, port: number): Promise<Deno.ChildProcess> {
  const server = new Deno.Command(PROGRAM, {
    args: ["-D", "-f", join(directory, "sshd_config"), "-E", join(directory, "sshd.log")],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const listens = async () => {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      return false;
    }
  };
  await until(listens).catch(async ({ message }) => {
    throw new Error(`${message}\n${await Deno.readTextFile(join(directory, "sshd.log"))}`);
  });
  return server;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
