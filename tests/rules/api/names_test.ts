import assert from "node:assert/strict";
import * as z from "zod";
import type { Operation } from "@/lib/access/operation.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { runnerApi } from "@/tests/support/world/runners.ts";
import { newWorld } from "@/tests/support/world/world.ts";

/** Characters in names that must not reach pages, mails, file names or log lines. */
const CONTROLS = ["\0", "\n", "\r", "\x1b", "\x7f", "\x85"];

/** Returns the members of an operation's body that are names. */
function nameFields({ body }: Operation): string[] {
  const { properties = {} } = z.toJSONSchema(body ?? z.object(), {
    io: "input",
    unrepresentable: "any",
  });
  return ["name", "title", "username"].filter((field) => field in properties);
}

Deno.test("names of things are one line of text", async () => {
  const named: string[] = [];
  for (const operation of allOperations) {
    const fields = nameFields(operation);
    // Callers find this door closed, whatever they send, unless a setting opens it.
    if (fields.length === 0) continue;
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "erin");
    // A program of a runner says which protocol it speaks before its body is read.
    const call = operation.id === "registerRunner"
      ? (sent: unknown) => runnerApi(world, path, { body: sent })
      : (sent: unknown) => world.api("erin", operation.method, path, sent);
    for (const field of fields) {
      named.push(`${operation.id} ${field}`);
      for (const control of CONTROLS) {
        const sent = { ...(body as object), [field]: `a${control}b` };
        const answer = await call(sent);
        const where = `${operation.id}: ${JSON.stringify(sent[field])}`;
        assert.equal(answer.status, 400, where);
        assert.equal(
          answer.body.fields?.[field],
          "This must not contain control characters.",
          where,
        );
      }
    }
  }
  assert.ok(named.length > 15, named.join(", "));
});
