import assert from "node:assert/strict";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import { pageAddresses } from "@/tests/support/world/page_addresses.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Returns the addresses of all pages. Each parameter except the project is the id of nothing. */
const pagePaths = async (projectId: number): Promise<string[]> =>
  (await pageAddresses())
    .map((path) => path.replace("[projectId]", String(projectId)).replaceAll(/\[\w+\]/g, "1"));

Deno.test("no page fails when it is opened, also where only a form is sent", async () => {
  await using world = await newWorld();
  const paths = await pagePaths(world.web.id);
  assert.ok(paths.length > 100, `${paths.length} pages`);
  const failed: string[] = [];
  for (const path of paths) {
    for (const person of ["erin", null] as const) {
      const { status, body } = await world.get(person, path);
      await body?.cancel();
      if (status >= 500) failed.push(`${person} ${path}: ${status}`);
    }
  }
  assert.deepEqual(failed, []);
  assert.deepEqual(world.log.filter(({ event }) => event === "request_failed"), []);
});

Deno.test("the address of signing out asks who is signed in, and leads others to the sign-in", async () => {
  await using world = await newWorld();
  const asked = await world.get("bob", "/auth/logout");
  const html = await asked.text();
  assert.equal(asked.status, 200);
  assert.match(html, /<form [^>]*method="post"[^>]*action="\/auth\/logout"/);
  assert.match(html, /You are signed in as bob\./);
  assert.equal((await world.api("bob", "GET", "/api/user")).status, 200, "only the button ends it");
  const sent = await world.post("bob", "/auth/logout");
  assert.equal(sent.headers.get("location"), "/auth/login");
  assert.equal(cookiesOf(sent).callboard, "");
  const afterwards = await world.get(null, "/auth/logout");
  assert.equal(afterwards.status, 303);
  assert.equal(afterwards.headers.get("location"), "/auth/login");
});
