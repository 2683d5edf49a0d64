import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { sendMail } from "@/lib/alerts/email/send_mail.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import type { AlertMessage } from "@/lib/alerts/message.ts";
import { putAlert, queueApprovalAlert, queueTaskAlert } from "@/lib/alerts/outbox.ts";
import { type AlertSettings, readAlertSettings } from "@/lib/base/settings/alert_settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import type { Status } from "@/lib/model/status.ts";
import { PSEUDO, speakPseudo } from "@/tests/support/house/pseudo.ts";
import { decodeMail, startSmtpServer } from "@/tests/support/services/smtp.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { alertWorkers, outbox, sendAlerts } from "@/tests/support/services/alerting.ts";

interface Call {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests say what they expect in it
  body: any;
  text: string;
}

/** Starts a server on loopback that records requests and answers as the test wants. */
function startRecorder(
  respond: (call: Call) => Response | Promise<Response> = () => Response.json({ ok: true }),
) {
  const calls: Call[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (req) => {
    const text = await req.text();
    const { pathname: path } = new URL(req.url);
    const call = { path, headers: req.headers, body: JSON.parse(text), text };
    calls.push(call);
    return await respond(call);
  });
  return {
    calls,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const settings = (environment: Record<string, string>): AlertSettings =>
  readAlertSettings((name) => environment[name], (name, must) => {
    throw new Error(`${name} ${must}`);
  });

async function alertingWorld(environment: Record<string, string>): Promise<World> {
  const url = new URL("https://callboard.example.com");
  const world = await newWorld({ config: { url, alerts: settings(environment) } });
  await changeProject(world, { alert: true });
  return world;
}

async function changeProject(world: World, change: object) {
  const form = { name: "Web shop", ...change };
  const { status } = await world.api("alice", "PUT", `/api/project/${world.web.id}`, form);
  assert.equal(status, 204);
}

async function wantAlerts(world: World, ...people: ("alice" | "bob" | "carol" | "dave")[]) {
  for (const person of people) {
    const entry = await world.kv.get<object>(rowKeys.user(world.people[person].id));
    await world.kv.set(entry.key, { ...entry.value, alert: true });
  }
}

/** Puts a task of Bob's into a state, and delivers the alerts that follow. */
async function runTask(world: World, status: Status, change: Partial<TaskRow> = {}) {
  const { id } = await startTask(
    await openProject(
      { deps: world.deps, actor: world.people.bob.actor },
      world.web.id,
      "run_tasks",
    ),
    parseStart({
      template_id: world.deploy.id,
      message: '<b>now</b> & "soon"',
    }),
  );
  const steps: Record<string, Status[]> = {
    success: ["starting", "running", "success"],
    error: ["error"],
    stopped: ["stopped"],
  };
  let task: TaskRow | null = null;
  for (const step of steps[status] ?? []) {
    const { failure_line } = change;
    task = await advance(world.kv, { id, project_id: world.web.id }, step, { failure_line });
  }
  task ??= (await world.kv.get<TaskRow>(rowKeys.task(world.web.id, id))).value!;
  const op = world.kv.atomic();
  await queueTaskAlert(op, world.deps, { ...task, status, ...change });
  await op.commit();
  return task;
}

const countOutbox = async (world: World) => (await outbox(world)).length;

Deno.test("a failed task is mailed to those members who want alerts, as text and escaped HTML", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using world = await alertingWorld({
    CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CALLBOARD_SMTP_FROM: "Callboard <board@example.com>",
  });
  await wantAlerts(world, "alice", "carol", "dave");
  const task = await runTask(world, "error", { failure_line: 7 });
  await sendAlerts(world.deps);
  assert.deepEqual(smtp.mails.map(({ to }) => to).flat().sort(), [
    "alice@example.com",
    "carol@example.com",
  ]);
  const [{ raw, from }] = smtp.mails;
  assert.equal(from, "board@example.com");
  assert.match(raw, /^Subject: Web shop: Deploy shop failed\r$/m);
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
  const body = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  assert.match(body, /Message: <b>now<\/b> & "soon"/);
  assert.match(body, /<td>&lt;b&gt;now&lt;\/b&gt; &amp; &quot;soon&quot;<\/td>/);
  const link =
    `https://callboard.example.com/project/${world.web.id}/templates/${world.deploy.id}?t=${task.id}&line=7`;
  assert.ok(body.includes(link));
  assert.equal(await countOutbox(world), 0);
});

Deno.test("a mail is in its reader's language, and a chat in English", async () => {
  using _ = speakPseudo();
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using chat = startRecorder();
  await using world = await alertingWorld({
    CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CALLBOARD_SLACK_URL: chat.url,
  });
  await wantAlerts(world, "alice", "carol");
  await world.post("carol", "/auth/preferences", { lang: PSEUDO });
  await runTask(world, "error", { end_reason: { key: "errors.run.galaxy_failed" } });
  await sendAlerts(world.deps);
  await world.api("carol", "POST", `/api/project/${world.web.id}/notifications/test`);
  const mailTo = (name: string) => decodeMail(smtp.mails.find(({ to }) => to[0] === name)!.raw);
  assert.match(mailTo("alice@example.com"), /Project: Web shop/);
  assert.match(mailTo("carol@example.com"), /⟦Ṗŕóĵéćţ~+⟧: Web shop/);
  assert.match(chat.calls[0].text, /Deploy shop failed/);
});

Deno.test("a success and a stop send no mail", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using recorder = startRecorder();
  await using world = await alertingWorld({
    CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CALLBOARD_SLACK_URL: `${recorder.url}/slack`,
  });
  await wantAlerts(world, "alice");
  await runTask(world, "success");
  await runTask(world, "stopped");
  await sendAlerts(world.deps);
  assert.equal(smtp.mails.length, 0);
  assert.deepEqual(recorder.calls.map(({ path }) => path), ["/slack"]);
});

Deno.test("chats receive success, failure and questions, in their own escapes", async () => {
  await using recorder = startRecorder();
  await using world = await alertingWorld({
    CALLBOARD_TELEGRAM_TOKEN: "123:abc",
    CALLBOARD_TELEGRAM_CHAT: "-1",
    CALLBOARD_TELEGRAM_URL: recorder.url,
    CALLBOARD_SLACK_URL: `${recorder.url}/slack`,
    CALLBOARD_WEBHOOK_URL: `${recorder.url}/hook`,
    CALLBOARD_WEBHOOK_SECRET: "hook-secret",
  });
  for (const status of ["success", "error", "waiting_confirmation"] as const) {
    recorder.calls.length = 0;
    const task = await runTask(world, status, { version: "1.2.<3>" });
    await sendAlerts(world.deps);
    const byPath = new Map(recorder.calls.map((call) => [call.path, call]));
    assert.deepEqual([...byPath.keys()].sort(), ["/bot123:abc/sendMessage", "/hook", "/slack"]);

    const telegram = byPath.get("/bot123:abc/sendMessage")!.body;
    assert.equal(telegram.chat_id, "-1");
    assert.equal(telegram.parse_mode, "HTML");
    assert.match(telegram.text, /Message: &lt;b&gt;now&lt;\/b&gt; &amp; &quot;soon&quot;/);

    const slack = byPath.get("/slack")!.body.attachments[0];
    const message = slack.fields.find(({ title }: { title: string }) => title === "Message");
    assert.equal(message.value, '&lt;b&gt;now&lt;/b&gt; &amp; "soon"');
    assert.match(slack.title_link, new RegExp(`\\?t=${task.id}$`));

    const hook = byPath.get("/hook")!;
    assert.equal(hook.body.task.status, status);
    assert.equal(hook.body.task.message, '<b>now</b> & "soon"');
    const signature = createHmac("sha256", "hook-secret").update(hook.text).digest("hex");
    assert.equal(hook.headers.get("X-Callboard-Signature"), `sha256=${signature}`);
  }
});

Deno.test("a project's own chat wins, and the switches of project and template are obeyed", async () => {
  await using recorder = startRecorder();
  await using world = await alertingWorld({
    CALLBOARD_TELEGRAM_TOKEN: "123:abc",
    CALLBOARD_TELEGRAM_CHAT: "-1",
    CALLBOARD_TELEGRAM_URL: recorder.url,
  });
  await changeProject(world, { alert: true, alert_chat: "-42" });
  await runTask(world, "error");
  await sendAlerts(world.deps);
  assert.deepEqual(recorder.calls.map(({ body }) => body.chat_id), ["-42"]);

  await runTask(world, "success", { suppress_success_alerts: true });
  await runTask(world, "error", { suppress_error_alerts: true });
  await sendAlerts(world.deps);
  assert.equal(recorder.calls.length, 1);

  await changeProject(world, { alert: false });
  await runTask(world, "error");
  await sendAlerts(world.deps);
  assert.equal(recorder.calls.length, 1);
  assert.equal(await countOutbox(world), 0);
});

Deno.test("a server that is down is tried again, ever later, and then abandoned with an event", async () => {
  await using recorder = startRecorder(() => new Response("busy", { status: 503 }));
  await using world = await alertingWorld({ CALLBOARD_SLACK_URL: `${recorder.url}/slack` });
  await runTask(world, "error");
  const waits: number[] = [];
  for (
    let wait: number | null = 0;
    wait !== null;
    wait = await sendAlerts(world.deps)
  ) {
    if (wait > 0) waits.push(wait / 1000);
    world.clock.advance(wait);
  }
  assert.deepEqual(waits, [30, 120, 600, 3600]);
  assert.equal(recorder.calls.length, 5);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events?limit=1`);
  assert.equal(body[0].description, "An alert by slack could not be sent: 503 busy");
});

Deno.test("alerts that cannot succeed are not repeated, and no token is in logs or events", async () => {
  await using recorder = startRecorder(() =>
    Response.json({ ok: false, description: "chat not found for 123:abc" }, { status: 400 })
  );
  await using world = await alertingWorld({
    CALLBOARD_TELEGRAM_TOKEN: "123:abc",
    CALLBOARD_TELEGRAM_CHAT: "-1",
    CALLBOARD_TELEGRAM_URL: recorder.url,
  });
  await runTask(world, "error");
  assert.equal(await sendAlerts(world.deps), null);
  assert.equal(recorder.calls.length, 1);
  // There is no listener, and fetch itself puts the whole address into its error.
  world.deps.config.alerts.telegramUrl = "http://127.0.0.1:9";
  await runTask(world, "error");
  await sendAlerts(world.deps);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events?limit=5`);
  assert.match(
    body.map(({ description }: { description: string }) => description).join(),
    /chat not found for …/,
  );
  assert.ok(!JSON.stringify([world.log, body]).includes("123:abc"));
  assert.equal(world.log.filter(({ event }) => event === "alert_not_sent").length, 2);
});

Deno.test("mail goes signed in over TLS, and a password never in clear", async () => {
  await using smtp = await startSmtpServer();
  await using plain = await startSmtpServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
  });
  const login = "smtp://board:mail-password@127.0.0.1";
  const send = async (url: string) => {
    await using world = await alertingWorld({ CALLBOARD_SMTP_URL: url });
    const path = `/api/project/${world.web.id}/alerts/test`;
    return (await world.api("alice", "POST", path)).body[0];
  };
  assert.deepEqual(await send(`${login}:${smtp.port}?tls.rejectUnauthorized=false`), {
    channel: "email",
    ok: true,
    reason: null,
  });
  assert.deepEqual(smtp.mails.map(({ user, secure, to }) => ({ user, secure, to })), [
    { user: "board", secure: true, to: ["alice@example.com"] },
  ]);
  // No authority has signed its certificate, so it is refused unless the settings allow it.
  assert.match((await send(`${login}:${smtp.port}`)).reason, /certificate/i);
  const inClear = await send(`${login}:${plain.port}`);
  assert.equal(inClear.ok, false);
  assert.equal(plain.mails.length, 0);
  const wrong = await send(
    `smtp://board:other-password@127.0.0.1:${smtp.port}?tls.rejectUnauthorized=false`,
  );
  assert.equal(wrong.ok, false);
  assert.ok(!wrong.reason.includes("other-password"));
});

Deno.test("the webhook says that a message is about a runner, and not a test", async () => {
  await using recorder = startRecorder();
  await using world = await alertingWorld({ CALLBOARD_WEBHOOK_URL: recorder.url });
  const runner = { id: 7, name: "far", state: "lost" } as const;
  const last_seen = world.clock.now().toISOString();
  await transact(world.kv, (op) => {
    const { id: runner_id, ...more } = runner;
    putAlert(op, world, {
      ...{ kind: "lost_runner", project_id: null, runner_id, last_seen, ...more },
    });
  });
  await sendAlerts(world.deps);
  const [{ body }] = recorder.calls;
  assert.deepEqual([body.event, body.runner, body.project], ["runner", runner, null]);
});

Deno.test("the webhook says which run of a workflow waits for votes", async () => {
  await using recorder = startRecorder();
  await using world = await alertingWorld({ CALLBOARD_WEBHOOK_URL: recorder.url });
  const op = world.kv.atomic();
  await queueApprovalAlert(op, world.deps, {
    project_id: world.web.id,
    ...{ workflow_id: 3, workflow_name: "Release", run_id: 12, step: "Go", message: "" },
    ...{
      user_id: null,
      username: null,
      user_name: null,
      voters: { roles: [], user_ids: [], except: null },
    },
  });
  await op.commit();
  await sendAlerts(world.deps);
  const [{ body }] = recorder.calls;
  const run = { id: 12, workflow_id: 3, workflow_name: "Release" };
  assert.deepEqual([body.event, body.workflow_run, body.task], ["workflow_run", run, null]);
});

Deno.test("a test message reports the answer of each channel", async () => {
  await using recorder = startRecorder(({ path }) =>
    path === "/hook" ? new Response("no such thing", { status: 410 }) : Response.json({ ok: true })
  );
  await using world = await alertingWorld({
    CALLBOARD_SLACK_URL: `${recorder.url}/slack`,
    CALLBOARD_WEBHOOK_URL: `${recorder.url}/hook`,
  });
  const path = `/api/project/${world.web.id}/alerts/test`;
  const { status, body } = await world.api("alice", "POST", path);
  assert.equal(status, 200);
  assert.deepEqual(body, [
    { channel: "slack", ok: true, reason: null },
    { channel: "webhook", ok: false, reason: "410 no such thing" },
  ]);
  assert.equal((await world.api("mike", "POST", path)).status, 403);
  assert.equal((await world.api("dave", "POST", path)).status, 404);
});

Deno.test("without a channel a test message is refused, and tasks leave nothing to send", async () => {
  await using world = await alertingWorld({});
  const { status } = await world.api("alice", "POST", `/api/project/${world.web.id}/alerts/test`);
  assert.equal(status, 409);
  await runTask(world, "error");
  assert.equal(await countOutbox(world), 0);
});

Deno.test("the loop sends queued messages immediately, and one alert once with two servers", async () => {
  await using recorder = startRecorder();
  await using world = await alertingWorld({ CALLBOARD_SLACK_URL: `${recorder.url}/slack` });
  const servers = [1, 2].map(() => startJobs(world.deps, alertWorkers, { shared: true }));
  try {
    for (let n = 0; n < 10; n++) await runTask(world, "error");
    // Sooner than a loop would look without a wake, because it sleeps for a minute.
    await until(async () => await countOutbox(world) === 0);
    assert.equal(recorder.calls.length, 10);
  } finally {
    for (const server of servers) await server.stop();
  }
});

Deno.test("an alert is stored with the task's own step, or not at all", async () => {
  await using world = await alertingWorld({ CALLBOARD_SLACK_URL: "http://127.0.0.1:9/" });
  const { id } = await startTask(
    await openProject(
      { deps: world.deps, actor: world.people.bob.actor },
      world.web.id,
      "run_tasks",
    ),
    parseStart({
      template_id: world.deploy.id,
    }),
  );
  const task = { id, project_id: world.web.id };
  await advance(world.kv, task, "error", {}, {
    also: (op, next) => queueTaskAlert(op, world.deps, next),
  });
  assert.equal(await countOutbox(world), 1);
});

Deno.test("a setting that cannot be used is named, without its value", () => {
  assert.throws(
    () => settings({ CALLBOARD_SMTP_URL: "mail.example.com:secret" }),
    (error: Error) =>
      /CALLBOARD_SMTP_URL must/.test(error.message) && !/secret/.test(error.message),
  );
});

Deno.test("a stored address that holds more than one gets no mail", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  await using world = await alertingWorld({
    CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CALLBOARD_SMTP_FROM: "Callboard <board@example.com>",
  });
  await wantAlerts(world, "alice", "carol");
  const lists = ["a@x.com, b@x.com", "a@x.com\r\nBcc: b@x.com", "A <a@x.com>, b@x.com"];
  for (const email of lists) {
    const entry = await world.kv.get<object>(rowKeys.user(world.people.alice.id));
    await world.kv.set(entry.key, { ...entry.value, email });
    await runTask(world, "error");
    await sendAlerts(world.deps);
    const { alerts } = world.deps.config;
    const message = { title: "T", project: { name: "P" }, facts: [], url: null };
    const sent = await sendMail(alerts, email, message as unknown as AlertMessage);
    assert.deepEqual(sent, { ok: false, reason: { key: "errors.email" }, retry: false });
  }
  assert.deepEqual(smtp.mails.map(({ to }) => to).flat(), lists.map(() => "carol@example.com"));
});
