import assert from "node:assert/strict";
import * as z from "zod";
import { allOperations } from "@/lib/web/api/operations.ts";
import { listParameters } from "@/lib/web/api/list_parameters.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const lists = allOperations.filter(({ method, answer }) =>
  method === "GET" && answer instanceof z.ZodArray
);

/** Values without a meaning. */
const ODD = [
  ...["-1", "1.5", "many", "null", "undefined", "NaN", "Infinity", "[]", "{}", "0x"],
  ...["1e999", "-9007199254740993", "\0", "\ud800", "％", "'\"<script>"],
  ...["__proto__", "constructor", "toString", "x".repeat(3_000), "9".repeat(3_000)],
];
/** Names that are filters of some lists. Pages ignore what they do not know. */
const NAMES = ["count", "limit", "before", "after", "page", "sort", "order", "offset"];
const FILTERS = ["status", "trigger", "template_id", "user_id", "from", "to"];

/** Each name with one of the values, and each value with all names, so that all pairs are sent. */
const someQueries = (names: string[]): string[][][] => [
  ...names.map((name, n) => [[name, ODD[n % ODD.length]]]),
  ...ODD.map((value) => names.map((name) => [name, value])),
];

/** Returns the address of the next page as the header `Link` says. */
const nextOf = (headers: Headers): string | null => {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "") ?? [];
  return url ? new URL(url).pathname + new URL(url).search : null;
};

for (const operation of lists) {
  Deno.test(`${operation.id}: pages of one row are the list, and what means nothing is refused`, async () => {
    await using world = await newWorld();
    const { path } = await goodCall(operation, world, "erin");
    const ask = (query: string) => world.api("erin", "GET", `${path}?${query}`);
    const plain = await world.api("erin", "GET", path);
    assert.equal(plain.status, 200);

    // Clients send these for "not set". The last one is the largest number of Go.
    for (const query of ["limit=&count=0&t=1", "limit=9223372036854775807", "count=1000000"]) {
      const { status, body, headers } = await ask(query);
      assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
      assert.deepEqual(body, plain.body, query);
      assert.equal(nextOf(headers), null);
    }
    for (const size of ["limit", "count"]) {
      const rows = [];
      for (let next: string | null = `${path}?${size}=1`; next;) {
        const { body, headers } = await world.api("erin", "GET", next);
        assert.ok(body.length <= 1, next);
        rows.push(...body);
        next = nextOf(headers);
        assert.equal(headers.get("X-Has-Next") ?? "false", String(next !== null));
      }
      assert.deepEqual(rows, plain.body, size);
    }
    const parameters = Object.keys(listParameters(operation));
    for (const name of [...parameters, "limit", "count"]) {
      for (const value of ODD) {
        const { status, body } = await ask(new URLSearchParams([[name, value]]).toString());
        assert.equal(status, 400, `${name}=${value}: ${JSON.stringify(body)}`);
        assert.deepEqual(Object.keys(body.fields), [name]);
      }
    }
    for (const name of ["limits", "offset", "__proto__"]) {
      const { status, body } = await ask(`${name}=1`);
      assert.equal(status, 400, name);
      assert.ok(body.error.includes(name), body.error);
    }
  });
}

Deno.test("a sort that a list does not know is refused, and known ones order it", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/keys`;
  await world.api("alice", "POST", path, { name: "AAA first", type: "none" });
  const { status, body } = await world.api("carol", "GET", `${path}?sort=nosuch`);
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.fields), ["sort"]);
  assert.equal((await world.api("carol", "GET", `${path}?sort=name&order=up`)).status, 400);
  const names = async (query: string) =>
    (await world.api("carol", "GET", path + query)).body.map(({ name }: { name: string }) => name);
  assert.equal((await names("?sort=name&order=asc"))[0], "AAA first");
  assert.equal((await names("?sort=name&order=desc")).at(-1), "AAA first");
  assert.equal((await names("?sort=&order="))[0], "AAA first");
});

Deno.test("streams of browsers, which cannot send headers, say their language", async () => {
  await using world = await newWorld();
  const operation = allOperations.find(({ id }) => id === "streamTask")!;
  const { path } = await goodCall(operation, world, "alice");
  const stream = (query: string) =>
    world.request(path + query, { headers: { Cookie: `callboard=${world.people.alice.token}` } });
  const response = await stream("?after=0&lang=de");
  assert.equal(response.status, 200);
  await response.body?.cancel();
  const refused = await stream("?after=x&lang=de");
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).error, /^after: .*ganze Zahl/);
});

Deno.test("calls that change something refuse unknown parameters, webhooks take any", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}`;
  const { status, body } = await world.api("alice", "DELETE", `${path}?forced=true`);
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.fields), ["forced"]);
  assert.equal((await world.api("alice", "DELETE", `${path}?force=maybe`)).status, 400);
  assert.equal((await world.api("alice", "GET", path)).status, 200);
  const outside = await world.api("dave", "GET", `${path}/keys?nosuch=1`);
  assert.equal(outside.status, 404, "an outsider learns nothing");
  assert.equal((await world.api(null, "POST", "/api/integrations/nosuch?any=1", {})).status, 404);
});

Deno.test("the family of lists is complete", () => {
  assert.ok(lists.length >= 20, lists.map(({ id }) => id).join(", "));
});

Deno.test("empty events do no harm to pages, either", async () => {
  await using world = await newWorld();
  const project = `/project/${world.web.id}`;
  const pages = [
    `${project}/history`,
    `${project}/activity`,
    `${project}/templates`,
    `${project}/templates/${world.deploy.id}`,
    "/users",
  ];
  const names = [...NAMES, ...FILTERS, "open", "t", "by", "template", "kind", "user"];
  for (const page of pages) {
    for (const query of someQueries(names)) {
      const asked = new URLSearchParams(query);
      const response = await world.get("erin", `${page}?${asked}`);
      await response.body?.cancel();
      assert.equal(response.status, 200, `${page}?${asked}`);
    }
  }
});

Deno.test("a number that is too large asks for as much as there may be", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/events`;
  const plain = await world.api("erin", "GET", path);
  assert.deepEqual((await world.api("erin", "GET", `${path}?limit=100000`)).body, plain.body);
  assert.equal((await world.api("erin", "GET", `${path}?limit=1`)).body.length, 1);
});

Deno.test("lists take the filters that clients of Semaphore send", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const counts = async (path: string, queries: string[]) => {
    const sizes = [];
    for (const query of queries) {
      const { status, body } = await world.api("carol", "GET", `${project}/${path}?${query}`);
      assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
      sizes.push(body.length);
    }
    return sizes;
  };
  const [inventories] = await counts("inventory", [""]);
  assert.ok(inventories > 0);
  // The form of a template asks for the inventories of an app, and for those of the template.
  const ofForm = ["app=ansible", "app=", "app=ansible&template_id=new", "template_id="];
  assert.deepEqual(await counts("inventory", ofForm), ofForm.map(() => inventories));
  const ofOthers = [`app=ansible&template_id=${world.deploy.id}`, "app=terraform", "app=my-app"];
  assert.deepEqual(await counts("inventory", ofOthers), [0, 0, 0]);

  const token = { name: "Token", type: "string", string: "s3cret" };
  assert.equal((await world.api("alice", "POST", `${project}/keys`, token)).status, 201);
  const [keys] = await counts("keys", ["Key+type="]);
  assert.ok(keys > 1);
  const named = ["type=string", "Key%20type=string&sort=name&order=asc", "Key+type=login_password"];
  assert.deepEqual(await counts("keys", named), [1, 1, 0]);

  const build = { ...templateForm(world), name: "Build", type: "build", start_version: "1" };
  assert.equal((await world.api("alice", "POST", `${project}/templates`, build)).status, 201);
  const [templates, builds, deploys] = await counts("templates", ["", "type=build", "type=deploy"]);
  assert.ok(builds > 0 && builds + deploys < templates);
  const apps = ["app=ansible&type=", "app=terraform", "app=ansible&type=build&sort=inventory"];
  assert.deepEqual(await counts("templates", apps), [templates, 0, builds]);

  for (const wrong of ["keys?type=gpg", "templates?type=task", "inventory?template_id=old"]) {
    assert.equal((await world.api("carol", "GET", `${project}/${wrong}`)).status, 400, wrong);
  }
});
