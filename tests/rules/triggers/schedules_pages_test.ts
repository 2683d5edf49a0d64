import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const list = (world: World) => `/project/${world.web.id}/schedules`;
const api = (world: World) => `/api${list(world)}`;

/** Fields of a schedule's form. */
const fields = (world: World, change: Record<string, string> = {}) => ({
  template_id: String(world.web.templateId),
  name: "Nightly",
  type: "",
  cron_format: "30 2 * * *",
  timezone: "Europe/Berlin",
  missed: "skip",
  active: "true",
  ...change,
});

const schedulesOf = async (world: World) => (await world.api("mike", "GET", api(world))).body;

/** Creates a schedule by the form, and returns it from the API. */
async function make(world: World, change: Record<string, string> = {}) {
  const saved = await world.post("mike", `${list(world)}/new`, fields(world, change));
  assert.equal(saved.status, 303, await saved.text());
  return (await schedulesOf(world)).at(-1);
}

/** Returns the times in a page's preview. */
const previewed = (html: string) =>
  [...html.split('id="schedule-preview"')[1].matchAll(/<time dateTime="([^"]*)">([^<]*)</gi)]
    .map(([, at, text]) => [at, text.replaceAll(/\s/g, " ")]);

Deno.test("Mike creates, changes and deletes a schedule, without any script", async () => {
  await using world = await newWorld();
  const empty = await htmlOf(await world.get("mike", list(world)));
  assert.match(empty, /No schedules yet/);
  assert.ok(empty.includes(`href="${list(world)}/new"`));

  const made = await make(world);
  assert.deepEqual(
    [made.name, made.cron_format, made.timezone, made.active, made.missed, made.task_params],
    ["Nightly", "30 2 * * *", "Europe/Berlin", true, "skip", null],
  );
  const shown = await htmlOf(await world.get("carol", list(world)));
  assert.match(shown, /Nightly.*At 2:30 AM.*Europe\/Berlin/);
  assert.doesNotMatch(shown, /30 2 \* \* \*|<code>/, "cron is only in the form");
  assert.match(shown, /Deploy shop/);
  assert.match(shown, /May 3, 2024, 12:30\sAM UTC/u, "in the reader's zone");
  assert.doesNotMatch(shown, />[^<]*:\d\d:\d\d/, "no seconds");

  const path = `${list(world)}/${made.id}`;
  const form = await htmlOf(await world.get("mike", path));
  assert.match(fieldOf(form, "cron_format"), /value="30 2 \* \* \*"/);
  assert.match(form, /<option value="Europe\/Berlin" selected[^>]*>Berlin</);
  const change = { name: "", cron_format: "@every 90m", timezone: "", missed: "run_once" };
  const repository_id = String(world.web.repositoryId);
  const saved = await world.post("mike", path, fields(world, { ...change, repository_id }));
  assert.equal(saved.status, 303, await saved.text());
  const [changed] = await schedulesOf(world);
  assert.deepEqual(
    [changed.cron_format, changed.timezone, changed.missed, changed.repository_id],
    ["@every 90m", null, "run_once", world.web.repositoryId],
  );
  assert.match(await htmlOf(await world.get("mike", list(world))), /Every 90 minutes/);

  const question = await htmlOf(await world.get("mike", `${path}/delete`));
  assert.match(question, /delete the schedule &quot;Every 90 minutes&quot; of Deploy shop\?/);
  const deleted = await world.post("mike", `${path}/delete`);
  assert.equal(deleted.headers.get("location"), list(world));
  assert.deepEqual(await schedulesOf(world), []);
});

Deno.test("the form folds what few schedules need, and says what that holds", async () => {
  await using world = await newWorld();
  const { id } = await make(world, { missed: "run_once", offset_days: "1", message: "Routine" });
  const plain = await make(world, { name: "Plain" });
  const folds = async (schedule: number) => {
    const html = await htmlOf(await world.get("mike", `${list(world)}/${schedule}`));
    return [...html.matchAll(/<details id="(schedule-\w+)"([^>]*)>.*?<\/summary>/gs)]
      .map(([whole, name, attributes]) =>
        `${name}${attributes.includes("open") ? " open" : ""}: ${
          /fold-summary[^>]*>([^<]*)/.exec(whole)![1]
        }`
      );
  };
  assert.deepEqual(await folds(id), [
    "schedule-conditions: Run once when the server is back · Move by days: 1",
    "schedule-run: Routine",
  ]);
  assert.deepEqual(await folds(plain.id), [
    "schedule-conditions: Not set",
    "schedule-run: Not set",
  ]);
  // An error in one of them opens it.
  const path = `${list(world)}/${id}`;
  const refused = await world.post("mike", path, fields(world, { offset_days: "9999" }));
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /<details id="schedule-conditions"[^>]* open/);
});

Deno.test("all members see schedules; only who manages resources has ways to change them", async () => {
  await using world = await newWorld();
  const { id } = await make(world);
  const path = `${list(world)}/${id}`;
  for (const person of ["bob", "carol"] as const) {
    const html = await htmlOf(await world.get(person, list(world)));
    assert.match(html, /Nightly/);
    assert.doesNotMatch(html, new RegExp(`${path}|schedules/new|role="switch"`));
    assert.equal((await world.get(person, `${list(world)}/new`)).status, 403);
    assert.equal((await world.get(person, path)).status, 403);
    assert.equal((await world.get(person, `${path}/delete`)).status, 403);
    for (const post of [path, `${path}/delete`, `${path}/active`, `${list(world)}/new`]) {
      assert.equal((await world.post(person, post, fields(world))).status, 403, post);
    }
  }
  assert.equal((await world.get("dave", list(world))).status, 404);
  assert.equal((await world.get("mike", `${list(world)}/999`)).status, 404);
  const foreign = `/project/${world.lab.id}/schedules/${id}`;
  assert.equal((await world.get("dave", foreign)).status, 404, "of another project");
});

Deno.test("one button pauses and resumes a schedule, and comes back to the same list", async () => {
  await using world = await newWorld();
  const { id } = await make(world);
  const filtered = `${list(world)}?template=${world.web.templateId}`;
  const html = await htmlOf(await world.get("mike", filtered));
  const [, action] = /<form method="post" action="([^"]*\/active[^"]*)"/.exec(html)!;
  assert.match(html, /role="switch" aria-checked="true"[^>]*Active: Nightly/);
  const off = await world.post("mike", action, { active: "false" });
  assert.equal(off.headers.get("location"), filtered);
  assert.equal((await schedulesOf(world))[0].active, false);
  const paused = await htmlOf(await world.get("mike", filtered));
  assert.match(paused, /aria-checked="false"/);
  assert.match(paused, /Disabled/);
  await world.post("mike", `${list(world)}/${id}/active`, { active: "true" });
  assert.equal((await schedulesOf(world))[0].active, true);
});

Deno.test("the list shows the outcome of the latest run, with a link to its task", async () => {
  await using world = await newWorld();
  const { id } = await make(world);
  const started = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.web.templateId,
  });
  const key = rowKeys.resource("schedules", world.web.id, id);
  const { value } = await world.kv.get<ScheduleRow>(key);
  const store = (change: Partial<ScheduleRow>) =>
    world.kv.atomic().set(key, { ...value, ...change })
      .set(rowKeys.resourcesStamp("schedules"), id).commit();
  await store({ last_task_id: started.body.id });
  const ran = await htmlOf(await world.get("carol", list(world)));
  const task = `/project/${world.web.id}/templates/${world.web.templateId}?t=${started.body.id}`;
  assert.match(ran, new RegExp(`href="${task.replace("?", "\\?")}"[^>]*> ?<span[^>]*data-status=`));
  await store({ last_task_id: 99_999 });
  assert.match(await htmlOf(await world.get("carol", list(world))), /Its task was deleted/);
  const last_error = { key: "errors.not_found", at: world.clock.now().toISOString() };
  await store({ last_error });
  assert.match(
    await htmlOf(await world.get("carol", list(world))),
    /text-danger"[^>]*>This does not exist/,
  );
});

Deno.test("only the schedules of one template are listed when it is chosen", async () => {
  await using world = await newWorld();
  const { body: other } = await world.api(
    "mike",
    "POST",
    `/api/project/${world.web.id}/templates`,
    {
      name: "Restart",
      playbook: "restart.yml",
      inventory_id: world.web.inventoryId,
      repository_id: world.web.repositoryId,
      environment_id: world.web.environmentId,
    },
  );
  await make(world);
  await make(world, { name: "Weekly", cron_format: "@weekly", template_id: String(other.id) });
  await make(world, { name: "Yearly", cron_format: "@yearly" });
  const shown = async (query: string) => {
    const html = await htmlOf(await world.get("carol", list(world) + query));
    return ["Nightly", "Weekly", "Yearly"].filter((name) => html.includes(name));
  };
  assert.deepEqual(await shown(""), ["Nightly", "Weekly", "Yearly"]);
  assert.deepEqual(await shown(`?template=${other.id}`), ["Weekly"]);
  for (const odd of ["?template=", "?template=999", "?template=x"]) {
    assert.equal((await shown(odd)).length, 3, odd);
  }
  const page = await htmlOf(
    await world.get("mike", `/project/${world.web.id}/templates/${other.id}`),
  );
  assert.match(page, /Weekly/);
  const add = `${list(world)}/new?template=${other.id}`;
  assert.ok(page.includes(`href="${add}"`));
  const form = await htmlOf(await world.get("mike", add));
  assert.match(form, new RegExp(`<option value="${other.id}" selected`));
});

Deno.test("Mike moves the times of a schedule by days, and sees when they are", async () => {
  await using world = await newWorld();
  const moved = { cron_format: "0 3 * * 2#2", timezone: "UTC", offset_days: "1" };
  const made = await make(world, moved);
  assert.equal(made.offset_days, 1);
  assert.equal(made.next_runs[0], "2024-05-15T03:00:00.000Z");
  const path = `${list(world)}/${made.id}`;
  const form = await htmlOf(await world.get("mike", path));
  assert.match(fieldOf(form, "offset_days"), /value="1"/);
  assert.equal(previewed(form)[0][0], "2024-05-15T03:00:00.000Z");
  assert.match(await htmlOf(await world.get("mike", list(world))), /moved by days: \+1/);
  for (const wrong of ["32", "1.5", "soon"]) {
    const answer = await world.post("mike", path, fields(world, { ...moved, offset_days: wrong }));
    assert.equal(answer.status, 422, wrong);
    assert.match(await htmlOf(answer), /id="field-offset_days-error"/, wrong);
  }
  const cleared = await world.post("mike", path, fields(world, { ...moved, offset_days: "" }));
  assert.equal(cleared.status, 303, await cleared.text());
  assert.equal((await schedulesOf(world))[0].offset_days, 0);
});

Deno.test("a preview shows a cron format in words and its next five times, and stores nothing", async () => {
  await using world = await newWorld();
  world.clock.set("2024-03-30T12:00:00Z");
  const look = async (change: Record<string, string>) => {
    const sent = { ...fields(world, change), preview: "true" };
    const answer = await world.post("mike", `${list(world)}/new`, sent);
    assert.equal(answer.status, 200);
    return await htmlOf(answer);
  };
  // In Berlin, clocks go from 2:00 to 3:00 on the 31st.
  const html = await look({});
  assert.match(html, /<strong>At 2:30 AM<\/strong>/);
  assert.deepEqual(previewed(html), [
    ["2024-03-31T01:00:00.000Z", "Sun, Mar 31, 2024, 3:00 AM GMT+2"],
    ["2024-04-01T00:30:00.000Z", "Mon, Apr 1, 2024, 2:30 AM GMT+2"],
    ["2024-04-02T00:30:00.000Z", "Tue, Apr 2, 2024, 2:30 AM GMT+2"],
    ["2024-04-03T00:30:00.000Z", "Wed, Apr 3, 2024, 2:30 AM GMT+2"],
    ["2024-04-04T00:30:00.000Z", "Thu, Apr 4, 2024, 2:30 AM GMT+2"],
  ]);
  assert.match(fieldOf(html, "name"), /value="Nightly"/, "what was typed stays");
  // On October 29 they go back from 3:00 to 2:00, and a fixed time comes only once.
  world.clock.set("2023-10-28T12:00:00Z");
  assert.deepEqual(previewed(await look({})).slice(0, 2).map(([, text]) => text), [
    "Sun, Oct 29, 2023, 2:30 AM GMT+2",
    "Mon, Oct 30, 2023, 2:30 AM GMT+1",
  ]);
  const tokyo = await look({ cron_format: "TZ=Asia/Tokyo 0 9 * * *" });
  assert.equal(previewed(tokyo)[0][1], "Sun, Oct 29, 2023, 9:00 AM GMT+9", "its own zone wins");
  const wrong = await look({ cron_format: "61 2 * * *" });
  assert.match(wrong, /id="field-cron_format-error"[^>]*>Cron: /);
  assert.deepEqual(previewed(wrong), []);
  const long = await look({ cron_format: "*,".repeat(100_000) });
  assert.match(long, /id="field-cron_format-error"[^>]*>This is too long/);
  assert.match(await look({ cron_format: "" }), /The next times are shown here/);
  const once = await look({ type: "run_at", run_at: "2024-10-27T02:30" });
  assert.deepEqual(previewed(once), [
    ["2024-10-27T00:30:00Z", "Sun, Oct 27, 2024, 2:30 AM GMT+2"],
  ]);
  assert.deepEqual(await schedulesOf(world), []);
});

Deno.test("a schedule for once is at a time of its zone, which must lie ahead", async () => {
  await using world = await newWorld();
  const once = { type: "run_at", cron_format: "", run_at: "2024-06-01T08:15" };
  const made = await make(world, { ...once, delete_after_run: "true" });
  assert.deepEqual([made.type, made.run_at, made.delete_after_run], [
    "run_at",
    "2024-06-01T06:15:00.000Z",
    true,
  ]);
  const form = await htmlOf(await world.get("mike", `${list(world)}/${made.id}`));
  assert.match(fieldOf(form, "run_at"), /value="2024-06-01T08:15"/);
  for (const run_at of ["2024-05-01T00:00", "", "tomorrow"]) {
    const sent = fields(world, { ...once, run_at });
    const answer = await world.post("mike", `${list(world)}/new`, sent);
    assert.equal(answer.status, 422, run_at);
    assert.match(await answer.text(), /id="field-run_at-error"/, run_at);
  }
});

Deno.test("an invalid schedule is reported at its field, and the input is kept", async () => {
  await using world = await newWorld();
  const cases: [Record<string, string>, string][] = [
    [{ cron_format: "every day" }, "cron_format"],
    [{ cron_format: "" }, "cron_format"],
    [{ timezone: "Europe/Nowhere" }, "cron_format"],
    [{ template_id: "" }, "template_id"],
    [{ template_id: "999" }, "template_id"],
    [{ name: "x".repeat(101) }, "name"],
    [{ repository_id: "999" }, "repository_id"],
    [{ limit: "@/etc/passwd" }, "limit"],
    [{ arguments: "nonsense" }, "arguments"],
  ];
  for (const [change, field] of cases) {
    const sent = fields(world, { message: "kept", ...change });
    const answer = await world.post("mike", `${list(world)}/new`, sent);
    assert.equal(answer.status, 422, field);
    const html = await htmlOf(answer);
    assert.match(html, new RegExp(`id="field-${field}-error"`), JSON.stringify(change));
    if (field !== "template_id") assert.match(fieldOf(html, "message"), /value="kept"/);
  }
  assert.deepEqual(await schedulesOf(world), []);
});

Deno.test("a schedule's runs get answers and overrides, and what its form does not know stays", async () => {
  await using world = await newWorld();
  const templates = `/api/project/${world.web.id}/templates`;
  const { body: template } = await world.api("mike", "GET", `${templates}/${world.deploy.id}`);
  await world.api("mike", "PUT", `${templates}/${world.deploy.id}`, {
    ...template,
    survey_vars: [
      { name: "count", title: "Count", type: "int", required: true },
      { name: "token", title: "Token", type: "secret", required: true },
    ],
    task_params: { allow_override_tags: true },
  });
  const wrong = await world.post(
    "mike",
    `${list(world)}/new`,
    fields(world, { "answers.count": "x" }),
  );
  assert.equal(wrong.status, 422);
  const html = await htmlOf(wrong);
  assert.match(html, /id="field-answers-count-error"/);
  assert.match(html, /asks for a secret \(Token\)/);

  const said = { "answers.count": "3", limit: "web1", tags: "config, restart", dry_run: "true" };
  const made = await make(world, { ...said, message: "by night" });
  assert.deepEqual(made.task_params, {
    message: "by night",
    environment: '{"count":"3"}',
    limit: "web1",
    tags: "config, restart",
    dry_run: true,
  });
  const path = `${api(world)}/${made.id}`;
  const task_params = {
    environment: { count: 3, region: "eu" },
    params: { limit: ["web2"], tags: ["config"] },
    custom: { kept: 1 },
  };
  await world.api("mike", "PUT", path, { ...made, task_params });
  const form = await htmlOf(await world.get("mike", `${list(world)}/${made.id}`));
  assert.match(fieldOf(form, "answers.count"), /value="3"/);
  assert.match(fieldOf(form, "limit"), /value="web2"/);
  assert.match(fieldOf(form, "tags"), /value="config"/);
  const saved = await world.post(
    "mike",
    `${list(world)}/${made.id}`,
    fields(world, { "answers.count": "4", tags: "config" }),
  );
  assert.equal(saved.status, 303, await saved.text());
  assert.deepEqual((await schedulesOf(world))[0].task_params, {
    custom: { kept: 1 },
    tags: "config",
    environment: '{"region":"eu","count":"4"}',
  });
});

/** Returns the chosen options and typed values of the fields for times. */
function timesOf(html: string) {
  const chosen = (name: string) =>
    new RegExp(`<select[^>]* name="${name}".*?<option value="([^"]*)" selected`).exec(html)?.[1];
  const typed = (name: string) => /value="([^"]*)"/.exec(fieldOf(html, name))?.[1];
  const texts = ["on_day", "at_time", "at_minute", "cron_format"].map(typed);
  return [chosen("every"), chosen("on_weekday"), ...texts];
}

Deno.test("fields for times and the cron text follow each other, without a script too", async () => {
  await using world = await newWorld();
  const form = `${list(world)}/new`;
  const blank = await htmlOf(await world.get("mike", form));
  assert.deepEqual(timesOf(blank), ["daily", "1", "1", "03:00", "0", "0 3 * * *"]);
  const shown = {
    ...{ every: "daily", on_weekday: "1", on_day: "1", at_time: "03:00", at_minute: "0" },
    ...{ cron_shown: "0 3 * * *", cron_format: "0 3 * * *" },
  };
  const look = async (change: Record<string, string>) => {
    const sent = { ...fields(world, { ...shown, ...change }), preview: "true" };
    const answer = await world.post("mike", form, sent);
    return timesOf(await htmlOf(answer));
  };
  assert.deepEqual(
    await look({ every: "weekly", on_weekday: "5", at_time: "22:15" }),
    ["weekly", "5", "1", "22:15", "15", "15 22 * * 5"],
  );
  assert.deepEqual((await look({ every: "hourly", at_minute: "7" })).at(-1), "7 * * * *");
  assert.deepEqual((await look({ every: "monthly", on_day: "31" })).at(-1), "0 3 31 * *");
  assert.deepEqual(
    await look({ cron_format: "5 4 * * mon-fri" }),
    ["weekdays", "1", "1", "04:05", "5", "5 4 * * mon-fri"],
  );
  assert.deepEqual((await look({ cron_format: "*/5 * * * *" }))[0], "custom");
  assert.deepEqual((await look({ every: "custom" }))[0], "custom", "the choice stays");
  const text = { cron_format: "1 1 * * *", every: "hourly" };
  assert.deepEqual((await look(text))[0], "daily", "the text says more");
  const nickname = { cron_format: "@daily", cron_shown: "@daily", at_time: "00:00" };
  assert.deepEqual((await look(nickname)).at(-1), "@daily", "a spelling stays");

  const wrong = fields(world, { ...shown, every: "monthly", on_day: "32", at_time: "x" });
  const refused = await world.post("mike", form, wrong);
  assert.equal(refused.status, 422);
  const html = await htmlOf(refused);
  assert.match(html, /id="field-on_day-error"/);
  assert.match(html, /id="field-at_time-error"/);
  const made = await make(world, { ...shown, every: "weekdays", at_time: "06:30" });
  assert.equal(made.cron_format, "30 6 * * 1-5");
});

Deno.test("a new schedule proposes the time zone of the browser", async () => {
  await using world = await newWorld();
  const zoneIn = async (zone: string) => {
    const headers = { Cookie: `callboard=${world.people.mike.token}; ${zone}` };
    const html = await htmlOf(await world.request(`${list(world)}/new`, { headers }));
    const [, options] = /<select[^>]* name="timezone"[^>]*>(.*?)<\/select>/.exec(html)!;
    return /<option value="([^"]*)" selected/.exec(options)?.[1];
  };
  assert.equal(await zoneIn("zone=Asia%2FTokyo"), "Asia/Tokyo");
  assert.equal(await zoneIn(""), undefined);
});

Deno.test("checks have words of their own, with the time at which they really run", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates/${world.web.templateId}`;
  const { body: template } = await world.api("mike", "GET", path);
  const shownWith = async (check: object) => {
    const saved = await world.api("mike", "PUT", path, { ...template, ...check });
    assert.equal(saved.status, 204, JSON.stringify(saved.body));
    return await htmlOf(await world.get("mike", list(world)));
  };
  const often = await shownWith({ check_cron: "@every 6h", check_after_commit: true });
  assert.match(often, />Every 6 hours, spread</);
  assert.match(often, />After each new commit</);
  const daily = await shownWith({ check_cron: "@daily" });
  const [{ next_runs: [at] }] = await schedulesOf(world);
  const time = new Date(at).toLocaleTimeString("en", { timeStyle: "short", timeZone: "UTC" });
  assert.notEqual(time, "12:00\u202fAM", "the template has a time of its own");
  assert.ok(daily.includes(`At ${time.replace("\u202f", " ")}`), time);
});
