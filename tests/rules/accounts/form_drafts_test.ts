import assert from "node:assert/strict";
import { sentForm } from "@/tests/support/basics/html.ts";
import { newBrowser, signInWithForm, type TestBrowser } from "@/tests/support/world/sign_in.ts";
import { type FormFields, newWorld, type World } from "@/tests/support/world/world.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

/** Sends a form after Alice's session has ended. Returns the address of the sign-in. */
async function sendLate(browser: TestBrowser, path: string, form: FormFields) {
  const sent = await browser.post(path, form, { late: true });
  assert.equal(sent.status, 303, await sent.text());
  return sent.headers.get("location")!;
}

const keptRows = async ({ kv }: World) =>
  await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["kept_forms"] }));

Deno.test("people who are signed out while typing sign in, and find the form as they left it", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/inventory/${world.web.inventoryId}`;
  const { browser } = await signInWithForm(world, "alice");
  const opened = sentForm(await (await browser.get(path)).text(), path);
  const typed = { ...opened, name: "Half <typed>", inventory: "[web]\nweb1\n" };
  const signIn = await sendLate(browser, path, typed);
  assert.equal(signIn, `/auth/login?next=${encodeURIComponent(path)}`);
  const { location } = await signInWithForm(world, "alice", { browser, at: signIn });
  assert.equal(location, path);

  const html = await (await browser.get(path)).text();
  assert.match(html, /Your session expired/);
  assert.doesNotMatch(html, /aria-invalid/);
  const shown = sentForm(html, path);
  assert.deepEqual([shown.name, shown.inventory], [typed.name, typed.inventory]);
  assert.equal(shown.stored_version, opened.stored_version, "what it was filled in for");
  const read = await world.api("alice", "GET", `/api${path}`);
  assert.notEqual(read.body.name, typed.name, "nothing is stored by itself");

  const again = sentForm(await (await browser.get(path)).text(), path);
  assert.equal(again.name, opened.name, "shown once");
  assert.equal((await browser.post(path, shown)).status, 303);
  assert.equal((await world.api("alice", "GET", `/api${path}`)).body.name, typed.name);
});

Deno.test("someone else who signs in does not see it, nor does another browser", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/keys/new`;
  const form = { name: "Very private", type: "none", form_page: "1" };
  const { browser } = await signInWithForm(world, "alice");
  const at = await sendLate(browser, path, form);

  const elsewhere = newBrowser(world);
  elsewhere.cookies.form_kept = "1";
  await signInWithForm(world, "alice", { browser: elsewhere });
  assert.doesNotMatch(await (await elsewhere.get(path)).text(), /Very private/);
  const before = { ...browser.cookies };
  await signInWithForm(world, "mike", { browser, at });
  // the cookie by which Alice is recognized
  browser.cookies.callboard_device = before.callboard_device;
  assert.doesNotMatch(await (await browser.get(path)).text(), /Very private/);
  await signInWithForm(world, "alice", { browser });
  assert.match(await (await browser.get(path)).text(), /Very private/);
});

Deno.test("half an hour later it is not shown any more", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/keys/new`;
  const form = { name: "Too late", type: "none", form_page: "1" };
  for (const [minutes, isShown] of [[29, true], [31, false]] as const) {
    const { browser } = await signInWithForm(world, "alice");
    const at = await sendLate(browser, path, form);
    world.clock.advance(minutes * 60_000);
    await signInWithForm(world, "alice", { browser, at });
    const html = await (await browser.get(path)).text();
    assert.equal(html.includes("Too late"), isShown, `${minutes} minutes`);
  }
});

Deno.test("secrets are not kept, and the form says which must be typed again", async () => {
  await using world = await newWorld();
  const { web } = world;
  const cases: [path: string, typed: Record<string, string>, again: string[]][] = [
    [`/project/${web.id}/keys/new`, {
      type: "ssh",
      "ssh.passphrase": "secret4711",
      "ssh.private_key": "secret4711",
    }, ["Passphrase \\(Optional\\)", "Private key"]],
    [`/project/${web.id}/keys/new`, { "login_password.password": "secret4711" }, ["Password"]],
    [`/project/${web.id}/environment/new`, {
      add_secret: "add",
      "secrets.0.name": "token",
      "secrets.0.secret": "secret4711",
    }, ["Value"]],
    [`/project/${web.id}/repositories/new`, {
      git_url: "https://me:secret4711@example.com/shop.git",
    }, ["URL or path"]],
    ["/account/password", { current_password: "secret4711", password: "secret4711" }, [
      "Current password",
      "New password",
    ]],
  ];
  for (const [path, typed, again] of cases) {
    const { browser } = await signInWithForm(world, "alice");
    const page = path === "/account/password" ? "/account/security" : path;
    let html = await (await browser.get(page)).text();
    if (typed.add_secret) {
      html = await (await browser.post(path, { ...sentForm(html, path), add_secret: "add" }))
        .text();
    }
    const marks = [...html.matchAll(/name="secret_field" value="([^"]*)"/g)].map(([, mark]) =>
      mark
    );
    const { add_secret: _, ...values } = { ...sentForm(html, path), ...typed };
    const at = await sendLate(browser, path, { name: "Shown", ...values, secret_field: marks });
    const kept = await Promise.all(
      (await keptRows(world)).filter(({ key }) => key.length === 5)
        .map(({ value }) => world.deps.secrets.open(value)),
    );
    assert.ok(kept.length > 0, path);
    for (const text of kept) assert.doesNotMatch(revealed(text), /secret4711/);

    await signInWithForm(world, "alice", { browser, at });
    const shown = await (await browser.get(path)).text();
    assert.match(shown, /Secrets are not kept\. Enter again:/, path);
    for (const label of again) {
      assert.match(shown, new RegExp(`<a href="#field-[^"]*">${label}</a>`), label);
    }
    assert.doesNotMatch(shown, /secret4711/);
  }
});

Deno.test("saved forms are sealed in the store", async () => {
  await using world = await newWorld();
  const { browser } = await signInWithForm(world, "alice");
  const form = { name: "Readable?", type: "none", form_page: "1" };
  await sendLate(browser, `/project/${world.web.id}/keys/new`, form);
  const rows = await keptRows(world);
  assert.equal(rows.length, 2);
  for (const { key, value } of rows) {
    const text = value instanceof Uint8Array
      ? new TextDecoder().decode(value)
      : JSON.stringify(value);
    assert.doesNotMatch(key.join() + text, /Readable|project|keys/);
  }
});

Deno.test("files and long texts are not kept, and both are named", async () => {
  await using world = await newWorld();
  const { browser } = await signInWithForm(world, "erin");
  for (const size of [10, 1_200_000]) {
    const upload = new FormData();
    upload.append("form_page", "1");
    upload.append("strict", "true");
    upload.append("file", new File(["x".repeat(size)], "backup.json"));
    const at = await sendLate(browser, "/project/restore", upload);
    await signInWithForm(world, "erin", { browser, at });
    const html = await (await browser.get("/project/restore")).text();
    assert.match(html, /Choose the file again/, `${size} bytes`);
    if (size === 10) assert.match(html, /name="strict"[^>]*checked/);
  }
  const path = `/project/${world.web.id}/inventory/new`;
  for (const inventory of ["x".repeat(600_000), '"'.repeat(400_000)]) {
    const at = await sendLate(browser, path, { inventory, type: "static", form_page: "1" });
    await signInWithForm(world, "erin", { browser, at });
    assert.match(await (await browser.get(path)).text(), /too long to keep/);
  }
  const long = "web1\n".repeat(80_000);
  const at = await sendLate(browser, path, { inventory: long, type: "static", form_page: "1" });
  await signInWithForm(world, "erin", { browser, at });
  const shown = sentForm(await (await browser.get(path)).text(), path);
  assert.equal(shown.inventory, long, "400 kB come back");
});

Deno.test("no one unknown has anything kept, and of a browser only the last five forms", async () => {
  await using world = await newWorld();
  const page = (n: number) => `/project/${world.web.id}/keys/new?n=${n}`;
  const form = { name: "Stored", type: "none", form_page: "1" };
  const stranger = newBrowser(world);
  stranger.cookies.callboard_device = "made-up";
  for (const device of ["", "made-up", "x".repeat(1000)]) {
    stranger.cookies.callboard_device = device;
    await sendLate(stranger, page(0), form);
    assert.equal((await keptRows(world)).length, 0);
  }
  const { browser } = await signInWithForm(world, "alice");
  await Promise.all(Array.from({ length: 8 }, (_, n) => sendLate(browser, page(n), form)));
  assert.equal((await keptRows(world)).length, 6, "five forms, and their list");
  await sendLate(browser, page(99), { ...form, name: "Latest" });
  await sendLate(browser, page(99), { ...form, name: "Newer still" });
  assert.equal((await keptRows(world)).length, 6);
  await signInWithForm(world, "alice", { browser });
  assert.match(await (await browser.get(page(99))).text(), /Newer still/);
  assert.equal((await keptRows(world)).length, 5);
});

Deno.test("only forms that a page can show again are kept: buttons lead back to where they were", async () => {
  await using world = await newWorld();
  const { browser } = await signInWithForm(world, "alice");
  const at = await sendLate(browser, `/project/${world.web.id}/views`, { up: "1" });
  assert.match(at, /next=/);
  assert.equal((await keptRows(world)).length, 0);
});

Deno.test("questions of a survey and titles of views come back, too", async () => {
  await using world = await newWorld();
  const { browser } = await signInWithForm(world, "alice");
  const template = `/project/${world.web.id}/templates/${world.deploy.id}/edit`;
  const form = sentForm(await (await browser.get(template)).text(), template);
  const question = { "survey_vars.4.name": "release", "survey_vars.4.choices": "one\ntwo" };
  const at = await sendLate(browser, template, { ...form, ...question });
  await signInWithForm(world, "alice", { browser, at });
  const shown = sentForm(await (await browser.get(template)).text(), template);
  assert.equal(shown["survey_vars.4.name"], "release");
  assert.equal(shown["survey_vars.4.choices"], "one\ntwo");

  const views = `/project/${world.web.id}/views`;
  await browser.post(views, { "title.new": "Nightly" });
  const row = sentForm(await (await browser.get(views)).text(), views, "title.1");
  const back = await sendLate(browser, views, { ...row, "title.1": "Weekly" });
  await signInWithForm(world, "alice", { browser, at: back });
  const html = await (await browser.get(views)).text();
  assert.match(html, /Your session expired/);
  assert.equal(sentForm(html, views, "title.1")["title.1"], "Weekly");
});

Deno.test("the form of each page comes back", async () => {
  await using world = await newWorld();
  const { web, deploy, people } = world;
  const project = `/project/${web.id}`;
  const pages: [path: string, field: string, text: string, page?: string][] = [
    [`${project}/keys/${web.keyId}`, "name", "Typed"],
    [`${project}/repositories/${web.repositoryId}`, "name", "Typed"],
    [`${project}/inventory/${web.inventoryId}`, "name", "Typed"],
    [`${project}/environment/${web.environmentId}`, "json", '{"typed": 1}'],
    [`${project}/templates/new/edit`, "description", "Typed"],
    [`${project}/templates/${deploy.id}/tasks`, "message", "Typed"],
    [`${project}/integration/new`, "name", "Typed"],
    [`${project}/schedules/new`, "name", "Typed"],
    [`${project}/settings`, "name", "Typed"],
    [`${project}/alerts/default`, "alert_chat", "Typed"],
    [`${project}/settings/delete`, "name", "Typed"],
    [`${project}/team/new`, "role", "manager"],
    [`/users/new`, "email", "typed@example.com"],
    [`/users/${people.bob.id}`, "email", "typed@example.com"],
    ["/account", "email", "typed@example.com"],
    ["/account/tokens", "name", "Typed"],
    ["/account/appearance", "timezone", "Europe/Berlin"],
    ["/project/new", "alert_chat", "Typed"],
  ];
  const { browser } = await signInWithForm(world, "erin");
  for (const [path, field, text, page = path] of pages) {
    const form = sentForm(await (await browser.get(page)).text(), path, field);
    const at = await sendLate(browser, path, { ...form, [field]: text });
    const { location } = await signInWithForm(world, "erin", { browser, at });
    const html = await (await browser.get(location)).text();
    assert.match(html, /Your session expired/, path);
    assert.equal(sentForm(html, path, field)[field], text, path);
  }
});

Deno.test("a form of a browser that never signed in is not even read", async () => {
  await using world = await newWorld();
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read++;
      controller.enqueue(new TextEncoder().encode("form_page=1&name="));
      if (read === 20) controller.close();
    },
  }, { highWaterMark: 0 });
  const response = await world.request(`/project/${world.web.id}/keys/new`, {
    method: "POST",
    headers: {
      Cookie: "callboard_device=forged",
      "Content-Type": "application/x-www-form-urlencoded",
      Origin: "http://callboard.test",
    },
    body,
  });
  assert.equal(response.status, 303);
  assert.equal(read, 0);
});
