import { createHash } from "node:crypto";
import { join } from "node:path";
import { until } from "@/tests/support/basics/until.ts";
import { freshDebian } from "./machine.ts";
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";

/** Packages for a service, recommended ones, and a client for tests. */
const PACKAGES = ["bubblewrap", "curl", "dbus", "sshpass", "systemd", "systemd-sysv"];

/** A Debian that systemd has booted, without a network, whose changes are lost at its end. */
export interface BootedMachine extends AsyncDisposable {
  /** Runs a script of sh as root. Returns its output, and fails with it if the script fails. */
  run(script: string): Promise<string>;
  /** Returns the process of the server's command on this machine. */
  mainProcess(): Promise<number>;
  /** Root of the file system, as seen from outside. */
  root: string;
}

/** Boots a Debian with systemd. The folder `shared` is at `/mnt`. Needs root. */
export async function bootMachine(shared: string): Promise<BootedMachine> {
  const folder = await Deno.makeTempDir({ prefix: "callboard_machine_" });
  const changed = join(folder, "changed");
  const merged = join(folder, "merged");
  for (const name of ["changed", "work", "merged"]) await Deno.mkdir(join(folder, name));
  const overlay = `lowerdir=${await debianWithSystemd()},upperdir=${changed},workdir=${
    join(folder, "work")
  }`;
  await succeed(["mount", "-t", "overlay", "overlay", "-o", overlay, merged]);
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
    const enter = ["nsenter", `--target=${await leader()}`, "-m", "-u", "-i", "-n", "-p"];
    const clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"];
    const quiet = "DEBIAN_FRONTEND=noninteractive";
    return (await succeed([...enter, ...clean, quiet, "sh", "-c", script])).trim();
  };
  // Another process comes and goes before systemd.
  const state = () => run("systemctl is-system-running || :").catch(() => "");
  await until(async () => /running|degraded/.test(await state()), 60_000);
  return {
    root: merged,
    run,
    async mainProcess() {
      return Number(await run("systemctl show --property=MainPID --value callboard"));
    },
    async [Symbol.asyncDispose]() {
      // The first process of a machine ends it without questions at this signal of systemd.
      await succeed(["kill", "-s", "SIGRTMIN+4", await leader()]);
      await nspawn.status;
      await succeed(["umount", merged]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function debianWithSystemd(): Promise<string> {
  const debian = await freshDebian();
  const key = createHash("sha256").update([debian, ...PACKAGES].join()).digest("hex");
  return await onceForTests("systemd", key.slice(0, 16), async (folder) => {
    await succeed(["cp", "-a", `${debian}/.`, folder]);
    const install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends";
    await succeed(["chroot", folder, "sh", "-c", `${install} ${PACKAGES.join(" ")}`], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
    });
    await succeed(["chroot", folder, "apt-get", "clean"]);
  });
}
