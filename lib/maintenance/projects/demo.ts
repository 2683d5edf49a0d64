import type { ProjectScope } from "../../access/scope.ts";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { environmentRows } from "../../parts/environments/repository.ts";
import { inventoryForm } from "../../parts/inventories/schema.ts";
import { inventoryService } from "../../parts/inventories/service.ts";
import { keyRows } from "../../parts/keys/repository.ts";
import { keyForm } from "../../parts/keys/schema.ts";
import { keyService } from "../../parts/keys/service.ts";
import { repositoryBody } from "../../parts/repositories/schema.ts";
import { repositoryService } from "../../parts/repositories/service.ts";
import { templateForm } from "../../templates/schema.ts";
import { createTemplate } from "../../templates/service.ts";
import { demoRepositoryDir, ensureDemoRepository } from "./demo_repository.ts";

/** Password of the one encrypted variable in the demo's playbooks. It is not a secret. */
export const DEMO_VAULT_PASSWORD = "callboard-demo";

const BUILD_HOSTS = "[builder]\nlocalhost ansible_connection=local\n";

/** References that all templates of the demo share. */
interface Shared {
  repository_id: number;
  environment_id: number;
}

/** Fills a new project with playbooks that run on this machine without a network. */
export async function createDemoContent(
  scope: ProjectScope<"manage_resources">,
): Promise<void> {
  const { deps, projectId: id } = scope;
  await ensureDemoRepository(deps.config.dataDir);
  const [noKey] = await keyRows.list(deps.kv, id);
  const [environment] = await environmentRows.list(deps.kv, id);
  const vaultKey = await keyService.create(
    scope,
    keyForm.parse({
      name: "Vault Password",
      type: "login_password",
      login_password: { password: DEMO_VAULT_PASSWORD },
    }),
  );
  const repository = await repositoryService.create(
    scope,
    repositoryBody.parse({
      name: "Demo",
      git_url: pathToFileURL(resolve(demoRepositoryDir(deps.config.dataDir))).href,
      git_branch: "main",
      ssh_key_id: noKey.id,
    }),
  );
  const shared = {
    app: "ansible",
    repository_id: repository.id,
    environment_id: environment.id,
  };
  const inventories = await createInventories(scope, noKey.id);
  await createTemplates(scope, shared, inventories, vaultKey.id);
}

async function createInventories(scope: ProjectScope<"manage_resources">, keyId: number) {
  const create = async (name: string, type: "static" | "file", inventory: string) => {
    const form = inventoryForm.parse({ name, type, inventory, ssh_key_id: keyId });
    return (await inventoryService.create(
      scope,
      form,
    )).id;
  };
  return {
    build: await create("Build", "static", BUILD_HOSTS),
    dev: await create("Dev", "file", "invs/dev/hosts"),
    prod: await create("Prod", "file", "invs/prod/hosts"),
  };
}

async function createTemplates(
  scope: ProjectScope<"manage_resources">,
  shared: Shared,
  { build, dev, prod }: Record<"build" | "dev" | "prod", number>,
  vaultKeyId: number,
) {
  const create = async (form: Record<string, unknown>) =>
    await createTemplate(
      scope,
      templateForm.parse({ ...shared, ...form }),
    );
  await create({
    name: "Ping Site",
    description: "Pings all production servers. One of them fails.",
    playbook: "ping.yml",
    inventory_id: prod,
  });
  const { id: buildId } = await create({
    name: "Build",
    type: "build",
    playbook: "build.yml",
    inventory_id: build,
    start_version: "1.0.0",
  });
  const deploy = {
    type: "deploy",
    playbook: "deploy.yml",
    build_template_id: buildId,
    vaults: [{ vault_key_id: vaultKeyId, name: null }],
  };
  await create({ ...deploy, name: "Deploy to Dev", inventory_id: dev, autorun: true });
  await create({ ...deploy, name: "Deploy to Production", inventory_id: prod });
}
