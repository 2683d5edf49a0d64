import assert from "node:assert/strict";
import { readConfig } from "@/lib/base/settings/config.ts";
import { fieldOf, htmlOf, titleOf } from "@/tests/support/basics/html.ts";
import { decodeMail, startSmtpServer } from "@/tests/support/services/smtp.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const teamOf = ({ web }: World) => `/project/${web.id}/team`;
const location = (response: Response) => response.headers.get("location");

async function roles(world: World): Promise<Record<string, string>> {
  const { body } = await world.api("erin", "GET", `/api/project/${world.web.id}/users`);
  return Object.fromEntries(
    body.map(({ username, role }: { username: string; role: string }) => [username, role]),
  );
}

Deno.test("Everyone sees the team; only Alice may change it", async () => {
  await using world = await newWorld();
  const alices = await htmlOf(await world.get("alice", teamOf(world)));
  assert.equal(titleOf(alices), "Team - Web shop - Callboard");
  assert.match(alices, /New team member/);
  assert.match(alices, /aria-label="Role of Bob"/);
  assert.match(alices, /<button[^>]* disabled[^>]*>\s*Leave Project/, "an owner stays");
  for (const person of ["mike", "bob", "carol"] as const) {
    const html = await htmlOf(await world.get(person, teamOf(world)));
    assert.doesNotMatch(html, /New team member|<select/);
    assert.match(html, /Task runner/);
    assert.match(html, new RegExp(`href="${teamOf(world)}/leave"`));
    assert.equal((await world.get(person, `${teamOf(world)}/new`)).status, 403);
    const bob = String(world.people.bob.id);
    const grab = await world.post(person, teamOf(world), { user_id: bob, role: "owner" });
    assert.equal(grab.status, 403);
    assert.equal((await world.post(person, `${teamOf(world)}/${bob}/delete`)).status, 403);
  }
  assert.equal((await world.get("dave", teamOf(world))).status, 404);
});

Deno.test("Alice adds Dave, changes his role, and removes him", async () => {
  await using world = await newWorld();
  const form = await htmlOf(await world.get("alice", `${teamOf(world)}/new`));
  assert.match(form, /dave \(Dave\)/);
  assert.doesNotMatch(form, /bob \(Bob\)/, "members are no choice");
  assert.match(fieldOf(form, "user_id"), / required/);

  const dave = String(world.people.dave.id);
  const added = await world.post("alice", `${teamOf(world)}/new`, { user_id: dave, role: "guest" });
  assert.equal(location(added), teamOf(world));
  assert.equal((await roles(world)).dave, "guest");
  await world.post("alice", teamOf(world), { user_id: dave, role: "manager" });
  assert.equal((await roles(world)).dave, "manager");

  const remove = `${teamOf(world)}/${dave}/delete`;
  assert.match(
    await htmlOf(await world.get("alice", remove)),
    /remove (&quot;|")Dave(&quot;|") from this project/,
  );
  assert.equal(location(await world.post("alice", remove)), teamOf(world));
  assert.equal((await roles(world)).dave, undefined);
});

Deno.test("The last owner stays one, and the page says why", async () => {
  await using world = await newWorld();
  const alice = String(world.people.alice.id);
  const demoted = await world.post("erin", teamOf(world), { user_id: alice, role: "guest" });
  assert.equal(demoted.status, 422);
  assert.match(await htmlOf(demoted), /role="alert"/);
  const removed = await world.post("erin", `${teamOf(world)}/${alice}/delete`);
  assert.equal(removed.status, 422);
  assert.match(await htmlOf(removed), /role="alert"/);
  assert.equal((await roles(world)).alice, "owner");
});

Deno.test("Bob leaves the project after he was asked, and does not see it any more", async () => {
  await using world = await newWorld();
  const leave = `${teamOf(world)}/leave`;
  assert.match(
    await htmlOf(await world.get("bob", leave)),
    /Do you really want to leave (&quot;|")Web shop/,
  );
  assert.equal(location(await world.post("bob", leave)), "/");
  assert.equal((await world.get("bob", teamOf(world))).status, 404);
});

/** Returns the path of the link that a page shows. */
const linkIn = (html: string) => /https?:\/\/[^<"]+(\/auth\/link\/[^<"]+)/.exec(html)?.[1] ?? "";

Deno.test("Erin adds someone new by name and address, who sets a password by the link", async () => {
  await using world = await newWorld();
  const page = `${teamOf(world)}/new`;
  const form = await htmlOf(await world.get("erin", page));
  assert.match(form, /Can run and stop tasks, and see their output/);
  assert.match(fieldOf(form, "email"), / required/);

  const frank = { who: "new", name: "Frank", email: "bob@example.net", role: "manager" };
  const missing = await world.post("erin", page, { ...frank, email: "" });
  assert.equal(missing.status, 422);
  assert.match(fieldOf(await htmlOf(missing), "email"), / aria-invalid="true"/);

  const added = await world.post("erin", page, frank);
  assert.deepEqual([added.status, added.headers.get("cache-control")], [200, "no-store"]);
  const html = await htmlOf(added);
  assert.match(html, /It sets the password, works once, and ends on/);
  assert.equal((await roles(world))["bob-2"], "manager", "the name bob is taken");
  assert.equal((await world.post(null, linkIn(html), { password: "a new one" })).status, 303);
  const auth = { auth: "bob@example.net", password: "a new one" };
  assert.equal((await world.post(null, "/auth/login", auth)).status, 303);

  const again = await world.post("erin", page, { ...frank, name: "Other" });
  assert.equal(again.status, 422);
  assert.match(fieldOf(await htmlOf(again), "email"), / aria-invalid="true"/);
});

Deno.test("Alice adds only people with an account, and learns of no one's address", async () => {
  await using world = await newWorld();
  const page = `${teamOf(world)}/new`;
  const form = await htmlOf(await world.get("alice", page));
  assert.match(form, /ask an administrator to create one/);
  assert.doesNotMatch(form, /name="(email|who)"/);
  const sent = { who: "new", name: "Frank", role: "guest" };
  for (const email of ["dave@example.com", "nobody@example.com"]) {
    const refused = await world.post("alice", page, { ...sent, email });
    assert.equal(refused.status, 422);
    assert.match(fieldOf(await htmlOf(refused), "user_id"), / aria-invalid="true"/);
  }
  const { body } = await world.api("erin", "GET", "/api/users");
  assert.ok(!body.some(({ name }: { name: string }) => name === "Frank"));

  await using without = await newWorld({ config: { passwordSignIn: false } });
  const other = await htmlOf(await without.get("erin", `${teamOf(without)}/new`));
  assert.match(other, /when they first sign in with your provider/);
  assert.doesNotMatch(other, /name="email"/);
});

Deno.test("a link is mailed to an address that is configured, and a failure is shown", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const { alerts } = readConfig({ get: () => undefined }, "");
  const mailing = (port: number) => ({
    url: new URL("https://console.example.com"),
    alerts: { ...alerts, smtpUrl: `smtp://127.0.0.1:${port}` },
  });
  const frank = { who: "new", name: "Frank", email: "frank@example.com", role: "guest" };
  {
    await using world = await newWorld({ config: mailing(smtp.port) });
    const page = `${teamOf(world)}/new`;
    assert.match(await htmlOf(await world.get("erin", page)), /Also send the link by e-mail/);
    const html = await htmlOf(await world.post("erin", page, { ...frank, mail: "true" }));
    assert.match(html, /The link was sent to frank@example\.com/);
    const [{ to, raw }, ...others] = smtp.mails;
    assert.deepEqual([to, others], [["frank@example.com"], []]);
    const mailed = decodeMail(raw);
    assert.ok(mailed.includes(`https://console.example.com${linkIn(html)}`), mailed);

    const quiet = { ...frank, name: "Greta", email: "greta@example.com" };
    assert.notEqual(linkIn(await htmlOf(await world.post("erin", page, quiet))), "");
    assert.equal(smtp.mails.length, 1, "the box was not ticked");
  }
  await using world = await newWorld({ config: mailing(9) });
  const sent = await world.post("erin", `${teamOf(world)}/new`, { ...frank, mail: "true" });
  const html = await htmlOf(sent);
  assert.match(html, /The e-mail was not sent\. Copy the link instead\./);
  assert.equal((await world.get(null, linkIn(html))).status, 200);
});
