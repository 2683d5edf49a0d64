import { createRemote } from "@/lib/queue/remote/remote.ts";
import { join } from "node:path";
import { Builder } from "fresh/dev";
import { createPasswords } from "@/lib/access/passwords.ts";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { endFollowers, workers } from "@/lib/web/server/background.ts";
import { createApp } from "@/lib/web/server/app.ts";
import { loadBuild } from "@/lib/fresh/build_cache.ts";
import { type Config, readConfig } from "@/lib/base/settings/config.ts";
import type { AppDeps } from "@/lib/web/state.ts";
import { createProviders } from "@/lib/oidc/provider.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import type { Store } from "@/lib/store/store.ts";
import { createHub, type LiveMessage } from "@/lib/base/hub.ts";
import type { Log } from "@/lib/base/log.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { runEnvironment } from "@/lib/execution/run/environment.ts";
import { endBuilds } from "@/lib/resources/toolchains/builds.ts";
import { createDoctor } from "@/lib/monitoring/checks/doctor.ts";
import { createMetrics } from "@/lib/monitoring/metrics/metrics.ts";
import { buildOptions } from "@/fresh.config.ts";
import { type Cast, type Person, seedCast } from "./cast.ts";
import { mountApps } from "@/routes/(_pages)/apps.ts";
import { type Lab, seedLab, seedWeb, type Web } from "./projects.ts";

/** Seals the secrets of every world. */
export const WORLD_KEY = crypto.getRandomValues(new Uint8Array(32));

/** A clock that does not move unless a test moves it. */
interface TestClock {
  now(): Date;
  ticks(): number;
  /** Sets the clock, without any time passing. */
  set(time: string | Date): void;
  /** Lets time pass. */
  advance(ms: number): void;
}

/**
 * One answer of the API. `body` is parsed JSON, or the text of anything else, or null without a
 * body.
 */
export interface ApiAnswer {
  status: number;
  // deno-lint-ignore no-explicit-any -- tests say what they expect in it
  body: any;
  headers: Headers;
}

/**
 * Everything that a test needs: Alice and the others, their projects, and the real routes in
 * memory.
 */
export interface World extends AsyncDisposable {
  deps: AppDeps;
  /** A folder for repositories, with the data folder in it. It is removed with the world. */
  folder: string;
  kv: Store;
  clock: TestClock;
  /** The cast: ids, actors for services, and session tokens. Everyone's password is `PASSWORD`. */
  people: Cast;
  /** The project "Web shop" with one of each kind. Dave is not a member. */
  web: Web;
  /** Template "Deploy shop" of the web project. */
  deploy: { id: number };
  /** Dave's own project, in which none of the others is a member. */
  lab: Lab;
  /** All log entries. */
  log: { level: string; event: string; fields: Record<string, unknown> }[];
  /** All messages published on the hub. */
  messages: LiveMessage[];
  /** Calls the API as `person`, or without signing in. */
  api(person: Person | null, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Requests a page without following redirects. */
  get(person: Person | null, path: string, headers?: HeadersInit): Promise<Response>;
  /** Sends a form as a browser does, without following redirects. */
  post(person: Person | null, path: string, form?: FormFields): Promise<Response>;
  /** Sends any request without signing in. Add a cookie or a token to change that. */
  request(path: string, init?: RequestInit & { address?: string }): Promise<Response>;
}

export type FormFields = Record<string, string | string[]> | FormData;

export interface WorldOptions {
  config?: Partial<Config>;
  deps?: Partial<AppDeps>;
  /** A KV file to use instead of memory. */
  kvPath?: string;
  /** First time that its clock shows. */
  start?: Date;
}

const ORIGIN = "http://callboard.test";
const START = "2024-05-02T10:11:12.000Z";

/** State of a machine without problems. */
export const WELL: Awaited<ReturnType<AppDeps["machine"]>> = {
  storeFull: false,
  disk: null,
  ansible: null,
  isolation: null,
  backups: { overdue: false, left: 0, failed: null },
  unexpected: 0,
  lostLines: 0,
  certificate: null,
  stillLoops: [],
};

/** Creates a world: KV in memory, a clock that does not move, the cast and their projects. */
export async function newWorld(options: WorldOptions = {}): Promise<World> {
  const clock = createClock(options.start?.toISOString() ?? START);
  const folder = await Deno.makeTempDir({ prefix: "callboard_world_" });
  const dataDir = join(folder, "data");
  await Deno.mkdir(dataDir);
  const kv = await openStore(options.kvPath ?? ":memory:");
  const log: World["log"] = [];
  const messages: LiveMessage[] = [];
  const deps = await createDeps(kv, clock, dataDir, log, options);
  deps.hub.subscribe((message) => void messages.push(message));
  const isPlain = Object.keys(options).length === 0;
  const { people, web, lab } = isPlain ? await copySeed(deps) : await seed(deps);
  const send = createSender(deps);
  return {
    deps,
    folder,
    kv,
    clock,
    people,
    web,
    deploy: { id: web.templateId },
    lab,
    log,
    messages,
    request: send,
    api: async (person, method, path, body) =>
      await readAnswer(
        await send(path, {
          method,
          headers: { ...cookieOf(people, person), "Content-Type": "application/json" },
          body: body === undefined ? undefined : JSON.stringify(body),
        }),
      ),
    get: (person, path, headers) =>
      send(path, {
        headers: { ...Object.fromEntries(new Headers(headers)), ...cookieOf(people, person) },
      }),
    post: (person, path, form = {}) =>
      send(path, {
        method: "POST",
        headers: { ...cookieOf(people, person), Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" },
        body: form instanceof FormData ? form : formBody(form),
      }),
    async [Symbol.asyncDispose]() {
      await endBuilds(deps);
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function seed(deps: AppDeps): Promise<Pick<World, "people" | "web" | "lab">> {
  const people = await seedCast(deps);
  const web = await seedWeb(deps, people);
  const lab = await seedLab(deps, people);
  return { people, web, lab };
}

/** The rows of the first plain world before its test begins, and what was published about them. */
let firstSeed: Promise<Seed> | undefined;

interface Seed {
  rows: Deno.KvEntry<unknown>[];
  messages: LiveMessage[];
  ids: Awaited<ReturnType<typeof seed>>;
}

/** Copies what the first plain world began with, because seeding takes longer than many tests. */
async function copySeed({ kv, hub }: AppDeps): Promise<Seed["ids"]> {
  firstSeed ??= makeSeed();
  const { rows, messages, ids } = await firstSeed;
  const op = kv.atomic();
  for (const { key, value } of rows) op.set(key, value);
  await op.commit();
  for (const message of messages) hub.publish(message);
  return structuredClone(ids);
}

async function makeSeed(): Promise<Seed> {
  const kv = await openStore(":memory:");
  const messages: LiveMessage[] = [];
  const deps = await createDeps(kv, createClock(START), "/nonexistent", [], {});
  deps.hub.subscribe((message) => void messages.push(message));
  const ids = await seed(deps);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  kv.close();
  return { rows, messages, ids };
}

function createClock(start: string): TestClock {
  let time = Date.parse(start);
  let ticks = 0;
  return {
    now: () => new Date(time),
    ticks: () => ticks,
    set: (to) => void (time = new Date(to).getTime()),
    advance(ms) {
      time += ms;
      ticks += ms;
    },
  };
}

async function createDeps(
  kv: Store,
  clock: TestClock,
  dataDir: string,
  lines: World["log"],
  { config, deps }: WorldOptions,
): Promise<AppDeps> {
  const log: Log = (level, event, fields = {}) => void lines.push({ level, event, fields });
  const settings = readConfig({ get: () => undefined }, "0.0.0-test");
  const hub = createHub((error) => log("error", "listener_failed", { error: String(error) }));
  return {
    kv,
    clock,
    config: { ...settings, dataDir, kv: join(dataDir, "callboard.kv"), ...config },
    log,
    accessLog: null,
    secrets: await createSecretBox(WORLD_KEY),
    passwords: createPasswords(kv, { memoryKib: 8, iterations: 1 }),
    directory: null,
    providers: createProviders([], clock),
    fileRules: [],
    hub,
    live: hub,
    environment: runEnvironment({ ...settings, dataDir }, noIsolation, Deno.env),
    wakeDispatcher() {},
    metrics: createMetrics(),
    running: () => 0,
    ansibleVersion: "ansible-playbook [core 2.19.14]",
    machine: () => Promise.resolve(WELL),
    settings: new Map(),
    backupPlan: null,
    doctor: createDoctor({ get: () => undefined }),
    remote: createRemote({ shared: false }),
    workers,
    endFollowers,
    ...deps,
  };
}

type GiveBuild = (app: ReturnType<typeof createApp>) => void;
let built: Promise<GiveBuild> | undefined;

/** Loads the build that the runner of the tests names. Without one, builds in memory. */
async function loadTestedBuild(): Promise<GiveBuild> {
  const path = Deno.env.get("TESTED_BUILD");
  if (!path) return await new Builder(buildOptions).build({ snapshot: "memory" });
  const buildCache = await loadBuild(buildOptions.root, JSON.parse(await Deno.readTextFile(path)));
  return (app) => void (app.buildCache = buildCache);
}

/**
 * Returns a function that sends requests to the real routes. It creates them at the first request.
 */
export function createSender(deps: AppDeps): World["request"] {
  let handler: Promise<Deno.ServeHandler> | undefined;
  const makeHandler = async () => {
    built ??= loadTestedBuild();
    const app = mountApps(createApp(deps));
    (await built)(app);
    return app.handler() as Deno.ServeHandler;
  };
  return async (path, { address = "192.0.2.1", ...init } = {}) => {
    handler ??= makeHandler();
    const url = new URL(path, deps.config.url ?? ORIGIN);
    const remoteAddr = { transport: "tcp", hostname: address, port: 50_000 } as const;
    const info = { remoteAddr, completed: Promise.resolve() };
    return await (await handler)(new Request(url, { redirect: "manual", ...init }), info);
  };
}

const cookieOf = (people: Cast, person: Person | null): Record<string, string> =>
  person === null ? {} : { Cookie: `callboard=${people[person].token}` };

function formBody(fields: Record<string, string | string[]>): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) body.append(name, value);
  }
  return body;
}

/** Reads an answer with its body. */
export async function readAnswer(response: Response): Promise<ApiAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json");
  return { status, headers, body: text === "" ? null : isJson ? JSON.parse(text) : text };
}
