import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recordEvent } from "../../lib/events/record.ts";
import { rememberDue } from "../../lib/hosts/loop.ts";
import { queueHosts } from "../../lib/hosts/outbox.ts";
import { openLog } from "../../lib/output/writer.ts";
import { createResultWriter } from "../../lib/results/writer.ts";
import { systemActor, taskEvent } from "../../lib/tasks/changes.ts";
import { advance } from "../../lib/tasks/steps.ts";
import { emptyRecap } from "../../lib/execution/run/events.ts";
import { play, result, task as announced } from "../../tests/support/told_task.ts";
import { newWorld, type World } from "../../tests/support/world.ts";
import type { Row } from "./measure.ts";

const TASKS = 1_000;
/** Ansible tasks of each play. Each has three lines, which are stored in a chunk of their own. */
const STEPS = 3;
const HOST = "web1.example.com";

/** Measures what finished tasks take in a file: the rows of each kind, and the file itself. */
export async function* measureSize(): AsyncGenerator<Row> {
  const directory = await Deno.makeTempDir({ prefix: "callboard_size_" });
  const path = join(directory, "callboard.kv");
  try {
    await using world = await newWorld({ kvPath: path });
    const before = readSizes(path);
    for (let n = 0; n < TASKS; n++) await runTask(world, n);
    await rememberDue(world.kv);
    const added = [...readSizes(path)].map(([kind, size]) => ({
      kind,
      size: size.map((value, n) => (value - (before.get(kind)?.[n] ?? 0)) / TASKS),
    }));
    const ofTasks = added.filter(({ size: [rows] }) => rows > 0.5);
    for (const { kind, size: [rows, keys, values] } of ofTasks.toSorted(byBytes)) {
      const bytes = `${keys.toFixed(0)} bytes of keys, ${values.toFixed(0)} of values`;
      yield [`${kind}, for each task`, { note: `${rows.toFixed(0)} rows, ${bytes}` }];
    }
    const [used, compacted] = readFile(path);
    const megabytes = (bytes: number) => (bytes / TASKS / 1_000).toFixed(1);
    yield ["1,000 tasks with three chunks of output", {
      note: `${megabytes(used)} MB, ${megabytes(compacted)} MB compacted`,
    }];
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

type Size = [rows: number, keys: number, values: number];

const byBytes = (a: { size: number[] }, b: { size: number[] }) =>
  b.size[1] + b.size[2] - a.size[1] - a.size[2];

/** A task on one host, with four events, as a server stores it. */
async function runTask({ api, kv, deps, clock, web, deploy }: World, n: number): Promise<void> {
  clock.advance(60_000);
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  const task = { id: body.id as number, project_id: web.id };
  const step = (
    to: "starting" | "running" | "success",
    change = {},
    also: (op: Deno.AtomicOperation) => void = () => {},
  ) =>
    advance(kv, task, to, change, {
      also(op, next) {
        const action = to === "success" ? "finished_success" : to;
        recordEvent(op, deps, systemActor(next), taskEvent(next, action));
        also(op);
      },
    });
  const start = clock.now().toISOString();
  const ansible_version = "ansible-playbook [core 2.19.14]";
  const commit = { commit_hash: "5".repeat(40), commit_message: "Roll out the new shop" };
  await step("starting", { start, ansible_version, ...commit });
  const target = { ...deps, projectId: web.id, taskId: task.id };
  const output = await openLog(target);
  const fullBytesMax = deps.config.fullResultBytesMax;
  const results = createResultWriter({ ...target, output, fullBytesMax });
  await step("running");
  let at = clock.now().getTime();
  await results.take(play("Roll out the shop", false, at));
  for (let s = 1; s <= STEPS; s++) {
    const uuid = crypto.randomUUID();
    const status = s === STEPS ? "changed" : "ok";
    const name = `shop : Step ${s} of the roll-out`;
    await output.write("", at);
    await output.write(`TASK [${name}] ${"*".repeat(40)}`, at);
    await results.take(Object.assign(announced(uuid, at, 3 * s - 1), { name }));
    await output.write(`${status}: [${HOST}]`, at);
    const value = { changed: s === STEPS, rc: 0, stdout: `Linux ${n} ${s}`, stderr: "" };
    await results.take(result(uuid, HOST, {
      status,
      began: at,
      ended: at += 337,
      lines: { from: 3 * s, to: 3 * s },
      full: { value, shortened: [] },
    }));
    await output.flush();
  }
  const recap = { ...emptyRecap(), ok: STEPS, changed: 1 };
  await results.take({ type: "recap", hosts: new Map([[HOST, recap]]) });
  await results.take({ type: "end", at, lost: 0 });
  await results.flush();
  await output.flush();
  await step("success", { end: new Date(at).toISOString() }, (op) => {
    output.close(op);
    queueHosts(op, task);
  });
}

/** Returns the sizes of the rows of each kind. */
function readSizes(path: string): Map<string, Size> {
  using database = new DatabaseSync(path);
  const sizes = new Map<string, Size>();
  const rows = database.prepare("SELECT k, length(v) AS bytes FROM kv").iterate();
  for (const { k, bytes } of rows as Iterable<{ k: Uint8Array; bytes: number }>) {
    // The first part of a key is a text between a 2 and a 0.
    const kind = new TextDecoder().decode(k.subarray(1, k.indexOf(0)));
    const [count, keys, values] = sizes.get(kind) ?? [0, 0, 0];
    sizes.set(kind, [count + 1, keys + k.length, values + bytes]);
  }
  return sizes;
}

/** Returns the bytes of a file that are in use, and those that are left after compacting it. */
function readFile(path: string): [used: number, compacted: number] {
  using database = new DatabaseSync(path);
  const read = (name: string) =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
  const used = read("page_size") * (read("page_count") - read("freelist_count"));
  database.exec("VACUUM");
  return [used, read("page_size") * read("page_count")];
}
