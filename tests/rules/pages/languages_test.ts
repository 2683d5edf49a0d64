import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import { PSEUDO, speakPseudo } from "@/tests/support/house/pseudo.ts";
import { newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

/** Returns the language of a page after checking that its texts match its `lang`. */
async function languageOf(response: Response): Promise<string> {
  const html = await response.text();
  const [, language] = /<html lang="([^"]*)"/.exec(html)!;
  assert.equal(
    /href="#main"[^>]*>⟦/.test(html),
    language === PSEUDO,
    "its sentences are of another language",
  );
  return language;
}

const choose = (world: World, lang: string) =>
  world.post("bob", "/auth/preferences", { lang, back: "/account" });

Deno.test("pages speak as the browser asks, until a language is chosen in the menu", async () => {
  using _ = speakPseudo();
  await using world = await newWorld();
  const asked = async (headers: Record<string, string>) =>
    await languageOf(await world.request("/auth/login", { headers }));
  assert.equal(await asked({}), "en");
  assert.equal(await asked({ "Accept-Language": "xx, hu-HU;q=0.9, en;q=0.8" }), PSEUDO);
  assert.equal(await asked({ "Accept-Language": "hu", "Cookie": "lang=en" }), "en");
  assert.equal(await asked({ "Accept-Language": "en", "Cookie": "lang=hu" }), PSEUDO);
  assert.equal(await asked({ "Cookie": "lang=tlh" }), "en", "of a file that is gone, say");
  const page = await (await world.request("/auth/login?next=%2Fqueue")).text();
  assert.match(page, /name="back" value="\/auth\/login\?next=%2Fqueue"/);
  assert.match(page, /value="en" aria-current="true"><span lang="en">English</);
  assert.match(page, /value="hu" ?><span lang="hu">⟦/);
});

Deno.test("signed-in people keep the language in the account, and have it in another browser", async () => {
  using _ = speakPseudo();
  await using world = await newWorld();
  const chosen = await choose(world, PSEUDO);
  assert.equal(cookiesOf(chosen).lang, PSEUDO, "the sign-in page keeps it too");
  assert.equal(await languageOf(await world.get("bob", "/account")), PSEUDO);
  const english = { "Accept-Language": "en" };
  assert.equal(await languageOf(await world.get("bob", "/account", english)), PSEUDO);
  assert.equal(await languageOf(await world.get("alice", "/account")), "en", "it is Bob's alone");
  await choose(world, "tlh");
  assert.equal(await languageOf(await world.get("bob", "/account")), PSEUDO);
  await choose(world, "");
  assert.equal(await languageOf(await world.get("bob", "/account")), "en");
  for (const path of ["/api/user", `/api/project/${world.web.id}/users`]) {
    const { body } = await world.api("bob", "GET", path);
    assert.ok(!JSON.stringify(body).includes("language"), "no client of the API sends it back");
  }
});

Deno.test("the API speaks English, unless a client itself asks for another language", async () => {
  using _ = speakPseudo();
  await using world = await newWorld();
  await choose(world, PSEUDO);
  const { token } = world.people.bob;
  const speaksPseudo = async (headers: Record<string, string>) => {
    const cookie = `callboard=${token}; ${headers.Cookie ?? ""}`;
    const asked = { headers: { ...headers, Cookie: cookie } };
    const { body } = await readAnswer(await world.request("/api/project/9999", asked));
    return body.error.startsWith("⟦");
  };
  assert.equal(await speaksPseudo({}), false, "whatever Bob's pages speak");
  assert.equal(await speaksPseudo({ "Accept-Language": "*" }), false, "as Node's fetch sends it");
  assert.equal(await speaksPseudo({ "Cookie": "lang=hu" }), false);
  assert.equal(await speaksPseudo({ "Accept-Language": "en-US,en;q=0.5" }), false);
  assert.equal(await speaksPseudo({ "Accept-Language": "hu-HU, en;q=0.5" }), true);
});

Deno.test("events and their reasons are shown to each reader in their language", async () => {
  using _ = speakPseudo();
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { body: task } = await world.api("bob", "POST", `${project}/tasks`, {
    template_id: world.deploy.id,
  });
  const key = rowKeys.task(world.web.id, task.id);
  const row = (await world.kv.get<object>(key)).value!;
  const end_reason = { key: "errors.run.time_limit", params: { seconds: 21 } };
  await world.kv.set(key, { ...row, end_reason });
  const read = async (path: string, language: string) => {
    const headers = {
      "Cookie": `callboard=${world.people.bob.token}`,
      "Accept-Language": language,
    };
    return (await readAnswer(await world.request(project + path, { headers }))).body;
  };
  for (const path of [`/tasks/${task.id}`, "/tasks", "/tasks/last"]) {
    const told = async (language: string) => [await read(path, language)].flat()[0].end_reason;
    assert.match(await told(""), /longer than 21 seconds/, path);
    assert.match(await told("hu"), /^⟦[^⟧]*⟧ 21 másodperc⟦/, path);
  }
  const [english] = await read("/events", "");
  const [pseudo] = await read("/events", "hu");
  assert.match(english.description, /^Task .*Deploy shop/);
  assert.match(pseudo.description, /^⟦.*Deploy shop/);
});

Deno.test("a task's event stream speaks as its address asks: browsers send no header with it", async () => {
  using _ = speakPseudo();
  await using world = await newWorld();
  const tasks = `/api/project/${world.web.id}/tasks`;
  const { body } = await world.api("bob", "POST", tasks, { template_id: world.deploy.id });
  const entry = await world.kv.get<object>(rowKeys.task(world.web.id, body.id));
  const end_reason = { key: "errors.run.time_limit", params: { seconds: 21 } };
  await world.kv.set(entry.key, { ...entry.value, end_reason });
  const stream = await world.get("bob", `${tasks}/${body.id}/events?lang=${PSEUDO}`);
  let heard = "";
  for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) {
    heard += text;
    if (heard.includes("event: update")) break;
  }
  assert.match(heard, /"end_reason":"⟦[^⟧]*⟧ 21 másodperc⟦/);
});

Deno.test("a reason that was stored as plain words is shown as it is", async () => {
  await using world = await newWorld();
  const event = {
    created: "2024-05-02T10:11:12.000Z",
    user_id: null,
    username: null,
    object_type: "schedule",
    object_id: 1,
    object_name: "Nightly",
    action: "failed",
    params: { name: "Nightly", reason: "Release is required" },
  };
  await world.kv.set(rowKeys.event(world.web.id, event.created, "1"), event);
  const { body } = await world.api("bob", "GET", `/api/project/${world.web.id}/events`);
  const told = body.map(({ description }: { description: string }) => description);
  assert.ok(told.includes('Schedule "Nightly" could not start its task: Release is required'));
});
