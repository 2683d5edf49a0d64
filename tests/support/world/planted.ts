import assert from "node:assert/strict";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { templateForm } from "./forms.ts";
import { EPOCH, play, reportedTask, result, task } from "./reported_task.ts";
import type { World } from "./world.ts";

/** The word in the name of each hidden thing, and in what its tasks have said. */
export const PLANTED = "zanzibar";

/** Hidden things of a project, by their ids. */
interface Planted {
  template: number;
  view: number;
  workflow: number;
  schedule: number;
  integration: number;
  /** The latest task of the hidden template. */
  task: number;
}

/**
 * Plants a template, a view and a workflow that only owners see, with what belongs to them: tasks
 * with results, hosts, a check for drift, triggers and favourites. The host "shared" was reached by
 * a task of the template "Deploy shop", too.
 */
export async function plant(world: World): Promise<Planted> {
  const project = `/api/project/${world.web.id}`;
  const make = async (path: string, body: object, status = 201) => {
    const answer = await world.api("alice", "POST", `${project}${path}`, body);
    assert.equal(answer.status, status, `POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id as number;
  };
  const template = await make("/templates", templateForm(world, { name: `${PLANTED} deploy` }));
  await ran(world, world.deploy.id, "shared", "an open message");
  await ran(world, template, "shared");
  const last = await ran(world, template, `${PLANTED}1`);
  await check(world, template);
  const favourite = { add: String(template) };
  await world.post("bob", `/project/${world.web.id}/templates/favourites`, favourite);
  const view = await make("/views", { title: `${PLANTED} view`, visible_to: NOBODY });
  const planted: Planted = {
    template,
    view,
    workflow: await make("/workflows", {
      name: `${PLANTED} release`,
      steps: [{ kind: "template", name: `${PLANTED} step`, template_id: template }],
      visible_to: NOBODY,
    }),
    schedule: await make("/schedules", {
      ...{ template_id: template, name: `${PLANTED} nightly`, cron_format: "0 3 * * *" },
    }),
    integration: await make("/integrations", { name: `${PLANTED} push`, template_id: template }),
    task: last,
  };
  const { body } = await world.api("alice", "GET", `${project}/templates/${template}`);
  const hidden = await world.api("alice", "PUT", `${project}/templates/${template}`, {
    ...{ ...body as object, visible_to: NOBODY },
  });
  assert.equal(hidden.status, 204, JSON.stringify(hidden.body));
  return planted;
}

const NOBODY = { roles: [], user_ids: [] };

/** Runs a task of Bob's on a host, where it fails with the planted word or a message. */
async function ran(world: World, template_id: number, host: string, message = PLANTED) {
  const run = await reportedTask(world, { template_id });
  await run.report(play("Web"), task("a"));
  await run.report(result("a", host, { status: "failed", message }));
  await run.report({ type: "end", at: 0, lost: 0 });
  await run.end("error");
  await rememberDue(world.deps);
  return run.id;
}

/** Checks the hosts of a template, on which a change is needed. */
async function check(world: World, template_id: number): Promise<void> {
  const run = await reportedTask(world, { template_id, check: true });
  await run.report(play("Web"), task("motd"));
  for (const host of ["shared", `${PLANTED}1`]) {
    const times = { began: EPOCH, ended: EPOCH + 1 };
    const change = { status: "changed", changed: true, diff: "-a\n+b\n" } as const;
    await run.report(result("motd", host, { ...times, ...change }));
  }
  await run.report({ type: "end", at: EPOCH, lost: 0, checkMode: [] });
  await run.end("success");
  await storeDueDrift(world.deps);
}
