import assert from "node:assert/strict";
import { join } from "node:path";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { until } from "@/tests/support/basics/until.ts";
import { installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

async function newFolder() {
  const path = await Deno.makeTempDir({ prefix: "callboard_config_" });
  return {
    path,
    /** Writes a settings file, and returns the variable that names it. */
    async file(text: string, mode = 0o600): Promise<{ CALLBOARD_CONFIG: string }> {
      const file = join(path, "callboard.env");
      await Deno.writeTextFile(file, text, { mode });
      return { CALLBOARD_CONFIG: file };
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs a command in the folder of the sources, and returns what it printed. */
async function run(command: string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await new Deno.Command(command[0]!, {
    args: command.slice(1),
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH")!, HOME: "/nonexistent", NO_COLOR: "1", ...env },
    cwd: ROOT,
  }).output();
  const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, said: said!, failed: failed! };
}

const config = (words: string[], env: Record<string, string>) =>
  run([Deno.execPath(), "run", "--quiet", "-A", "scripts/config.ts", ...words], env);

/** A fault a line. Each is named by a word of its sentence. */
const FAULTS: [line: string, word: RegExp][] = [
  ["CALLBOARD_PROT=3000", /PROT is not a setting\. .*line 1 of/],
  ["CALLBOARD_PORT=abc", /PORT must be a whole number/],
  ["CALLBOARD_URL=ftp://x", /URL must be an http or https address/],
  ["CALLBOARD_TRUST_PROXY=maybe", /TRUST_PROXY must be true or false/],
  ["CALLBOARD_TASK_ISOLATION=jail", /ISOLATION must be none, user or bwrap/],
  ["CALLBOARD_ADMIN_PASSWORD_FILE=/nonexistent/x", /PASSWORD_FILE.*does not exist/],
  ["CALLBOARD_BACKUP_AT=0 3 * * *", /BACKUP_AT and CALLBOARD_BACKUP_TO require each other/],
  ["CALLBOARD_LOG_LEVEL=loud", /LOG_LEVEL must be error, warn, info or debug/],
  ["CALLBOARD_WHEELS=/nonexistent/wheels", /WHEELS: .* does not exist/],
  ["CALLBOARD_SECRET_COMMAND=/etc", /line 10 /],
  ["CALLBOARD_AUDIT_SYSLOG=udp://x", /SYSLOG must be tls/],
  ["CALLBOARD_RUNNER_URL=x", /RUNNER_URL must be/],
  ["CALLBOARD_SECRET_KEY=short", /SECRET_KEY must be 32 bytes/],
  ["export CALLBOARD_HOST=1", /line 14: "export CALLBOARD_HOST" is not a name/],
  ["HTTPS_PROXY=http://x", /line 15: HTTPS_PROXY is not a setting/],
  ["CALLBOARD_AUDIT_FILE=/etc/passwd/x", /AUDIT_FILE: \/etc\/passwd cannot be written to/],
];

Deno.test("config check lists all problems with their lines, and starts nothing", async () => {
  await using folder = await newFolder();
  const env = { ...await folder.file(FAULTS.map(([line]) => `${line}\n`).join("")) };
  const data = join(folder.path, "data");
  const { code, said } = await config(["check"], { ...env, CALLBOARD_DATA: data });
  assert.equal(code, 1);
  for (const [line, word] of FAULTS) {
    if (line !== "CALLBOARD_SECRET_COMMAND=/etc") assert.match(said, word, line);
  }
  assert.doesNotMatch(said, /short/, "the value of a secret");
  await assert.rejects(Deno.stat(data), Deno.errors.NotFound);
  const json = JSON.parse((await config(["check", "--json"], env)).said);
  assert.equal(json.ok, false);
  assert.ok(json.problems.length >= FAULTS.length - 1, said);
});

Deno.test("config check finds nothing wrong with good settings, and warns of open files", async () => {
  await using folder = await newFolder();
  const text = 'CALLBOARD_PORT=3001\nCALLBOARD_ADMIN_PASSWORD="pass word"\n';
  const good = await config(["check"], await folder.file(text));
  assert.deepEqual([good.code, good.said], [0, "All settings are valid.\n"]);
  const env = await folder.file(text);
  await Deno.chmod(env.CALLBOARD_CONFIG, 0o644);
  const open = await config(["check"], env);
  assert.equal(open.code, 0);
  assert.match(open.said, /^Warning: Every account .*callboard\.env[^]*chmod 600/);
});

Deno.test("a settings file that is a pipe or too large is refused, and nothing waits for it", async () => {
  await using folder = await newFolder();
  const pipe = join(folder.path, "pipe");
  assert.equal((await run(["mkfifo", pipe], {})).code, 0);
  const waiting = await run(
    ["timeout", "20", Deno.execPath(), "run", "--quiet", "-A", "scripts/config.ts", "check"],
    { CALLBOARD_CONFIG: pipe },
  );
  assert.equal(waiting.code, 1);
  assert.match(waiting.said, /pipe is not a file/);
  const env = await folder.file(`CALLBOARD_ADMIN_NAME="${"y".repeat(2 * 1024 * 1024)}"\n`);
  assert.match((await config(["check"], env)).said, /is larger than 128 KiB/);
  // The scripts before a start leave the sentence to the program.
  const script = ". scripts/settings.sh; load_settings; echo ${CALLBOARD_FILE_NAMES-unset}";
  const early = await run(["timeout", "10", "sh", "-c", script], env);
  assert.deepEqual([early.code, early.said], [0, "unset\n"]);
});

Deno.test("config check reads the certificate and its key, and looks for the socket's folder", async () => {
  await using folder = await newFolder();
  const [one, other] = [join(folder.path, "one"), join(folder.path, "other")];
  for (const path of [one, other]) await Deno.mkdir(path);
  for (const path of [one, other]) await makeCertificates(path, "DNS:localhost");
  const files = (path: string) => ({ cert: join(path, "cert.pem"), key: join(path, "key.pem") });
  const [first, second] = [files(one), files(other)];
  const check = (cert: string, key: string) =>
    config(["check"], { CALLBOARD_TLS_CERT: cert, CALLBOARD_TLS_KEY: key });
  assert.equal((await check(first.cert, first.key)).code, 0);
  const swapped = await check(first.cert, second.key);
  assert.match(swapped.said, /the key is that of another certificate/);
  const noKey = await check(first.cert, first.cert);
  assert.match(noKey.said, /TLS_KEY must be a private key in PEM format/);
  const missing = await check(join(folder.path, "no"), first.key);
  assert.match(missing.said, /TLS_CERT: \S+ cannot be read: the file does not exist/);
  assert.deepEqual([swapped.code, noKey.code, missing.code], [1, 1, 1]);
  const socket = await config(["check"], {
    CALLBOARD_SOCKET: join(folder.path, "missing", "callboard.sock"),
  });
  assert.match(socket.said, /SOCKET: \S+missing cannot be read: it does not exist/);
});

Deno.test("config show names the origin of each setting, and shows no secret", async () => {
  await using folder = await newFolder();
  const secret = join(folder.path, "key");
  await Deno.writeTextFile(secret, "hidden-smtp");
  await Deno.mkdir(join(folder.path, "credentials"));
  await Deno.writeTextFile(
    join(folder.path, "credentials/CALLBOARD_METRICS_TOKEN"),
    "hidden-token",
  );
  const env = {
    ...await folder.file(
      "CALLBOARD_PORT=3001\nCALLBOARD_HOST=::1\nCALLBOARD_WEBHOOK_SECRET=hidden-hook\n" +
        "CALLBOARD_GALAXY_URL=https://me:hunter2@galaxy.example.com/?key=hidden-key\n" +
        "CALLBOARD_URL=https://callboard.example.com/#hidden-part\n" +
        "CALLBOARD_BACKUP_COMMAND=curl https://ping.example.com/hidden-id\n",
    ),
    CALLBOARD_HOST: "0.0.0.0",
    CALLBOARD_TELEGRAM_TOKEN_FILE: secret,
    CREDENTIALS_DIRECTORY: join(folder.path, "credentials"),
  };
  const { code, said, failed } = await config(["show", "--json"], env);
  assert.equal(code, 0, said + failed);
  const rows: {
    name: string;
    value: string | null;
    set: boolean;
    origin: string;
    place: string;
  }[] = JSON.parse(said).settings;
  const row = (name: string) => {
    const { value, set, origin, place } = rows.find((one) => one.name === `CALLBOARD_${name}`)!;
    return [value, set, origin, place];
  };
  assert.deepEqual(row("PORT"), ["3001", true, "file", `${env.CALLBOARD_CONFIG}:1`]);
  assert.deepEqual(row("HOST"), ["0.0.0.0", true, "environment", null]);
  assert.deepEqual(row("WEBHOOK_SECRET"), [null, true, "file", `${env.CALLBOARD_CONFIG}:3`]);
  assert.deepEqual(row("TELEGRAM_TOKEN"), [null, true, "secret_file", secret]);
  assert.deepEqual(row("METRICS_TOKEN"), [null, true, "credential", null]);
  assert.deepEqual(row("LOG_LEVEL"), ["info", false, "default", null]);
  const text = (await config(["show"], env)).said;
  assert.match(text, /^CALLBOARD_PORT +3001 +file .*callboard\.env:1$/m);
  assert.match(text, /^CALLBOARD_METRICS_TOKEN +\(set\) +credential$/m);
  assert.doesNotMatch(said + text, /hidden-|hunter2/);
});

Deno.test("a mistyped name in the file stops every command, with its line", async () => {
  await using folder = await newFolder();
  const env = await folder.file("\n# one\nCALLBOARD_PROT=3000\n");
  const serve = [Deno.execPath(), "run", "-A", "_fresh/server/serve.js"];
  for (
    const command of [serve, [Deno.execPath(), "run", "--quiet", "-A", "scripts/user.ts", "list"]]
  ) {
    const { code, said } = await run(command, env);
    assert.equal(code, 1);
    assert.match(
      said,
      /^CALLBOARD_PROT is not a setting\. Did you mean CALLBOARD_PORT\? It is in line 3 of \S+\/callboard\.env\.$/m,
    );
  }
  const { code, said } = await run(serve, { CALLBOARD_CONFIG: "/nonexistent/callboard.env" });
  assert.equal(code, 1);
  assert.equal(
    said,
    "CALLBOARD_CONFIG: /nonexistent/callboard.env cannot be read: the file does not exist\n",
  );
});

Deno.test("a server takes its settings from the file, and may reach what they name", async () => {
  await using folder = await newFolder();
  const at = (name: string) => join(folder.path, name);
  const env = await folder.file(`CALLBOARD_KV=${at("elsewhere.kv")}
CALLBOARD_AUDIT_FILE="${at("audit.log")}"
CALLBOARD_METRICS_TOKEN_FILE='${at("token")}'
CALLBOARD_ADMIN_NAME=Not this one
`);
  await Deno.writeTextFile(at("token"), "scrape-me");
  const server = await startRealServer({
    dataDir: at("data"),
    ansibleDir: await installStandIn(at("stand_in")),
    env: { ...env, CALLBOARD_ADMIN_NAME: "Ada" },
  });
  try {
    const { body } = await server.api("GET", "/api/user");
    assert.equal(body.name, "Ada");
    await Deno.stat(at("elsewhere.kv"));
    const headers = { Authorization: "Bearer scrape-me" };
    const metrics = await fetch(new URL("/metrics", server.url), { headers });
    assert.equal(metrics.status, 200);
    await metrics.body?.cancel();
    await until(() => Deno.stat(at("audit.log")).then(() => true, () => false));
  } finally {
    await server.end("SIGTERM");
  }
});
