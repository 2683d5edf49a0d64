import assert from "node:assert/strict";
import type { TargetMessage } from "../target_message.ts";
import { atomOf } from "../feed/atom.ts";
import { fieldsOf, httpKinds } from "./kinds.ts";

/** A text as a play can choose it, with the markup and the mentions of all services. */
const HOSTILE = [
  "<!channel> <!here> <@U1> <https://evil.example|here> @everyone @here @all @channel @room",
  "<script>alert(1)</script><img src=x onerror=alert(1)> &lt;b&gt; &#60;b&#62;",
  "[click](https://evil.example) ![x](https://evil.example/x.png) *b* _i_ ~s~ `c` ||s||",
  "# heading\r\nBcc: someone@evil.example\r\n\r\n> quote\n- list",
  '{{DATE(2020-01-01T00:00:00Z,SHORT)}} "quoted" \' \\ $x$ :smile:',
  "\0\x07\x1b[31m\ud800\ufffe\u2028",
].join(" ");

const MESSAGE: TargetMessage = {
  event: "failed",
  story: "callboard-3-template-7",
  title: HOSTILE,
  mood: "bad",
  facts: [{ label: HOSTILE, value: HOSTILE }, {
    label: "Host",
    value: HOSTILE,
    url: "https://cb.example.com/project/3/hosts/a(b)",
  }],
  url: "https://cb.example.com/project/3/templates/7?t=9",
  project: { id: 3, name: HOSTILE },
  task: {
    ...{ id: 9, template_id: 7, template_name: HOSTILE, status: "error", version: HOSTILE },
    ...{ message: HOSTILE, user_name: HOSTILE, start: null, end: null },
  },
  host: { name: HOSTILE, url: "https://cb.example.com/project/3/hosts/1" },
} as TargetMessage;

type Kind = keyof typeof httpKinds;

function bodyOf(kind: Kind, settings: Record<string, string> = {}): string {
  const values: Record<string, string> = {};
  for (const { name, fallback = "" } of fieldsOf(kind)) {
    values[name] = settings[name] ??
      (name === "url" || name === "server" ? fallback || "https://hooks.example.com" : fallback);
  }
  return httpKinds[kind].request(values, { message: MESSAGE, id: "0b2a" }).body;
}

/** Returns all texts in a body, besides those of `skipped` members. */
function textsIn(value: unknown, skipped: readonly string[] = []): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    skipped.includes(name) ? [] : [...textsIn(member, skipped), name]
  );
}

const CALLS = /@(?:everyone|here|all|channel|room)/;
/** A link of Markdown that is not ours. */
const EVIL_LINK = /(?<!\\)\]\(https:\/\/evil/;

const SAFE: Record<Exclude<Kind, "http" | "webhook">, (body: string) => void> = {
  slack: (body) => {
    for (const text of textsIn(JSON.parse(body))) {
      assert.doesNotMatch(text, /<(?!https:\/\/cb\.example\.com\/)/);
    }
    assert.equal(JSON.parse(body).mrkdwn, false);
  },
  mattermost: (body) => {
    for (const text of textsIn(JSON.parse(body), ["fallback"])) {
      assert.doesNotMatch(text, CALLS);
      assert.doesNotMatch(text, EVIL_LINK);
    }
    assert.doesNotMatch(JSON.parse(body).attachments[0].fallback, CALLS);
  },
  rocketchat: (body) => {
    for (const text of textsIn(JSON.parse(body))) {
      assert.doesNotMatch(text, CALLS);
      assert.doesNotMatch(text, EVIL_LINK);
      assert.doesNotMatch(text, /[*`]/);
    }
  },
  teams: (body) => {
    const [{ content }] = JSON.parse(body).attachments;
    assert.doesNotMatch(JSON.stringify(content), /"TextBlock"|FactSet|\{\{/);
  },
  discord: (body) => {
    assert.deepEqual(JSON.parse(body).allowed_mentions, { parse: [] });
    for (const text of textsIn(JSON.parse(body).embeds)) assert.doesNotMatch(text, EVIL_LINK);
  },
  telegram: (body) => {
    const { text } = JSON.parse(body);
    const tags = /<\/?b>|<\/a>|<a href="https:\/\/cb\.example\.com[^"<>]*">/g;
    assert.doesNotMatch(text.replace(tags, ""), /[<>"]|&(?!(?:amp|lt|gt|quot|#39);)/);
    assert.doesNotMatch(text, CALLS);
  },
  matrix: (body) => {
    const { formatted_body, "m.mentions": mentions } = JSON.parse(body);
    const tags = /<\/?(?:strong|ul|li|p|a)>|<a href="https:\/\/cb\.example\.com[^"<>]*">/g;
    assert.doesNotMatch(formatted_body.replace(tags, ""), /[<>"]|&(?!(?:amp|lt|gt|quot|#39);)/);
    assert.deepEqual(mentions, {});
  },
  opsgenie: (body) => {
    for (const text of textsIn(JSON.parse(body), ["entity"])) {
      assert.doesNotMatch(text, /<[a-z/!@]|&#?\w+;/i);
    }
  },
  // Their texts are plain, unless a member says otherwise.
  gotify: (body) => assert.doesNotMatch(Object.keys(JSON.parse(body).extras).join(), /display/),
  ntfy: (body) => assert.ok(!("markdown" in JSON.parse(body))),
  pushover: (body) => assert.ok(!("html" in JSON.parse(body) || "monospace" in JSON.parse(body))),
  pagerduty: (body) => assert.equal(JSON.parse(body).event_action, "trigger"),
};

for (const [kind, check] of Object.entries(SAFE)) {
  Deno.test(`${kind} shows texts of plays as they are, without markup and without mentions`, () =>
    check(bodyOf(kind as Kind)));
}

Deno.test("an endpoint's template gets texts that are escaped for its type", () => {
  const fill = (content_type: string, body: string) => bodyOf("http", { content_type, body });
  for (const type of ["application/json", "application/x-ndjson", "application/vnd.x+json"]) {
    const { a } = JSON.parse(fill(type, '{"a": "{{title}}"}'));
    assert.equal(a.toWellFormed(), HOSTILE.toWellFormed(), type);
  }
  for (const type of ["application/yaml", "text/javascript"]) {
    assert.doesNotMatch(fill(type, 'a: "{{title}}"'), /\n|(?<!\\)"(?!.|$)/, type);
  }
  for (const type of ["application/xml", "text/html; charset=utf-8", "application/xhtml+xml"]) {
    const text = fill(type, "<a>{{title}}</a>");
    assert.doesNotMatch(text.slice(3, -4), /[<>"'\ufffe]/, type);
    assert.doesNotMatch(text.replace(/[\t\r\n]/g, ""), /\p{Cc}/u, type);
    assert.ok(text.isWellFormed(), type);
  }
  const markdown = fill("text/markdown", "Failed: {{title}}");
  assert.doesNotMatch(markdown, EVIL_LINK);
  assert.doesNotMatch(markdown, /<[a-z!/]|[*`]|^#/m);
  assert.doesNotMatch(fill("application/x-www-form-urlencoded", "a={{title}}"), /[&\r\n<>"]/);
  assert.equal(fill("text/plain", "{{title}}"), HOSTILE);
});

Deno.test("a feed has texts of plays as text", () => {
  const { title, url } = MESSAGE;
  const about = {
    id: "f",
    language: "en" as const,
    created: "2024-05-02T10:11:12.000Z",
    title,
    url,
  };
  const atom = atomOf(about, [
    {
      ...{ id: "e", at: "2024-05-02T10:11:12.000Z", event: "failed", title, text: title, url },
    } as Parameters<typeof atomOf>[1][number],
  ]);
  assert.ok(atom.isWellFormed());
  // deno-lint-ignore no-control-regex -- no document of XML may have them
  assert.doesNotMatch(atom, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe]/);
  const tags =
    /<\/?(?:\?xml|feed|title|id|updated|author|name|link|entry|category|content)\b[^<>]*>/g;
  assert.doesNotMatch(atom.replace(tags, ""), /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/);
  assert.match(atom, /<title>&lt;!channel&gt;/);
});
