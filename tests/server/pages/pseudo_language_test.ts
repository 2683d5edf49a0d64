import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";
import { unpackedList } from "@/lib/store/rows/packed_json.ts";
import { newEverything } from "@/tests/support/server/everything.ts";
import { foreignWords, PSEUDO, speakPseudo } from "@/tests/support/house/pseudo.ts";
import { linksOf, seenTexts } from "@/tests/support/house/seen_texts.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { readAnswer, type World } from "@/tests/support/world/world.ts";

/** Members of rows that are names given by people. */
const NAMES = new Set([
  ..."name username title playbook git_url git_branch email commit_message user_agent note".split(
    " ",
  ),
  ..."token ansible ansible_version isolation platform kid".split(" "),
]);

/** Texts without a language, or made by Intl and cronstrue in the language of the reader. */
const NEUTRAL = [
  ...["UTC", "0.0.0-test", "HU", "-vvvv", "--check", "--diff", "X-Webhook-Token"],
  ...['["--forks", "20"]', "git.example.com", "ansible-core", "/opt/ansible"],
  ...["netaddr>=1.0", "community.general:>=8,<9", "quay.io/ansible/community-ee-base:2.19"],
  ...["https://galaxy.example.com/api/", "Python", "podman"],
  ...["[web] web1.example.com web2.example.com ansible_user=deploy", "invs/prod/hosts"],
  ...["-----BEGIN OPENSSH PRIVATE KEY-----", "https://git.example.com/team/playbooks.git"],
  ...["dmz, eu-1", "dmz", "elsewhere", "vars/choices.yml", "A new disk"],
  ...[
    "string",
    "object",
    "array",
    "number",
    "ssh",
    "https",
    "file",
    "git",
    "default",
    "POST",
  ],
  ...[
    "máj.",
    "jún.",
    "Cs",
    "tegnap",
    "most",
    "évvel ezelőtt",
    "hónappal ezelőtt",
    "óra múlva",
    "mp",
    "másodperccel ezelőtt",
    "perccel ezelőtt",
    "Ekkor:",
    "bájt",
    "Szo",
    "és",
    ", P",
    ", V",
  ],
  ...["jan.", "as told", "stats", "Aa", "hosts-1000", "ansible_system", "Linux", "MB", "GB", "CSV"],
  // Services that receive alerts.
  ...["Slack", "Gotify", "Microsoft Teams", "Discord", "Mattermost", "Rocket.Chat", "Telegram"],
  ...["ntfy", "Matrix", "Pushover", "PagerDuty", "Opsgenie"],
];

/** Returns the names of the world's objects, longest first. */
async function namesOf(world: World): Promise<string[]> {
  const names = new Set<string>();
  const collect = (value: unknown, member = "") => {
    if (typeof value === "string" && NAMES.has(member)) {
      names.add(value).add(value.replace(/^ansible-playbook /, ""));
    }
    if (value instanceof Uint8Array) return collect(unpackedList(value));
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) collect(inner, name);
  };
  for await (const { value } of world.kv.list({ prefix: [] })) collect(value);
  for (const { settings } of world.deps.providers.list) names.add(settings.display_name);
  names.delete("");
  return [...names, ...NEUTRAL].toSorted((a, b) => b.length - a.length);
}

/**
 * Number of pages of one kind to visit. Their objects and queries differ, but hardly their
 * sentences.
 */
const SAME_MAX = 4;

/**
 * Returns the part of a page that arrives within a second, because a running task's page goes on.
 */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader.cancel(), 1_000);
  let html = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    html += value;
  }
  clearTimeout(timer);
  return html;
}

/** Yields every page that can be reached by links, as a person sees it. */
async function* walk(world: World, person: Person, from: string[]) {
  const seen = new Set(from);
  const kinds = new Map<string, number>();
  for (const path of seen) {
    const response = await world.get(person, path);
    const type = response.headers.get("content-type") ?? "";
    const location = response.headers.get("location");
    const html = type.startsWith("text/html") ? await beginningOf(response) : "";
    if (html === "") await response.body?.cancel();
    const found = location ? [new URL(location, "http://callboard.test/").pathname] : linksOf(html);
    for (const link of found) {
      if (/^\/api\/(?!docs)/.test(link)) continue;
      const [kind] = link.replaceAll(/\d+/g, "1").split("?");
      const same = kinds.get(kind) ?? 0;
      if (same === SAME_MAX || seen.has(link)) continue;
      kinds.set(kind, same + 1);
      seen.add(link);
    }
    if (html !== "") yield { path, html };
  }
}

Deno.test("no page has a sentence that is not in its reader's language", async () => {
  using _ = speakPseudo();
  await using world = await newEverything();
  for (const person of ["alice", "erin"] as const) {
    await world.post(person, "/auth/preferences", { lang: PSEUDO });
  }
  const names = await namesOf(world);
  const foreign = new Map<string, string>();
  let pages = 0;
  for (const person of ["alice", "erin"] as const) {
    for await (const { path, html } of walk(world, person, ["/", "/queue"])) {
      pages++;
      for (const text of seenTexts(html)) {
        const words = foreignWords(text, names);
        if (words.length > 0) foreign.set(text, path);
      }
    }
  }
  assert.ok(pages > 100, `${pages} pages`);
  assert.deepEqual([...foreign].map(([text, path]) => `${path}: ${text}`), []);
});

/** Members of answers that are shown to people. */
const TOLD = new Set("error description reason end_reason last_error".split(" "));

/** Yields the sentences in an answer, from those members and from each field. */
function* toldIn(value: unknown, member = ""): Generator<string> {
  if (typeof value === "string" && TOLD.has(member)) yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* toldIn(inner, member === "fields" ? "error" : name);
  }
}

const WRONG_IDS: Record<string, string>[] = [
  {},
  { projectId: "9999" },
  { taskId: "x", keyId: "x", userId: "9999" },
];

/** The API's name of the field in front of its error. */
const FIELD = /^[\w.]+(?=⟦:)/;

Deno.test("answers of the API are in the language of the request alone", async () => {
  using _ = speakPseudo();
  await using world = await newEverything();
  const names = await namesOf(world);
  const foreign = new Map<string, string>();
  let told = 0;
  const own = valuesOf(world.web);
  for (const { id, path, method, body, isUnsafe } of allOperations) {
    if (isUnsafe || id === "streamTask") continue;
    for (const ids of WRONG_IDS) {
      const web = { ...own, ...ids };
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => web[name] ?? "1");
      const headers = {
        "Cookie": `callboard=${world.people.erin.token}`,
        "Accept-Language": "hu, en;q=0.5",
        "Content-Type": "application/json",
      };
      // No body is valid, so that nothing changes.
      const sent = body && { id: 424242, name: 5, title: 5, auth: 7, type: "none of these" };
      if (method !== "GET" && !sent) continue;
      const response = await world.request(`/api${filled}`, {
        method,
        headers,
        body: sent && JSON.stringify(sent),
      });
      const { body: answer } = await readAnswer(response);
      for (const text of toldIn(answer)) {
        told++;
        const words = foreignWords(text.replace(FIELD, ""), names);
        if (words.length > 0) foreign.set(`${id}: ${text}`, words.join(" "));
      }
    }
  }
  assert.ok(told > 200, `${told} sentences`);
  assert.deepEqual(Object.fromEntries(foreign), {});
});

const valuesOf = ({ id, ...ids }: World["web"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ projectId: id, ...ids }).map(([name, value]) => [name, String(value)]),
  );
