import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAddress } from "@/lib/monitoring/checks/address.ts";
import { assertCases, type Case, findingsOf } from "@/tests/support/programs/check_up.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { startNginx } from "@/tests/support/programs/nginx.ts";
import { installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Two servers of Callboard, and one proxy for each mistake. */
async function newStage() {
  const home = await Deno.makeTempDir({ prefix: "callboard_doctor_real_" });
  const [port, otherPort, deadPort] = [freePort(), freePort(), freePort()];
  const ansibleDir = await installStandIn(join(home, "bin"));
  const start = (name: string, port: number) =>
    startRealServer({
      dataDir: join(home, name),
      ansibleDir,
      env: { CALLBOARD_PORT: String(port), CALLBOARD_TRUST_PROXY: "true" },
    });
  const servers = await Promise.all([start("data", port), start("other", otherPort)]);
  const to = (port: number, path = "") => `proxy_pass http://127.0.0.1:${port}${path};`;
  const upgrade = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; " +
    "proxy_set_header Connection upgrade;";
  const visitor = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; " +
    "proxy_set_header X-Forwarded-Proto $scheme;";
  const all = `${upgrade} ${visitor}`;
  const nginx = await startNginx({
    good: `location / { ${to(port)} ${all} }`,
    tls: `location / { ${to(port)} ${all} }`,
    // With HTTP 1.1, nginx passes on each part of a stream even if it buffers.
    buffering: `location / { ${to(port)} ${visitor} proxy_ignore_headers X-Accel-Buffering; }`,
    noUpgrade: `location / { ${to(port)} ${visitor} }`,
    passing: `location / { ${to(port)} ${upgrade} proxy_set_header X-Forwarded-Proto http; }`,
    nameless: `location / { ${to(port)} ${upgrade} proxy_set_header X-Forwarded-For ""; }`,
    dead: `location / { ${to(deadPort)} }`,
    other: `location / { ${to(otherPort)} ${all} }`,
    elsewhere: "location / { return 301 https://board.example$request_uri; }",
  });
  const variables = {
    CALLBOARD_DATA: join(home, "data"),
    CALLBOARD_PORT: String(port),
    CALLBOARD_TRUST_PROXY: "true",
  };
  return {
    urls: nginx.urls,
    server: servers[0],
    variables,
    path: `${ansibleDir}:${Deno.env.get("PATH")}`,
    check: (url: string, more: Parameters<typeof findingsOf>[2] = {}) =>
      findingsOf(checkAddress, { ...variables, CALLBOARD_URL: url }, more),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.end("SIGKILL")));
      await nginx[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

Deno.test("an address is checked through its proxy, and each mistake of it is named", async () => {
  await using stage = await newStage();
  const { urls, check, variables } = stage;
  const good = await check(urls.good);
  assert.deepEqual(good.map(([level]) => level), ["ok", "ok", "ok", "ok"], good.join("\n"));
  const inDays = (days: number) => ({
    clock: {
      now: () => new Date(Date.now() + days * 24 * 60 * 60_000),
      ticks: () => performance.now(),
    },
  });
  const cases: [title: string, Case["level"], says: RegExp, url: string][] = [
    ["buffers", "failed", /holds back live updates\. .*proxy_buffering off/, urls.buffering],
    [
      "no upgrade",
      "failed",
      /WebSocket connections fail \(status 200\)\. .*Upgrade/,
      urls.noUpgrade,
    ],
    ["forged", "failed", /passes on the X-Forwarded-For that visitors send/, urls.passing],
    ["no X-Forwarded-For", "failed", /sends no X-Forwarded-For/, urls.nameless],
    ["dead", "failed", /status 502, .* pass requests on to http:\/\/127/, urls.dead],
    ["another Callboard", "failed", /Another server answers/, urls.other],
    [
      "redirects",
      "failed",
      /redirects to https:\/\/board\.example\. Set CALLBOARD/,
      urls.elsewhere,
    ],
    ["sub-path missing", "failed", /status 404, but it is not Callboard/, `${urls.good}/ops`],
    ["nothing there", "failed", /cannot be reached .*connection refused/, closed()],
    ["unknown authority", "warning", /does not trust the certificate/, urls.tls],
    ["expires soon", "warning", /The certificate expires on/, urls.tls],
  ];
  await assertCases(cases.map(([title, level, says, url]) => ({
    title,
    level,
    says,
    findings: () => check(url),
  })));
  await assertCases([
    {
      title: "expired",
      level: "failed",
      says: /The certificate expired on .* Renew the certificate/,
      findings: () => check(urls.tls, inDays(3)),
    },
    {
      title: "not trusted",
      level: "warning",
      says: /headers are ignored\..* Set CALLBOARD_TRUST_PROXY=true/,
      findings: () =>
        findingsOf(checkAddress, {
          ...variables,
          CALLBOARD_TRUST_PROXY: "false",
          CALLBOARD_URL: urls.good,
        }),
    },
  ]);
  await checkCommand(stage);
  await checkPage(stage);
});

/** Runs the checks on the page of the server, whose process has the permissions of a start. */
async function checkPage({ server: { url, cookie } }: Stage) {
  const address = new URL("/admin/health", url);
  const ran = await fetch(address, {
    method: "POST",
    headers: { Cookie: cookie, Origin: address.origin },
    redirect: "manual",
  });
  assert.equal(ran.status, 303);
  const html = await (await fetch(address, { headers: { Cookie: cookie } })).text();
  const found = [...html.matchAll(/<dt>([^<]*)<\/dt><dd><ul class="health-findings">/g)]
    .map(([, name]) => name);
  for (const name of ["Data folder", "Database", "Git", "Ansible", "Task isolation", "Clock"]) {
    assert.ok(found.includes(name), `${name}: ${found}`);
  }
  const problems = [...html.matchAll(/<li class="text-(?:danger|warning)">.*?<\/li>/gs)];
  assert.equal(problems.length, 1, problems.join("\n"));
  assert.match(problems.join(), /No backup has been made yet/);
}

type Stage = Awaited<ReturnType<typeof newStage>>;

const closed = () => `http://127.0.0.1:${freePort()}`;

/** Runs the command beside the server, as JSON and as text. */
async function checkCommand({ variables, urls, path }: Stage) {
  const run = async (more: Record<string, string>, ...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", "scripts/doctor.ts", ...args],
      cwd: ROOT,
      clearEnv: true,
      env: { ...variables, PATH: path, HOME: Deno.env.get("HOME") ?? "/", ...more },
    }).output();
    return {
      code,
      said: new TextDecoder().decode(stdout),
      wrong: new TextDecoder().decode(stderr),
    };
  };
  const password = "a-password-of-tests";
  const smtp = `smtp://board:${password}@127.0.0.1:${freePort()}`;
  const [good, bad] = await Promise.all([
    run({ CALLBOARD_URL: urls.good }, "--json"),
    run({ CALLBOARD_URL: urls.good, CALLBOARD_SMTP_URL: smtp, CALLBOARD_PROT: "1" }),
  ]);
  assert.equal(good.code, 0, good.said + good.wrong);
  const report = JSON.parse(good.said);
  const levels = new Set(report.checks.map(({ level }: { level: string }) => level));
  assert.ok(!levels.has("failed"));
  assert.deepEqual(report.checks.filter(({ check }: { check: string }) => check === "store")[1], {
    check: "store",
    level: "ok",
    found: "A server is using the database.",
    next: null,
  });
  assert.equal(bad.code, 1);
  assert.match(bad.said, /^Failed +Settings +CALLBOARD_PROT is not a setting\.\n +Did you mean/m);
  assert.match(bad.said, /^Failed +Mail server +The mail server .* cannot be reached/m);
  assert.ok(!(bad.said + bad.wrong).includes(password));
}
