import assert from "node:assert/strict";
import type { PollRequest } from "../../runner/protocol.ts";
import { newRunner } from "../../runners/new_runner.ts";
import { createPolls, waitFor } from "./polls.ts";

const form = {
  name: "dmz-1",
  description: "",
  project_id: null,
  project_ids: [],
  labels: [],
  max_parallel_tasks: 0,
};
const runner = newRunner(1, form, "2024-05-02T10:00:00.000Z");
const facts = {
  version: "1",
  platform: "linux/x64",
  ansible: null,
  isolation: "none",
  slots: 1,
  abilities: [],
};

const request = (session: string, number: number): PollRequest => ({
  ...{ session, number, facts, free: 1, leaving: false, runs: [], wait_ms: 1_000 },
});

Deno.test("a poll that was overtaken by the next one of its process does not replace it", () => {
  const polls = createPolls();
  const second = polls.hold(runner, request("a", 2));
  const first = polls.hold(runner, request("a", 1));
  polls.release(first);
  assert.deepEqual([first.isOver, second.isOver], [true, false]);
  assert.deepEqual([...polls.offers().values()], [second]);
  const third = polls.hold(runner, request("a", 3));
  assert.deepEqual([second.isOver, third.isOver], [true, false]);
  // Another process of the runner counts anew.
  const other = polls.hold(runner, request("b", 0));
  assert.deepEqual([third.isOver, other.isOver], [true, false]);
});

Deno.test("polls are held for longer where more runners wait", () => {
  assert.deepEqual([0, 1, 16, 100, 200].map(waitFor), [4_000, 4_000, 4_000, 25_000, 45_000]);
});
