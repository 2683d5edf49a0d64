import assert from "node:assert/strict";
import { fieldOf, htmlOf, linkOf, titleOf } from "@/tests/support/basics/html.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const location = (response: Response) => response.headers.get("location");

Deno.test("Only admins see the accounts of the server", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("erin", "/users"));
  assert.equal(titleOf(html), "Users - Admin - Callboard");
  assert.match(html, /alice@example\.com/);
  assert.match(html, /title="Delete Alice"/);
  assert.doesNotMatch(html, /title="Delete Erin"/, "nobody deletes themselves");
  const own = /<button[^>]*title="You cannot delete your own account"[^>]*>/.exec(html)?.[0] ?? "";
  assert.match(own, / disabled/, "it is there, and cannot be pressed");
  assert.match(html, /href="\/users"/);
  assert.doesNotMatch(await htmlOf(await world.get("alice", "/account")), /href="\/users"/);
  for (const path of ["/users", "/users/new", "/users/1", "/users/1/delete"]) {
    assert.equal((await world.get("alice", path)).status, 404, path);
    assert.equal((await world.post("alice", path, { name: "x" })).status, 404, path);
  }
});

Deno.test("Erin adds, changes and deletes an account", async () => {
  await using world = await newWorld();
  const form = { name: "Frank", username: "frank", email: "frank@example.com" };
  const missing = await world.post("erin", "/users/new", { ...form, email: "" });
  assert.equal(missing.status, 422);
  assert.match(fieldOf(await htmlOf(missing), "email"), / aria-invalid="true"/);

  const created = await world.post("erin", "/users/new", { ...form, password: "x", admin: "true" });
  assert.equal(location(created), "/users");
  const path = linkOf(await htmlOf(await world.get("erin", "/users")), "Frank")!;
  assert.match(fieldOf(await htmlOf(await world.get("erin", path)), "admin"), / checked/);

  assert.equal((await world.post("erin", path, { ...form, name: "Frankie" })).status, 303);
  const { body } = await world.api("erin", "GET", `/api${path}`);
  assert.deepEqual([body.name, body.admin], ["Frankie", false], "the box was not ticked");
  assert.equal(
    (await world.post(null, "/auth/login", { auth: "frank", password: "x" })).status,
    303,
  );

  assert.match(
    await htmlOf(await world.get("erin", `${path}/delete`)),
    /delete the user (&quot;|")Frankie/,
  );
  assert.equal(location(await world.post("erin", `${path}/delete`)), "/users");
  assert.equal((await world.get("erin", path)).status, 404);
});

Deno.test("Erin keeps her admin rights when she saves her own account", async () => {
  await using world = await newWorld();
  const form = { name: "Erin E.", username: "erin", email: "erin@example.com" };
  const path = `/users/${world.people.erin.id}`;
  assert.match(fieldOf(await htmlOf(await world.get("erin", path)), "admin"), / disabled/);
  assert.equal((await world.post("erin", path, form)).status, 303);
  assert.equal((await world.get("erin", "/users")).status, 200);
  const deleted = await world.post("erin", `${path}/delete`);
  assert.ok(deleted.status >= 400);
  assert.equal((await world.get("erin", "/users")).status, 200);
});

Deno.test("Accounts come fifty a page", async () => {
  await using world = await newWorld();
  for (let n = 10; n < 90; n++) {
    const email = `user${n}@example.com`;
    const form = { name: `User ${n}`, username: `user${n}`, email, password: "x" };
    assert.equal((await world.post("erin", "/users/new", form)).status, 303);
  }
  const first = await htmlOf(await world.get("erin", "/users"));
  assert.equal(first.match(/<tr/g)?.length, 51);
  const second = await htmlOf(await world.get("erin", linkOf(first, "Next")!));
  assert.match(second, /User 89/);
  assert.equal(linkOf(second, "Next"), undefined);
});

Deno.test("Erin adds an account without a password, replaces its link, and withdraws it", async () => {
  await using world = await newWorld();
  const linkIn = (html: string) => /(\/auth\/link\/[^<"]+)/.exec(html)?.[1] ?? "";
  const form = { name: "Frank", username: "frank", email: "frank@example.com" };
  const created = await world.post("erin", "/users/new", form);
  assert.deepEqual([created.status, created.headers.get("cache-control")], [200, "no-store"]);
  const first = linkIn(await htmlOf(created));
  assert.equal((await world.get(null, first)).status, 200);

  const page = linkOf(await htmlOf(await world.get("erin", "/users")), "Frank")!;
  assert.match(await htmlOf(await world.get("erin", page)), /A link is open\. It works once/);
  const replaced = await world.post("erin", `${page}/link`);
  const second = linkIn(await htmlOf(replaced));
  assert.equal((await world.get(null, first)).status, 404);
  assert.equal((await world.get(null, second)).status, 200);

  const withdrawn = await world.post("erin", `${page}/link`, { withdraw: "true" });
  assert.equal(location(withdrawn), page);
  assert.equal((await world.get(null, second)).status, 404);
  assert.match(await htmlOf(await world.get("erin", page)), /has no password yet/);
  assert.equal(location(await world.get("erin", `${page}/link`)), page);

  const bobs = `/users/${world.people.bob.id}`;
  assert.doesNotMatch(await htmlOf(await world.get("erin", bobs)), /id="sign-in-link"/);
  assert.equal((await world.post("erin", `${bobs}/link`)).status, 422);

  await using without = await newWorld({ config: { passwordSignIn: false } });
  const refused = await without.post("erin", "/users/new", form);
  assert.equal(refused.status, 422);
  assert.match(fieldOf(await htmlOf(refused), "password"), / aria-invalid="true"/);
});
