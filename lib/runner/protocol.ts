import * as z from "zod";
import type { Sentence } from "../base/errors.ts";
import { lineField, requiredLineField } from "../base/fields.ts";
import type { AnsiblePlan } from "../execution/ansible/plan.ts";
import { usedRequirements } from "../execution/run/used_requirements.ts";

/**
 * Version of the protocol between a server and its runners, in the header `X-Callboard-Runner` of
 * each request. A server speaks this version and the one before it. It answers 426 to others.
 */
export const PROTOCOL = 1;
export const PROTOCOL_HEADER = "x-callboard-runner";

/**
 * Codes in the server's errors that end a runner's process. A proxy may answer the same statuses,
 * in JSON too.
 */
export const FINAL_CODES = { revoked: "runner_unknown", replaced: "runner_replaced" } as const;

/** Longest time for which the server holds a poll. */
export const POLL_MS_MAX = 45_000;
/** Polls are short where that costs little: a runner whose connection died notices it earlier. */
export const POLL_MS_MIN = 4_000;
/** A runner that was silent for longer is shown with the time when it was last seen. */
export const RUNNER_SILENT_MS = 60_000;
/** Limits of one report, before it is compressed. A line has at most 16 KiB. */
export const REPORT_BYTES_MAX = 1024 * 1024;
export const REPORT_ITEMS_MAX = 5_000;

const id = z.int().positive();
const count = z.int().nonnegative();
/** Milliseconds since the epoch, within what `Date` holds. */
const time = z.int().min(0).max(8.64e15);
const shortText = lineField(200);

/**
 * Parts of plans that not every program knows. Runners list those that they know, so that no plan
 * goes to one that would ignore a part of it.
 */
export const RUNNER_ABILITIES = [
  "references",
  "certificates",
  "ssh_keys",
  "toolchains",
  "hosts",
  "authorities",
  "images",
  "galaxy",
  "working_directory",
  "requirements",
] as const;
export type RunnerAbility = (typeof RUNNER_ABILITIES)[number];

/** The machine and the program of a runner, as it describes itself. */
const runnerFactsSchema = z.object({
  version: shortText,
  /** For example "linux/x64". */
  platform: shortText,
  /** First line of `ansible-playbook --version`; null if none was found. */
  ansible: shortText.nullable(),
  isolation: shortText,
  /** Number of tasks that it runs in parallel. */
  slots: z.int().min(1).max(1_000),
  abilities: z.array(shortText).max(100),
  /** Programs that toolchains need. A runner that was never started has not looked for them. */
  tools: z.object({
    pythons: z.array(shortText).max(100),
    uv: shortText.nullable(),
    podman: shortText.nullable(),
  }).optional(),
});
export type RunnerFacts = z.output<typeof runnerFactsSchema>;

export const registerRequestSchema = z.object({
  /** A one-time token of a runner that exists, or a reusable token, which creates a runner. */
  token: z.string().min(1).max(500),
  /** Raw X25519 public key in base64url, to which secrets of plans are sealed. */
  public_key: z.string().regex(/^[\w-]{43}$/),
  /** Name of a runner that a reusable token creates. */
  name: requiredLineField(100),
  facts: runnerFactsSchema,
}).meta({
  example: {
    token: "cbo_….7",
    public_key: "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo",
    name: "dmz-1",
    facts: {
      version: "1.0.0",
      platform: "linux/x64",
      ansible: "ansible-playbook [core 2.19.1]",
      isolation: "bwrap",
      slots: 2,
      abilities: ["toolchains"],
    },
  },
});
export const registerAnswerSchema = z.object({
  runner_id: id,
  name: z.string(),
  /** Long-lived token for all further requests. */
  token: z.string(),
});

/** Ways to end a run. `gone`: the server no longer knows the run, or has ended its task. */
const stopSchema = z.enum(["stop", "force", "gone"]);
export type RunStop = z.output<typeof stopSchema>;

export const pollRequestSchema = z.object({
  /** Id of the runner's process, created when it starts. */
  session: z.uuid(),
  /** Number of this poll in the session. If polls overtake each other, the highest one counts. */
  number: count.default(0),
  facts: runnerFactsSchema,
  /** Number of further runs that the process would take now. */
  free: count.max(1_000),
  /** Whether the process has no runs and ends after this poll. */
  leaving: z.boolean().default(false),
  /** Runs whose end the server has not acknowledged, with the stop that the runner knows of. */
  runs: z.array(z.object({ task_id: id, run: z.uuid(), stop: stopSchema.nullable() })).max(1_000),
  /** Time for which the server may hold the poll. */
  wait_ms: count.max(POLL_MS_MAX),
}).meta({
  example: {
    session: "0b2a0c9e-6a3b-4a5e-9a57-3f6f1a2b3c4d",
    facts: {
      version: "1.0.0",
      platform: "linux/x64",
      ansible: "ansible-playbook [core 2.19.1]",
      isolation: "bwrap",
      slots: 2,
      abilities: ["toolchains"],
    },
    free: 2,
    runs: [],
    wait_ms: 45_000,
  },
});
export type PollRequest = z.output<typeof pollRequestSchema>;

export const pollAnswerSchema = z.object({
  /** The server's clock. Times in reports are corrected by the difference. */
  now: time,
  /** A run to begin. It is answered again until the runner lists it. */
  run: z.object({
    task_id: id,
    run: z.uuid(),
    project_id: id,
    /** The sealed plan, in base64: see seal.ts. */
    plan: z.string(),
    /** The server's limit for the whole run, or 0. */
    time_limit_ms: count,
    /** Its limit for the bytes of the output, or 0. */
    output_bytes_max: count,
  }).nullable(),
  /** A sealed `TestPlan` (see checks.ts). Its answer is a call of its own, and it takes no slot. */
  check: z.object({ check: z.uuid(), project_id: id, plan: z.string() }).nullable(),
  /** Runs to be ended in another way than the runner knows of. */
  stops: z.array(z.object({ run: z.uuid(), stop: stopSchema })),
  /** Whether the process should end once its runs have ended. */
  drain: z.boolean(),
  /** Time for which the next poll should be held. */
  wait_ms: count.max(POLL_MS_MAX),
});
export type PollAnswer = z.output<typeof pollAnswerSchema>;

const commitSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{1,64}$/),
  message: z.string().max(1_000),
});

const keySchema = z.string().max(100).regex(/^[a-z_]+(\.[a-z_]+)+$/);
const textParam = z.union([z.string().max(10_000), z.number()]);
/** Sentences in sentences are at most this deep. Deeper ones might exhaust the stack. */
const plainSentence = reportedSentence(textParam);
const listSentence = reportedSentence(
  z.union([textParam, plainSentence, z.array(plainSentence).max(100)]),
);

/** Schema of a sentence as runners report it: see `heldSentence`. */
const sentenceSchema: z.ZodType<Sentence> = reportedSentence(
  z.union([textParam, listSentence, z.array(listSentence).max(100)]),
);

function reportedSentence<T extends z.ZodType>(param: T) {
  return z.object({
    key: keySchema,
    params: z.record(z.string().regex(/^[a-z]\w{0,49}$/i), param).optional(),
  });
}

/** End of a run. It applies once the server has as many lines and events. */
const outcomeSchema = z.object({
  end: z.enum(["success", "error", "stopped"]),
  reason: sentenceSchema.nullable(),
  lines: count,
  events: count,
});

/**
 * A report about one run. Lines and events are numbered from 0, so that a report may be sent again.
 * `state` is everything that is known of the run so far, in each report.
 */
export const reportRequestSchema = z.object({
  session: z.uuid(),
  run: z.uuid(),
  /** Whether this server may take the run over from another one, which does not answer. */
  take_over: z.boolean().default(false),
  /** Number of the first line, then each line with its time. */
  lines_from: count,
  lines: z.array(z.tuple([time, z.string().max(64 * 1024)])).max(REPORT_ITEMS_MAX),
  events_from: count,
  /** Each is checked by `readWireEvent`. */
  events: z.array(z.unknown()).max(REPORT_ITEMS_MAX),
  state: z.object({
    checkout: commitSchema.nullable(),
    inventories: commitSchema.nullable(),
    /** Version of the Ansible of the plan's toolchain. */
    ansible: shortText.nullable(),
    /** Roles and collections of its requirement files. */
    requirements: usedRequirements.nullable(),
    started: z.boolean(),
    outcome: outcomeSchema.nullable(),
  }),
});
export type ReportRequest = z.output<typeof reportRequestSchema>;
export type RunState = ReportRequest["state"];

export const reportAnswerSchema = z.object({
  /** Number of lines and events that the server has. The runner continues from there. */
  lines: count,
  events: count,
  /** Number of stored lines, which the runner need not keep. */
  stored_lines: count,
  stop: stopSchema.nullable(),
  /** Whether the end is stored. The runner forgets the run. */
  ended: z.boolean(),
});
export type ReportAnswer = z.output<typeof reportAnswerSchema>;

/** The runner's answer to a connection test: see checks.ts. */
export const testReportSchema = z.object({
  answer: z.unknown().optional(),
  failure: sentenceSchema.nullable(),
}).meta({ example: { answer: ["main", "next"], failure: null } });
export type TestReport = z.output<typeof testReportSchema>;

/** A plan of any kind that a runner can carry out. Another kind adds a member to this union. */
export interface RunnerPlan {
  kind: "playbook";
  plan: AnsiblePlan;
}
