import * as z from "zod";
import { flagField, idField, lineField, requiredLineField } from "../base/fields.ts";
import { reasonSchema } from "../base/reason.ts";
import { labelsField } from "../base/text/labels.ts";

/** A paused runner gets no new task. A draining one gets none either, and its process then ends. */
const RUNNER_STATES = ["active", "paused", "draining"] as const;
export type RunnerState = (typeof RUNNER_STATES)[number];

const PARALLEL_MAX = 1_000;
const USES_MAX = 100_000;

const countField = (max: number) =>
  z.int("errors.zero_or_greater").min(0, "errors.zero_or_greater")
    .max(max, "errors.number_too_large").nullish().transform((value) => value ?? 0);

const nameField = requiredLineField(100);

/** Members that a runner takes over from the reusable token that created it. */
const placement = {
  /** Projects that a runner of the server is for; empty for all. */
  project_ids: z.array(idField).max(1_000).nullish()
    .transform((ids) => [...new Set(ids ?? [])].toSorted((a, b) => a - b)),
  labels: labelsField,
  max_parallel_tasks: countField(PARALLEL_MAX),
};

export const runnerForm = z.object({
  name: nameField,
  description: lineField(500).nullish().transform((value) => value ?? ""),
  ...placement,
});
export type RunnerForm = z.output<typeof runnerForm>;

/** Members of a body. Labels are called tags there. Clients before 2.17 send a single one. */
const { labels: tags, ...members } = runnerForm.shape;
const body = z.object({
  ...members,
  name: nameField.nullish().transform((name) => name ?? undefined),
  tags,
  tag: labelsField,
  registration_policy: z.literal(["", "standard"], "errors.runners.policy").nullish()
    .transform(() => undefined),
  /** Stored for clients that compare it. Tasks without labels do not depend on it. */
  is_default: flagField,
});
type SentRunner = { tags: string[]; tag: string[] };

function withLabels<Sent extends SentRunner>({ tags, tag, ...sent }: Sent) {
  return { ...sent, labels: tags.length > 0 ? tags : tag };
}

/** Example for the document of the API. */
const runner = {
  name: "dmz-1",
  description: "Behind the firewall of the shop",
  tags: ["dmz"],
  max_parallel_tasks: 2,
};
export const runnerBody = body.extend({
  active: z.boolean().nullish().transform((active) => active ?? true),
  /** Whether the answer should have a registration token. */
  registered: z.boolean().nullish().transform((registered) => registered ?? true),
  webhook: noWebhook(),
}).transform(withLabels).meta({ example: runner });
export type RunnerBody = z.output<typeof runnerBody>;

/** A PUT replaces, so that a runner is paused if `active` is not sent. */
export const runnerChangeBody = body.extend({ active: flagField, webhook: noWebhook() })
  .transform(withLabels).meta({ example: { ...runner, active: true } });
export type RunnerChange = z.output<typeof runnerChangeBody>;

/** A runner calls no webhook. Other values are refused, because they would have no effect. */
function noWebhook() {
  return z.literal("", "errors.runners.webhook").nullish();
}

export const runnerActiveBody = z.object({ active: flagField }).meta({
  name: "ActiveBody",
  example: { active: false },
});
export const runnerStateBody = z.object({ state: z.enum(RUNNER_STATES, "errors.runners.state") })
  .meta({ example: { state: "draining" } });

export const runnerSchema = z.object({
  id: z.int(),
  project_id: z.int().nullable(),
  name: z.string(),
  description: z.string(),
  project_ids: z.array(z.int()),
  tags: z.array(z.string()),
  tag: z.string(),
  max_parallel_tasks: z.int(),
  active: z.boolean(),
  state: z.enum(RUNNER_STATES),
  registered: z.boolean(),
  /** Whether it was seen within the last minute. */
  online: z.boolean(),
  /** Why it takes no new tasks, with what to do next; null if it takes some. */
  reason: reasonSchema.nullable(),
  touched: z.iso.datetime().nullable(),
  version: z.string().nullable(),
  platform: z.string().nullable(),
  ansible: z.string().nullable(),
  isolation: z.string().nullable(),
  /** Number of tasks that its program offers to run in parallel. */
  slots: z.int().nullable(),
  /** Versions of Python that it can build toolchains with; null if it has not said so. */
  pythons: z.array(z.string()).nullable(),
  /** Version of uv, which builds toolchains; null if it has none. */
  uv: z.string().nullable(),
  /** Version of podman, which runs images; null if it has none that works. */
  podman: z.string().nullable(),
  created: z.iso.datetime(),
  webhook: z.string(),
  is_default: z.boolean(),
  cleaning_requested: z.null(),
});
/** A runner as the API returns it. */
export type RunnerView = z.output<typeof runnerSchema>;

/** `token` is empty, because only the runner itself gets its long-lived token. */
export const newRunnerSchema = runnerSchema.extend({
  registration_token: z.string(),
  token: z.string(),
  private_key: z.string(),
});

export const registrationTokenSchema = z.object({
  token: z.string(),
  registration_token: z.string(),
  runner_id: z.int(),
  project_id: z.int().nullable(),
});

export const runnerTagSchema = z.object({ tag: z.string(), number_of_runners: z.int() });
export type RunnerTag = z.output<typeof runnerTagSchema>;

export const rotatedTokenSchema = z.object({ token: z.string() }).meta({ name: "IssuedToken" });

export const runnerTokenForm = z.object({
  name: nameField,
  ...placement,
  uses_max: countField(USES_MAX),
  /** Whether its runners are deleted once they have been silent for ten minutes. */
  one_off: flagField,
  expires_at: z.iso.datetime({ offset: true, error: "errors.time" }).nullish()
    .transform((value) => value ? new Date(value).toISOString() : null),
});
export type RunnerTokenForm = z.output<typeof runnerTokenForm>;

const { labels, ...tokenMembers } = runnerTokenForm.shape;
export const runnerTokenBody = z.object({ ...tokenMembers, tags: labels })
  .transform(({ tags, ...sent }) => ({ ...sent, labels: tags })).meta({
    example: {
      name: "Image of the DMZ",
      tags: ["dmz"],
      max_parallel_tasks: 1,
      uses_max: 20,
      expires_at: "2040-01-01T00:00:00Z",
    },
  });

export const runnerTokenSchema = z.object({
  id: z.int(),
  project_id: z.int().nullable(),
  name: z.string(),
  project_ids: z.array(z.int()),
  tags: z.array(z.string()),
  max_parallel_tasks: z.int(),
  uses_max: z.int(),
  uses: z.int(),
  one_off: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  /** Whether it creates no more runners: it has expired, or is used up. */
  ended: z.boolean(),
  created: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
});
/** A reusable registration token as the API returns it. */
export type RunnerTokenView = z.output<typeof runnerTokenSchema>;

/** Only the answer to its creation contains the token. */
export const newRunnerTokenSchema = runnerTokenSchema.extend({ token: z.string() });
