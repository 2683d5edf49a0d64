import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const read = async (world: World, person: "erin" | "mike", path: string) => {
  const answer = await world.get(person, path);
  const html = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${html.slice(0, 300)}`);
  return html;
};

/** Both places that have pages of alerts, with a person who manages them. */
const places = ({ web }: World) =>
  [["mike", `/project/${web.id}/alerts`, web.id], ["erin", "/admin/alerts", 0]] as const;

/** An address that only people who may allow it are asked about, when they type it. */
const PRIVATE = "http://127.0.0.1:9/hook-secret";

const SLACK = {
  kind: "slack",
  name: "On call",
  private_asked: "true",
  "settings.url": PRIVATE,
  language: "en",
  active: "true",
};

async function newTarget(
  world: World,
  person: "erin" | "mike",
  path: string,
  sent: Record<string, string | string[]> = SLACK,
) {
  const made = await world.post(person, `${path}/targets/new`, sent);
  assert.equal(made.status, 303, await made.text());
  const [, id] = made.headers.get("location")!.match(/\/rules\/new\?target=(\d+)$/)!;
  return `${path}/targets/${id}`;
}

const idIn = (address: string) => Number(/\d+$/.exec(address)![0]);

Deno.test("pages of alerts are for managers, and empty lists explain themselves", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const html = await read(world, person, path);
    assert.match(html, /A target receives alerts/);
    assert.match(html, /Its first rule follows/);
    assert.ok(!html.includes('id="rules-title"'), "there is one next step");
    assert.ok(html.includes(`${path}/targets/new`));
    assert.ok(!html.includes(`${path}/rules/new`), "a rule needs a target");
  }
  const [, path] = places(world)[0];
  for (const person of ["bob", "carol"] as const) {
    for (const part of ["", "/targets/new", "/rules/new"]) {
      assert.equal((await world.get(person, path + part)).status, 403, `${person} ${part}`);
    }
    assert.equal((await world.post(person, `${path}/targets/new`, SLACK)).status, 403);
    const project = await (await world.get(person, `/project/${world.web.id}/keys`)).text();
    assert.ok(!project.includes(`href="${path}"`), "the drawer has no link for them");
  }
  assert.equal((await world.get("mike", "/admin/alerts")).status, 404);
});

Deno.test("a new target asks for its service first, then for its fields", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const choice = await read(world, person, `${path}/targets/new`);
    assert.ok(choice.includes(`${path}/targets/new?kind=pagerduty`));
    const form = await read(world, person, `${path}/targets/new?kind=pagerduty`);
    assert.match(form, /Routing key/);
    assert.match(form, /<input[^>]*name="settings.token"[^>]*type="password"/);
    assert.equal(form.includes('name="allow_private"'), person === "erin");
    const wrong = { ...SLACK, name: "", "settings.url": "" };
    const refused = await world.post(person, `${path}/targets/new`, wrong);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /href="#field-name"/);
    const bad = await world.post(person, `${path}/targets/new`, {
      ...SLACK,
      "settings.url": "ftp://x",
    });
    assert.equal(bad.status, 422);
    assert.match(await bad.text(), /id="field-settings-url-error"/);
    const page = await newTarget(world, person, path);
    const html = await read(world, person, page);
    assert.match(html, /No messages have been sent to this target yet/);
    assert.ok(!html.includes("hook-secret"));
    assert.match(await read(world, person, path), /On call/);
  }
});

Deno.test("an address in a private network is asked about beside its field, and allowed by one button", async () => {
  await using world = await newWorld();
  const [[mike, project], [erin, server]] = places(world);
  const { private_asked: _, ...hook } = SLACK;
  const ntfy = { kind: "ntfy", name: "Phone", "settings.topic": "ops", active: "true" };
  for (const address of [PRIVATE, "http://192.168.7.1", "http://localhost/", "http://[fd00::1]/"]) {
    const sent = { ...ntfy, "settings.server": address };
    const asked = await world.post(erin, `${server}/targets/new`, sent);
    const html = await asked.text();
    assert.equal(asked.status, 422, address);
    assert.match(html, /id="field-settings-server-error"[^>]*>[^<]*private network/);
    assert.ok(html.includes(`value="${address}"`), "what was typed stays");
    const [, beside] = html.split('id="field-settings-server-error"');
    assert.ok(
      beside.indexOf('name="allow_private"') < beside.indexOf('name="settings.'),
      "the box is the next field",
    );
    assert.match(beside, /<button[^>]*name="allow_private"[^>]*value="true"/);
    const allowed = { ...sent, allow_private: "true", private_asked: "true" };
    const page = await newTarget(world, erin, server, allowed);
    const key = rowKeys.alertTarget(0, idIn(page));
    const row = () => world.kv.get<{ allow_private: boolean }>(key);
    assert.equal((await row()).value?.allow_private, true);
    const moved = { ...ntfy, "settings.server": "http://10.0.0.9/" };
    assert.equal((await world.post(erin, `${page}/edit`, moved)).status, 422, "another address");
    const revoked = { ...ntfy, "settings.server": address };
    assert.equal((await world.post(erin, `${page}/edit`, revoked)).status, 303, "the same one");
  }
  assert.equal((await world.post(erin, `${server}/targets/new`, hook)).status, 422, "a secret one");
  await newTarget(world, erin, server, { ...hook, private_asked: "true" });
  await newTarget(world, erin, server, { ...hook, "settings.url": "https://chat.example.com/x" });
  // An administrator allows it later.
  await newTarget(world, mike, project, hook);
});

Deno.test("a secret that is left blank stays, and an optional one can be removed", async () => {
  await using world = await newWorld();
  const [person, path, place] = places(world)[0];
  const page = await newTarget(world, person, path, {
    kind: "ntfy",
    name: "Phone",
    "settings.topic": "ops",
    "settings.token": "tk_1",
  });
  const stored = async () =>
    // deno-lint-ignore no-explicit-any -- only a few members are read
    (await world.kv.get<any>(rowKeys.alertTarget(place, idIn(page)))).value;
  const form = await read(world, person, `${page}/edit`);
  assert.match(form, /Leave blank to keep the stored value/);
  assert.ok(!form.includes("tk_1"));
  const [, version] = /name="stored_version"[^>]*value="([^"]*)"/.exec(form) ?? ["", ""];
  const change = {
    name: "Phones",
    "settings.topic": "ops",
    "settings.server": "",
    "settings.token": "",
    language: "de",
    stored_version: version,
  };
  assert.equal((await world.post(person, `${page}/edit`, change)).status, 303);
  const { name, secrets, active, language } = await stored();
  assert.deepEqual([name, secrets, active, language], ["Phones", ["token"], false, "de"]);
  assert.equal((await world.post(person, `${page}/edit`, change)).status, 409, "changed meanwhile");
  const removal = { ...change, stored_version: "", "remove.token": "true" };
  assert.equal((await world.post(person, `${page}/edit`, removal)).status, 303);
  assert.deepEqual((await stored()).secrets, []);
});

Deno.test("mails go to addresses and to the chosen roles", async () => {
  await using world = await newWorld();
  for (const [person, path, place] of places(world)) {
    const mail = {
      kind: "email",
      name: "Operators",
      "settings.addresses": "ops@example.com",
    };
    const page = await newTarget(world, person, path, {
      ...mail,
      "settings.roles": place === 0 ? "owner" : ["owner", "manager"],
    });
    const row = await world.kv.get<{ settings: Record<string, string> }>(
      rowKeys.alertTarget(place, idIn(page)),
    );
    assert.equal(row.value?.settings.roles, place === 0 ? "owner" : "owner,manager");
    const form = await read(world, person, `${page}/edit`);
    assert.equal(form.match(/name="settings.roles"[^>]*checked/g)?.length, place === 0 ? 1 : 2);
  }
});

Deno.test("a test message reports its result on the page, and a paused target resumes", async () => {
  await using world = await newWorld();
  for (const [person, path, place] of places(world)) {
    const page = await newTarget(world, person, path);
    const tested = await world.post(person, `${page}/test`);
    assert.equal(tested.status, 200);
    const html = await tested.text();
    assert.match(html, /The test message could not be sent/);
    assert.match(html, /private network/);
    assert.equal((await world.get(person, `${page}/test`)).headers.get("location"), page);
    const key = rowKeys.alertTarget(place, idIn(page));
    const { value } = await world.kv.get<object>(key);
    const paused = { at: world.clock.now().toISOString(), reason: "410 Gone" };
    await world.kv.set(key, { ...value, failures: 20, paused });
    const shown = await read(world, person, page);
    assert.match(shown, /This target is paused because/);
    assert.match(shown, /410 Gone/);
    assert.match(await read(world, person, path), /data-status="paused"/);
    assert.equal((await world.post(person, `${page}/resume`)).status, 303);
    assert.ok(!(await read(world, person, page)).includes("410 Gone"));
  }
});

Deno.test("the log of a target has the time, status and reason of each message", async () => {
  await using world = await newWorld();
  const [person, path, place] = places(world)[0];
  const page = await newTarget(world, person, path);
  const at = world.clock.now().toISOString();
  await world.kv.set(rowKeys.alertDelivery(place, idIn(page), at, "a"), {
    time: at,
    event: "failed",
    title: "Deploy failed",
    to: "",
    status: "failed",
    attempts: 2,
    next_attempt: at,
    code: 503,
    reason: "503 from the chat",
  });
  const html = await read(world, person, page);
  for (const text of ["Deploy failed", "Failed, will be retried", "503 from the chat"]) {
    assert.ok(html.includes(text), text);
  }
  assert.match(await read(world, person, path), /data-status="failed"/);
});

/** Returns the folded sections of a form, each with what it says that it holds. */
const foldsOf = (html: string) =>
  html.split('class="fold-title">').slice(1).map((part) => {
    const [, title, summary] = /^([^<]*)<.*?fold-summary"[^>]*>([^<]*)</s.exec(part)!;
    return `${title}: ${summary.trim().replaceAll(/\s+/g, " ")}`;
  });

const RULE = {
  name: "Failures",
  events: ["failed", "recovered"],
  repeat: "change",
  active: "true",
  "quiet.timezone": "Europe/Berlin",
};

Deno.test("a form creates a rule, shows it again, changes and deletes it", async () => {
  await using world = await newWorld();
  for (const [person, path, place] of places(world)) {
    const target = String(idIn(await newTarget(world, person, path)));
    const sent = {
      ...RULE,
      target_id: target,
      hosts: "web*\r\n\r\ndb1",
      digest: "true",
      "quiet.from": "22:00",
      "quiet.to": "06:30",
    };
    assert.equal((await world.post(person, `${path}/rules/new`, sent)).status, 303);
    const list = await read(world, person, path);
    const [, address] = new RegExp(`href="(${path}/rules/\\d+)"`).exec(list)!;
    assert.match(list, />Send failures and recoveries to On call, only for: web\*, db1</);
    const rule = async () =>
      // deno-lint-ignore no-explicit-any -- only a few members are read
      (await world.kv.get<any>(rowKeys.alertRule(place, idIn(address)))).value;
    const quiet = { from: "22:00", to: "06:30", timezone: "Europe/Berlin" };
    const { hosts, digest, quiet: found, events } = await rule();
    assert.deepEqual({ hosts, digest, found, events }, {
      hosts: ["web*", "db1"],
      digest: true,
      found: quiet,
      events: ["failed", "recovered"],
    });
    const form = await read(world, person, address);
    assert.equal(form.match(/name="events"[^>]*checked/g)?.length, 2);
    assert.equal(form.includes('value="account_locked"'), person === "erin");
    assert.match(form, />web\*\ndb1</);
    assert.deepEqual(foldsOf(form), [
      "Applies to: Hosts: web* db1",
      "Failures in a row: Only the first · Daily digest of the other failures",
      "Quiet hours: From: 22:00 · To: 06:30",
      "Name and state: Failures · Active",
    ]);
    const change = { ...RULE, target_id: target, events: "succeeded", "quiet.from": "" };
    assert.equal((await world.post(person, address, change)).status, 303);
    const after = await rule();
    assert.deepEqual([after.quiet, after.events, after.hosts], [null, ["succeeded"], []]);
    assert.match(
      await read(world, person, path),
      />Send successes of everything to On call</,
    );
    assert.equal(foldsOf(await read(world, person, address))[0], "Applies to: Everything");
    const inUse = await world.post(person, `${path}/targets/${target}/delete`);
    assert.equal(inUse.status, 409);
    assert.match(await inUse.text(), /Delete the rule first/);
    assert.match(await read(world, person, `${address}/delete`), /Do you really want/);
    assert.equal((await world.post(person, `${address}/delete`)).status, 303);
    assert.equal(await rule(), null);
    assert.equal((await world.post(person, `${path}/targets/${target}/delete`)).status, 303);
  }
});

Deno.test("a target without a rule says so, until the rule that it leads to is created", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const target = idIn(await newTarget(world, person, path));
    const next = `${path}/rules/new?target=${target}`;
    for (const page of [path, `${path}/targets/${target}`]) {
      const html = await read(world, person, page);
      assert.match(html, /data-status="idle"/);
      assert.ok(html.includes(`href="${next}"`), page);
    }
    const form = await read(world, person, next);
    assert.match(form, new RegExp(`<option[^>]*value="${target}"[^>]*selected`));
    assert.equal(form.match(/name="events"[^>]*checked/g)?.length, 2);
    const rule = { ...RULE, name: "", target_id: String(target) };
    assert.equal((await world.post(person, `${path}/rules/new`, rule)).status, 303);
    const list = await read(world, person, path);
    assert.ok(!list.includes('data-status="idle"'));
    assert.match(list, /<td[^>]*>(<[^>]*>)*On call</, "the rule is named like its target");
    assert.ok(!(await read(world, person, `${path}/targets/${target}`)).includes(next));
  }
});

Deno.test("the form of a rule sends a test message to the chosen target, and stays", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const target_id = String(idIn(await newTarget(world, person, path)));
    const sent = { ...RULE, target_id, hosts: "web*", test: "true" };
    const answer = await world.post(person, `${path}/rules/new`, sent);
    const html = await answer.text();
    assert.equal(answer.status, 200, html);
    assert.match(html, /The test message could not be sent/);
    assert.match(html, />web\*</);
    const edit = `${path}/targets/${target_id}/edit?rule=new`;
    assert.ok(html.includes(`href="${edit}"`), "leads to its address");
    assert.ok((await read(world, person, edit)).includes(`action="${edit}"`));
    const { name, kind } = SLACK;
    const changed = await world.post(person, edit, { name, kind, active: "true" });
    assert.equal(changed.headers.get("location"), `${path}/rules/new?target=${target_id}`);
    const none = await world.post(person, `${path}/rules/new`, { ...sent, target_id: "" });
    assert.match(await none.text(), /id="field-target_id-error"/);
    assert.match(await read(world, person, path), /There are no rules yet/);
  }
});

Deno.test("owners say among the alerts whether a project without rules sends any", async () => {
  await using world = await newWorld();
  const [, path, project] = places(world)[0];
  const form = `${path}/default`;
  const stored = async () => (await world.api("alice", "GET", `/api/project/${project}`)).body;
  const before = await stored();
  assert.ok(!(await read(world, "mike", path)).includes(`href="${form}"`));
  assert.equal((await world.get("mike", form)).status, 403);
  assert.equal((await world.post("mike", form, { alert: "true" })).status, 403);
  assert.ok((await read(world, "erin", path)).includes(`href="${form}"`));
  const sent = { alert: "true", alert_chat: "-42" };
  assert.equal((await world.post("alice", form, sent)).status, 303);
  assert.deepEqual(await stored(), { ...before, alert: true, alert_chat: "-42" });
  const long = await world.post("alice", form, { alert_chat: "x".repeat(200) });
  assert.match(await long.text(), /id="field-alert_chat-error"/);

  const settings = { name: "Web shop", max_parallel_tasks: "7" };
  const saved = await world.post("alice", `/project/${project}/settings`, settings);
  assert.equal(saved.status, 303);
  const { alert, alert_chat, max_parallel_tasks } = await stored();
  assert.deepEqual([alert, alert_chat, max_parallel_tasks], [true, "-42", 7]);
  assert.equal((await world.post("alice", form, { alert_chat: "" })).status, 303);
  assert.equal((await stored()).alert, false);
});

Deno.test("alerts without links name the setting with the address of the server", async () => {
  await using world = await newWorld();
  const { config } = world.deps;
  for (const [person, path] of places(world)) {
    for (
      const [url, isSaid] of [[new URL("https://board.example"), false], [null, true]] as const
    ) {
      config.url = url;
      assert.equal((await read(world, person, path)).includes("Set CALLBOARD_URL"), isSaid);
    }
  }
});

Deno.test("errors of a rule are at their fields", async () => {
  await using world = await newWorld();
  const [person, path] = places(world)[0];
  const target = String(idIn(await newTarget(world, person, path)));
  const cases: [field: string, sent: Record<string, string>][] = [
    ["name", { name: "x".repeat(200) }],
    ["events", { events: "" }],
    ["target_id", { target_id: "4711" }],
    ["quiet-to", { "quiet.from": "22:00", "quiet.to": "" }],
    ["hosts", { hosts: `web\n${"x".repeat(300)}` }],
  ];
  for (const [field, wrong] of cases) {
    const sent = { ...RULE, target_id: target, ...wrong };
    const refused = await world.post(person, `${path}/rules/new`, sent);
    assert.equal(refused.status, 422, field);
    assert.match(await refused.text(), new RegExp(`id="field-${field}-error"`), field);
  }
});

Deno.test("a deleted template stays chosen, so that its rule does not become one for all", async () => {
  await using world = await newWorld();
  const [person, path, place] = places(world)[0];
  const target = idIn(await newTarget(world, person, path));
  const sent = { ...RULE, target_id: String(target) };
  assert.equal((await world.post(person, `${path}/rules/new`, sent)).status, 303);
  const [, address] = new RegExp(`href="(${path}/rules/\\d+)"`).exec(
    await read(world, person, path),
  )!;
  const key = rowKeys.alertRule(place, idIn(address));
  await world.kv.set(key, { ...(await world.kv.get<object>(key)).value, template_ids: [4711] });
  const form = await read(world, person, address);
  assert.match(form, /name="template_ids"[^>]*value="4711"[^>]*checked/);
  assert.match(form, /Deleted \(#4711\)/);
});

Deno.test("targets of the settings show their log, cannot be changed, and rules can name them", async () => {
  await using world = await newWorld();
  const { config } = world.deps;
  config.alerts = { ...config.alerts, slackUrl: "http://127.0.0.1:1/" };
  for (const [person, path, place] of places(world)) {
    const html = await read(world, person, path);
    assert.match(html, /id="target--3"/);
    assert.match(html, /Set by the server&#39;s settings|Set by the server's settings/);
    assert.ok(!html.includes("/targets/-3/"));
    const page = await read(world, person, `${path}/targets/-3`);
    assert.match(page, /<h1[^>]*>.*Slack/s);
    // That of the server has the messages of projects, too.
    assert.equal(page.includes("Test message from Callboard"), place === 0);
    assert.ok(page.includes(`action="${path}/targets/-3/test"`));
    for (const part of ["/edit", "/delete"]) {
      assert.ok(!page.includes(`/targets/-3${part}`));
      assert.equal((await world.get(person, `${path}/targets/-3${part}`)).status, 404);
    }
    assert.equal((await world.post(person, `${path}/targets/-3/delete`, {})).status, 409);
    assert.equal((await world.post(person, `${path}/targets/-3/resume`, {})).status, 409);
    const tested = await world.post(person, `${path}/targets/-3/test`, {});
    assert.match(await tested.text(), /The test message could not be sent/);
    assert.match(await read(world, person, `${path}/targets/-3`), /Test message from Callboard/);
    const rule = { ...RULE, target_id: "-3" };
    assert.equal((await world.post(person, `${path}/rules/new`, rule)).status, 303);
    const rules = await Array.fromAsync(
      world.kv.list<{ target_id: number }>({ prefix: rowKeys.alertRules(place) }),
    );
    assert.deepEqual(rules.map(({ value }) => value.target_id), [-3]);
    // A target that is no longer set up stays the target of its rules.
    config.alerts = { ...config.alerts, slackUrl: null };
    assert.match(
      await read(world, person, path),
      />Send failures and recoveries of everything to Slack</,
    );
    config.alerts = { ...config.alerts, slackUrl: "http://127.0.0.1:1/" };
  }
});

Deno.test("a rule of the server without ticked projects is for all of them", async () => {
  await using world = await newWorld();
  const [person, path] = places(world)[1];
  const target_id = String(idIn(await newTarget(world, person, path)));
  const rule = { ...RULE, target_id };
  const first = { ...rule, "project_ids.0": String(world.web.id) };
  assert.equal((await world.post(person, `${path}/rules/new`, first)).status, 303);
  const projects = async () => (await world.api("erin", "GET", "/api/alert_rules")).body[0];
  const { id, project_ids } = await projects();
  assert.deepEqual(project_ids, [world.web.id]);
  assert.equal((await world.post(person, `${path}/rules/${id}`, rule)).status, 303);
  assert.deepEqual((await projects()).project_ids, []);
});
