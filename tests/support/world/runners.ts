import assert from "node:assert/strict";
import { openProject, requireAdmin } from "@/lib/access/scope.ts";
import { insertRunnerToken } from "@/lib/runners/repository.ts";
import type { RunnerTokenRow } from "@/lib/runners/rows.ts";
import { createRunner } from "@/lib/runners/service.ts";
import { runnerForm } from "@/lib/runners/schema.ts";
import { newRunnerToken } from "@/lib/runners/tokens.ts";
import { PROTOCOL, PROTOCOL_HEADER, type RunnerFacts } from "@/lib/runner/protocol.ts";
import { type ApiAnswer, readAnswer, type World } from "./world.ts";

export const FACTS: RunnerFacts = {
  version: "1.2.3",
  platform: "linux/x64",
  ansible: "ansible-playbook [core 2.19.1]",
  isolation: "bwrap",
  slots: 2,
  abilities: [],
  tools: { pythons: ["3.9", "3.11"], uv: null, podman: "5.4.2" },
};

export const PUBLIC_KEY = "pJ2lwHu5ZHPALMixMSNDiBuk5a1lP1mj-AacYliGawA";

/** Calls the API as the program of a runner does. */
export async function runnerApi(
  world: World,
  path: string,
  { token, body, headers = {}, address }: {
    token?: string;
    body?: unknown;
    headers?: Record<string, string>;
    address?: string;
  } = {},
): Promise<ApiAnswer> {
  return await readAnswer(
    await world.request(path, {
      method: "POST",
      address,
      headers: {
        "Content-Type": "application/json",
        [PROTOCOL_HEADER]: String(PROTOCOL),
        ...token && { Authorization: `Bearer ${token}` },
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
}

/** Exchanges a registration token. */
export const register = (
  world: World,
  token: string,
  name = "program",
  publicKey = PUBLIC_KEY,
) =>
  runnerApi(world, "/api/runner/register", {
    body: { token, public_key: publicKey, name, facts: FACTS },
  });

/** Creates a runner of the web project, or of the server if `projectId` is null. */
export async function newRunner(
  { deps, people, web }: World,
  form: Record<string, unknown> = {},
  projectId: number | null = web.id,
): Promise<{ id: number; registrationToken: string }> {
  const scope = projectId === null
    ? requireAdmin({ deps, actor: people.erin.actor })
    : await openProject({ deps, actor: people.alice.actor }, projectId, "manage_runners");
  const parsed = runnerForm.parse({ name: "dmz-1", ...form });
  const { runner, registrationToken } = await createRunner(scope, parsed);
  return { id: runner.id, registrationToken };
}

/** Creates and registers a runner. */
export async function registeredRunner(
  world: World,
  form: Record<string, unknown> = {},
  projectId: number | null = world.web.id,
): Promise<{ id: number; token: string }> {
  const { id, registrationToken } = await newRunner(world, form, projectId);
  const { status, body } = await register(world, registrationToken);
  assert.equal(status, 201, JSON.stringify(body));
  return { id, token: body.token };
}

/** Stores a reusable registration token, and returns its text. */
export async function reusableToken(
  world: World,
  row: Partial<RunnerTokenRow> = {},
): Promise<string> {
  const { text, hash } = newRunnerToken("reusable", row.id ?? 1);
  const op = world.kv.atomic();
  await insertRunnerToken(world.kv, op, {
    id: 1,
    name: "Image",
    hash,
    project_id: world.web.id,
    project_ids: [],
    labels: ["dmz"],
    max_parallel_tasks: 3,
    uses_max: 0,
    uses: 0,
    one_off: false,
    expires_at: null,
    created: world.clock.now().toISOString(),
    last_used: null,
    ...row,
  });
  assert.ok((await op.commit()).ok);
  return text;
}
