import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { cookiesOf, fieldOf, htmlOf, sentForm } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const location = (response: Response) => response.headers.get("location");

Deno.test("Bob edits his account, and cannot make himself an admin", async () => {
  await using world = await newWorld();
  const shown = await htmlOf(await world.get("bob", "/account"));
  assert.match(fieldOf(shown, "username"), / value="bob"/);
  const form = {
    ...{ name: "Robert", username: "bob", email: "rob@example.com", admin: "true" },
    current_password: PASSWORD,
  };
  const alerts = await world.post("bob", "/account/notifications", { alert: "true" });
  assert.equal(location(alerts), "/account/notifications");
  assert.equal(location(await world.post("bob", "/account", form)), "/account");
  const { body } = await world.api("bob", "GET", "/api/user");
  assert.deepEqual([body.name, body.email, body.alert, body.admin], [
    "Robert",
    "rob@example.com",
    true,
    false,
  ]);
  await world.post("bob", "/account/notifications", {});
  assert.equal((await world.api("bob", "GET", "/api/user")).body.alert, false, "not ticked");
});

Deno.test("profile and notifications are saved in two tabs, and conflict only with themselves", async () => {
  await using world = await newWorld();
  const open = async (path: string) => sentForm(await htmlOf(await world.get("bob", path)), path);
  const [profile, notifications] = ["/account", "/account/notifications"];
  const [first, second] = [await open(profile), await open(profile)];
  const [news, oldNews] = [await open(notifications), await open(notifications)];
  const post = async (path: string, form: Record<string, string>) =>
    (await world.post("bob", path, form)).status;
  assert.equal(await post(profile, { ...first, name: "Robert" }), 303);
  assert.equal(await post(notifications, { ...news, alert: "true" }), 303);
  const { body } = await world.api("bob", "GET", "/api/user");
  assert.deepEqual([body.name, body.username, body.alert], ["Robert", "bob", true]);
  // The same form in a third tab.
  assert.equal(await post(profile, { ...second, name: "Bobby" }), 409);
  assert.equal(await post(notifications, { ...oldNews, notify_own: "failed" }), 409);
  const { body: after } = await world.api("bob", "GET", "/api/user");
  assert.deepEqual([after.name, after.alert, after.notify_own], ["Robert", true, []]);
});

Deno.test("the account has a page for each purpose, and each form returns to its own", async () => {
  await using world = await newWorld();
  const parts = {
    "": /name="username"/,
    "/security": /id="sessions".*id="account-log"/s,
    "/tokens": /id="tokens"/,
    "/keys": /id="own-keys"/,
    "/notifications": /name="alert"/,
    "/appearance": /name="timezone"/,
  };
  for (const [part, text] of Object.entries(parts)) {
    const html = await htmlOf(await world.get("bob", `/account${part}`));
    assert.match(html, text);
    const current = new RegExp(`<a href="/account${part}" aria-current="page"`);
    assert.match(html.slice(html.indexOf("<main")), current);
    for (const [other, theirs] of Object.entries(parts)) {
      if (other !== part) assert.doesNotMatch(html, theirs, `${other} on ${part}`);
    }
  }
  const { location: back } = Object.fromEntries(
    (await world.post("bob", "/account/appearance", { timezone: "Europe/Berlin" })).headers,
  );
  assert.equal(back, "/account/appearance");
  for (const form of ["password", "passkeys", "links", "directory", "sessions", "browsers"]) {
    assert.equal(location(await world.get("bob", `/account/${form}`)), "/account/security", form);
  }
});

Deno.test("A username of someone else is reported at the form, and the typed text is kept", async () => {
  await using world = await newWorld();
  const form = { name: "Robert", username: "Alice", email: "bob@example.com" };
  const answer = await world.post("bob", "/account", form);
  assert.equal(answer.status, 422);
  const html = await htmlOf(answer);
  assert.match(html, /role="alert"/);
  assert.match(fieldOf(html, "username"), / value="Alice"/);
  assert.match(fieldOf(html, "name"), / value="Robert"/);
});

Deno.test("Bob changes his password with the old one; other sessions end", async () => {
  await using world = await newWorld();
  const other = await world.post(null, "/auth/login", { auth: "bob", password: PASSWORD });
  const otherSession = { headers: { Cookie: `callboard=${cookiesOf(other).callboard}` } };
  assert.equal((await world.request("/account", otherSession)).status, 200);

  const path = "/account/password";
  for (const current_password of ["", "wrong"]) {
    const refused = await world.post("bob", path, { current_password, password: "a new secret" });
    assert.equal(refused.status, 422);
    const html = await htmlOf(refused);
    assert.match(html, /id="field-current_password"[^>]* aria-invalid="true"/);
    assert.doesNotMatch(html, /a new secret/);
  }
  const form = { current_password: PASSWORD, password: "a new secret" };
  assert.equal(location(await world.post("bob", path, form)), "/account/security");
  assert.equal((await world.get("bob", "/account")).status, 200, "this session goes on");
  assert.equal((await world.request("/account", otherSession)).status, 303);
  const signedIn = await world.post(null, "/auth/login", { auth: "bob", password: "a new secret" });
  assert.equal(signedIn.status, 303);
});

async function restore(
  world: World,
  person: "erin" | "bob",
  text: string,
  name = "",
): Promise<Response> {
  const form = new FormData();
  form.set("name", name);
  form.set("file", new File([text], "backup.json", { type: "application/json" }));
  return await world.post(person, "/project/restore", form);
}

Deno.test("Erin restores a project from its backup, and is led to the secrets that are missing", async () => {
  await using world = await newWorld();
  await world.api("mike", "POST", `/api/project/${world.web.id}/keys`, {
    name: "Deploy",
    type: "login_password",
    login_password: { login: "x", password: "y" },
  });
  const backup = await world.api("erin", "GET", `/api/project/${world.web.id}/backup`);
  const restored = await restore(world, "erin", JSON.stringify(backup.body));
  assert.equal(restored.status, 303);
  assert.match(location(restored)!, /^\/project\/\d+\/keys$/);
  const keys = await htmlOf(await world.get("erin", location(restored)!));
  assert.match(keys, /Secret missing/);
});

Deno.test("A restored project has the name that was typed, or a number where the file's is taken", async () => {
  await using world = await newWorld();
  const { body } = await world.api("erin", "GET", `/api/project/${world.web.id}/backup`);
  const restoredName = async (typed: string) => {
    const answer = await restore(world, "erin", JSON.stringify(body), typed);
    const id = /\/project\/(\d+)/.exec(location(answer) ?? "")?.[1];
    return (await world.api("erin", "GET", `/api/project/${id}`)).body.name;
  };
  assert.match(await htmlOf(await world.get("erin", "/project/restore")), /name="name"/);
  assert.equal(await restoredName("  Web shop, next year "), "Web shop, next year");
  assert.equal(await restoredName(""), "Web shop (2)");
  assert.equal(await restoredName(""), "Web shop (3)");
  const long = await restore(world, "erin", JSON.stringify(body), "x".repeat(300));
  assert.equal(long.status, 422);
  assert.match(await htmlOf(long), /x{300}/, "what was typed stays");
});

Deno.test("A file that is not a backup is reported in the form, and people who may not create projects are refused", async () => {
  await using world = await newWorld();
  for (const text of ["", "no JSON", "[]", '{"meta": {}}']) {
    const answer = await restore(world, "erin", text);
    assert.equal(answer.status, 422, text);
    assert.match(await htmlOf(answer), /role="alert"/);
  }
  assert.equal((await restore(world, "bob", "{}")).status, 403);
  assert.equal((await world.get("bob", "/project/restore")).status, 403);
});
