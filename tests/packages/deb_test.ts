import assert from "node:assert/strict";
import { join } from "node:path";
import denoJson from "../../deno.json" with { type: "json" };
import { FILE } from "@/tests/support/basics/environment_file.ts";
import { until } from "@/tests/support/basics/until.ts";
import { type BootedMachine, bootMachine } from "./support/booted_machine.ts";
import { ARCHIVES, builtArchives, PACKAGES } from "./support/built.ts";
import { succeed } from "./support/succeed.ts";

const { version } = denoJson;
const OLD = "0.0.9";
const PASSWORD = "only for tests";
const ENDS = ["success", "error", "stopped"];
const ADDRESS = "http://127.0.0.1:3000";

/** Writes the same package with an earlier version. */
async function writeOlderDeb(deb: string, to: string): Promise<void> {
  const tree = await Deno.makeTempDir({ prefix: "callboard_deb_" });
  try {
    await succeed(["dpkg-deb", "--raw-extract", deb, tree]);
    const control = join(tree, "DEBIAN", "control");
    const text = await Deno.readTextFile(control);
    await Deno.writeTextFile(control, text.replace(`Version: ${version}`, `Version: ${OLD}`));
    await Deno.writeTextFile(join(tree, "usr/lib/callboard/VERSION"), `${OLD}\n`);
    await succeed(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, to]);
  } finally {
    await Deno.remove(tree, { recursive: true });
  }
}

const isReady = (machine: BootedMachine) =>
  until(async () => await machine.run(`curl -s ${ADDRESS}/api/ping || :`) === "pong", 120_000);

/** Calls the API as the first administrator, who has just been given a password. */
async function signIn({ run }: BootedMachine) {
  await run(`echo '${PASSWORD}' | callboard user password --login admin`);
  const body = JSON.stringify({ auth: "admin", password: PASSWORD });
  await run(
    `curl -sf -c /root/cookies -H 'Content-Type: application/json' -d '${body}' ${ADDRESS}/api/auth/login`,
  );
  return async (path: string) =>
    JSON.parse(await run(`curl -sf -b /root/cookies ${ADDRESS}/api${path}`));
}

Deno.test("the deb installs a hardened service that outlives kill -9 and upgrades", async (t) => {
  const shared = await Deno.makeTempDir({ prefix: "callboard_shared_" });
  try {
    const built = await builtArchives();
    const wheels = `${ARCHIVES.ansible}.tar.gz`;
    await Deno.copyFile(join(built, PACKAGES.deb), join(shared, "new.deb"));
    await Deno.copyFile(join(built, wheels), join(shared, wheels));
    await writeOlderDeb(join(shared, "new.deb"), join(shared, "old.deb"));
    await using machine = await bootMachine(shared);
    await useDeb(t, machine);
  } finally {
    await Deno.remove(shared, { recursive: true });
  }
});

async function useDeb(t: Deno.TestContext, machine: BootedMachine): Promise<void> {
  const { run } = machine;
  let api: Awaited<ReturnType<typeof signIn>>;
  const lastTask = async () => (await api("/project/1/tasks/last"))[0];

  await t.step("it installs and starts without a network", async () => {
    await run("cp /mnt/callboard-ansible-*.tar.gz /usr/lib/");
    assert.match(await run("dpkg -i /mnt/old.deb"), /callboard user first-link/);
    await isReady(machine);
    assert.equal(await run("systemctl is-enabled callboard"), "enabled");
    assert.equal(await run("stat -c %U:%a /var/lib/callboard/data"), "callboard:700");
    assert.equal(await run("stat -c %U:%G:%a /etc/callboard/env"), "root:root:600");
    const owner = await run(`stat -c %U /proc/${await machine.mainProcess()}`);
    assert.equal(owner, "callboard");
    assert.equal(
      await run("find /usr/lib/callboard ! -type l \\( ! -user root -o -perm /022 \\)"),
      "",
    );
  });

  await t.step("systemd finds little to criticize", async () => {
    const text = await run("systemd-analyze security callboard --no-pager || :");
    const exposure = Number(text.match(/Overall exposure level.*?: ([\d.]+)/)?.[1]);
    assert.ok(exposure < 3, text);
  });

  await t.step("a task of the demo runs inside bubblewrap", async () => {
    await run(
      "printf 'CALLBOARD_TASK_ISOLATION=bwrap\\nCALLBOARD_DEMO=true\\n' >>/etc/callboard/env; " +
        "systemctl restart callboard",
    );
    await isReady(machine);
    assert.match(await run("callboard user list"), /admin/);
    api = await signIn(machine);
    // The deploy follows the build.
    let tasks: { id: number; status: string }[] = [];
    const haveEnded = async () => {
      tasks = await api("/project/1/tasks/last");
      return tasks.length === 2 && tasks.every(({ status }) => ENDS.includes(status));
    };
    await until(haveEnded, 180_000);
    const { id, status } = tasks[0]!;
    assert.equal(status, "success", JSON.stringify(await api(`/project/1/tasks/${id}/output`)));
  });

  await t.step("systemd starts it again after kill -9, with all data", async () => {
    const before = await machine.mainProcess();
    await run(`kill -9 ${before}`);
    await until(async () => ![0, before].includes(await machine.mainProcess()));
    await isReady(machine);
    assert.equal((await lastTask()).status, "success");
  });

  await t.step("systemd waits until it is ready, and restarts it if it stands still", async () => {
    const folder = "/run/systemd/system/callboard.service.d";
    await run(`mkdir -p ${folder}; printf '[Service]\\nWatchdogSec=20\\n' >${folder}/short.conf`);
    // With Type=notify, a restart returns once the server says that it is ready.
    await run("systemctl daemon-reload; systemctl restart callboard");
    assert.equal(await run(`curl -s ${ADDRESS}/api/ping`), "pong");
    assert.match(await run("systemctl show callboard --property=StatusText --value"), /./);
    await run("systemd-analyze verify callboard.service callboard-runner.service");
    await run("systemctl reload callboard");
    const before = await machine.mainProcess();
    await run(`kill -STOP ${before}`);
    await until(async () => ![0, before].includes(await machine.mainProcess()), 120_000);
    await isReady(machine);
    assert.match(await run("journalctl --unit=callboard --output=cat"), /Watchdog timeout/);
    await run(`rm -r ${folder}; systemctl daemon-reload; systemctl restart callboard`);
    assert.equal((await lastTask()).status, "success");
  });

  await t.step("commands get the settings that systemd gives to the service", async () => {
    await Deno.writeTextFile(join(machine.root, "root/odd"), FILE);
    await run("cp -a /etc/callboard/env /root/env; cat /root/odd >>/etc/callboard/env");
    await run("systemctl restart callboard");
    await isReady(machine);
    const ofService = `cat /proc/${await machine.mainProcess()}/environ`;
    const ofCommand = `sed 's|"$top/bin/callboard"|env|' /usr/bin/callboard | sh -s -- -0`;
    const odd = "tr '\\n\\0' '~\\n' | grep ^ODD_ | sort";
    const [service, command] = [
      await run(`${ofService} | ${odd}`),
      await run(`${ofCommand} | ${odd}`),
    ];
    assert.match(service, /^ODD_A=one$/m);
    assert.equal(command, service);
    await run("cp -a /root/env /etc/callboard/env");
  });

  await t.step("an upgrade keeps data and settings, and starts the new version", async () => {
    const before = await machine.mainProcess();
    assert.match(await run("callboard version"), new RegExp(`^Callboard ${OLD}`));
    // As an administrator may have left them.
    await run(
      "cd /etc/callboard && chmod 0640 env runner.env && chgrp callboard env runner.env && " +
        "cp -a env env.dpkg-old",
    );
    await run("dpkg -i /mnt/new.deb");
    assert.equal(
      await run("cd /etc/callboard && stat -c %n:%U:%G:%a env env.dpkg-old runner.env"),
      "env:root:root:600\nenv.dpkg-old:root:root:600\nrunner.env:root:root:600",
    );
    await isReady(machine);
    assert.notEqual(await machine.mainProcess(), before);
    assert.match(await run("callboard version"), new RegExp(`^Callboard ${version}`));
    assert.match(await run("cat /etc/callboard/env"), /CALLBOARD_DEMO=true/);
    assert.equal((await lastTask()).status, "success");
  });

  await t.step("removing it keeps the data, and purging deletes them only on request", async () => {
    await run("dpkg --remove callboard");
    assert.equal(await run("systemctl is-active callboard || :"), "inactive");
    await run("dpkg --purge callboard");
    assert.match(await run("ls /var/lib/callboard/data"), /callboard\.kv/);

    await run("dpkg -i /mnt/new.deb");
    await isReady(machine);
    api = await signIn(machine);
    assert.equal((await lastTask()).status, "success");
    await run("echo callboard callboard/remove_data boolean true | debconf-set-selections");
    await run("systemctl enable callboard-runner");
    await run("dpkg --purge callboard");
    assert.equal(await run("find /etc/systemd -name 'callboard*'"), "");
    assert.equal(await run("ls -d /var/lib/callboard /etc/callboard 2>/dev/null || :"), "");
  });
}

Deno.test("the rpm installs the service and its account, and keeps the data", async () => {
  const shared = await Deno.makeTempDir({ prefix: "callboard_shared_" });
  try {
    const rpm = join(await builtArchives(), PACKAGES.rpm);
    assert.match(
      await succeed(["rpm", "--query", "--requires", "--package", rpm]),
      /python3 >= 3\.9/,
    );
    await using machine = await bootMachine(shared);
    const { run, root } = machine;
    const inMachine = ["rpm", `--root=${root}`, "--nodeps"];
    await succeed([...inMachine, "--install", rpm]);
    assert.equal(await run("stat -c %U:%G:%a /etc/callboard/env"), "root:root:600");
    assert.match(await run("callboard version"), new RegExp(`^Callboard ${version}`));
    await run("systemctl daemon-reload; systemctl start callboard");
    await isReady(machine);
    await run("systemctl stop callboard");
    // As an administrator may have left it.
    await run("cd /etc/callboard && chmod 0640 env && chgrp callboard env && echo '# own' >>env");
    await succeed([...inMachine, "--upgrade", "--force", rpm]);
    assert.equal(await run("stat -c %U:%G:%a /etc/callboard/env"), "root:root:600");
    assert.match(await run("cat /etc/callboard/env"), /# own$/);
    await succeed([...inMachine, "--erase", "callboard"]);
    assert.equal(await run("ls -d /usr/lib/callboard 2>/dev/null || :"), "");
    assert.match(await run("ls /var/lib/callboard/data"), /callboard\.kv/);
  } finally {
    await Deno.remove(shared, { recursive: true });
  }
});
