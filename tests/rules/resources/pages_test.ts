import assert from "node:assert/strict";
import { environmentRows } from "@/lib/resources/environments/repository.ts";
import { keyRows } from "@/lib/resources/keys/repository.ts";
import { cookiesOf, fieldOf, htmlOf, textOf, titleOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ web }: World, page: string) => `/project/${web.id}/${page}`;
const location = (response: Response) => response.headers.get("location");

interface Kind {
  section: string;
  id: number;
  title: string;
  add: string;
  form: Record<string, string>;
}

/** One object of each kind in the world, with a form that creates another. */
const kindsOf = ({ web }: World): Kind[] => [
  { section: "keys", id: web.keyId, title: "Key Store", add: "New key", form: { type: "none" } },
  {
    section: "repositories",
    id: web.repositoryId,
    title: "Repositories",
    add: "New repository",
    form: {
      git_url: "git@git.example.com:a/b.git",
      git_branch: "main",
      ssh_key_id: `${web.keyId}`,
    },
  },
  {
    section: "inventory",
    id: web.inventoryId,
    title: "Inventory",
    add: "New inventory",
    form: { type: "static", inventory: "localhost", ssh_key_id: `${web.keyId}`, become_key_id: "" },
  },
  {
    section: "environment",
    id: web.environmentId,
    title: "Environment",
    add: "New environment",
    form: { json: '{"a": 1}', env: "{}" },
  },
];

Deno.test("Everyone in the project sees the lists; only who may change them sees the buttons", async () => {
  await using world = await newWorld();
  for (const { section, id, title, add } of kindsOf(world)) {
    const list = pageOf(world, section);
    const mikes = await htmlOf(await world.get("mike", list));
    assert.equal(titleOf(mikes), `${title} - Web shop - Callboard`);
    assert.match(mikes, new RegExp(`href="${list}/new"[^>]*>.*${add}`));
    assert.match(mikes, new RegExp(`href="${list}/${id}/delete" [^>]*title="Delete `));
    const carols = await htmlOf(await world.get("carol", list));
    assert.doesNotMatch(carols, new RegExp(`href="${list}/(new|\\d+(?!\\d|/uses))`));
    assert.equal((await world.get("dave", list)).status, 404);
  }
});

Deno.test("Names come in the order that people count in, in lists and in choices", async () => {
  await using world = await newWorld();
  const counted = ["Key 1", "Key 2", "Key 10"];
  for (const name of counted.toReversed()) {
    const { status } = await world.api("alice", "POST", `/api${pageOf(world, "keys")}`, {
      name,
      type: "none",
    });
    assert.equal(status, 201);
  }
  for (const page of ["keys", "inventory/new", "repositories/new"]) {
    const html = await htmlOf(await world.get("alice", pageOf(world, page)));
    assert.deepEqual([...html.matchAll(/>(Key \d+)</g)].map(([, name]) => name), counted, page);
  }
});

Deno.test("Mike adds, renames and deletes one of each kind, by plain forms", async () => {
  await using world = await newWorld();
  for (const { section, form } of kindsOf(world)) {
    const list = pageOf(world, section);
    assert.equal((await world.get("mike", `${list}/new`)).status, 200);
    const created = await world.post("mike", `${list}/new`, { name: "Spare", ...form });
    assert.equal(created.status, 303, section);
    assert.equal(location(created), list);
    assert.match(cookiesOf(created).flash, /created/);
    const path = new RegExp(`href="(${list}/\\d+)">Spare<|href="(${list}/\\d+)"[^>]*>Spare<`)
      .exec(await htmlOf(await world.get("mike", list)))!.slice(1).find(Boolean)!;

    const shown = await htmlOf(await world.get("mike", path));
    assert.match(fieldOf(shown, "name"), / value="Spare"/);
    assert.equal((await world.post("mike", path, { ...form, name: "Renamed" })).status, 303);
    assert.match(await htmlOf(await world.get("bob", list)), />Renamed</);

    assert.match(await htmlOf(await world.get("mike", `${path}/delete`)), /Do you really want/);
    assert.equal(location(await world.post("mike", `${path}/delete`)), list);
    assert.equal((await world.get("mike", path)).status, 404);
  }
});

Deno.test("Bob and Carol get no form and change nothing", async () => {
  await using world = await newWorld();
  for (const { section, id, form } of kindsOf(world)) {
    for (const person of ["bob", "carol"] as const) {
      for (const page of ["new", `${id}`, `${id}/delete`]) {
        const path = pageOf(world, `${section}/${page}`);
        assert.equal((await world.get(person, path)).status, 403, path);
        assert.equal((await world.post(person, path, { ...form, name: "X" })).status, 403, path);
      }
    }
    assert.equal((await world.get("dave", pageOf(world, `${section}/${id}`))).status, 404);
    assert.equal((await world.get("mike", pageOf(world, `${section}/999`))).status, 404);
    assert.equal((await world.get("mike", pageOf(world, `${section}/x`))).status, 404);
  }
});

Deno.test("An object in use is not deleted: the page lists its users, with links", async () => {
  await using world = await newWorld();
  const path = pageOf(world, `keys/${world.web.keyId}/delete`);
  const html = await htmlOf(await world.get("mike", path));
  assert.match(html, /Can(&#39;|')t delete/);
  assert.match(html, new RegExp(`href="${pageOf(world, `inventory/${world.web.inventoryId}`)}"`));
  assert.match(
    html,
    new RegExp(`href="${pageOf(world, `repositories/${world.web.repositoryId}`)}"`),
  );
  assert.doesNotMatch(html, /<form[^>]*delete/);
  assert.equal((await world.post("mike", path)).status, 409, "nor by a form of one's own");
  assert.equal((await world.get("mike", pageOf(world, `keys/${world.web.keyId}`))).status, 200);
});

Deno.test("The form of an object in use lists its users, each kind on a line", async () => {
  await using world = await newWorld();
  const second = { name: "Second", type: "file", path: "hosts", ssh_key_id: `${world.web.keyId}` };
  await world.post("mike", pageOf(world, "inventory/new"), second);
  const html = await htmlOf(await world.get("mike", pageOf(world, `keys/${world.web.keyId}`)));
  assert.equal(html.match(/>Inventories<\/span>: </g)?.length, 1);
  assert.match(html, /<\/a>, <a href="[^"]*">Second<\/a>/);
});

Deno.test("A key's secret is never sent back, and stays unless it is overridden", async () => {
  await using world = await newWorld();
  const form = {
    name: "Deploy",
    type: "login_password",
    "login_password.login": "deploy",
    "login_password.password": "hunter2 hunter2",
  };
  await world.post("mike", pageOf(world, "keys/new"), form);
  const [stored] = (await keyRows.list(world.kv, world.web.id)).filter(({ name }) =>
    name === "Deploy"
  );
  const path = pageOf(world, `keys/${stored.id}`);
  assert.doesNotMatch(await htmlOf(await world.get("mike", path)), /hunter2/);

  await world.post("mike", path, { name: "Renamed", type: "ssh" });
  const renamed = await keyRows.get(world.kv, world.web.id, stored.id);
  assert.deepEqual([renamed.name, renamed.type, renamed.secret], [
    "Renamed",
    "login_password",
    stored.secret,
  ]);

  const wrong = await world.post("mike", path, { ...form, name: "", override_secret: "true" });
  assert.equal(wrong.status, 422);
  const html = await htmlOf(wrong);
  assert.doesNotMatch(html, /hunter2/);
  assert.match(fieldOf(html, "name"), / autofocus/);
  assert.match(fieldOf(html, "login_password.login"), / value="deploy"/);
});

Deno.test("A repository's URL is rewritten by its buttons, and nothing is saved by that", async () => {
  await using world = await newWorld();
  const path = pageOf(world, "repositories/new");
  const typed = { name: "Shop", git_url: "git@git.example.com:team/shop.git", git_branch: "main" };
  const https = await htmlOf(await world.post("mike", path, { ...typed, kind: "https" }));
  assert.match(fieldOf(https, "git_url"), / value="https:\/\/git\.example\.com\/team\/shop\.git"/);
  assert.match(fieldOf(https, "name"), / value="Shop"/);
  assert.match(https, /value="https"[^>]* aria-pressed="true"/);
  const local = await htmlOf(await world.post("mike", path, { ...typed, kind: "local" }));
  assert.match(fieldOf(local, "git_branch"), / disabled/);
  const { body } = await world.api("mike", "GET", `/api/project/${world.web.id}/repositories`);
  assert.equal(body.length, 1);

  const ftp = { ...typed, git_url: "ftp://example.com/x", ssh_key_id: `${world.web.keyId}` };
  const wrong = await world.post("mike", path, ftp);
  assert.equal(wrong.status, 422);
  assert.match(await htmlOf(wrong), /Incorrect URL/);
});

Deno.test("An inventory in a file has a path, and its mistakes are shown there", async () => {
  await using world = await newWorld();
  const path = pageOf(world, "inventory/new");
  const form = {
    name: "Prod",
    type: "file",
    ssh_key_id: `${world.web.keyId}`,
    inventory: "left over",
  };
  const outside = await world.post("mike", path, { ...form, path: "../etc/passwd" });
  assert.equal(outside.status, 422);
  const html = await htmlOf(outside);
  assert.match(fieldOf(html, "path"), / aria-invalid="true"/);
  assert.match(fieldOf(html, "path"), / value="\.\.\/etc\/passwd"/);

  assert.equal((await world.post("mike", path, { ...form, path: "invs/prod/hosts" })).status, 303);
  const list = await htmlOf(await world.get("carol", pageOf(world, "inventory")));
  assert.match(list, /<code class="clamp" title="invs\/prod\/hosts">invs\/prod\/hosts<\/code>/);
});

Deno.test("An environment's secrets are added, kept and removed without being shown", async () => {
  await using world = await newWorld();
  const path = pageOf(world, `environment/${world.web.environmentId}`);
  const fields = { name: "Prod", json: '{"a": 1}', env: "{}" };
  const more = await htmlOf(await world.post("mike", path, { ...fields, add_secret: "add" }));
  assert.ok(fieldOf(more, "secrets.0.name"));
  assert.match(fieldOf(more, "name"), / value="Prod"/);

  const row = { "secrets.0.name": "token", "secrets.0.type": "env", "secrets.0.secret": "s3cret!" };
  assert.equal((await world.post("mike", path, { ...fields, ...row })).status, 303);
  const read = async () =>
    (await environmentRows.get(world.kv, world.web.id, world.web.environmentId)).secrets;
  const [secret] = await read();
  assert.deepEqual([secret.name, secret.type], ["token", "env"]);

  const shown = await htmlOf(await world.get("mike", path));
  assert.doesNotMatch(shown, /s3cret/);
  const stored = { ...row, "secrets.0.id": `${secret.id}`, "secrets.0.secret": "" };
  await world.post("mike", path, { ...fields, ...stored });
  assert.deepEqual((await read())[0].sealed, secret.sealed, "an empty value keeps the old one");

  const taken = {
    ...stored,
    "secrets.3.id": "",
    "secrets.3.name": "1 bad",
    "secrets.3.type": "var",
  };
  const wrong = await world.post("mike", path, { ...fields, ...taken });
  assert.equal(wrong.status, 422);
  assert.match(fieldOf(await htmlOf(wrong), "secrets.3.name"), / aria-invalid="true"/);

  await world.post("mike", path, { ...fields, ...stored, "secrets.0.remove": "true" });
  assert.deepEqual(await read(), []);
});

Deno.test("Variables that are not JSON are reported at their field, and kept as typed", async () => {
  await using world = await newWorld();
  const path = pageOf(world, "environment/new");
  const answer = await world.post("mike", path, { name: "Prod", json: "{oops", env: "{}" });
  assert.equal(answer.status, 422);
  const html = await htmlOf(answer);
  assert.match(html, /\{oops/);
  assert.match(html, /href="#field-json"/);
});

Deno.test("After a restore the pages show which secrets must be typed in again, until they are", async () => {
  await using world = await newWorld();
  const { secrets } = world.deps;
  const web = { project_id: world.web.id };
  await world.kv.atomic()
    .set(["keys", web.project_id, world.web.keyId], {
      ...await keyRows.get(world.kv, web.project_id, world.web.keyId),
      type: "login_password",
      secret: await secrets.seal('{"type":"login_password","login":"","password":"p"}'),
    })
    .set(["environments", web.project_id, world.web.environmentId], {
      ...await environmentRows.get(world.kv, web.project_id, world.web.environmentId),
      secrets: [{ id: 1, type: "var", name: "token", sealed: await secrets.seal("t") }],
    }).commit();
  const backup = await world.api("alice", "GET", `/api/project/${web.project_id}/backup`);
  const restored = await world.api("erin", "POST", "/api/projects/restore", backup.body);
  const { id } = restored.body;
  const page = async (path: string) =>
    await htmlOf(await world.get("erin", `/project/${id}${path}`));
  const idOf = async (list: string) =>
    (await world.api("erin", "GET", `/api/project/${id}/${list}`)).body[0].id;

  assert.match(await page("/keys"), /Secret missing/);
  assert.match(await page(`/keys/${await idOf("keys")}`), /Enter it again/);
  assert.match(await page("/environment"), /Values missing/);
  const form = `/environment/${await idOf("environment")}`;
  assert.match(await page(form), /Missing. Enter it again/);

  const answered = await world.api("erin", "GET", `/api/project/${id}${form}`);
  const [secret] = answered.body.secrets;
  assert.deepEqual(secret, { id: secret.id, type: "var", name: "token", empty: true });
  await world.api("erin", "PUT", `/api/project/${id}${form}`, {
    ...answered.body,
    secrets: [{ ...secret, secret: "typed in", operation: "update" }],
  });
  assert.doesNotMatch(await page("/environment"), /Values missing/);
  assert.doesNotMatch(await page(form), /Missing/);
});

Deno.test("variables of the process are folded, and their section says which ones there are", async () => {
  await using world = await newWorld();
  const summaryOf = async (path: string) => {
    const html = await htmlOf(await world.get("mike", path));
    const [, summary] = /<details id="environment-variables".*?class="fold-summary"[^>]*>([^<]*)</
      .exec(html)!;
    return textOf(summary);
  };
  const path = `/project/${world.web.id}/environment`;
  assert.equal(await summaryOf(`${path}/new`), "Not set");
  const form = { name: "Proxy", json: "{}", env: '{"PROXY": "10.0.0.1"}' };
  const { body } = await world.api("mike", "POST", `/api${path}`, form);
  assert.equal(await summaryOf(`${path}/${body.id}`), "PROXY");
});

Deno.test("variables are edited as rows or as JSON, and an unchanged environment stays as it is", async () => {
  await using world = await newWorld();
  const list = `/api/project/${world.web.id}/environment`;
  const json = '{"release":"r7", "workers":1024}';
  const { body } = await world.api("mike", "POST", list, { name: "Prod", json, env: "{}" });
  const path = pageOf(world, `environment/${body.id}`);
  const stored = async () => (await world.api("mike", "GET", `${list}/${body.id}`)).body;

  const html = await htmlOf(await world.get("mike", path));
  assert.match(fieldOf(html, "json_rows.0.name"), / value="release"/);
  assert.match(fieldOf(html, "json"), / type="hidden"/);
  const fields = {
    name: "Prod",
    json,
    env: "{}",
    "shown_as.json": "rows",
    "shown_as.env": "rows",
    "json_rows.0.name": "release",
    "json_rows.0.value": "r7",
    "json_rows.0.type": "text",
    "json_rows.1.name": "workers",
    "json_rows.1.value": "1024",
    "json_rows.1.type": "json",
    "env_rows.0.name": "",
    "env_rows.0.value": "",
  };
  assert.equal((await world.post("mike", path, fields)).status, 303);
  assert.equal((await stored()).json, json);

  const text = await htmlOf(await world.post("mike", path, { ...fields, change_json: "json" }));
  const [, area] = /<textarea[^>]* name="json"[^>]*>([^<]*)</.exec(text)!;
  assert.equal(textOf(area), json);
  const asJson = { name: "Prod", json, env: "{}", "shown_as.json": "json" };
  const rows = await htmlOf(await world.post("mike", path, { ...asJson, change_json: "rows" }));
  assert.match(fieldOf(rows, "json_rows.1.name"), / value="workers"/);

  const wrong = await world.post("mike", path, {
    ...fields,
    "json_rows.1.value": "many",
    name: "",
  });
  assert.equal(wrong.status, 422);
  const errors = await htmlOf(wrong);
  assert.match(errors, /href="#field-json_rows-1-value">Variable 2, Value: This must be JSON/);
  assert.match(errors, /href="#field-name"/);
  assert.match(fieldOf(errors, "json_rows.0.name"), / value="release"/);

  const changed = { ...fields, "json_rows.1.value": "7", "env_rows.0.name": "LANG" };
  assert.equal((await world.post("mike", path, changed)).status, 303);
  const { json: after, env } = await stored();
  assert.deepEqual([JSON.parse(after), JSON.parse(env)], [{ release: "r7", workers: 7 }, {
    LANG: "",
  }]);
});
