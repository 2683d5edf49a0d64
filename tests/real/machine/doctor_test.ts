import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { requireSameKey } from "@/lib/access/same_key.ts";
import { lockDataFolder } from "@/lib/base/machine/data_lock.ts";
import { checkAddress, findForwarding } from "@/lib/monitoring/checks/address.ts";
import { runChecks } from "@/lib/monitoring/checks/checks.ts";
import { checkClock } from "@/lib/monitoring/checks/clock_check.ts";
import { checkFolder, checkSpace } from "@/lib/monitoring/checks/folder.ts";
import { checkIsolation } from "@/lib/monitoring/checks/isolation_check.ts";
import { checkJobsSetAside, checkLateJobs } from "@/lib/monitoring/checks/jobs_check.ts";
import { findLimits } from "@/lib/monitoring/checks/limits.ts";
import { checkMail } from "@/lib/monitoring/checks/mail.ts";
import { checkAnsible, checkGit, checkPython, checkSsh } from "@/lib/monitoring/checks/programs.ts";
import { checkSettings } from "@/lib/monitoring/checks/settings_check.ts";
import { checkDirectory, checkProviders } from "@/lib/monitoring/checks/sign_in_checks.ts";
import { FIRST_VERSION, stepsFrom } from "@/lib/maintenance/migrations.ts";
import { checkBackups, checkStore } from "@/lib/monitoring/checks/store_check.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { nameOfKey } from "@/lib/maintenance/secret_key/rotation.ts";
import { noteBackup } from "@/lib/maintenance/server_backup/last_backup.ts";
import { tell } from "@/lib/i18n/tell.ts";
import { translator } from "@/lib/i18n/translate.ts";
import { assertCases, findingsOf, openCheckUp } from "@/tests/support/programs/check_up.ts";
import { CLIENT, freePort, startProvider } from "@/tests/support/services/oidc_provider.ts";
import { startSlapd } from "@/tests/support/programs/slapd.ts";
import { startSmtpServer } from "@/tests/support/services/smtp.ts";
import { openStore } from "@/lib/store/file/open_store.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const IS_ROOT = Deno.uid() === 0;

/** Returns an account of this machine whose home does not exist. */
async function homeless(): Promise<string> {
  const rows = (await Deno.readTextFile("/etc/passwd")).split("\n").map((row) => row.split(":"));
  for (const [account, , , , , home] of rows) {
    if (home && !await Deno.stat(home).catch(() => null)) return account!;
  }
  throw new Error("Each account has a home.");
}

const CURRENT = stepsFrom(null).version;
const IDENTITY = { id: "1a2b3c4d-0000-4000-8000-000000000000", made: "2026-03-01T00:00:00.000Z" };

/** A data folder with a store, and a folder for programs that is the only one on a PATH. */
async function newStage(version?: number) {
  const home = await Deno.makeTempDir({ prefix: "callboard_doctor_test_" });
  const [data, bin] = [join(home, "data"), join(home, "bin")];
  await Deno.mkdir(data, { mode: 0o700 });
  await Deno.mkdir(bin);
  const store = join(data, "callboard.kv");
  if (version !== undefined) {
    using kv = await openStore(store);
    await kv.set(rowKeys.storeVersion(), version);
    await kv.set(rowKeys.storeIdentity(), IDENTITY);
    await requireSameKey(kv, await createSecretBox(Buffer.from(KEY, "base64")));
  }
  const env = { CALLBOARD_DATA: data, CALLBOARD_SECRET_KEY: KEY };
  const put = async (name: string, script: string) => {
    await Deno.writeTextFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  return {
    data,
    store,
    env,
    bare: { ...env, PATH: bin },
    put,
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

Deno.test("missing and broken programs are found, with the package to install", async () => {
  await using stage = await newStage();
  const { bare, put } = stage;
  const kept = { ...bare, CALLBOARD_INSTALL: "false" };
  const whole = { ...bare, PATH: `${bare.PATH}:/usr/bin:/bin` };
  await assertCases([
    {
      title: "no git",
      level: "failed",
      says: /Git is missing\..* Install the package git\./,
      findings: () => findingsOf(checkGit, bare),
    },
    {
      title: "no OpenSSH",
      level: "failed",
      says: /missing: ssh, ssh-agent, ssh-add\..*openssh-client/,
      findings: () => findingsOf(checkSsh, bare),
    },
    {
      title: "no sshpass",
      level: "warning",
      says: /sshpass is missing\..* Install the package sshpass/,
      async findings() {
        for (const name of ["ssh", "ssh-agent", "ssh-add"]) await put(name, "echo OpenSSH_9");
        return await findingsOf(checkSsh, bare);
      },
    },
    {
      title: "no Python",
      level: "warning",
      says: /no Python 3\.9 or later.* Install the packages python3/,
      findings: () => findingsOf(checkPython, bare),
    },
    {
      title: "no Ansible before the first start",
      level: "warning",
      says: /Ansible is missing\..*restart Callboard/,
      findings: () => findingsOf(checkAnsible, bare),
    },
    {
      title: "no Ansible that a start would install",
      level: "failed",
      says: /Ansible is missing\. All tasks fail\. Install ansible-core/,
      findings: () => findingsOf(checkAnsible, kept),
    },
    {
      title: "no namespaces for bubblewrap",
      level: "failed",
      says: /bwrap does not work here: .*No permissions to create.*docs\/isolation\.md/,
      async findings() {
        await put("bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1");
        return await findingsOf(checkIsolation, { ...whole, CALLBOARD_TASK_ISOLATION: "bwrap" });
      },
    },
    {
      title: "an account without a home",
      level: "warning",
      says: /cannot write to its home .* usermod --home/,
      async findings() {
        await put("id", `echo ${await homeless()}`);
        return await findingsOf(checkIsolation, whole);
      },
    },
    {
      title: "no account for tasks",
      level: "failed",
      says: /CALLBOARD_TASK_USER does not exist: nobody_here/,
      findings: () =>
        findingsOf(checkIsolation, {
          ...stage.env,
          CALLBOARD_TASK_ISOLATION: "user",
          CALLBOARD_TASK_USER: "nobody_here",
        }),
    },
    {
      title: "an Ansible that fails",
      level: "failed",
      says: /ansible-playbook does not work in tasks: no module named yaml Repair or remove/,
      async findings() {
        for (const name of ["ansible-playbook", "ansible-galaxy"]) {
          await put(name, "echo no module named yaml >&2; exit 1");
        }
        return await findingsOf(checkAnsible, { ...whole, CALLBOARD_INSTALL: "false" });
      },
    },
  ]);
});

const mount = async (...args: string[]) =>
  (await new Deno.Command("mount", { args, stderr: "null" }).output()).success;

Deno.test("a data folder that cannot be used is found, with its reason", async () => {
  await using stage = await newStage(CURRENT);
  const { data, env } = stage;
  await assertCases([
    {
      title: "parent missing",
      level: "failed",
      says: /does not exist, and cannot be created in .*Create the folder/,
      findings: () => findingsOf(checkFolder, { CALLBOARD_DATA: join(data, "a", "b") }),
    },
    {
      title: "a file",
      level: "failed",
      says: /cannot be used: it is a file/,
      findings: () => findingsOf(checkFolder, { CALLBOARD_DATA: stage.store }),
    },
    {
      title: "open to others",
      level: "warning",
      says: /Other accounts on this machine can open .*chmod g-rw,o-rwx/,
      async findings() {
        await Deno.chmod(data, 0o755);
        return await findingsOf(checkFolder, env);
      },
    },
  ]);
  assert.match(
    (await findingsOf(checkFolder, { CALLBOARD_DATA: join(data, "new") }))[0][1],
    /first/,
  );
});

Deno.test({
  name: "a full, a read-only and someone else's data folder are told apart",
  ignore: !IS_ROOT || !await canMount(),
  async fn() {
    await using stage = await newStage();
    const { data, env } = stage;
    await assertCases([
      {
        title: "another owner",
        level: "failed",
        says:
          /callboard\.kv belongs to nobody, but this process runs as root\. .*chown -R root .*callboard\.kv/,
        async findings() {
          await Deno.writeTextFile(stage.store, "");
          await Deno.chown(stage.store, 65534, 65534);
          return await findingsOf(checkFolder, env);
        },
      },
    ]);
    await mount("-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", data);
    try {
      await assertCases([
        {
          title: "little space",
          level: "failed",
          says: /almost full: 1 MB are free.*Free up space now/,
          findings: () => findingsOf(checkSpace, env),
        },
        {
          title: "a full disk",
          level: "failed",
          says: /cannot be used: the disk is full/,
          async findings() {
            const filler = await Deno.open(join(data, "filler"), { create: true, write: true });
            await filler.write(new Uint8Array(2_000_000)).catch(() => {});
            for (;;) if (await filler.write(new Uint8Array(1)).catch(() => 0) === 0) break;
            filler.close();
            return await findingsOf(checkFolder, env);
          },
        },
        {
          title: "a read-only disk",
          level: "failed",
          says: /cannot be used: the file system is read-only/,
          async findings() {
            await mount("-o", "remount,ro", data);
            return await findingsOf(checkFolder, env);
          },
        },
      ]);
    } finally {
      await new Deno.Command("umount", { args: [data] }).output();
    }
  },
});

/** Whether a small file system can be mounted here. */
async function canMount(): Promise<boolean> {
  const path = await Deno.makeTempDir();
  const isMounted = await mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", path);
  if (isMounted) await new Deno.Command("umount", { args: [path] }).output();
  await Deno.remove(path);
  return isMounted;
}

Deno.test("the previous secret key is called unneeded only after a change from that key", async () => {
  await using stage = await newStage(CURRENT);
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  {
    using kv = await openStore(stage.store);
    const change = { from: nameOfKey(first), to: nameOfKey(second), finished: true };
    await kv.set(rowKeys.secretKeyRotation(), change);
  }
  const texts = async (previous: Buffer) => {
    const setting = { CALLBOARD_SECRET_KEY_PREVIOUS: previous.toString("base64") };
    return String(await findingsOf(checkStore, { ...stage.env, ...setting }));
  };
  assert.match(await texts(first), /Unset CALLBOARD_SECRET_KEY_PREVIOUS/);
  assert.doesNotMatch(await texts(second), /Unset CALLBOARD_SECRET_KEY_PREVIOUS/);
});

Deno.test("a store that does not fit is found, and never changed", async () => {
  await using current = await newStage(CURRENT);
  await using older = await newStage(FIRST_VERSION);
  await using early = await newStage(3);
  await using newer = await newStage(99);
  await Deno.writeTextFile(`${newer.store}.version-11-1a2b3c4d`, "");
  // A start restricts it, and a check does not.
  await Deno.chmod(current.store, 0o644);
  const files = () =>
    [...Deno.readDirSync(current.data)]
      .map(({ name }) => `${name} ${Deno.statSync(join(current.data, name)).mode!.toString(8)}`)
      .toSorted();
  const before = files();
  const wrongKey = { ...current.env, CALLBOARD_SECRET_KEY: Buffer.alloc(32, 8).toString("base64") };
  await using other = Object.assign(
    createServer((_, res) => void res.writeHead(401).end()),
    { [Symbol.asyncDispose]: () => new Promise<void>((done) => other.close(() => done())) },
  );
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", () => done()));
  const port = await freePort();
  const service = {
    CALLBOARD_DATA: current.data,
    CALLBOARD_KV: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
  };
  await assertCases([
    {
      title: "an older store",
      level: "ok",
      says: /version \d+, from an earlier version.*upgrades it/,
      findings: () => findingsOf(checkStore, older.env),
    },
    {
      title: "a store from before 1.0.0",
      level: "failed",
      says:
        /before Callboard 1\.0\.0, whose data cannot be read\. Download a backup of each project/,
      findings: () => findingsOf(checkStore, early.env),
    },
    {
      title: "a newer store with a copy",
      level: "failed",
      says: /version 99, from a later version.* restore --upgrade-copy .*version-11/,
      findings: () => findingsOf(checkStore, newer.env),
    },
    {
      title: "a newer store without a copy",
      level: "failed",
      says: /version 99, from a later version.* or restore a backup/,
      async findings() {
        await Deno.remove(`${newer.store}.version-11-1a2b3c4d`);
        return await findingsOf(checkStore, newer.env);
      },
    },
    {
      title: "another secret key",
      level: "failed",
      says: /secret key does not match.* secret-key accept/,
      findings: () => findingsOf(checkStore, wrongKey),
    },
    {
      title: "no secret key",
      level: "failed",
      says: /the secret key is missing/,
      findings: () => findingsOf(checkStore, { CALLBOARD_DATA: current.data }),
    },
    {
      title: "a damaged file",
      level: "failed",
      says: /cannot be read: .*it is damaged.*restore --from/,
      async findings() {
        await Deno.writeTextFile(older.store, "not a database ".repeat(1000));
        return await findingsOf(checkStore, older.env);
      },
    },
    {
      title: "a service without a token",
      level: "failed",
      says: /DENO_KV_ACCESS_TOKEN is not set/,
      findings: () => findingsOf(checkStore, service),
    },
    {
      title: "a service with a wrong token",
      level: "failed",
      says: /does not accept DENO_KV_ACCESS_TOKEN.* Check that the service is running/,
      findings: () => findingsOf(checkStore, { ...service, DENO_KV_ACCESS_TOKEN: "wrong" }),
    },
    {
      title: "no service",
      level: "failed",
      says: /cannot be used: connection refused/,
      findings: () =>
        findingsOf(checkStore, {
          ...service,
          CALLBOARD_KV: `http://127.0.0.1:${port}/`,
          DENO_KV_ACCESS_TOKEN: "some",
        }),
    },
  ]);
  assert.deepEqual(files(), before);
  await using checkUp = await openCheckUp(current.env);
  await runChecks(checkUp);
  assert.deepEqual(files(), before, "nor by all checks together");
  assert.deepEqual(await findingsOf(checkStore, current.env), [
    ["ok", `The database has version ${CURRENT}, the current one.`],
    ["ok", "No server is using the database at the moment."],
  ]);
});

Deno.test("a store in use is read, and the server keeps its lock", async () => {
  await using stage = await newStage(CURRENT);
  using _lock = await lockDataFolder(stage.data);
  using kv = await openStore(stage.store);
  await kv.set(["row"], 1);
  const said = (await findingsOf(checkStore, stage.env)).map(([, text]) => text).join("\n");
  assert.match(said, /version 17, the current one\.\nA server is using the database\./);
  await assert.rejects(lockDataFolder(stage.data, 0), /Another Callboard/);
});

Deno.test("old and missing backups are found", async () => {
  await using stage = await newStage(CURRENT);
  const daily = {
    CALLBOARD_BACKUP_AT: "0 3 * * *",
    CALLBOARD_BACKUP_TO: join(stage.data, "backups"),
    CALLBOARD_BACKUP_PASSPHRASE: "a long enough passphrase",
  };
  const clock = { now: () => new Date("2026-03-20T12:00:00Z"), ticks: () => 0 };
  await assertCases([
    {
      title: "no backup",
      level: "warning",
      says: /No backup has been made yet\. .*deno task backup/,
      findings: () => findingsOf(checkBackups, stage.env),
    },
    {
      title: "an old backup",
      level: "warning",
      says: /more than a week old: .*2026/,
      async findings() {
        await noteBackup(stage.data, { at: "2026-03-01T12:00:00Z", bytes: 1 });
        return await findingsOf(checkBackups, stage.env, { clock });
      },
    },
    {
      title: "automatic backups that fail",
      level: "failed",
      says: /last two automatic backups did not succeed\..*CALLBOARD_BACKUP_TO/,
      async findings() {
        const folder = daily.CALLBOARD_BACKUP_TO;
        await Deno.mkdir(folder);
        await Deno.writeTextFile(join(folder, "callboard-20260317T030000Z-1a2b3c4d.age"), "");
        // One by hand does not hide that those of the plan fail.
        await noteBackup(stage.data, { at: "2026-03-20T11:00:00Z", bytes: 1 });
        return await findingsOf(checkBackups, { ...stage.env, ...daily }, { clock });
      },
    },
  ]);
  const planned = { ...stage.env, ...daily, CALLBOARD_BACKUP_TO: join(stage.data, "new") };
  assert.deepEqual(await findingsOf(checkBackups, planned, { clock }), []);
});

Deno.test("work that is late or was set aside is found, but none is late in maintenance", async () => {
  await using stage = await newStage();
  const found = async () => [
    ...await findingsOf(checkLateJobs, stage.env),
    ...await findingsOf(checkJobsSetAside, stage.env),
  ];
  assert.deepEqual(await found(), [], "there is no store");
  using kv = await openStore(stage.store);
  await kv.set(rowKeys.storeVersion(), CURRENT);
  await kv.set(rowKeys.jobDue("hosts", Date.now() + 60_000, 8), { project_id: 1 });
  assert.deepEqual(await found(), [["ok", "OK"], ["ok", "OK"]]);
  for (const id of [7, "a", 9]) {
    await kv.set(rowKeys.jobDue("hosts", Date.now() - 61_000, id), { project_id: 1 });
  }
  for (const kind of ["hosts", "project_deletion"]) {
    await kv.set(rowKeys.jobSetAside(kind, 7), { project_id: 1, at: 0 });
  }
  const late = [
    "warning",
    "Background work has been due for more than a minute: hosts of projects. " +
    "Look at Admin > Background work. If nothing runs there, restart the server. " +
    "Otherwise check its load.",
  ];
  const setAside = [
    "warning",
    "Background work was set aside after its last attempt: hosts of projects, deletion of " +
    "projects. Open Admin > Background work, which shows the reasons. Remove the cause, then try " +
    "the work again or discard it.",
  ];
  assert.deepEqual(await found(), [late, setAside]);
  const begins = new Date(0).toISOString();
  await kv.set(rowKeys.maintenance(), { message: "", begins, ends: null });
  assert.deepEqual(await found(), [["ok", "OK"], setAside]);
});

Deno.test("all wrong settings are named together, and the other checks continue without them", async () => {
  await using stage = await newStage(CURRENT);
  const file = join(stage.data, "secret");
  await Deno.writeTextFile(file, "smtp://mail.example", { mode: 0o644 });
  await Deno.chmod(file, 0o644);
  const variables = {
    ...stage.env,
    CALLBOARD_PROT: "1",
    CALLBOARD_PORT: "many",
    CALLBOARD_TRUST_PROXY: "perhaps",
    CALLBOARD_SMTP_URL: "smtp://mail.example",
    CALLBOARD_SMTP_URL_FILE: file,
    CALLBOARD_METRICS_TOKEN_FILE: join(stage.data, "missing"),
    CALLBOARD_LDAP_URL: "http://tree",
    CALLBOARD_TELEGRAM_TOKEN_FILE: file,
  };
  const findings = () => findingsOf(checkSettings, variables);
  await assertCases([
    ["failed", /CALLBOARD_PROT is not a setting\. Did you mean CALLBOARD_PORT\?/],
    ["failed", /CALLBOARD_PORT must be a whole number.* docs\/settings\.md/],
    ["failed", /CALLBOARD_TRUST_PROXY must be true or false/],
    ["failed", /CALLBOARD_SMTP_URL and CALLBOARD_SMTP_URL_FILE are both set/],
    ["failed", /CALLBOARD_METRICS_TOKEN_FILE: .* does not exist/],
    ["failed", /CALLBOARD_LDAP_URL must be ldap:/],
    ["failed", /CALLBOARD_TELEGRAM_TOKEN must be one word/],
    ["warning", /can read the file .* of CALLBOARD_TELEGRAM_TOKEN_FILE\. .*chmod 600/],
  ].map(([level, says]) => ({
    title: String(says),
    level: level as "failed",
    says: says as RegExp,
    findings,
  })));
  assert.equal((await findings()).length, 8);
  assert.deepEqual(await findingsOf(checkSettings, stage.env), [["ok", "All settings are valid."]]);
});

Deno.test("a clock that differs from another server's is found", async () => {
  let offMs = 0;
  const server = createServer((_, res) => {
    res.sendDate = false;
    res.setHeader("Date", new Date(Date.now() + offMs).toUTCString());
    res.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const findings = async (off: number) => {
    offMs = off;
    return await findingsOf(checkClock, { CALLBOARD_URL: url });
  };
  await assertCases([
    {
      title: "ten minutes behind",
      level: "failed",
      says: /differs by (599|600) seconds from that of 127\.0\.0\.1.* Synchronize the clock/,
      findings: () => findings(600_000),
    },
    {
      title: "twenty seconds ahead",
      level: "warning",
      says: /differs by (19|20) seconds/,
      findings: () => findings(-20_000),
    },
    {
      title: "a clock that jumps",
      level: "warning",
      says: /The clock jumped/,
      findings() {
        let calls = 0;
        const clock = { now: () => new Date(Date.now() + 5_000 * calls++), ticks: () => 0 };
        return findingsOf(checkClock, {}, { clock });
      },
    },
  ]);
  assert.equal((await findings(0))[0][0], "ok");
  await new Promise((done) => server.close(done));
});

Deno.test("few files and little memory are found", () => {
  const levels = (files: number, free: number) =>
    findLimits(files, free).map(({ level, found }) => `${level} ${tell(found, translator("en"))}`);
  assert.match(levels(256, 1e9).join(), /^warning The server can open only 256 files/);
  assert.match(levels(Infinity, 1e8).join(), /^warning Only 100 MB of memory/);
  assert.match(levels(1024, 1e9).join(), /^ok /);
});

Deno.test("each way in which mails fail has its own advice", async () => {
  await using smtp = await startSmtpServer();
  await using plain = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const trusting = "?tls.rejectUnauthorized=false";
  const check = (url: string) => findingsOf(checkMail, { CALLBOARD_SMTP_URL: url });
  const login = "smtp://board:mail-password@127.0.0.1";
  await assertCases([
    {
      title: "wrong port",
      level: "failed",
      says: /127\.0\.0\.1:1 cannot be reached: connection refused.*Check the host and the port/,
      findings: () => check("smtp://127.0.0.1:1"),
    },
    {
      title: "TLS on a port without it",
      level: "failed",
      says: /cannot be encrypted: .*Port 587 needs smtp/,
      findings: () => check(`smtps://board:mail-password@127.0.0.1:${smtp.port}`),
    },
    {
      title: "no STARTTLS",
      level: "failed",
      says: /cannot be encrypted: .*STARTTLS/,
      findings: () => check(`${login}:${plain.port}`),
    },
    {
      title: "an unknown authority",
      level: "failed",
      says: /cannot be encrypted: .*certificate/,
      findings: () => check(`${login}:${smtp.port}`),
    },
    {
      title: "wrong password",
      level: "failed",
      says: /refuses the login: .*Check the user name and the password/,
      findings: () => check(`smtp://board:other-password@127.0.0.1:${smtp.port}${trusting}`),
    },
    {
      title: "a message without a mail server",
      level: "failed",
      says: /No mail server is configured/,
      findings: () => findingsOf(checkMail, {}, { sendTo: "eve@example.com" }),
    },
  ]);
  const unknown = await check(`smtp://127.0.0.1:${smtp.port}${trusting}`);
  assert.match(unknown.join(), /^ok,127\.0\.0\.1.* accepts the connection\. .*no login was tried/);
  const works = { CALLBOARD_SMTP_URL: `${login}:${smtp.port}${trusting}` };
  assert.equal(smtp.mails.length, 0, "nothing is sent unless asked for");
  const said = await findingsOf(checkMail, works, { sendTo: "eve@example.com" });
  assert.match(said.join(), /accepts the connection.*test message was sent to eve@example\.com/);
  assert.deepEqual(smtp.mails[0].to, ["eve@example.com"]);
});

Deno.test("a provider that is away, another issuer or not registered is found", async () => {
  const app = "http://127.0.0.1:3000/ops";
  await using provider = await startProvider({ app, id: "oidc" });
  const port = await freePort();
  const variables = {
    CALLBOARD_URL: app,
    CALLBOARD_OIDC_PROVIDER_URL: provider.issuer,
    CALLBOARD_OIDC_CLIENT_ID: CLIENT.id,
    CALLBOARD_OIDC_CLIENT_SECRET: CLIENT.secret,
  };
  const check = (more: Record<string, string> = {}) =>
    findingsOf(checkProviders, { ...variables, ...more });
  assert.match((await check()).join(), /^ok,oidc responds.*\/ops\/api\/auth\/oidc\/oidc\/redirect/);
  await assertCases([
    {
      title: "unreachable",
      level: "failed",
      says: /cannot sign in with oidc: discovery: .*connection refused/,
      findings: () => check({ CALLBOARD_OIDC_PROVIDER_URL: `http://127.0.0.1:${port}` }),
    },
    {
      title: "another issuer",
      level: "failed",
      says: /has another issuer: .*Set provider_url to exactly that/,
      findings: () =>
        check({ CALLBOARD_OIDC_PROVIDER_URL: provider.issuer.replace("127.0.0.1", "localhost") }),
    },
    {
      title: "redirect URL not registered",
      level: "failed",
      says: /oidc rejects the sign-in: .*400 Register this redirect URL/,
      findings: () => check({ CALLBOARD_URL: "http://127.0.0.1:3000" }),
    },
    {
      title: "unknown client",
      level: "failed",
      says: /oidc rejects the sign-in: .*check the client ID/,
      findings: () => check({ CALLBOARD_OIDC_CLIENT_ID: "someone" }),
    },
    {
      title: "a redirect URL elsewhere",
      level: "warning",
      says: /sends people back to http:\/\/old\.example.*not below/,
      findings: () =>
        check({ CALLBOARD_OIDC_REDIRECT_URL: "http://old.example/api/auth/oidc/oidc/redirect" }),
    },
    {
      title: "no public address",
      level: "warning",
      says: /has no fixed redirect URL\. Set CALLBOARD_URL/,
      findings: () => check({ CALLBOARD_URL: "" }),
    },
    {
      title: "no keys",
      level: "failed",
      says: /cannot sign in with oidc: keys: /,
      findings() {
        provider.manners.answer = (path) =>
          path === "/jwks" ? { status: 200, body: '{"keys":[]}' } : null;
        return check();
      },
    },
  ]);
});

Deno.test("a directory with a wrong password, base or address is found", async () => {
  await using slapd = await startSlapd();
  await using stage = await newStage();
  const ca = join(stage.data, "ca.pem");
  await Deno.writeTextFile(ca, slapd.ca);
  const variables = {
    CALLBOARD_LDAP_URL: slapd.ldap,
    CALLBOARD_LDAP_CA_FILE: ca,
    CALLBOARD_LDAP_BIND_DN: "cn=reader,dc=example,dc=com",
    CALLBOARD_LDAP_BIND_PASSWORD: "may look",
    CALLBOARD_LDAP_SEARCH_DN: "dc=example,dc=com",
  };
  const check = (more: Record<string, string> = {}) =>
    findingsOf(checkDirectory, { ...variables, ...more });
  assert.deepEqual((await check())[0][0], "ok");
  await assertCases([
    {
      title: "wrong password",
      level: "failed",
      says: /rejects the request: bind of the reader: .*CALLBOARD_LDAP_BIND_PASSWORD/,
      findings: () => check({ CALLBOARD_LDAP_BIND_PASSWORD: "wrong" }),
    },
    {
      title: "wrong base",
      level: "failed",
      says: /rejects the request: search of people: .*CALLBOARD_LDAP_SEARCH_DN/,
      findings: () => check({ CALLBOARD_LDAP_SEARCH_DN: "dc=other,dc=org" }),
    },
    {
      title: "unreachable",
      level: "failed",
      says: /cannot be reached: .*connection refused.*CALLBOARD_LDAP_URL/,
      findings: async () => check({ CALLBOARD_LDAP_URL: `ldap://127.0.0.1:${await freePort()}` }),
    },
  ]);
});

Deno.test("headers of a proxy that do not fit CALLBOARD_TRUST_PROXY are found", () => {
  const url = new URL("https://board.example");
  const says = (trustProxy: boolean, headers: Record<string, string | null>, origin = url.origin) =>
    findForwarding({ trustProxy, url }, {
      nonce: "",
      instance: "",
      address: "198.51.100.7",
      origin,
      forwardedFor: headers.for ?? null,
      forwardedProto: headers.proto ?? null,
    }).map(({ level, found }) => `${level} ${tell(found, translator("en"))}`).join();
  const made = "192.0.2.77";
  assert.match(
    says(true, { for: `${made}, 198.51.100.7`, proto: "https" }),
    /^ok .*198\.51\.100\.7/,
  );
  assert.match(says(true, { for: made }), /^failed .*the proxy sends no X-Forwarded-For/);
  assert.match(
    says(true, { for: made, proto: "https" }),
    /^failed .*passes on .* that visitors send/,
  );
  assert.match(says(true, { for: null }), /^failed .*sends no X-Forwarded-For/);
  assert.match(says(true, { for: "198.51.100.7" }, "http://board.example"), /^warning .*use https/);
  assert.match(says(false, { for: `${made}, 198.51.100.7` }), /^warning .*headers are ignored/);
  assert.equal(says(false, { for: made }), "");
});

Deno.test("a stopped server is not taken for a wrong address, and no address for a problem", async () => {
  await using stage = await newStage(CURRENT);
  const variables = { ...stage.env, CALLBOARD_URL: "http://127.0.0.1:1" };
  assert.match((await findingsOf(checkAddress, variables)).join(), /^warning,.*is not running/);
  assert.match((await findingsOf(checkAddress, stage.env)).join(), /^ok,.*no public address/);
});

Deno.test("a check that takes too long ends, and all run at the same time", async () => {
  await using stage = await newStage(CURRENT);
  await using checkUp = await openCheckUp({ ...stage.bare, CALLBOARD_LDAP_URL: "ldap://x" });
  const hanging = { check: () => new Promise<void>(() => {}) };
  const running: number[] = [];
  const report = await runChecks(
    { ...checkUp, directory: hanging },
    (names) => running.push(names.length),
    2_000,
  );
  assert.deepEqual(running, running.toSorted((a, b) => b - a));
  assert.deepEqual([running.at(-1), report.level], [0, "failed"]);
  const late = report.results.find(({ check }) => check === "directory")!.findings[0];
  assert.match(tell(late.found, translator("en")), /longer than 2 seconds/);
});
