import { gunzipSync } from "node:zlib";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import {
  FINAL_CODES,
  POLL_MS_MAX,
  type PollAnswer,
  type PollRequest,
  pollRequestSchema,
  PROTOCOL_HEADER,
  registerRequestSchema,
  REPORT_BYTES_MAX,
  type ReportRequest,
  reportRequestSchema,
  type RunnerPlan,
  type RunState,
  type RunStop,
} from "@/lib/runner/protocol.ts";
import { boundTo, sealPlan } from "@/lib/runner/seal.ts";
import { readWireEvent } from "@/lib/runner/wire_events.ts";
import { until } from "@/tests/support/basics/until.ts";

/** A run as the server side of a test has it. */
export interface ServedRun {
  taskId: number;
  run: string;
  lines: string[];
  times: number[];
  events: RunEvent[];
  state: RunState | null;
  stop: RunStop | null;
  ended: boolean;
  /** Number of lines that a lost server would still have. By default all. */
  storedMax: number;
}

interface Call {
  kind: "poll" | "report" | "register" | "token";
  body: unknown;
  request: Request;
  /** Number of this call among all of its kind, from 1. */
  n: number;
}

/** Answers a call in place of the server; null for what the server itself answers. */
type Interfere = (call: Call) => Response | null | Promise<Response | null>;

const RUNNER_ID = 7;
export const RUNNER_TOKEN = "token-of-runner-7";

/** The server's side of the protocol, in a few lines, for tests of the program. */
export function serveRunner(ownKey?: () => string) {
  let registeredKey = "";
  const publicKey = ownKey ?? (() => registeredKey);
  const runs = new Map<string, ServedRun & { plan: RunnerPlan; limitMs: number }>();
  const polls: PollRequest[] = [];
  const reports: ReportRequest[] = [];
  const claimed = new Set<string>();
  /** The token that is valid, and the one that replaces it when it is first used. */
  const tokens = { current: RUNNER_TOKEN, next: "" };
  let isClosing = false;
  let turn = 0;
  const counts = { poll: 0, report: 0, register: 0, token: 0 };
  let wake = Promise.withResolvers<void>();
  const ring = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const control = {
    /** Called before a call is answered. */
    before: (() => null) as Interfere,
    /** Called with the answer, which may be lost. The call has had its effect. */
    after: (() => null) as Interfere,
    clockMs: 0,
    drain: false,
  };

  async function answerPoll(request: PollRequest): Promise<PollAnswer> {
    polls.push(request);
    const until = performance.now() + request.wait_ms;
    const began = turn;
    while (true) {
      const known = new Map(request.runs.map((one) => [one.run, one.stop]));
      const open = [...runs.values()].filter(({ ended }) => !ended);
      const next = open.find(({ run }) => !known.has(run));
      const stops = [...known].flatMap(([run, stop]) => {
        const wanted = runs.has(run) ? runs.get(run)!.stop : "gone";
        return wanted && wanted !== stop ? [{ run, stop: wanted }] : [];
      });
      const offered = next && (request.free > 0 || claimed.has(next.run)) ? next : null;
      const left = until - performance.now();
      if (
        offered || stops.length > 0 || control.drain || isClosing || turn !== began || left <= 0
      ) {
        return {
          now: Date.now() + control.clockMs,
          run: offered && {
            task_id: offered.taskId,
            run: offered.run,
            project_id: 1,
            plan: await sealPlan(offered.plan, publicKey(), boundTo(RUNNER_ID, offered.run)),
            time_limit_ms: offered.limitMs,
            output_bytes_max: 0,
          },
          check: null,
          stops,
          drain: control.drain,
          wait_ms: POLL_MS_MAX,
        };
      }
      const timer = setTimeout(ring, left);
      await wake.promise;
      clearTimeout(timer);
    }
  }

  function answerReport(report: ReportRequest) {
    reports.push(report);
    const known = runs.get(report.run);
    if (!known) return { lines: 0, events: 0, stored_lines: 0, stop: "gone", ended: true };
    if (report.lines_from <= known.lines.length) {
      for (const [at, line] of report.lines.slice(known.lines.length - report.lines_from)) {
        known.lines.push(line);
        known.times.push(at);
      }
    }
    if (report.events_from <= known.events.length) {
      for (const event of report.events.slice(known.events.length - report.events_from)) {
        known.events.push(readWireEvent(event) ?? { type: "lost", count: 1 });
      }
    }
    known.state = report.state;
    const { outcome } = report.state;
    known.ended = outcome?.lines === known.lines.length && outcome.events === known.events.length;
    return {
      lines: known.lines.length,
      events: known.events.length,
      stored_lines: Math.min(known.lines.length, known.storedMax),
      stop: known.stop,
      ended: known.ended,
    };
  }

  async function handle(request: Request): Promise<Response> {
    const kind = new URL(request.url).pathname.split("/").at(-1) as Call["kind"];
    const bytes = await request.bytes();
    const zipped = request.headers.get("content-encoding") === "gzip";
    const text = zipped ? gunzipSync(bytes) : bytes;
    const body = JSON.parse(new TextDecoder().decode(text));
    if (text.length > REPORT_BYTES_MAX) throw new Error("The body is too large");
    const call = { kind, body, request, n: ++counts[kind] };
    const early = await control.before(call);
    if (early) return early;
    if (request.headers.get(PROTOCOL_HEADER) !== "1") throw new Error("no version");
    if (kind === "register") {
      const { public_key, name } = registerRequestSchema.parse(body);
      registeredKey = public_key;
      return Response.json({ runner_id: RUNNER_ID, name, token: RUNNER_TOKEN });
    }
    const token = request.headers.get("authorization")?.replace("Bearer ", "");
    if (token && token === tokens.next) [tokens.current, tokens.next] = [token, ""];
    if (token !== tokens.current) {
      const error = "The token is not valid.";
      return Response.json({ error, code: FINAL_CODES.revoked }, { status: 401 });
    }
    if (kind === "token") {
      tokens.next = `token-${crypto.randomUUID()}`;
      return await control.after(call) ?? Response.json({ token: tokens.next });
    }
    const answer = kind === "poll"
      ? await answerPoll(pollRequestSchema.parse(body))
      : answerReport(reportRequestSchema.parse(body));
    return await control.after(call) ?? Response.json(answer);
  }

  const start = (port = 0) =>
    Deno.serve({ port, hostname: "127.0.0.1", onListen() {}, onError: failed }, handle);
  let server: Deno.HttpServer<Deno.NetAddr> | null = start();
  const { port } = server.addr;
  const failures: unknown[] = [];
  function failed(error: unknown) {
    failures.push(error);
    return new Response("Internal Server Error", { status: 500 });
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    runnerId: RUNNER_ID,
    control,
    tokens,
    polls,
    reports,
    failures,
    runs,
    offer(plan: RunnerPlan["plan"], limitMs = 0): ServedRun {
      const run = {
        ...{ taskId: plan.taskId, run: crypto.randomUUID(), lines: [], times: [], events: [] },
        ...{ state: null, stop: null, ended: false, storedMax: Infinity },
        plan: { kind: "playbook" as const, plan },
        limitMs,
      };
      runs.set(run.run, run);
      ring();
      return run;
    },
    /** Makes a run one that an earlier poll has claimed. */
    claim: (run: ServedRun) => void claimed.add(run.run),
    stop(run: ServedRun, stop: RunStop) {
      run.stop = stop;
      ring();
    },
    /** Forgets a run, as a server does that has ended its task. */
    forget(run: ServedRun) {
      runs.delete(run.run);
      ring();
    },
    /** Answers all polls that are held. */
    endPolls() {
      turn++;
      ring();
    },
    async away(work: () => Promise<void>) {
      isClosing = true;
      ring();
      await server!.shutdown();
      server = null;
      await work();
      isClosing = false;
      server = start(port);
    },
    ended: (run: ServedRun) => until(() => run.ended),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      ring();
      await server?.shutdown();
    },
  };
}
