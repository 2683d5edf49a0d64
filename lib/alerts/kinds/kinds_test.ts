import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { TargetMessage } from "../target_message.ts";
import { templateProblem } from "./http.ts";
import { fieldsOf, httpKinds } from "./kinds.ts";

const MESSAGE: TargetMessage = {
  event: "failed",
  story: "callboard-3-template-7",
  title: 'Deploy <shop> & "more" failed',
  mood: "bad",
  facts: [
    { label: "Project", value: "Web shop" },
    { label: "Reason", value: 'web3: "Restart nginx" failed: *no* such unit' },
  ],
  url: "https://cb.example.com/project/3/templates/7?t=9&line=41",
  project: { id: 3, name: "Web shop" },
  task: {
    id: 9,
    template_id: 7,
    template_name: 'Deploy <shop> & "more"',
    status: "error",
    version: null,
    message: "",
    user_name: "Bob",
    start: null,
    end: null,
  },
};
const RECOVERED: TargetMessage = { ...MESSAGE, event: "recovered", mood: "good" };
const REASON = MESSAGE.facts[1].value;
const TEXT = `Project: Web shop\nReason: ${REASON}`;

/**
 * Sources of the members that the tests below expect. The kinds name the pages of their methods.
 *
 * - Slack: page_attachments.md of slackhq/slack-api-docs
 * - Mattermost: developers.mattermost.com/integrate/reference/message-attachments
 * - Rocket.Chat: third-party examples of its attachments, which have the fields of Slack
 * - Teams: learn.microsoft.com, "Create and send messages", and examples of Adaptive Cards in one
 * - Discord: limits of embeds as libraries quote docs.discord.com/developers/resources/message
 * - Telegram: teloxide-core, which is generated from core.telegram.org/bots/api. It has no
 *   `link_preview_options` yet.
 * - ntfy: the JSON of docs.ntfy.sh/publish/#publish-as-json
 * - Gotify: `extras` as clients send them
 * - Matrix: the path and the transaction of the client-server API, not its HTML
 * - Pushover: pushover.net/api
 * - PagerDuty: bodies of the Events API v2 as its users show them
 * - Opsgenie: docs.opsgenie.com/docs/alert, with its limits
 */
type Kind = keyof typeof httpKinds;

/** Returns the request of a kind as its receiver sees it, with its body as an object. */
function requestOf(kind: Kind, settings: Record<string, string>, message = MESSAGE) {
  const values: Record<string, string> = {};
  for (const { name, fallback = "" } of fieldsOf(kind)) values[name] = settings[name] ?? fallback;
  const { body, ...request } = httpKinds[kind].request(values, { message, id: "0b2a" });
  return { ...request, body: JSON.parse(body) };
}

const JSON_ONLY = { "Content-Type": "application/json" };
const HOOK = "https://hooks.example.com/T0/B0/x";

Deno.test("Slack gets an attachment whose markup is escaped", () => {
  const title = 'Deploy &lt;shop&gt; &amp; "more" failed';
  assert.deepEqual(requestOf("slack", { url: HOOK }), {
    url: HOOK,
    method: "POST",
    headers: JSON_ONLY,
    body: {
      text: title,
      mrkdwn: false,
      attachments: [{
        color: "#c62828",
        fallback: title,
        title,
        title_link: MESSAGE.url,
        fields: [
          { title: "Project", value: "Web shop", short: true },
          { title: "Reason", value: REASON, short: false },
        ],
        mrkdwn_in: [],
      }],
    },
  });
});

Deno.test("Mattermost and Rocket.Chat get attachments, in a channel if one is chosen", () => {
  const { body } = requestOf("mattermost", { url: HOOK, channel: "ops" });
  assert.deepEqual([body.channel, body.attachments[0].color, body.attachments[0].title_link], [
    "ops",
    "#c62828",
    MESSAGE.url,
  ]);
  assert.match(body.attachments[0].fields[1].value, /\\\*no\\\*/);
  assert.deepEqual(requestOf("rocketchat", { url: HOOK }).body, {
    text: MESSAGE.title.replace("<", "<\u2060"),
    attachments: [{
      title: MESSAGE.title.replace("<", "<\u2060"),
      color: "#c62828",
      title_link: MESSAGE.url,
      fields: [
        { title: "Project", value: "Web shop", short: true },
        {
          title: "Reason",
          value: 'web3: "Restart nginx" failed: ∗no∗ such unit',
          short: false,
        },
      ],
    }],
  });
});

Deno.test("Teams gets an Adaptive Card in a message", () => {
  const { body } = requestOf("teams", { url: HOOK });
  assert.equal(body.type, "message");
  const [{ contentType, content }] = body.attachments;
  assert.equal(contentType, "application/vnd.microsoft.card.adaptive");
  assert.deepEqual(content, {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      {
        type: "RichTextBlock",
        inlines: [{
          type: "TextRun",
          text: MESSAGE.title,
          size: "Large",
          weight: "Bolder",
          color: "Attention",
        }],
      },
      ...[["Project", "Web shop"], ["Reason", REASON]].map(([label, text]) => ({
        type: "RichTextBlock",
        spacing: "Small",
        inlines: [
          { type: "TextRun", text: `${label}: `, weight: "Bolder" },
          { type: "TextRun", text },
        ],
      })),
    ],
    actions: [{ type: "Action.OpenUrl", title: "Callboard", url: MESSAGE.url }],
  });
});

Deno.test("Discord gets an embed within its limits, which calls no one", () => {
  const long = { ...MESSAGE, title: "x".repeat(400) };
  long.facts = Array.from({ length: 30 }, (_, n) => ({ label: `f${n}`, value: "@everyone" }));
  const { body } = requestOf("discord", { url: HOOK }, long);
  const [{ title, color, fields }] = body.embeds;
  assert.deepEqual([title.length, color, fields.length], [256, 0xc62828, 25]);
  assert.deepEqual(body.allowed_mentions, { parse: [] });
});

Deno.test("Telegram gets HTML with its few entities, in a topic if one is chosen", () => {
  const { url, body } = requestOf("telegram", { token: "1:x", chat: "-5", thread: "4" });
  assert.equal(url, "https://api.telegram.org/bot1:x/sendMessage");
  assert.deepEqual(body, {
    chat_id: "-5",
    message_thread_id: 4,
    text: "❌ <b>Deploy &lt;shop&gt; &amp; &quot;more&quot; failed</b>\nProject: Web shop\n" +
      "Reason: web3: &quot;Restart nginx&quot; failed: *no* such unit\n" +
      `<a href="${MESSAGE.url!.replace("&", "&amp;")}">${MESSAGE.url!.replace("&", "&amp;")}</a>`,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
});

Deno.test("ntfy, Gotify and Pushover get a title, a text, a priority and a link", () => {
  assert.deepEqual(requestOf("ntfy", { topic: "ops", token: "tk" }), {
    url: "https://ntfy.sh",
    method: "POST",
    headers: { ...JSON_ONLY, Authorization: "Bearer tk" },
    body: {
      topic: "ops",
      title: MESSAGE.title,
      message: TEXT,
      tags: ["x"],
      priority: 4,
      click: MESSAGE.url,
    },
  });
  assert.deepEqual(requestOf("gotify", { server: "https://push.example.com/g/", token: "A1" }), {
    url: "https://push.example.com/g/message",
    method: "POST",
    headers: { ...JSON_ONLY, "X-Gotify-Key": "A1" },
    body: {
      title: MESSAGE.title,
      message: TEXT,
      priority: 8,
      extras: { "client::notification": { click: { url: MESSAGE.url } } },
    },
  });
  const pushover = requestOf("pushover", { token: "a", user: "u" });
  assert.equal(pushover.url, "https://api.pushover.net/1/messages.json");
  assert.deepEqual(pushover.body, {
    token: "a",
    user: "u",
    title: MESSAGE.title,
    message: TEXT,
    priority: 1,
    url: MESSAGE.url,
    url_title: "Callboard",
  });
});

Deno.test("Matrix gets an event with the same transaction at each attempt", () => {
  const settings = { server: "https://m.example.com", room: "!a:b.c", token: "t" };
  const { url, method, headers, body } = requestOf("matrix", settings);
  assert.equal(
    url,
    "https://m.example.com/_matrix/client/v3/rooms/!a%3Ab.c/send/m.room.message/0b2a",
  );
  assert.deepEqual([method, headers.Authorization], ["PUT", "Bearer t"]);
  assert.deepEqual([body.msgtype, body.format], ["m.text", "org.matrix.custom.html"]);
  assert.match(body.formatted_body, /<strong>Deploy &lt;shop&gt;/);
});

Deno.test("PagerDuty opens an incident, and resolves the same one", () => {
  const { url, body } = requestOf("pagerduty", { token: "key", region: "eu" });
  assert.equal(url, "https://events.eu.pagerduty.com/v2/enqueue");
  assert.deepEqual(body, {
    routing_key: "key",
    event_action: "trigger",
    dedup_key: MESSAGE.story,
    payload: {
      summary: MESSAGE.title,
      source: "Web shop",
      severity: "error",
      custom_details: { Project: "Web shop", Reason: REASON },
    },
    links: [{ href: MESSAGE.url, text: "Callboard" }],
  });
  const over = requestOf("pagerduty", { token: "key" }, RECOVERED).body;
  assert.deepEqual([over.event_action, over.dedup_key], ["resolve", MESSAGE.story]);
});

Deno.test("Opsgenie opens an alert, and closes the same one", () => {
  const { url, headers, body } = requestOf("opsgenie", { token: "key" });
  assert.equal(url, "https://api.opsgenie.com/v2/alerts");
  assert.equal(headers.Authorization, "GenieKey key");
  assert.deepEqual(body, {
    message: MESSAGE.title.replace("<", "<\u2060"),
    alias: MESSAGE.story,
    description: `${TEXT}\n\n${MESSAGE.url}`,
    details: { Project: "Web shop", Reason: REASON },
    entity: "Web shop",
    source: "Callboard",
    priority: "P2",
  });
  const over = requestOf("opsgenie", { token: "key", region: "eu" }, RECOVERED);
  assert.equal(
    over.url,
    `https://api.eu.opsgenie.com/v2/alerts/${MESSAGE.story}/close?identifierType=alias`,
  );
});

Deno.test("any endpoint gets JSON with a signature, or its own template", () => {
  const values = {
    url: HOOK,
    method: "PUT",
    header: "Authorization",
    header_value: "Basic x",
    signing_secret: "hush",
    content_type: "application/json",
    body: '{"text": "{{title}}: {{ text }}", "id": {{task_id}}}',
  };
  const { method, headers, body } = httpKinds.http.request(values, { message: MESSAGE, id: "1" });
  assert.deepEqual(JSON.parse(body), { text: `${MESSAGE.title}: ${TEXT}`, id: 9 });
  const digest = createHmac("sha256", "hush").update(body).digest("hex");
  assert.deepEqual([method, headers], ["PUT", {
    ...JSON_ONLY,
    Authorization: "Basic x",
    "X-Callboard-Signature": `sha256=${digest}`,
  }]);
  const plain = { ...values, content_type: "text/plain", body: '{{event}} "{{title}}"' };
  assert.equal(
    httpKinds.http.request(plain, { message: MESSAGE, id: "1" }).body,
    `failed "${MESSAGE.title}"`,
  );
  const title = `a&b="<c>'`;
  const escaped: [contentType: string, body: string][] = [
    ["application/x-www-form-urlencoded", "a%26b%3D%22%3Cc%3E'"],
    ["text/xml; charset=utf-8", "a&amp;b=&quot;&lt;c&gt;&#39;"],
    ["application/soap+xml", "a&amp;b=&quot;&lt;c&gt;&#39;"],
    ["text/html", "a&amp;b=&quot;&lt;c&gt;&#39;"],
  ];
  for (const [content_type, body] of escaped) {
    const sent = { ...values, content_type, body: "{{title}}" };
    const request = httpKinds.http.request(sent, { message: { ...MESSAGE, title }, id: "1" });
    assert.equal(request.body, body, content_type);
  }
  const own = requestOf("http", { url: HOOK }).body;
  assert.deepEqual([own.event, own.mood, own.task.id], ["failed", "bad", 9]);
});

Deno.test("a template for JSON has texts in quotes only, so that none becomes another value", () => {
  for (const body of ['{"a": "{{title}}"}', '{"a": {{task_id}}}', '{"{{ host }}": "x{{text}}"}']) {
    assert.equal(templateProblem(body, "application/json"), null, body);
  }
  for (const body of ['{"a": {{host}}}', "{{title}}", '["{{text}}", {{ status }}]']) {
    assert.equal(templateProblem(body, ""), "errors.alerts.not_json", body);
  }
});

Deno.test("a message links to the host in each service", () => {
  const host = { name: "web3", url: "https://cb.example.com/project/3/hosts/web3" };
  const facts = [...MESSAGE.facts, { label: "Host", value: host.name, url: host.url }];
  const message = { ...MESSAGE, facts, host };
  const settings = { url: HOOK, server: "https://own.example.com", body: "" };
  const link = (kind: Kind) => JSON.stringify(requestOf(kind, settings, message).body);
  const inMarkdown = `[web3](${host.url})`;
  const wanted: Record<Kind, string> = {
    slack: `<${host.url}|web3>`,
    teams: `"text":"web3","selectAction":{"type":"Action.OpenUrl","url":"${host.url}"}`,
    discord: inMarkdown,
    mattermost: inMarkdown,
    rocketchat: inMarkdown,
    telegram: `<a href=\\"${host.url}\\">web3</a>`,
    ntfy: `web3 (${host.url})`,
    gotify: `web3 (${host.url})`,
    matrix: `<a href=\\"${host.url}\\">web3</a>`,
    pushover: `web3 (${host.url})`,
    pagerduty: `{"href":"${host.url}","text":"web3"}`,
    opsgenie: `web3 (${host.url})`,
    http: `"host":{"name":"web3","url":"${host.url}"}`,
    webhook: `"Host":"web3"`,
  };
  for (const [kind, text] of Object.entries(wanted)) {
    assert.ok(link(kind as Kind).includes(text), `${kind}: ${link(kind as Kind)}`);
  }
  assert.deepEqual(Object.keys(wanted).toSorted(), Object.keys(httpKinds).toSorted());
  const body = "{{host}} {{host_url}}";
  const sent = httpKinds.http.request({ ...settings, body, content_type: "text/plain" }, {
    message,
    id: "1",
  });
  assert.equal(sent.body, `web3 ${host.url}`);
});

Deno.test("long facts stay within the limits of Discord and Opsgenie in all", () => {
  const facts = Array.from({ length: 20 }, (_, n) => ({ label: `L${n}`, value: "*".repeat(1000) }));
  const message = { ...MESSAGE, facts };
  const { title, fields } = requestOf("discord", { url: HOOK }, message).body.embeds[0];
  const texts = fields.flatMap(({ name, value }: Record<string, string>) => [name, value]);
  assert.ok([title, ...texts].join("").length <= 6000);
  assert.ok(fields.length >= 5);
  const { details } = requestOf("opsgenie", { token: "k" }, message).body;
  assert.ok(Object.entries(details).flat().join("").length <= 8000);
});

Deno.test("long digests stay within the limits of Telegram and ntfy", () => {
  const facts = Array.from({ length: 20 }, (_, n) => ({
    label: `${n} ${"<長>".repeat(100)}`,
    value: "&é".repeat(500),
  }));
  const message = { ...MESSAGE, title: "T".repeat(600), facts };
  const { text } = requestOf("telegram", { token: "1:a", chat: "2" }, message).body;
  const shown = text.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp);/g, "_");
  assert.ok(shown.length > 2000 && shown.length <= 4096, String(shown.length));
  const { message: sent } = requestOf("ntfy", { topic: "ops" }, message).body;
  const bytes = new TextEncoder().encode(sent).length;
  assert.ok(bytes > 4090 && bytes <= 4096, String(bytes));
});

const HOSTILE = [
  "[click](https://evil.example)",
  "<https://evil.example|click>",
  "<!here> @all @here @everyone @room <@U1> <@&2>",
  "*b* _i_ ~s~ `c` ||x||",
  "# h1",
  "> quote",
  "![](https://evil.example/x.png)",
  ":boom: #general",
  "{{DATE(2020-01-01T00:00:00Z)}}",
  "<script>alert(1)</script> <at>Bob</at>",
].join(" ");

/** A message whose names and texts a play, a host, a branch or a commit has chosen. */
const HOSTILE_MESSAGE: TargetMessage = {
  ...MESSAGE,
  title: HOSTILE,
  facts: [{ label: HOSTILE, value: HOSTILE, url: "https://cb.example.com/host" }],
};

Deno.test("no service reads markup, links or mentions in names and messages", () => {
  const text = (kind: Kind, settings: Record<string, string> = { url: HOOK }) =>
    JSON.stringify(requestOf(kind, settings, HOSTILE_MESSAGE).body);
  const refuted: Record<string, [text: string, markup: RegExp[]]> = {
    slack: [text("slack"), [/<!here|<@U1|<https:\/\/evil/]],
    // Its fallback is plain text.
    mattermost: [text("mattermost").replace(/"fallback":"[^"]*"/, ""), [
      /@(all|here)/,
      /[^\\]\[click/,
      /]\(https:\/\/evil/,
    ]],
    rocketchat: [
      text("rocketchat"),
      [
        /@(all|here)/,
        /]\(https:\/\/evil/,
        /[*~`|]|_i_/,
        /:boom:|#general/,
        /<https|https:\/\/evil/,
      ],
    ],
    discord: [text("discord"), [/[^\\]<@/, /[^\\]\[click/, /[^\\]:boom/]],
    telegram: [
      text("telegram", { token: "1:x", chat: "-5", server: "https://t.example" }),
      [/@(all|here|room)/, /<script|<at>/],
    ],
    teams: [text("teams"), [/"TextBlock"|"FactSet"/, /{{DATE/]],
  };
  for (const [kind, [body, markup]] of Object.entries(refuted)) {
    for (const pattern of markup) assert.doesNotMatch(body, pattern, kind);
    assert.match(body, /cb\.example\.com\/host/, `${kind} has its own links`);
  }
  const room = { server: "https://m.example.com", room: "!a:b.c", token: "t" };
  const { body } = requestOf("matrix", room, HOSTILE_MESSAGE);
  assert.deepEqual(body["m.mentions"], {});
  assert.doesNotMatch(body.formatted_body, /<script|<at>/);
});

Deno.test("addresses of mail and plain words stay as they are", () => {
  const value = "bob@example.com: disk is full (90 %)";
  const message = { ...MESSAGE, title: value, facts: [] };
  for (const kind of ["rocketchat", "slack"] as const) {
    assert.equal(requestOf(kind, { url: HOOK }, message).body.text, value);
  }
});
