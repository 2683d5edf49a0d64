import assert from "node:assert/strict";
import { readConfig } from "@/lib/base/settings/config.ts";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { decodeMail, startSmtpServer } from "@/tests/support/services/smtp.ts";
import { accept, invite, invitesOf, roleIn } from "@/tests/support/world/invites.ts";
import { newBrowser } from "@/tests/support/world/sign_in.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const teamOf = ({ web }: World) => `/project/${web.id}/team`;
const location = (response: Response) => response.headers.get("location");
const FRANK = { email: "frank@example.com", role: "guest", days: "7" };

/** Returns the path of the link that a page shows. */
function linkIn(html: string): string {
  const [, path] = /(\/invite\/[\w.-]+)<\/code>/.exec(html) ?? [];
  assert.ok(path, html);
  return path;
}

Deno.test("Alice invites Dave in the form, and he signs in and accepts", async () => {
  await using world = await newWorld();
  const page = `${teamOf(world)}/invite`;
  const form = await htmlOf(await world.get("alice", page));
  assert.match(fieldOf(form, "email"), / required/);
  assert.match(form, /7 days: Thu, May 9, 2024/);
  const empty = await world.post("alice", page, { email: "", role: "guest", days: "7" });
  assert.equal(empty.status, 422);
  const sent = { email: "dave@example.com", role: "guest", days: "1" };
  const made = await world.post("alice", page, sent);
  assert.equal(made.headers.get("cache-control"), "no-store");
  const html = await htmlOf(made);
  assert.match(html, /Send this link to dave@example\.com.*ends on Fri, May 3, 2024/);
  const link = linkIn(html);
  const team = await htmlOf(await world.get("alice", teamOf(world)));
  assert.match(team, /dave@example\.com[^]*Pending[^]*Alice[^]*Create new link[^]*Withdraw/);
  assert.ok(!team.includes(link.split("/")[2]));
  for (const person of ["mike", "bob", "carol"] as const) {
    assert.doesNotMatch(await htmlOf(await world.get(person, teamOf(world))), /dave@example/);
    assert.equal((await world.get(person, page)).status, 403);
    assert.equal((await world.post(person, page, sent)).status, 403);
  }

  const browser = newBrowser(world);
  const stranger = await htmlOf(await browser.get(link));
  assert.match(stranger, /Alice invites you to the project &quot;Web shop&quot;/);
  const [, signIn] = /href="(\/auth\/login\?next=[^"]+)"/.exec(stranger)!;
  const signedIn = await browser.post(signIn, { auth: "dave", password: PASSWORD });
  assert.equal(location(signedIn), link);
  const own = await browser.get(link);
  assert.equal(own.headers.get("cache-control"), "no-store");
  assert.match(await htmlOf(own), /You are signed in as dave\.[^]*Accept[^]*Decline/);
  const accepted = await browser.post(link, { answer: "accept" });
  assert.equal(location(accepted), `/project/${world.web.id}`);
  assert.equal(await roleIn(world, "dave"), "guest");
  assert.equal((await browser.get(link)).status, 404);
  assert.doesNotMatch(await htmlOf(await world.get("alice", teamOf(world))), /Withdraw/);
});

Deno.test("someone new sets up an account by an administrator's invitation", async () => {
  await using world = await newWorld();
  const link = linkIn(await htmlOf(await world.post("erin", `${teamOf(world)}/invite`, FRANK)));
  const browser = newBrowser(world);
  assert.match(await htmlOf(await browser.get(link)), /Create account and join/);
  const unnamed = await browser.post(link, { answer: "join", name: "" });
  assert.equal(unnamed.status, 422);
  assert.match(await htmlOf(unnamed), /This is required/);
  const joined = await browser.post(link, { answer: "join", name: "Frank Foster" });
  const setsPassword = location(joined)!;
  assert.match(setsPassword, /^\/auth\/link\//);
  assert.match(await htmlOf(await browser.get(setsPassword)), /Choose a password for frank/);
  const done = await browser.post(setsPassword, { password: "a new password" });
  assert.equal(done.status, 303);
  assert.equal((await browser.get(teamOf(world))).status, 200);
  assert.equal(await roleIn(world, "frank"), "guest");
  const { body } = await world.api("erin", "GET", "/api/users");
  const { name, admin, email } = body.find((one: { username: string }) => one.username === "frank");
  assert.deepEqual([name, admin, email], ["Frank Foster", false, "frank@example.com"]);
  assert.equal((await browser.get(link)).status, 404);
});

Deno.test("an account that appears meanwhile is not replaced: its owner signs in", async () => {
  await using world = await newWorld();
  const { path } = await invite(world, { email: "frank@example.com" }, "erin");
  const frank = { name: "Frank", username: "ff", email: "Frank@example.com", password: PASSWORD };
  await world.api("erin", "POST", "/api/users", frank);
  const late = await world.post(null, path, { answer: "join", name: "Mallory" });
  assert.equal(late.status, 422);
  assert.match(await htmlOf(late), /Sign in with your account to accept/);
  assert.equal(await roleIn(world, "frank"), null);
});

Deno.test("a new link ends the old one, and Withdraw ends both", async () => {
  await using world = await newWorld();
  const { id, token } = await invite(world, { email: "dave@example.com" });
  const at = `${teamOf(world)}/invites/${id}`;
  const shown = await world.post("alice", `${at}/link`);
  assert.equal(shown.headers.get("cache-control"), "no-store");
  const link = linkIn(await htmlOf(shown));
  assert.deepEqual(await accept(world, "dave", token), [404, "link_over"]);
  assert.equal((await world.get("dave", link)).status, 200);
  assert.equal(location(await world.get("alice", `${at}/link`)), teamOf(world));
  assert.equal((await world.post("mike", `${at}/link`)).status, 403);
  assert.match(await htmlOf(await world.get("alice", `${at}/delete`)), /no longer works/);
  assert.equal((await world.post("mike", `${at}/delete`)).status, 403);
  assert.equal(location(await world.post("alice", `${at}/delete`)), teamOf(world));
  assert.equal((await world.get("dave", link)).status, 404);
  assert.equal((await world.post("alice", `${at}/link`)).status, 404);
});

Deno.test("an expired invitation comes back by a new link, an answered one does not", async () => {
  await using world = await newWorld();
  const expires_at = "2024-05-03T10:11:12Z";
  const { id } = await invite(world, { email: "dave@example.com", expires_at });
  world.clock.advance(2 * 86_400_000);
  const at = `${teamOf(world)}/invites/${id}`;
  assert.match(await htmlOf(await world.get("alice", teamOf(world))), /Expired/);
  const html = await htmlOf(await world.post("alice", `${at}/link`));
  assert.match(html, /ends on Sun, May 5, 2024/);
  assert.equal(location(await world.post("dave", linkIn(html), { answer: "decline" })), "/");
  assert.equal((await world.post("alice", `${at}/link`)).status, 422);
  assert.match(await htmlOf(await world.get("alice", teamOf(world))), /Declined/);
  assert.equal(await roleIn(world, "dave"), null);
});

Deno.test("a session that has ended leads to the sign-in, and back to the invitation", async () => {
  await using world = await newWorld();
  const { path } = await invite(world, { email: "dave@example.com" });
  const answer = await world.post(null, path, { answer: "accept" });
  assert.equal(answer.status, 303);
  assert.match(location(answer)!, /^\/auth\/login\?next=/);
  assert.equal(await roleIn(world, "dave"), null);
});

Deno.test("a link is mailed to the address if mails are configured, by the form and the API", async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  const { alerts } = readConfig({ get: () => undefined }, "");
  await using world = await newWorld({
    config: {
      url: new URL("https://console.example.com"),
      alerts: { ...alerts, smtpUrl: `smtp://127.0.0.1:${smtp.port}` },
    },
  });
  const page = `${teamOf(world)}/invite`;
  assert.match(await htmlOf(await world.get("alice", page)), /Also send the link by e-mail/);
  const html = await htmlOf(await world.post("alice", page, { ...FRANK, mail: "true" }));
  assert.match(html, /The link was sent to frank@example\.com/);
  const greta = { email: "greta@example.com", role: "guest" };
  const { body } = await world.api("alice", "POST", invitesOf(world), greta);
  assert.equal(body.mailed, true);
  const links = [linkIn(html), body.path];
  assert.deepEqual(smtp.mails.map(({ to }) => to), [["frank@example.com"], ["greta@example.com"]]);
  for (const [n, { raw }] of smtp.mails.entries()) {
    const mailed = decodeMail(raw);
    assert.ok(mailed.includes(`https://console.example.com${links[n]}`), mailed);
    assert.match(mailed, /Invitation to the project "Web shop"/);
  }
  await world.post("alice", page, { ...FRANK, email: "quiet@example.com" });
  assert.equal(smtp.mails.length, 2, "the box was not ticked");
});
