import { openProject } from "@/lib/access/scope.ts";
import type { HostResult, RunEvent } from "@/lib/execution/run/events.ts";
import { driftFollower } from "@/lib/drift/outbox.ts";
import { hostsFollower } from "@/lib/hosts/outbox.ts";
import { createResultWriter } from "@/lib/results/writer.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { advance } from "@/lib/tasks/steps.ts";
import type { World } from "./world.ts";

/**
 * Creates a running task that reports events, without running anything. With `check`, it is a check
 * of its template. With `retry`, it repeats the task with that id on its failed hosts.
 */
export async function reportedTask(
  world: World,
  { check, retry, ...input }: Record<string, unknown> & { check?: boolean; retry?: number } = {},
) {
  const project = `/api/project/${world.web.id}`;
  const wanted = { template_id: world.deploy.id, ...input };
  const { body } = retry
    ? await world.api("bob", "POST", `${project}/tasks/${retry}/retry`, input)
    : check
    ? await world.api("bob", "POST", `${project}/templates/${wanted.template_id}/check`)
    : await world.api("bob", "POST", `${project}/tasks`, wanted);
  const task = { id: body.id as number, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  const target = { ...world.deps, projectId: task.project_id, taskId: task.id };
  const output = createLogWriter(target);
  const fullBytesMax = world.deps.config.fullResultBytesMax;
  const results = createResultWriter({ ...target, output, fullBytesMax });
  return {
    id: task.id,
    path: `/api/project/${task.project_id}/tasks/${task.id}`,
    output,
    /** Returns the scope for calls of services. */
    scope: () => openProject({ deps: world.deps, actor: world.people.carol.actor }, world.web.id),
    async report(...events: RunEvent[]) {
      for (const event of events) await results.take(event);
    },
    flush: results.flush,
    async end(
      status: "success" | "error" | "stopped" = "success",
      times: { start?: string; end?: string } = {},
    ) {
      await results.flush();
      await advance(world.kv, task, status, times, {
        async also(op, ended) {
          output.close(op);
          const end = { task: ended, isRun: true };
          await driftFollower.add(op, world.deps, end);
          if (!ended.check) await hostsFollower.add(op, world.deps, end);
        },
      });
    },
  };
}

/** Time when made-up runs begin. */
export const EPOCH = Date.parse("2026-01-01T00:00:00Z");

export const play = (name: string, free = false, at = EPOCH): RunEvent => ({
  type: "play",
  name,
  free,
  at,
  lines: null,
});

export const task = (uuid: string, at = EPOCH, line: number | null = null): RunEvent => ({
  type: "task",
  uuid,
  name: `Task ${uuid}`,
  action: "command",
  role: "",
  path: "site.yml",
  line: 1,
  handler: false,
  at,
  lines: line === null ? null : { from: line, to: line },
});

export const result = (
  uuid: string,
  host: string,
  changes: Partial<HostResult> = {},
): HostResult => ({
  type: "result",
  uuid,
  host,
  status: "ok",
  changed: changes.status === "changed",
  began: EPOCH,
  ended: EPOCH + 100,
  items: null,
  hidden: false,
  unchecked: false,
  carriedOut: false,
  delegatedTo: "",
  message: "",
  itemResults: [],
  diff: null,
  diffSize: 0,
  lines: null,
  ...changes,
});
