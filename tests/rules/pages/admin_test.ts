import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { createProbe, PROBE_HEADER } from "@/lib/monitoring/checks/probe.ts";
import { environmentSettings, SETTINGS } from "@/lib/base/settings/known_settings.ts";
import { SECRET_SETTINGS } from "@/lib/base/settings/secret_settings.ts";
import { noteStep } from "@/lib/maintenance/server_backup/backup_report.ts";
import { noteBackup } from "@/lib/maintenance/server_backup/last_backup.ts";
import type { Proof } from "@/lib/people/identities/schema.ts";
import { listWaiting, refuseWaiting, waitForAdmin } from "@/lib/people/identities/waiting.ts";
import { requireAdmin } from "@/lib/access/scope.ts";
import { htmlOf, textOf, titleOf } from "@/tests/support/basics/html.ts";
import { newWorld, WELL, type World } from "@/tests/support/world/world.ts";

const PAGES = [
  ["/users", "Users"],
  ["/users/waiting", "Account requests"],
  ["/users/rules", "Group rules"],
  ["/admin/runners", "Runners"],
  ["/admin/toolchains", "Toolchains"],
  ["/admin/alerts", "Alerts"],
  ["/admin/identity", "Task identity"],
  ["/queue", "Running and waiting tasks"],
  ["/admin/jobs", "Background work"],
  ["/admin/activity", "Activity"],
  ["/admin/health", "Health"],
  ["/admin/backups", "Backups"],
  ["/admin/maintenance", "Maintenance"],
  ["/admin/settings", "Settings"],
  ["/api/docs", "Callboard API"],
] as const;

/** Checks that judge a glance, in the order of the list. */
const QUICK = [
  ...["folder", "store", "queue", "schedules", "alerts", "loops", "jobs_late", "jobs_set_aside"],
  ...["process", "ansible", "isolation"],
];

/** Returns the drawer's links to pages of the server: addresses, and which one is marked. */
function drawerOf(html: string): { links: string[]; current: string[] } {
  const [, drawer] = /<nav aria-label="Admin">(.*?)<\/nav>/s.exec(html) ?? ["", ""];
  const links = [...drawer.matchAll(/<a href="([^"]*)"([^>]*)>/g)];
  const current = links.filter(([, , rest]) => rest.includes('aria-current="page"'));
  return { links: links.map(([, href]) => href), current: current.map(([, href]) => href) };
}

const pageOf = async ({ get }: World, path: string, person: "erin" | "alice" = "erin") =>
  await htmlOf(await get(person, path));

Deno.test("Erin goes from each page of the server to all others, and each marks itself", async () => {
  await using world = await newWorld();
  for (const [path, title] of PAGES) {
    const html = await pageOf(world, path);
    assert.equal(titleOf(html), `${title} - Admin - Callboard`);
    const { links, current } = drawerOf(html);
    assert.deepEqual(links, PAGES.map(([href]) => href), path);
    assert.deepEqual(current, [path]);
    assert.equal(html.match(/<main\b/g)?.length, 1, path);
  }
  const user = await pageOf(world, `/users/${world.people.bob.id}`);
  assert.deepEqual(drawerOf(user).current, ["/users"]);
  assert.equal((await world.get("erin", "/admin")).headers.get("location"), "/users");
});

Deno.test("Erin reaches the pages of the server from every page, and others have none", async () => {
  await using world = await newWorld();
  for (const path of ["/account", "/project/new", `/project/${world.web.id}/history`]) {
    assert.match(await pageOf(world, path), /<a href="\/admin">/, path);
    assert.doesNotMatch(await pageOf(world, path, "alice"), /"\/(admin|users)\b/, path);
  }
  // The palette has them as well, on pages without a project, too.
  for (const path of ["/palette", `/project/${world.web.id}/palette`]) {
    assert.match(await pageOf(world, path), /"href":"\/admin\/health"/, path);
    assert.doesNotMatch(await pageOf(world, path, "alice"), /"\/admin/, path);
  }
  for (const path of ["/admin", "/admin/health", "/admin/settings", "/users/waiting", "/queue"]) {
    for (const person of ["alice", "bob", "dave"] as const) {
      assert.equal((await world.get(person, path)).status, 404, `${person} ${path}`);
    }
    assert.match((await world.get(null, path)).headers.get("location")!, /^\/auth\/login\?next=/);
  }
  const docs = await pageOf(world, "/api/docs", "alice");
  assert.deepEqual(drawerOf(docs).links, []);
  assert.match(docs, /class="drawer"/);
  assert.doesNotMatch(await htmlOf(await world.get(null, "/api/docs")), /class="drawer"/);
});

Deno.test("the drawer counts the people who wait for Erin, and not those whom she declined", async () => {
  await using world = await newWorld();
  assert.doesNotMatch(await pageOf(world, "/users"), /drawer-mark/);
  for (const subject of ["frank", "grace"]) {
    const profile = { username: subject, name: subject, email: `${subject}@example.com` };
    const proof = { kind: "oidc", provider: "main", issuer: "main", subject, profile, claims: {} };
    await assert.rejects(waitForAdmin(world.deps, proof as Proof));
  }
  assert.match(await pageOf(world, "/admin/health"), /drawer-mark[^>]*>2</);
  assert.equal((await world.get("erin", "/admin")).headers.get("location"), "/users/waiting");
  const scope = requireAdmin({ deps: world.deps, actor: world.people.erin.actor });
  await refuseWaiting(scope, (await listWaiting(scope))[0].id);
  assert.match(await pageOf(world, "/users"), /drawer-mark[^>]*>1</);
});

Deno.test("Erin sees each setting with its value and its source, but no secret", async () => {
  const secrets = SECRET_SETTINGS.map((name): [string, string] => [name, `hidden-${name}`]);
  const env = new Map([
    ...secrets,
    ["CALLBOARD_PORT", "4321"],
    ["CALLBOARD_DRAIN_SECONDS", ""],
    ["CALLBOARD_KV", "https://joe:hidden-password@kv.example.com/store?key=hidden-key"],
  ]);
  const variables = new Map([
    ...env,
    ["CALLBOARD_METRICS_TOKEN", ""],
    ["CALLBOARD_WEBHOOK_SECRET", ""],
    ["CALLBOARD_WEBHOOK_SECRET_FILE", "/run/secret"],
    ["CALLBOARD_FILE_NAMES", " CALLBOARD_PORT:3 CALLBOARD_SMTP_URL:4"],
  ]);
  const settings = environmentSettings(env, variables);
  assert.equal(settings.get("CALLBOARD_KV")!.value, "https://kv.example.com/store");
  await using world = await newWorld({ deps: { settings } });
  const html = await pageOf(world, "/admin/settings");
  const rows = new Map(
    html.split('<div class="setting"').slice(1).map((row) => [
      /<code>(CALLBOARD_\w+)</.exec(row)![1],
      row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
    ]),
  );
  assert.deepEqual([...rows.keys()].toSorted(), SETTINGS.toSorted());
  assert.doesNotMatch(html, /hidden-/);
  assert.match(rows.get("CALLBOARD_PORT")!, /4321 Settings file Port to listen on/);
  assert.match(rows.get("CALLBOARD_DRAIN_SECONDS")!, /30 Default Time that running tasks get/);
  assert.match(rows.get("CALLBOARD_SECRET_KEY")!, /Set Environment/);
  assert.match(rows.get("CALLBOARD_SMTP_URL")!, /Set Settings file/);
  assert.match(rows.get("CALLBOARD_WEBHOOK_SECRET")!, /Set Secret file/);
  assert.match(rows.get("CALLBOARD_METRICS_TOKEN")!, /Set Credential/);
  assert.match(rows.get("CALLBOARD_URL")!, /Not set Public base URL/);
  const some = await pageOf(world, "/admin/settings?q=settings+file+port");
  assert.match(some, /\d of \d+<\/output>.*>CALLBOARD_PORT</s);
  assert.doesNotMatch(some, />CALLBOARD_HOST</);
  assert.match(await pageOf(world, "/admin/settings?q=hidden"), /No results for/);
  const blank = await newWorld();
  assert.match(await pageOf(blank, "/admin/settings"), /<code>CALLBOARD_SECRET_KEY<.*?Not set/s);
  await blank[Symbol.asyncDispose]();
});

Deno.test("Erin reads how the server is, and what to do about each problem", async () => {
  await using world = await newWorld();
  const well = await pageOf(world, "/admin/health");
  assert.match(well, /Everything works/);
  assert.match(well, /core 2\.19\.14/);
  assert.match(well, /No backup has been made with/);
  assert.doesNotMatch(well, /Automatic backups/);
  await noteBackup(world.deps.config.dataDir, {
    at: world.clock.now().toISOString(),
    bytes: 4_096_000,
  });
  assert.match(await pageOf(world, "/admin/health"), /<time[^>]*>[^<]*<\/time>, 5 MB/);
  const machine = {
    storeFull: false,
    disk: "no space left",
    ansible: null,
    isolation: null,
    backups: { overdue: true, left: 0, failed: null },
    unexpected: 2,
    lostLines: 1,
    certificate: null,
    stillLoops: [{ name: "dispatcher", ms: 90_000 }, { name: "audit_syslog", ms: 1_000 }],
  };
  await using broken = await newWorld({
    config: { backupFolder: "/srv/backups" },
    deps: { ansibleVersion: null, machine: () => Promise.resolve(machine) },
  });
  const html = await pageOf(broken, "/admin/health");
  assert.match(html, /Cannot write to the data folder: no space left\..*?Free up disk space/s);
  assert.match(html, /Ansible is not installed.*?Install ansible-core/s);
  assert.match(html, /The last two automatic backups did not succeed.*?CALLBOARD_BACKUP_TO/s);
  assert.match(html, /Server process.*?2 unexpected errors occurred/s);
  assert.match(
    html,
    /has not moved on since [^<]+: start of tasks, audit log\..*?Restart the server/s,
  );
  assert.doesNotMatch(html, /Everything works/);
});

Deno.test("a step of backups that has never run is not shown as a success", async () => {
  await using world = await newWorld();
  const line = async () => {
    const html = await pageOf(world, "/admin/backups");
    return /<li[^>]*>((?:(?!<\/li>).)*<strong>Upload<\/strong>.*?)<\/li>/s.exec(html)![1];
  };
  assert.doesNotMatch(await line(), /aria-label="OK"/);
  const outcome = { at: world.clock.now().toISOString(), name: "one.age", error: null };
  await noteStep(world.deps.config.dataDir, "upload", outcome);
  assert.match(await line(), /aria-label="OK".*one\.age/s);
  await noteStep(world.deps.config.dataDir, "upload", { ...outcome, error: "It is away." });
  assert.match(await line(), /aria-label="Problem".*It is away\..*CALLBOARD_BACKUP_BUCKET/s);
});

Deno.test("each problem of Health says what to do about it", async () => {
  const problems = [
    [{ unexpected: 2 }, /2 unexpected errors.*?Search the log for/s],
    [{ lostLines: 1 }, /A line of the server.*?check the program that reads the log/s],
    [
      { certificate: "Its key is another one." },
      /another one\..*?Replace the files in CALLBOARD_TLS/s,
    ],
    [{ isolation: "no bwrap" }, /not isolated as configured: no bwrap\..*?docs\/isolation\.md/s],
    [{ storeFull: true }, /full or read-only\..*?Free up disk space/s],
    [
      { backups: { ...WELL.backups, left: 2 } },
      /2 backups are from other.*?Check whether data is/s,
    ],
    ...[
      ["upload", /was not uploaded\..*?begin with CALLBOARD_BACKUP_BUCKET/s],
      ["command", /The command after.*?Run the command of CALLBOARD_BACKUP_COMMAND/s],
      ["test", /The latest test of.*?may not be restorable/s],
    ].map(([failed, words]) => [{ backups: { ...WELL.backups, failed } }, words]),
  ] as [Partial<typeof WELL>, RegExp][];
  for (const [problem, words] of problems) {
    await using world = await newWorld({
      config: { backupFolder: "/srv/backups" },
      deps: { machine: () => Promise.resolve({ ...WELL, ...problem }) },
    });
    const html = await pageOf(world, "/admin/health");
    assert.match(html, words);
    assert.doesNotMatch(html, /(admin|backups)\.remedy\./);
    const main = html.slice(html.indexOf("<main"));
    assert.equal(main.includes('href="/admin/backups"'), "backups" in problem);
  }
});

Deno.test("a page that does not exist leads to projects, and to the search of the last one", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("alice", "/nowhere"));
  const main = html.slice(html.indexOf("<main"));
  assert.match(main, /action="\/project\/1\/search"[^>]*role="search"/);
  assert.match(main, /href="\/project\/1"[^>]*>Web shop</);
  assert.match(main, /href="\/account"/);
  assert.doesNotMatch(main, /href="\/admin"/);
  const erin = await htmlOf(await world.get("erin", "/users/999"));
  assert.match(erin.slice(erin.indexOf("<main")), /href="\/admin"/);
  assert.deepEqual(drawerOf(erin).current, ["/users"]);
});

Deno.test("Erin runs the checks of the server, and others cannot", async () => {
  await using world = await newWorld();
  assert.doesNotMatch(await pageOf(world, "/admin/health"), /Checked/);
  for (const person of ["alice", "dave"] as const) {
    assert.equal((await world.post(person, "/admin/health")).status, 404, person);
  }
  const [first, second] = await Promise.all([1, 2].map(() => world.post("erin", "/admin/health")));
  for (const { status, headers } of [first, second]) {
    assert.deepEqual([status, headers.get("location")], [303, "/admin/health#checks"]);
  }
  const html = await pageOf(world, "/admin/health");
  assert.match(html, /Checked <time/);
  assert.match(html, /<dt>Git<\/dt>.*?git version/s);
  assert.match(html, /<dt>Address<\/dt>.*?no public address.*?Set CALLBOARD_URL/s);
  assert.match(html, /<dt>Server process<\/dt>/);
});

interface ListedCheck {
  check: string;
  level: string;
  found: string;
  next: string | null;
}

Deno.test("the page and the API show one list, and a problem of now is said once", async () => {
  let ansible: string | null = null;
  const machine = () => Promise.resolve({ ...WELL, ansible });
  await using world = await newWorld({ deps: { machine } });
  const { api } = world;
  const list = async (method: "GET" | "POST"): Promise<{ at: string; checks: ListedCheck[] }> => {
    const { status, body } = await api("erin", method, "/api/health/checks");
    assert.equal(status, 200);
    return body;
  };
  const namesOf = (checks: ListedCheck[]) => [...new Set(checks.map(({ check }) => check))];
  const about = (name: string, checks: ListedCheck[]) =>
    checks.filter(({ check }) => check === name);

  const quick = await list("GET");
  assert.equal(quick.at, null);
  assert.deepEqual(namesOf(quick.checks), QUICK);
  assert.ok(quick.checks.every(({ level, next }) => level === "ok" && next === null));

  const all = await list("POST");
  assert.equal(all.at, world.clock.now().toISOString());
  const names = namesOf(all.checks);
  const expected = [
    ...QUICK,
    "settings",
    "space",
    "git",
    "limits",
    "clock",
    "time_zone",
    "address",
  ];
  assert.deepEqual(expected.filter((name) => !names.includes(name)), []);
  assert.deepEqual(await list("GET"), all);
  const [git] = about("git", all.checks);
  assert.match(git.found, /^git version/);

  const page = await pageOf(world, "/admin/health");
  const shown = [...page.matchAll(/<dt>([^<]*)<\/dt><dd><ul class="health-findings"/g)];
  assert.equal(shown.length, names.length);
  const text = textOf(page);
  for (const { found } of all.checks) {
    assert.ok(text.includes(found.replaceAll(/\s+/g, " ")), found);
  }

  ansible = "its folder is gone";
  const now = about("ansible", (await list("GET")).checks);
  const failed = now.filter(({ level }) => level === "failed");
  assert.deepEqual(failed.map(({ found }) => found), ["Tasks will fail: its folder is gone."]);
  assert.match(failed[0].next!, /^Install ansible-core/);

  for (const person of ["alice", "dave"] as const) {
    for (const method of ["GET", "POST"]) {
      assert.equal((await api(person, method, "/api/health/checks")).status, 403, person);
    }
  }
});

Deno.test("only a check-up with the server's secret key gets an answer about the address", async () => {
  await using world = await newWorld();
  const probe = async (header: string) =>
    (await world.request("/api/probe", { headers: { [PROBE_HEADER]: header } })).status;
  const { nonce, header } = await createProbe(world.deps.secrets, world.clock);
  const answer = await world.request("/api/probe", { headers: { [PROBE_HEADER]: header } });
  const { instance, address, ...rest } = await answer.json();
  assert.deepEqual([instance, address], [world.deps.doctor.instance, "192.0.2.1"]);
  assert.equal(rest.nonce, nonce);
  assert.equal(await probe(header), 200);
  const other = await createSecretBox(crypto.getRandomValues(new Uint8Array(32)));
  const sealed = Buffer.from(await world.deps.secrets.seal("another secret")).toString("base64url");
  const wrong = ["", "x", sealed, (await createProbe(other, world.clock)).header];
  for (const header of wrong) assert.equal(await probe(header), 404);
  world.clock.advance(10 * 60_000);
  assert.equal(await probe(header), 404, "an old one");
});
