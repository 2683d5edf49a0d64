import assert from "node:assert/strict";
import type * as z from "zod";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Depths at which copying values fails, and at which walking through them fails. */
const DEPTHS = [3_000, 20_000];
const HERE = "@here@";

Deno.test("values that are nested however deep are taken or refused", async () => {
  for (const operation of allOperations) {
    if (!operation.body) continue;
    await using world = await newWorld();
    for (const member of membersOf(operation.body)) {
      for (const depth of DEPTHS) {
        const { path, body } = await goodCall(operation, world, "erin");
        const sent = JSON.stringify({ ...body as object, [member]: HERE });
        const nested = `${'[{"":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`;
        const response = await world.request(path, {
          method: operation.method,
          headers: { Cookie: `callboard=${world.people.erin.token}` },
          body: sent.replace(`"${HERE}"`, () => nested),
        });
        const text = await response.text();
        const told = `${operation.id} ${member} ${depth}: ${response.status} ${text.slice(0, 200)}`;
        assert.ok(response.status < 500, told);
      }
    }
  }
});

/** Returns the names that a body may have, even if its schema is wrapped. */
function membersOf(schema: z.ZodType): string[] {
  const { shape, innerType, in: before } = schema.def as unknown as {
    shape?: Record<string, unknown>;
    innerType?: z.ZodType;
    in?: z.ZodType;
  };
  if (shape) return Object.keys(shape);
  const inner = innerType ?? before;
  return inner ? membersOf(inner) : ["any"];
}
