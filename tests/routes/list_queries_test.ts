import assert from "node:assert/strict";
import * as z from "zod";
import { allOperations } from "@/routes/api/(_tables)/all.ts";
import { goodCall } from "../support/api_calls.ts";
import { newWorld } from "../support/world.ts";

const lists = allOperations.filter(({ method, answer }) =>
  method === "GET" && answer instanceof z.ZodArray
);

/** Values without a meaning that clients send. Some send "0" and "" for "not set". */
const ODD = [
  ...["", "0", "-1", "1.5", "many", "null", "undefined", "NaN", "Infinity", "[]", "{}", "0x"],
  ...["1e999", "99999999999999999999", "-9007199254740993", "\0", "\ud800", "％", "'\"<script>"],
  ...["__proto__", "constructor", "toString", "x".repeat(3_000), "9".repeat(3_000)],
];
const NAMES = ["count", "limit", "before", "after", "page", "sort", "order", "offset"];
/** Empty filters also count as not set. Wrong ones are reported. */
const FILTERS = ["status", "trigger", "template_id", "user_id", "from", "to"];

/** Each name with one of the values, and each value with all names, so that all pairs are sent. */
const someQueries = (names: string[]): string[][][] => [
  ...names.map((name, n) => [[name, ODD[n % ODD.length]]]),
  ...ODD.map((value) => names.map((name) => [name, value])),
];

for (const operation of lists) {
  Deno.test(`${operation.id}: what says nothing about a page counts as not sent`, async () => {
    await using world = await newWorld();
    const { path } = await goodCall(operation, world, "erin");
    const plain = await world.api("erin", "GET", path);
    assert.equal(plain.status, 200);
    const queries = [...someQueries(NAMES), FILTERS.map((name) => [name, ""])];
    for (const query of queries) {
      const asked = new URLSearchParams(query);
      const { status, body, headers } = await world.api("erin", "GET", `${path}?${asked}`);
      assert.equal(status, 200, `${asked}: ${JSON.stringify(body)}`);
      assert.deepEqual(body, plain.body, String(asked));
      assert.equal(headers.get("X-Has-Next"), plain.headers.get("X-Has-Next"));
    }
    // Repeated parameters must not break anything, either.
    const twice = await world.api("erin", "GET", `${path}?count=1&count=2&limit=1&limit=x`);
    assert.equal(twice.status, 200);
  });
}

Deno.test("the family of lists is complete", () => {
  assert.ok(lists.length >= 20, lists.map(({ id }) => id).join(", "));
});

Deno.test("pages take no harm from what says nothing, either", async () => {
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
