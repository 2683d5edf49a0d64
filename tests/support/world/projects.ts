import { requireCreator } from "@/lib/access/scope.ts";
import type { Role } from "@/lib/model/roles.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { nextId } from "@/lib/store/ids.ts";
import { inventoryRows } from "@/lib/resources/inventories/repository.ts";
import type { collection } from "@/lib/store/collection.ts";
import type { ResourceRow } from "@/lib/store/rows/long_texts.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import type { Store } from "@/lib/store/store.ts";
import { newProjectForm } from "@/lib/maintenance/projects/schema.ts";
import { createProject } from "@/lib/maintenance/projects/service.ts";
import { repositoryRows } from "@/lib/resources/repositories/repository.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { TemplateRow } from "@/lib/templates/schema.ts";
import { setMember } from "@/lib/access/members.ts";
import type { Cast, Person } from "./cast.ts";

/** The project "Web shop": ids of its objects. */
export interface Web {
  id: number;
  keyId: number;
  repositoryId: number;
  inventoryId: number;
  environmentId: number;
  templateId: number;
}

/** Dave's project: ids of the objects that every project begins with. */
export interface Lab {
  id: number;
  keyId: number;
  environmentId: number;
}

const MEMBERS: [Person, Role][] = [
  ["alice", "owner"],
  ["mike", "manager"],
  ["bob", "task_runner"],
  ["carol", "guest"],
];

/** Creates Alice's project, with her team and one of each resource. */
export async function seedWeb(deps: Deps, people: Cast): Promise<Web> {
  const { kv } = deps;
  const { id, keyId, environmentId } = await seedProject(deps, people, "Web shop", MEMBERS);
  const repositoryId = await seedRow(kv, repositoryRows, {
    project_id: id,
    name: "Playbooks",
    git_url: "https://git.example.com/shop.git",
    git_branch: "main",
    git_depth: 1,
    ssh_key_id: keyId,
  });
  const inventoryId = await seedRow(kv, inventoryRows, {
    project_id: id,
    name: "Staging",
    type: "static",
    inventory: "[web]\nlocalhost ansible_connection=local\n",
    ssh_key_id: keyId,
    become_key_id: null,
    repository_id: null,
    own_key: false,
    toolchain_id: null,
    keep_paths: null,
  });
  const templateId = await seedRow(kv, templateRows, {
    project_id: id,
    inventory_id: inventoryId,
    repository_id: repositoryId,
    environment_id: environmentId,
    ...TEMPLATE,
  });
  return { id, keyId, repositoryId, inventoryId, environmentId, templateId };
}

/** Creates the project of a person who has nothing in common with the others. */
export const seedLab = (deps: Deps, people: Cast): Promise<Lab> =>
  seedProject(deps, people, "Lab", [["dave", "owner"]]);

async function seedProject(
  deps: Deps,
  people: Cast,
  name: string,
  members: [Person, Role][],
): Promise<Lab> {
  const usersCreateProjects = { ...deps, config: { ...deps.config, usersCreateProjects: true } };
  const owner = people[members[0][0]].actor;
  const scope = requireCreator({ deps: usersCreateProjects, actor: owner });
  const { id } = await createProject(scope, newProjectForm.parse({ name }));
  const op = deps.kv.atomic();
  for (const [person, role] of members) {
    setMember(op, { project_id: id, user_id: people[person].id, role });
  }
  await op.commit();
  const keyId = await onlyId(deps.kv, rowKeys.resources("keys", id));
  const environmentId = await onlyId(deps.kv, rowKeys.resources("environments", id));
  return { id, keyId, environmentId };
}

async function onlyId(kv: Store, prefix: Deno.KvKey): Promise<number> {
  for await (const { key } of kv.list({ prefix })) return key[2] as number;
  throw new Error(`nothing below ${prefix.join("/")}`);
}

async function seedRow<Row extends ResourceRow>(
  kv: Store,
  rows: ReturnType<typeof collection<Row>>,
  fields: Omit<Row, "id">,
): Promise<number> {
  const id = await nextId(kv, rows.kind);
  await transact(kv, (op) => rows.insert(kv, op, { ...fields, id } as Row));
  return id;
}

const TEMPLATE = {
  name: "Deploy shop",
  description: null,
  playbook: "deploy.yml",
  type: "",
  app: "ansible",
  more_environment_ids: [],
  vaults: [],
  working_directory: null,
  keep_paths: null,
  start_warning: null,
  allow_override_branch_in_task: false,
  suppress_error_alerts: false,
  suppress_full_results: false,
  muted: false,
  preview_first: false,
  preview_end_unchanged: false,
  approval: null,
  retry_attempts: 0,
  retry_minutes: 0,
  check_cron: null,
  check_after_commit: false,
  task_identity: false,
  task_identity_audience: "",
  own_key: false,
  ask_ssh_password: false,
  ask_become_password: false,
  ask_vault_password: false,
  auto_fix: null,
  toolchain_id: null,
  view_id: null,
  start_version: null,
  build_template_id: null,
  autorun: false,
  survey_vars: [],
  arguments: null,
  allow_override_args_in_task: false,
  suppress_success_alerts: false,
  require_confirmation: false,
  allow_parallel_tasks: false,
  git_branch: null,
  task_params: null,
} as const satisfies Partial<TemplateRow>;
