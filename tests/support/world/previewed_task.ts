import assert from "node:assert/strict";
import { transact } from "@/lib/store/transact.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { pinOf } from "@/lib/queue/inputs/pins.ts";
import { completePreview } from "@/lib/queue/running/preview.ts";
import { createResultWriter } from "@/lib/results/writer.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { TemplateRow } from "@/lib/templates/schema.ts";
import { play, result, task } from "./reported_task.ts";
import type { World } from "./world.ts";

export async function changeTemplate({ kv, web, deploy }: World, change: Partial<TemplateRow>) {
  await transact(
    kv,
    (op) => templateRows.update(kv, op, web.id, deploy.id, (row) => ({ ...row, ...change })),
  );
}

interface Report {
  message?: string;
  /** Events in addition to those of every preview. */
  more?: RunEvent[];
  checkMode?: string[];
}

/** Creates a task whose preview has reported its changes, without running anything. */
export async function previewedTask(
  world: World,
  { message = "Please <look>", more = [], checkMode = [] }: Report = {},
) {
  await changeTemplate(world, {
    preview_first: true,
    require_confirmation: true,
    survey_vars: [
      { ...SECRET_QUESTION, name: "token", title: "Token" },
    ],
  });
  const { body } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.deploy.id,
    message,
    secret: JSON.stringify({ token: "never-to-be-shown" }),
  });
  const target = { id: body.id as number, project_id: world.web.id };
  // The preview replaces the other question.
  assert.equal(body.status, "waiting");
  await pinOf(world.deps, await getTaskRow(world.kv, target.project_id, target.id));
  await advance(world.kv, target, "starting");
  await advance(world.kv, target, "running");
  const at = { ...world.deps, projectId: target.project_id, taskId: target.id };
  const output = createLogWriter(at);
  const results = createResultWriter({ ...at, isPreview: true, output });
  const events = [
    play("all"),
    task("a"),
    result("a", "web", { status: "changed", diff: "-<old>\n+<new>" }),
    result("a", "db", { status: "changed", diff: "-<old>\n+<new>" }),
    task("b"),
    result("b", "web", { status: "skipped", unchecked: true }),
    result("b", "cache"),
    ...more,
    { type: "end", at: Date.now(), lost: 0, checkMode } as const,
  ];
  for (const event of events) await results.take(event);
  await results.flush();
  await completePreview(world.deps, await getTaskRow(world.kv, world.web.id, target.id), output);
  return {
    ...target,
    page: `/project/${world.web.id}/tasks/${target.id}`,
    path: `/api/project/${world.web.id}/tasks/${target.id}`,
  };
}

const SECRET_QUESTION = {
  type: "secret",
  description: "",
  required: false,
  values: [],
  default_value: "",
} as unknown as TemplateRow["survey_vars"][number];
