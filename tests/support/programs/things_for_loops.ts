import { ROOT_TOKEN, type VaultStandIn } from "@/tests/support/services/vault.ts";
import { addPlays } from "./real_plays.ts";
import type { RealProject } from "./real_project.ts";

/** Calls the API below the project. */
export async function callOf({ server, id }: RealProject, method: string, path: string) {
  const { status, body } = await server.api(method, `/api/project/${id}/${path}`, {});
  return status < 300 ? body : null;
}

/** Creates objects whose tasks, runs and alerts give each loop something to do. */
export async function addThings(project: RealProject, vault: VaultStandIn, url: string) {
  const { make, makeTemplate } = project;
  const { repository_id } = await addPlays(project, "- hosts: all\n  tasks: []\n");
  const storage_id = await make("secret_storages", {
    name: "Vault",
    type: "vault",
    params: { url: vault.url, ca_certificate: vault.ca },
    secret: ROOT_TOKEN,
    allow_private: true,
  });
  const source = { storage_id, path: "/database/creds/app", field: "password" };
  const templates: number[] = [];
  const template = async (
    name: string,
    { exit = "0", secrets = [], ...fields }: Record<string, unknown> = {},
  ) => {
    const env = {
      CALLBOARD_STAND_IN_EXIT: exit,
      CALLBOARD_STAND_IN_LINES: "10",
      CALLBOARD_STAND_IN_SLEEP_MS: "30",
    };
    const environment_id = await make("environment", { name, env: JSON.stringify(env), secrets });
    const body = { repository_id, allow_parallel_tasks: true, name, environment_id, ...fields };
    const id = await makeTemplate(body);
    templates.push(id);
    return id;
  };
  const secrets = [{ operation: "create", type: "var", name: "db", source }];
  const work = await template("Work", { secrets });
  const failing = await template("Failing", { exit: "2" });
  const retried = await template("Retried", { exit: "2", retry_attempts: 1, retry_minutes: 0 });
  const built = await template("Built", { type: "build", start_version: "1.0" });
  await template("Deployed", { type: "deploy", build_template_id: built, autorun: true });
  const steps = ["First", "Second", "After build"];
  const [first, second, after] = await Promise.all(
    steps.map((name, n) => template(name, n === 0 ? { secrets } : {})),
  );
  const step = (template_id: number, name: string, id = -1, needs: object[] = []) => {
    return { id, kind: "template", name, template_id, needs };
  };
  const workflow = await make("workflows", {
    name: "Release",
    steps: [step(first, "First"), step(second, "Second", -2, [{ step: -1 }])],
  });
  await make("workflows", {
    name: "Follow",
    build_template_id: built,
    steps: [step(after, "After")],
  });
  const scheduled = await template("Scheduled");
  const schedule = await make("schedules", {
    ...{ name: "Yearly", template_id: scheduled, cron_format: "0 0 1 1 *", active: true },
  });
  const target = { name: "Ops", kind: "http", allow_private: true, settings: { url } };
  const target_id = await make("alert_targets", target);
  const rule = await make("alert_rules", {
    name: "All",
    target_id,
    events: ["failed"],
    repeat: "each",
  });
  const { token: feed } = await callOf(project, "POST", "alert_feed");
  const toolchain = await make("toolchains", { name: "Broken", ansible_core: "0.0.1" });
  return { work, failing, retried, built, workflow, schedule, rule, feed, toolchain, templates };
}
export type Things = Awaited<ReturnType<typeof addThings>>;
