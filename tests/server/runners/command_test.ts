import assert from "node:assert/strict";
import { FINAL_CODES } from "@/lib/runner/protocol.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { findProcesses } from "@/tests/support/basics/processes.ts";
import { runRunner, spawnRunner } from "@/tests/support/server/real_runner.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { RUNNER_TOKEN, serveRunner } from "@/tests/support/server/runner_server.ts";
import { until } from "@/tests/support/basics/until.ts";

const TOKEN = "registration-token-1";

/** A server of the protocol, and a folder for a runner. */
async function newStage() {
  const bench = await newRunBench();
  const server = serveRunner();
  const dataDir = `${bench.directory}/runner`;
  const ansibleDir = await installStandIn(`${bench.directory}/ansible`);
  return {
    bench,
    server,
    dataDir,
    options: { dataDir, ansibleDir },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

const slow = { env: { CALLBOARD_STAND_IN_LINES: "600", CALLBOARD_STAND_IN_SLEEP_MS: "100" } };

Deno.test("a runner registers once, with a token that is never an argument", async () => {
  await using stage = await newStage();
  const { server, options, dataDir } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN, CALLBOARD_RUNNER_NAME: "dmz-1" };
  const missing = await runRunner(options, "register", server.url);
  assert.equal(missing.code, 1);
  assert.match(missing.said, /Set CALLBOARD_RUNNER_TOKEN/);
  const extra = await runRunner(options, "register", server.url, TOKEN);
  assert.match(extra.said, /^Runs tasks of a Callboard server/);
  const registered = await runRunner({ ...options, env }, "register", `${server.url}/`);
  assert.equal(registered.code, 0, registered.said);
  assert.match(registered.said, /Registered with .* as the runner "dmz-1"/);
  const file = await Deno.stat(`${dataDir}/runner.json`);
  assert.equal(file.mode! & 0o777, 0o600);
  const again = await runRunner({ ...options, env }, "register", server.url);
  assert.match(again.said, /already belongs to the runner "dmz-1"/);
  const status = await runRunner(options, "status");
  assert.match(status.said, /Runner "dmz-1" \(number 7\).*\nIt is not running/);
  for (const { said } of [missing, extra, registered, again, status]) {
    assert.ok(!said.includes(RUNNER_TOKEN) && !said.includes(TOKEN) || said === extra.said);
  }
});

Deno.test("a runner whose token was revoked says what to do, and registers again in its folder", async () => {
  await using stage = await newStage();
  const { server, options, dataDir } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN };
  await runRunner({ ...options, env }, "register", server.url);
  server.control.before = () =>
    Response.json({ error: "Revoked.", code: "runner_unknown" }, { status: 401 });
  const refused = await runRunner(options, "start");
  assert.equal(refused.code, 3, refused.said);
  const status = await runRunner(options, "status");
  for (const { said } of [refused, status]) {
    assert.match(said, /no longer accepts this runner's token[^]*new registration token/);
  }
  server.control.before = () => null;
  const { private_key: before } = JSON.parse(await Deno.readTextFile(`${dataDir}/runner.json`));
  const again = await runRunner({ ...options, env }, "register", server.url);
  assert.equal(again.code, 0, again.said);
  const { private_key: after } = JSON.parse(await Deno.readTextFile(`${dataDir}/runner.json`));
  assert.notEqual(after.x, before.x);
  const registered = await runRunner(options, "status");
  assert.match(registered.said, /It is not running\.$/m);
  assert.doesNotMatch(registered.said, /no longer/);
  const third = await runRunner({ ...options, env }, "register", server.url);
  assert.match(third.said, /already belongs to the runner/);
});

Deno.test("a registration whose answer was lost is tried again with the same key", async () => {
  await using stage = await newStage();
  const { server, options, dataDir } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN };
  const keys: unknown[] = [];
  server.control.before = ({ body }) => {
    keys.push((body as { public_key: string }).public_key);
    return keys.length === 1 ? new Response(null, { status: 502 }) : null;
  };
  const lost = await runRunner({ ...options, env }, "register", server.url);
  assert.equal(lost.code, 1);
  const file = await Deno.stat(`${dataDir}/registration-key.json`);
  assert.equal(file.mode! & 0o777, 0o600);
  const registered = await runRunner({ ...options, env }, "register", server.url);
  assert.equal(registered.code, 0, registered.said);
  assert.equal(keys[0], keys[1]);
  assert.ok(![...Deno.readDirSync(dataDir)].some(({ name }) => name.includes("key")));
});

Deno.test("an address without encryption is refused unless a setting allows it", async () => {
  await using stage = await newStage();
  const { options } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN, no_proxy: "*" };
  const address = "http://callboard.invalid";
  const refused = await runRunner({ ...options, env }, "register", address);
  assert.match(refused.said, /must begin with https.*CALLBOARD_RUNNER_INSECURE=true/);
  const insecure = { ...env, CALLBOARD_RUNNER_INSECURE: "true" };
  const allowed = await runRunner({ ...options, env: insecure }, "register", address);
  assert.match(allowed.said, /did not register the runner/);
});

Deno.test("a runner replaces an old token in its file", async () => {
  await using stage = await newStage();
  const { server, options, dataDir } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN };
  await runRunner({ ...options, env }, "register", server.url);
  const path = `${dataDir}/runner.json`;
  const stored = async () => JSON.parse(await Deno.readTextFile(path));
  const old = { ...await stored(), issued: "2020-01-01T00:00:00.000Z" };
  await Deno.writeTextFile(path, JSON.stringify(old));
  const runner = spawnRunner(options, "start");
  await until(() => server.tokens.current !== RUNNER_TOKEN);
  const { token, issued } = await stored();
  assert.equal(token, server.tokens.current);
  assert.ok(Date.now() - Date.parse(issued) < 60_000);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  runner.kill("SIGTERM");
  assert.equal(await runner.code, 0, runner.output());
  assert.ok(!runner.output().includes(token));
});

Deno.test("a refused token, a redirect and a mistyped setting are explained", async () => {
  await using stage = await newStage();
  const { server, options } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN };
  server.control.before = () => Response.json({ error: "The token has expired." }, { status: 401 });
  const refused = await runRunner({ ...options, env }, "register", server.url);
  assert.match(refused.said, /did not register the runner: The token has expired\./);
  server.control.before = () =>
    new Response(null, { status: 301, headers: { location: "https://other.example/" } });
  const moved = await runRunner({ ...options, env }, "register", server.url);
  assert.match(moved.said, /leads to https:\/\/other\.example\//);
  const mistyped = { CALLBOARD_RUNNER_TOKN: "x" };
  const unknown = await runRunner({ ...options, env: mistyped }, "status");
  assert.match(unknown.said, /Did you mean CALLBOARD_RUNNER_TOKEN\?/);
});

Deno.test("a runner runs tasks, says so, and ends in time", async () => {
  await using stage = await newStage();
  const { server, options, bench } = stage;
  await Deno.writeTextFile(`${bench.directory}/token`, `${TOKEN}\n`);
  const env = {
    CALLBOARD_RUNNER_TOKEN_FILE: `${bench.directory}/token`,
    CALLBOARD_DRAIN_SECONDS: "1",
  };
  const runner = spawnRunner({ ...options, env }, "start", server.url);
  await runner.says("waits for tasks of");
  const run = server.offer(bench.plan());
  await server.ended(run);
  assert.equal(run.state?.outcome?.end, "success", runner.output());
  const second = await runRunner({ ...options }, "start");
  assert.match(second.said, /Another process runs tasks/);
  const slowRun = server.offer(bench.plan(slow));
  await until(() => slowRun.lines.length > 5);
  await until(async () =>
    (await runRunner(options, "status")).said.includes(`Tasks: ${slowRun.taskId}`)
  );
  const doctor = await runRunner(options, "doctor");
  assert.match(doctor.said, /accepts this runner/);
  assert.match(doctor.said, /not encrypted/);
  runner.kill("SIGTERM");
  assert.equal(await runner.code, 0, runner.output());
  assert.equal(slowRun.state?.outcome?.reason?.key, "errors.run.shutdown");
  assert.ok(!runner.output().includes(RUNNER_TOKEN));
});

Deno.test("a killed runner leaves no process, and its next start leaves no file", async () => {
  await using stage = await newStage();
  const { server, options, bench, dataDir } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN };
  const runner = spawnRunner({ ...options, env }, "start", server.url);
  const run = server.offer(bench.plan(slow));
  await until(() => run.lines.length > 5);
  runner.kill("SIGKILL");
  await runner.code;
  await until(() => findProcesses(`${dataDir}/tasks`).length === 0);
  server.forget(run);
  const sessions = () => new Set(server.polls.map(({ session }) => session));
  const next = spawnRunner(options, "start");
  await until(() => sessions().size === 2);
  assert.deepEqual(server.polls.at(-1)!.runs, []);
  assert.deepEqual([...Deno.readDirSync(`${dataDir}/tasks`)], []);
  const revoked = { error: "unknown runner", code: FINAL_CODES.revoked };
  server.control.before = () => Response.json(revoked, { status: 401 });
  server.endPolls();
  assert.equal(await next.code, 3);
  assert.match(next.output(), /no longer accepts this runner's token/);
});

Deno.test("a one-off runner ends after its task", async () => {
  await using stage = await newStage();
  const { server, options, bench } = stage;
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN, CALLBOARD_RUNNER_URL: server.url };
  const runner = spawnRunner({ ...options, env }, "start", "--once");
  const run = server.offer(bench.plan());
  assert.equal(await runner.code, 0, runner.output());
  assert.equal(run.ended, true);
});

/** Passes connections on: with TLS to a server, or to where a client of a proxy wants. */
function passOn(listener: Deno.Listener<Deno.TcpConn | Deno.TlsConn>, port: number | null) {
  const targets: string[] = [];
  const pass = async (from: Deno.Conn) => {
    let to = port;
    if (to === null) {
      const bytes = new Uint8Array(4_096);
      const head = new TextDecoder().decode(bytes.subarray(0, await from.read(bytes) ?? 0));
      const [, host, wanted] = /^CONNECT (\S+):(\d+) /.exec(head)!;
      targets.push(host!);
      to = Number(wanted);
      await from.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
    }
    const onward = await Deno.connect({ hostname: "127.0.0.1", port: to });
    from.readable.pipeTo(onward.writable).catch(() => {});
    onward.readable.pipeTo(from.writable).catch(() => {});
  };
  (async () => {
    for await (const connection of listener) pass(connection).catch(() => {});
  })();
  return {
    port: (listener.addr as Deno.NetAddr).port,
    targets,
    [Symbol.dispose]: () => listener.close(),
  };
}

Deno.test("a runner reaches a server by TLS of a private authority, a proxy and a sub-path", async () => {
  await using stage = await newStage();
  const { server, options, bench } = stage;
  const authority = await makeCertificates(bench.directory, "DNS:callboard.test");
  await Deno.writeTextFile(`${bench.directory}/authority.pem`, authority);
  const [cert, key] = ["cert.pem", "key.pem"].map((name) =>
    Deno.readTextFileSync(`${bench.directory}/${name}`)
  );
  const at = { hostname: "127.0.0.1", port: 0 };
  using secure = passOn(Deno.listenTls({ ...at, cert: cert!, key: key! }), server.port);
  using proxy = passOn(Deno.listen(at), null);
  const paths = new Set<string>();
  server.control.before = ({ request }) => {
    paths.add(new URL(request.url).pathname);
    return null;
  };
  const url = `https://callboard.test:${secure.port}/sub/path/`;
  const env = {
    CALLBOARD_RUNNER_TOKEN: TOKEN,
    https_proxy: `http://127.0.0.1:${proxy.port}`,
  };
  const untrusted = await runRunner({ ...options, env }, "register", url);
  assert.match(untrusted.said, /did not register the runner: .*(certificate|UnknownIssuer)/i);
  const trusting = { ...env, SSL_CERT_FILE: `${bench.directory}/authority.pem` };
  const runner = spawnRunner({ ...options, env: trusting }, "start", url, "--once");
  const run = server.offer(bench.plan());
  assert.equal(await runner.code, 0, runner.output());
  assert.equal(run.state?.outcome?.end, "success");
  assert.deepEqual([...paths].toSorted(), [
    "/sub/path/api/runner/poll",
    "/sub/path/api/runner/register",
    `/sub/path/api/runner/tasks/${run.taskId}/report`,
  ]);
  assert.deepEqual([...new Set(proxy.targets)], ["callboard.test"]);
});

Deno.test("tasks of an isolated runner cannot read its registration", async () => {
  await using stage = await newStage();
  const { server, options, bench, dataDir } = stage;
  const peek = `#!/bin/sh
[ "$1" != --version ] || { echo "ansible-playbook [core 2.19.14]"; exit; }
echo begin; cat ${dataDir}/runner.json; ls ${dataDir}; echo end
`;
  await Deno.writeTextFile(`${options.ansibleDir}/ansible-playbook`, peek, { mode: 0o755 });
  const env = { CALLBOARD_RUNNER_TOKEN: TOKEN, CALLBOARD_TASK_ISOLATION: "bwrap" };
  const runner = spawnRunner({ ...options, env }, "start", server.url, "--once");
  const run = server.offer(bench.plan());
  assert.equal(await runner.code, 0, runner.output());
  const text = run.lines.join("\n");
  assert.match(text, /begin\n.*No such file.*\n(.*\n)*end/);
  assert.ok(!/token|private_key|status\.json/.test(text), text);
  assert.equal(server.polls[0]!.facts.isolation, "bwrap");
});

/** Creates a folder with the machine's programs except for these. */
async function programsWithout(folder: string, ...names: string[]): Promise<string> {
  await Deno.mkdir(folder);
  const command = 'cd "$1" && shift && ln -s /usr/bin/* . && rm -f "$@"';
  const args = ["-c", command, "sh", folder, ...names];
  assert.ok((await new Deno.Command("sh", { args }).output()).success);
  return folder;
}

Deno.test("a runner without bubblewrap says so, and does not blame or install Ansible", async () => {
  await using stage = await newStage();
  const { server, options, bench } = stage;
  const programs = await programsWithout(`${bench.directory}/programs`, "bwrap");
  const env = {
    PATH: `${options.ansibleDir}:${programs}`,
    CALLBOARD_RUNNER_TOKEN: TOKEN,
    CALLBOARD_TASK_ISOLATION: "bwrap",
  };
  const { code, said } = await runRunner({ ...options, env }, "start", server.url);
  assert.equal(code, 1);
  assert.match(said, /CALLBOARD_TASK_ISOLATION=bwrap does not work here: .*bwrap: not found/);
  assert.doesNotMatch(said, /ansible/);
});

Deno.test("a runner may use an Ansible whose folder has a shell of its own", async () => {
  await using stage = await newStage();
  const { server, options: { ansibleDir, ...options }, bench } = stage;
  await Deno.symlink("/bin/sh", `${ansibleDir}/sh`);
  const ansible = ["ansible-playbook", "ansible-galaxy"];
  const programs = await programsWithout(`${bench.directory}/programs`, ...ansible);
  const env = { PATH: `${programs}:${ansibleDir}`, CALLBOARD_RUNNER_TOKEN: TOKEN };
  const runner = spawnRunner({ ...options, env }, "start", server.url, "--once");
  const run = server.offer(bench.plan());
  assert.equal(await runner.code, 0, runner.output());
  assert.equal(run.state?.outcome?.end, "success");
});
