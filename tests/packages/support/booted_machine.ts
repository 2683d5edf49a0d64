import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "@/tests/support/until.ts";

/** A Debian that systemd has booted, without a network, whose changes are lost at its end. */
export interface Machine extends AsyncDisposable {
  /** Runs a script of sh as root. Returns its output, and fails with it if the script fails. */
  run(script: string): Promise<string>;
  /** Returns the process of the server's command on this machine. */
  mainProcess(): Promise<number>;
  /** Root of the file system, as seen from outside. */
  root: string;
}

/**
 * Boots the Debian in the folder `root` with systemd. The folder `shared` is at `/mnt`. Needs root.
 */
export async function bootMachine(root: string, shared: string): Promise<Machine> {
  const folder = await Deno.makeTempDir({ prefix: "callboard_machine_" });
  const changed = join(folder, "changed");
  const merged = join(folder, "merged");
  for (const name of ["changed", "work", "merged"]) await Deno.mkdir(join(folder, name));
  const overlay = `lowerdir=${root},upperdir=${changed},workdir=${join(folder, "work")}`;
  await output(["mount", "-t", "overlay", "overlay", "-o", overlay, merged]);
  const nspawn = new Deno.Command("systemd-nspawn", {
    args: [
      ...[`--directory=${merged}`, "--boot", "--register=no", "--keep-unit", "--private-network"],
      ...["--console=pipe", "--quiet", `--bind-ro=${shared}:/mnt`],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const leader = async () => {
    const path = `/proc/${nspawn.pid}/task/${nspawn.pid}/children`;
    return (await Deno.readTextFile(path)).trim().split(" ")[0]!;
  };
  const run = async (script: string) => {
    const spaces = ["nsenter", "-t", await leader(), "-m", "-u", "-i", "-n", "-p"];
    return await output([...spaces, "--", "sh", "-c", script]);
  };
  await until(async () => await leader() !== "");
  await until(async () => /running|degraded/.test(await run("systemctl is-system-running || :")));
  return {
    root: merged,
    run,
    async mainProcess() {
      return Number(await run("systemctl show --property=MainPID --value callboard"));
    },
    async [Symbol.asyncDispose]() {
      // The first process of a machine ends it without questions at this signal of systemd.
      await output(["kill", "-s", "SIGRTMIN+4", await leader()]);
      await nspawn.status;
      await output(["umount", merged]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Runs a command and returns its output. Fails with it if the command fails. */
export async function output([program, ...args]: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program!, {
    args,
    stdin: "null",
    clearEnv: true,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" },
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, `${args.at(-1)}\n${decoder.decode(stdout)}${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trim();
}
