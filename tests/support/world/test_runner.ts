import assert from "node:assert/strict";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { putRunner } from "@/lib/runners/repository.ts";
import { newRunner } from "@/lib/runners/new_runner.ts";
import type { RunnerRow } from "@/lib/runners/rows.ts";
import { newRunnerToken } from "@/lib/runners/tokens.ts";
import {
  type PollAnswer,
  type PollRequest,
  PROTOCOL,
  PROTOCOL_HEADER,
  type ReportAnswer,
  type ReportRequest,
  RUNNER_ABILITIES,
  type RunnerPlan,
} from "@/lib/runner/protocol.ts";
import type { TestPlan } from "@/lib/runner/connection_tests.ts";
import { boundTo, newRunnerKeys, openPlan } from "@/lib/runner/seal.ts";
import { wireEvent } from "@/lib/runner/wire_events.ts";
import { FACTS } from "./runners.ts";
import type { World } from "./world.ts";

export const NOTHING_YET = {
  ...{ checkout: null, inventories: null, ansible: null, requirements: null },
  ...{ started: false, outcome: null },
};

/** A runner whose program is the test: it sends what the test says, through the real routes. */
interface TestRunner {
  id: number;
  token: string;
  session: string;
  /** Polls, by default with one free slot and without waiting. */
  poll(request?: Partial<PollRequest>): Promise<PollAnswer>;
  /** Polls until a run arrives. */
  claim(): Promise<NonNullable<PollAnswer["run"]>>;
  open(run: NonNullable<PollAnswer["run"]>): Promise<RunnerPlan>;
  openCheck(check: NonNullable<PollAnswer["check"]>): Promise<TestPlan>;
  report(run: Pick<Claimed, "task_id" | "run">, report?: Report): Promise<ReportAnswer>;
  /** Sends a body to a path of the protocol. */
  send(path: string, body: unknown): Promise<Response>;
  /** The same runner after a restart of its program. */
  restarted(): TestRunner;
}
type Claimed = NonNullable<PollAnswer["run"]>;
interface Report extends Partial<Omit<ReportRequest, "lines" | "events">> {
  lines?: string[];
  events?: RunEvent[];
}

let lastId = 500;

/** Adds a registered runner to the world. */
export async function newTestRunner(
  world: Pick<World, "kv" | "clock" | "request">,
  fields: Partial<RunnerRow> = {},
): Promise<TestRunner> {
  const id = ++lastId;
  const { publicKey, privateKey } = await newRunnerKeys();
  const { text, hash } = newRunnerToken("runner", id);
  const form = {
    name: `dmz-${id}`,
    description: "",
    project_id: null,
    project_ids: [],
    labels: ["dmz"],
    max_parallel_tasks: 0,
  };
  const row = newRunner(id, form, world.clock.now().toISOString());
  const op = world.kv.atomic();
  putRunner(op, { ...row, token_hash: hash, public_key: publicKey, ...fields });
  await op.commit();
  return asRunner(world, id, text, privateKey);
}

function asRunner(
  world: Pick<World, "kv" | "clock" | "request">,
  id: number,
  token: string,
  privateKey: JsonWebKey,
): TestRunner {
  const session = crypto.randomUUID();
  const send = (path: string, body: unknown) =>
    world.request(`/api/runner/${path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        [PROTOCOL_HEADER]: String(PROTOCOL),
        "Content-Type": "application/json",
      },
      body: JSON.stringify(body),
    });
  async function answer<T>(path: string, body: unknown): Promise<T> {
    const response = await send(path, body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  }
  const facts = { ...FACTS, slots: 4, abilities: [...RUNNER_ABILITIES] };
  const poll = (request: Partial<PollRequest> = {}) =>
    answer<PollAnswer>("poll", { session, facts, free: 1, runs: [], wait_ms: 0, ...request });
  return {
    id,
    token,
    session,
    poll,
    send,
    async claim() {
      const { run } = await poll({ wait_ms: 20_000 });
      assert.ok(run, "no run arrived");
      return run;
    },
    open: ({ plan, run }) => openPlan(plan, privateKey, boundTo(id, run)),
    openCheck: ({ plan, check }) => openPlan<TestPlan>(plan, privateKey, boundTo(id, check)),
    report: ({ task_id, run }, { lines = [], events = [], ...more } = {}) =>
      answer<ReportAnswer>(`tasks/${task_id}/report`, {
        session,
        run,
        lines_from: 0,
        lines: lines.map((text) => [world.clock.now().getTime(), text]),
        events_from: 0,
        events: events.map(wireEvent),
        state: NOTHING_YET,
        ...more,
      }),
    restarted: () => asRunner(world, id, token, privateKey),
  };
}
