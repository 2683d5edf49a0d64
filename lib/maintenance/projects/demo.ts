import type { ProjectScope } from "../../access/scope.ts";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { environmentRows } from "../../resources/environments/repository.ts";
import { inventoryForm } from "../../resources/inventories/schema.ts";
import { inventoryService } from "../../resources/inventories/service.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { keyForm } from "../../resources/keys/schema.ts";
import { keyService } from "../../resources/keys/service.ts";
import { repositoryBody } from "../../resources/repositories/schema.ts";
import { repositoryService } from "../../resources/repositories/service.ts";
import { templateForm } from "../../templates/schema.ts";
import { createCheckedTemplate } from "../../triggers/checks/templates.ts";
import { shell } from "../../execution/process/shell.ts";

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
  scope: ProjectScope<"manage_resources" | "manage_keys">,
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
    await createCheckedTemplate(
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

const SOURCE = fileURLToPath(new URL("../../../demo", import.meta.url));

/** Folder of the demo project's bare git repository, inside the data folder. */
export const demoRepositoryDir = (dataDir: string): string => join(dataDir, "demo.git");

/** Script that creates a repository from a folder. Its one commit is the same on every server. */
const MAKE = `
set -eu
export HOME="$2" GIT_DIR="$2" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=Callboard GIT_AUTHOR_EMAIL=demo@callboard.invalid
export GIT_COMMITTER_NAME=Callboard GIT_COMMITTER_EMAIL=demo@callboard.invalid
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
cd "$1"
git init --quiet --bare --template= "$GIT_DIR"
git symbolic-ref HEAD refs/heads/main
git config core.fileMode false
export GIT_WORK_TREE="$1"
git add --all --force .
git commit --quiet --message 'Add the corner shop: ping, build and deploy'
rm -f "$GIT_DIR/index"
# The account of tasks must be able to read it. The data folder around it is closed to others.
chmod -R a+rX "$GIT_DIR"
`;

/** Creates the demo project's repository unless it exists. Throws if git fails. */
export async function ensureDemoRepository(dataDir: string): Promise<void> {
  const target = demoRepositoryDir(dataDir);
  if (await exists(join(target, "HEAD"))) return;
  const made = await Deno.makeTempDir({ dir: dataDir, prefix: "demo-" });
  try {
    const { success, stderr } = await shell(MAKE, SOURCE, made);
    if (!success) throw new Error(stderr.trim());
    // Moved into position only when it is complete, so that no one ever clones half of it.
    await Deno.rename(made, target);
  } catch (error) {
    await Deno.remove(made, { recursive: true });
    // Another server or request was faster.
    if (await exists(join(target, "HEAD"))) return;
    throw new Error("The demo repository could not be created", { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
