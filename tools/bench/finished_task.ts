import { recordEvent } from "../../lib/events/record.ts";
import { queueHosts } from "../../lib/hosts/outbox.ts";
import { openLog } from "../../lib/output/writer.ts";
import { createResultWriter } from "../../lib/results/writer.ts";
import { systemActor, taskEvent } from "../../lib/tasks/changes.ts";
import { advance } from "../../lib/tasks/steps.ts";
import { emptyRecap } from "../../lib/execution/run/events.ts";
import { play, result, task as announced } from "../../tests/support/world/reported_task.ts";
import type { World } from "../../tests/support/world/world.ts";
import type { Atomic } from "../../lib/store/store.ts";

/** Ansible tasks of each play. Each has three lines, which are stored in a chunk of their own. */
const STEPS = 3;
const HOST = "web1.example.com";

/** Stores a task on one host, with four events, as a server does. `n` differs in each. */
export async function runTask(
  { api, kv, deps, clock, web, deploy }: World,
  n: number,
  templateId = deploy.id,
): Promise<void> {
  clock.advance(60_000);
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: templateId,
  });
  const task = { id: body.id as number, project_id: web.id };
  const step = (
    to: "starting" | "running" | "success",
    change = {},
    also: (op: Atomic) => void = () => {},
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
    queueHosts(op, { clock }, task);
  });
}
