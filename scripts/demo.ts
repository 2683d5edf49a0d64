import { openProject, requireCreator } from "@/lib/access/scope.ts";
import type { UserActor } from "../lib/access/actor.ts";
import type { Deps } from "../lib/access/deps.ts";
import { newProjectForm } from "../lib/maintenance/projects/schema.ts";
import { createProject, DEMO_NAME, listProjects } from "../lib/maintenance/projects/service.ts";
import { startTask } from "../lib/queue/start/start.ts";
import { parseStart } from "../lib/tasks/start_form.ts";
import { listOutlines } from "../lib/templates/outlines.ts";
import { listUserRows } from "../lib/model/accounts.ts";

/**
 * Creates the demo project, owned by the first administrator, and starts its build, which a deploy
 * follows automatically. Returns the project's id, or null when a project has that name.
 */
export async function makeDemo(deps: Deps): Promise<number | null> {
  const actor = await firstAdmin(deps);
  const projects = await listProjects({ deps, actor });
  if (projects.some(({ name }) => name === DEMO_NAME)) return null;
  const { id } = await createProject(
    requireCreator({ deps, actor }),
    newProjectForm.parse({ name: DEMO_NAME, demo: true }),
  );
  const build = (await listOutlines(await openProject({ deps, actor }, id))).find(({ type }) =>
    type === "build"
  )!;
  const message = "The first build of the corner shop";
  await startTask(
    await openProject({ deps, actor }, id, "run_tasks"),
    parseStart({ template_id: build.id, message }),
  );
  return id;
}

async function firstAdmin({ kv }: Deps): Promise<UserActor> {
  const users = await listUserRows(kv);
  const { id, username, name, external } = users.find(({ admin }) => admin)!;
  const credential = { kind: "session", hash: "" } as const;
  return { kind: "user", id, username, name, admin: true, external, credential };
}
