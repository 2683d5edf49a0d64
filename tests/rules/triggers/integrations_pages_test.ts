import assert from "node:assert/strict";
import { findTask } from "@/lib/model/tasks.ts";
import { addPasswordKey, templateForm } from "@/tests/support/world/forms.ts";
import { cookiesOf, fieldOf, htmlOf, linkOf, titleOf } from "@/tests/support/basics/html.ts";
import { type FormFields, newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";

const list = ({ web }: World) => `/project/${web.id}/integrations`;
const one = ({ web }: World, id: number | "new") => `/project/${web.id}/integration/${id}`;
const location = (response: Response) => response.headers.get("location");

const MATCHER = {
  name: "Main branch",
  match_type: "body",
  body_data_type: "json",
  key: "ref",
  method: "equals",
  value: "refs/heads/main",
};
const VALUE = {
  name: "Commit",
  value_source: "body",
  body_data_type: "json",
  key: "after",
  variable: "commit",
};

/** Sends a form as Mike, and follows the redirect. Returns the page. */
async function save(world: World, path: string, form: FormFields = {}): Promise<string> {
  const answer = await world.post("mike", path, form);
  assert.equal(answer.status, 303, `${path} ${await answer.clone().text()}`);
  const { flash } = cookiesOf(answer);
  const cookies = `callboard=${world.people.mike.token}; flash=${encodeURIComponent(flash)}`;
  return await htmlOf(await world.request(location(answer)!, { headers: { Cookie: cookies } }));
}

/** Creates an integration as Mike by the form. Returns its id. */
async function make(world: World, form: Record<string, string> = {}): Promise<number> {
  const values = { name: "Git push", template_id: `${world.web.templateId}`, auth_method: "" };
  const answer = await world.post("mike", one(world, "new"), { ...values, ...form });
  assert.equal(answer.status, 303, await answer.text());
  return Number(location(answer)!.split("/").at(-1));
}

const stored = async (world: World, id: number) =>
  (await world.api("mike", "GET", `/api${list(world)}/${id}`)).body;

/** Returns the addresses that a page lists. */
const addresses = (html: string) =>
  [...html.matchAll(/<code>(http[^<]*)<\/code>/g)].map((m) => m[1]);

const call = async (world: World, url: string, body: unknown) =>
  await readAnswer(
    await world.request(new URL(url).pathname, { method: "POST", body: JSON.stringify(body) }),
  );

Deno.test("Mike creates an integration on its pages; a call to its alias starts the task", async () => {
  await using world = await newWorld();
  const empty = await htmlOf(await world.get("mike", list(world)));
  assert.equal(titleOf(empty), "Integrations - Web shop - Callboard");
  assert.match(empty, /No integrations yet/);
  assert.match(empty, new RegExp(`href="${one(world, "new")}"`));

  const blank = await htmlOf(await world.get("mike", one(world, "new")));
  assert.match(blank, /Deploy shop/);
  const made = await save(world, one(world, "new"), {
    name: "Git push",
    template_id: `${world.web.templateId}`,
    auth_method: "",
  });
  assert.match(made, /Integration Git push created/);
  const page = one(world, (await world.api("mike", "GET", `/api${list(world)}`)).body[0].id);
  assert.match(await save(world, `${page}/matchers/new`, MATCHER), /Condition Main branch created/);
  await save(world, `${page}/values/new`, VALUE);
  const [address] = addresses(await save(world, `${page}/aliases`));

  const refused = await call(world, address, { ref: "refs/heads/dev", after: "abc" });
  assert.deepEqual(refused.body.tasks, []);
  const { body } = await call(world, address, { ref: "refs/heads/main", after: "f00" });
  const task = await findTask(world.kv, world.web.id, body.tasks[0].id);
  assert.equal(task!.environment, '{"commit":"f00"}');

  const shown = await htmlOf(await world.get("mike", page));
  assert.match(shown, new RegExp(`href="${page}\\?t=${body.tasks[0].id}"`));
  assert.match(shown, /The call does not match &quot;Main branch&quot;/);
  assert.match(shown, /192\.0\.2\.1/);
  assert.match(shown, new RegExp(`href="${list(world)}" aria-current="page"`));
  const open = await world.get("mike", `${page}?t=${body.tasks[0].id}`);
  assert.match(await htmlOf(open), /role="log"/);

  const activity = await htmlOf(await world.get("carol", `/project/${world.web.id}/activity`));
  for (
    const told of [
      "Integration &quot;Git push&quot; was created",
      "Condition &quot;Main branch&quot; was added to integration &quot;Git push&quot;",
      "Extracted value &quot;Commit&quot; was added to integration &quot;Git push&quot;",
      "An alias was added to integration &quot;Git push&quot;",
    ]
  ) assert.ok(activity.replaceAll(/<[^>]*>/g, "").includes(told), told);
});

Deno.test("a new integration has an address, first on its page and with a line that calls it", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const html = await htmlOf(await world.get("mike", one(world, id)));
  const [address, ...others] = addresses(html);
  assert.deepEqual(others, []);
  const line =
    `curl -H &#39;Content-Type: application/json&#39; -d &#39;{}&#39; &#39;${address}&#39;`;
  const quoted = html.replaceAll("'", "&#39;");
  assert.ok(quoted.includes(`>${line}<`), html);
  assert.ok(quoted.includes(`data-copy="${line}"`), "a button copies it");
  const order = [address, "Only if…", "Pass on…", 'name="template_id"'];
  const places = order.map((text) => html.indexOf(text));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  assert.ok(places[0] > 0);
  const called = await call(world, address, {});
  assert.equal(called.body.tasks.length, 1);
  const shown = await htmlOf(await world.get("carol", one(world, id)));
  assert.ok(!shown.includes(address) && !shown.includes("curl "), "a guest gets no address");
});

Deno.test("an integration that the API has created gets its address by one button", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/integrations`;
  const body = { name: "Of a client", template_id: world.deploy.id, searchable: false };
  const { body: { id } } = await world.api("mike", "POST", path, body);
  assert.deepEqual((await world.api("mike", "GET", `${path}/${id}/aliases`)).body, []);
  const page = one(world, id);
  const html = await htmlOf(await world.get("mike", page));
  assert.match(html, /No URL reaches this integration yet/);
  const action = /<form method="post" action="([^"]*)"[^>]*><button[^>]*button-primary/.exec(html);
  assert.equal((await world.post("mike", action![1], {})).status, 303);
  const after = await htmlOf(await world.get("mike", page));
  assert.equal(addresses(after).length, 1);
  assert.doesNotMatch(after, /No URL reaches/);
});

Deno.test("the list is sorted by name or template, either way", async () => {
  await using world = await newWorld();
  const nightly = await world.api(
    "mike",
    "POST",
    `/api/project/${world.web.id}/templates`,
    templateForm(world, { name: "A nightly" }),
  );
  await make(world, { name: "Alpha" });
  await make(world, { name: "Beta", template_id: `${nightly.body.id}` });
  const order = async (query: string) => {
    const html = await htmlOf(await world.get("carol", list(world) + query));
    return html.indexOf(">Alpha<") < html.indexOf(">Beta<") ? "AB" : "BA";
  };
  assert.equal(await order(""), "AB");
  assert.equal(await order("?sort=name&order=desc"), "BA");
  assert.equal(await order("?sort=template"), "BA");
  assert.equal(await order("?sort=template&order=desc"), "AB");
  assert.equal(await order("?sort=nonsense&order=up"), "AB");
  const html = await htmlOf(await world.get("carol", list(world)));
  assert.equal(linkOf(html, "A nightly"), `/project/${world.web.id}/templates/${nightly.body.id}`);
  assert.equal(linkOf(html, "Name"), `${list(world)}?sort=name&order=desc`);
});

Deno.test("a form that is wrong comes back with what was typed", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const template_id = `${world.web.templateId}`;
  const secretId = `${await addPasswordKey(world)}`;
  const cases: [Record<string, string>, string][] = [
    [{ template_id, auth_method: "" }, "name"],
    [{ name: "Hook", auth_method: "" }, "template_id"],
    [{ name: "Hook", template_id: "999", auth_method: "" }, "template_id"],
    [{ name: "Hook", template_id, auth_method: "github" }, "auth_secret_id"],
    [{ name: "Hook", template_id, auth_method: "hmac", auth_secret_id: secretId }, "auth_header"],
    [
      {
        name: "Hook",
        template_id,
        auth_method: "token",
        auth_header: "X Y",
        auth_secret_id: secretId,
      },
      "auth_header",
    ],
    [
      { name: "Hook", template_id, auth_method: "github", auth_secret_id: `${world.web.keyId}` },
      "auth_secret_id",
    ],
  ];
  for (const page of [one(world, "new"), one(world, id)]) {
    for (const [form, field] of cases) {
      const answer = await world.post("mike", page, form);
      const html = await htmlOf(answer);
      const told = JSON.stringify([page, form]);
      assert.equal(answer.status, 422, told);
      assert.match(fieldOf(html, field), /aria-invalid="true"/, told);
      if (form.name) assert.match(fieldOf(html, "name"), /value="Hook"/, told);
      if (form.auth_header) assert.match(fieldOf(html, "auth_header"), /value="X Y"/, told);
    }
  }
  for (
    const [part, good, field] of [["matchers", MATCHER, "value"], ["values", VALUE, "variable"]]
  ) {
    const page = `${one(world, id)}/${part}/new`;
    const answer = await world.post("mike", page, { ...good as object, [field as string]: "" });
    assert.equal(answer.status, 422);
    const html = await htmlOf(answer);
    assert.match(fieldOf(html, field as string), /aria-invalid="true"/);
    assert.match(fieldOf(html, "key"), /value="(ref|after)"/);
  }
  const limit = { ...VALUE, variable: "limit", variable_type: "task" };
  const page = `${one(world, id)}/values/new`;
  const blank = await htmlOf(await world.post("mike", page, { ...limit, default_value: "," }));
  assert.match(fieldOf(blank, "default_value"), /aria-invalid="true"/);
  await save(world, page, { ...limit, default_value: "staging" });
  const path = `/api/project/${world.web.id}/integrations/${id}/values`;
  const { body: [value] } = await world.api("mike", "GET", path);
  assert.equal(value.default_value, "staging");
  const edit = await htmlOf(await world.get("mike", `${one(world, id)}/values/${value.id}`));
  assert.match(fieldOf(edit, "default_value"), /value="staging"/);
  assert.equal((await stored(world, id)).name, "Git push");
});

Deno.test("the form keeps what it does not show, and drops what a method does not need", async () => {
  await using world = await newWorld();
  const secretId = await addPasswordKey(world);
  const proof = { auth_header: "X-Token", auth_secret_id: `${secretId}` };
  const id = await make(world, { auth_method: "token", ...proof });
  const view = await stored(world, id);
  assert.equal(view.auth_header, "X-Token");
  assert.equal(view.auth_secret_id, secretId);
  await world.api("mike", "PUT", `/api${list(world)}/${id}`, {
    ...view,
    task_params: { diff: true },
  });

  assert.match(
    await save(world, `${one(world, id)}/switches`, { searchable: "true" }),
    /name="searchable" value="false"/,
  );
  await save(world, `${one(world, id)}/switches`, { keep_bodies: "true" });
  const form = { name: "Renamed", template_id: `${world.web.templateId}` };
  const saved = await save(world, one(world, id), { ...form, auth_method: "", ...proof });
  assert.match(saved, /Integration Renamed saved/);
  assert.deepEqual(await stored(world, id), {
    ...view,
    name: "Renamed",
    auth_method: "",
    auth_header: "",
    auth_secret_id: null,
    searchable: true,
    keep_bodies: true,
    task_params: { diff: true },
  });
  await save(world, `${one(world, id)}/switches`, { searchable: "false" });
  assert.equal((await stored(world, id)).searchable, false);
  assert.equal((await world.post("mike", `${one(world, id)}/switches`, { name: "x" })).status, 400);
});

Deno.test("aliases are added, shown in full, and deleted after a question", async () => {
  await using world = await newWorld({ config: { basePath: "/board" } });
  const at = (path: string) => `/board${path}`;
  const id = await make({ ...world, post: (who, path, form) => world.post(who, at(path), form) });
  for (const page of [list(world), one(world, id)]) {
    const before = addresses(await htmlOf(await world.get("mike", at(page))));
    const create = `${page}/aliases`;
    const html = await save(world, at(create));
    assert.match(html, /Alias created/);
    const address = addresses(html).at(-1)!;
    assert.match(address, /^http:\/\/callboard\.test\/board\/api\/integrations\/[a-z0-9]{16}$/);
    const deletion = [...html.matchAll(/href="([^"]*\/aliases\/\d+\/delete)"/g)].at(-1)![1];
    const question = await htmlOf(await world.get("mike", deletion));
    assert.ok(question.includes(`delete ${address}?`));
    assert.equal((await call(world, address, {})).status, 200);
    const after = await save(world, deletion);
    assert.deepEqual(addresses(after), before);
    assert.equal((await call(world, address, {})).status, 404);
    assert.equal((await world.get("mike", deletion)).status, 404);
  }
});

Deno.test("matchers and values are changed and deleted on pages of their own", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const page = one(world, id);
  for (const [part, form] of [["matchers", MATCHER], ["values", VALUE]] as const) {
    const html = await save(world, `${page}/${part}/new`, form);
    const edit = new RegExp(`href="(${page}/${part}/\\d+)"`).exec(html)![1];
    const shown = await htmlOf(await world.get("mike", edit));
    assert.match(fieldOf(shown, "name"), new RegExp(`value="${form.name}"`));
    assert.match(fieldOf(shown, "key"), new RegExp(`value="${form.key}"`));
    const source = part === "matchers" ? "match_type" : "value_source";
    const header = { ...form, name: "Changed", key: "X-Event", [source]: "header" };
    assert.match(await save(world, edit, header), /Changed saved.*X-Event/);
    const question = await htmlOf(await world.get("mike", `${edit}/delete`));
    assert.match(question, /Do you really want to delete the .*Changed.*\?/);
    assert.doesNotMatch(await save(world, `${edit}/delete`), /X-Event/);
    assert.equal((await world.get("mike", edit)).status, 404);
    assert.equal((await world.get("mike", `${page}/${part}/new/delete`)).status, 404);
  }
});

Deno.test("a body is shown where bodies are kept, and harmless", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const [address] = addresses(await save(world, `${one(world, id)}/aliases`));
  await call(world, address, "before");
  await save(world, `${one(world, id)}/switches`, { keep_bodies: "true" });
  await call(world, address, "<script>alert(1)</script>");
  const calls = `${one(world, id)}/deliveries`;
  assert.match(
    await htmlOf(await world.get("mike", `${calls}/1`)),
    /body of this call was not stored/,
  );
  const kept = await htmlOf(await world.get("mike", `${calls}/2`));
  assert.match(kept, /&lt;script>alert\(1\)&lt;\/script>/);
  assert.equal((await world.get("mike", `${calls}/3`)).status, 404);
});

Deno.test("an integration is deleted after a question; what uses a key links to it", async () => {
  await using world = await newWorld();
  const secretId = await addPasswordKey(world);
  const id = await make(world, { auth_method: "github", auth_secret_id: `${secretId}` });
  const key = `/project/${world.web.id}/keys/${secretId}/delete`;
  assert.equal(linkOf(await htmlOf(await world.get("mike", key)), "Git push"), one(world, id));
  const deletion = `${one(world, id)}/delete`;
  assert.match(
    await htmlOf(await world.get("mike", deletion)),
    /delete the integration (&quot;|")Git push(&quot;|")\?/,
  );
  assert.equal((await world.get("mike", one(world, id))).status, 200);
  assert.match(await save(world, deletion), /Integration Git push deleted/);
  assert.equal((await world.get("mike", one(world, id))).status, 404);
});

Deno.test("people who may not manage resources see integrations without addresses and calls", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const page = one(world, id);
  const [secret] = addresses(await save(world, `${page}/aliases`));
  await save(world, `${list(world)}/aliases`);
  await save(world, `${page}/matchers/new`, MATCHER);
  await save(world, `${page}/values/new`, VALUE);
  await call(world, secret, {});
  const { body: aliases } = await world.api("mike", "GET", `/api${list(world)}/${id}/aliases`);
  const parts = await Promise.all(["matchers", "values"].map(async (part) => {
    const { body } = await world.api("mike", "GET", `/api${list(world)}/${id}/${part}`);
    return `${page}/${part}/${body[0].id}`;
  }));
  for (const person of ["bob", "carol"] as const) {
    for (const readable of [list(world), page]) {
      const html = await htmlOf(await world.get(person, readable));
      assert.match(html, /Git push/);
      const main = html.slice(html.indexOf("<main"));
      assert.doesNotMatch(main, /<form|\/delete"|\/new"|api\/integrations|192\.0\.2\.1/);
    }
    for (
      const form of [
        one(world, "new"),
        `${page}/delete`,
        `${page}/aliases/${aliases[0].id}/delete`,
        `${page}/matchers/new`,
        ...parts.flatMap((part) => [part, `${part}/delete`]),
      ]
    ) {
      assert.equal((await world.get(person, form)).status, 403, form);
      assert.equal((await world.post(person, form)).status, 403, form);
    }
    assert.equal((await world.get(person, `${page}/deliveries/1`)).status, 403);
    for (const button of [`${page}/aliases`, `${list(world)}/aliases`, page]) {
      assert.equal((await world.post(person, button)).status, 403, button);
    }
    const flip = await world.post(person, `${page}/switches`, { searchable: "true" });
    assert.equal(flip.status, 403);
  }
  assert.equal((await world.get("dave", list(world))).status, 404);
  assert.equal((await world.get("dave", page)).status, 404);
  assert.equal((await world.get(null, page)).status, 303);
});

Deno.test("parts of another project or integration are not found", async () => {
  await using world = await newWorld();
  const id = await make(world);
  const other = await make(world, { name: "Other" });
  const matcher = await world.api("mike", "POST", `/api${list(world)}/${id}/matchers`, MATCHER);
  const value = await world.api("mike", "POST", `/api${list(world)}/${id}/values`, VALUE);
  const alias = await world.api("mike", "POST", `/api${list(world)}/${id}/aliases`);
  await call(world, alias.body.url, {});
  const foreign = (page: string) => [
    `${page}/matchers/${matcher.body.id}`,
    `${page}/matchers/${matcher.body.id}/delete`,
    `${page}/values/${value.body.id}`,
    `${page}/values/${value.body.id}/delete`,
    `${page}/aliases/${alias.body.id}/delete`,
  ];
  const lab = `/project/${world.lab.id}/integration/${id}`;
  const inLab = [lab, `${lab}/delete`, `${lab}/matchers/new`, ...foreign(lab)];
  for (
    const path of [
      ...inLab,
      `${
        list(world).replace(`${world.web.id}`, `${world.lab.id}`)
      }/aliases/${alias.body.id}/delete`,
    ]
  ) {
    assert.equal((await world.get("dave", path)).status, 404, path);
    assert.equal((await world.post("dave", path, MATCHER)).status, 404, path);
  }
  for (
    const path of [...foreign(one(world, other)), `${list(world)}/aliases/${alias.body.id}/delete`]
  ) {
    assert.equal((await world.get("mike", path)).status, 404, path);
    assert.equal((await world.post("mike", path, { ...MATCHER, ...VALUE })).status, 404, path);
  }
  assert.equal((await world.post("dave", `${lab}/aliases`)).status, 404);
  assert.equal((await world.post("dave", `${lab}/switches`, { searchable: "true" })).status, 404);
  assert.equal((await world.get("mike", `${one(world, other)}/deliveries/1`)).status, 404);
  assert.equal((await world.get("mike", one(world, 999))).status, 404);
  assert.equal((await world.get("mike", `/project/${world.web.id}/integration/x`)).status, 404);
});
