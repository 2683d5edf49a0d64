import assert from "node:assert/strict";
import { AppError } from "../../base/errors.ts";
import { createMemory } from "../memory.ts";
import { createSlots } from "./slots.ts";

const limit = (of: string, max: number) => ({
  of,
  max,
  full: () => new AppError(429, `full ${of}`),
});

Deno.test("a call takes a slot of each limit, or none", () => {
  const server = { memory: createMemory() };
  const slots = createSlots("tests");
  const take = (account: string) => slots.take(server, [limit(account, 1), limit("all", 2)]);
  const release = take("Bob");
  assert.throws(() => take("Bob"), { key: "full Bob" });
  assert.equal(slots.taken(server, "all"), 1);
  take("Carol");
  assert.throws(() => take("Mike"), { key: "full all" });
  release();
  release();
  assert.equal(slots.taken(server, "all"), 1, "it is released once");
  take("Mike");
  assert.equal(slots.taken(server, "Bob"), 0);
});

Deno.test("servers in one process do not share their slots", () => {
  const slots = createSlots("tests");
  slots.take({ memory: createMemory() }, [limit("all", 1)]);
  slots.take({ memory: createMemory() }, [limit("all", 1)]);
});
