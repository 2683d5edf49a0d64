import type { World } from "./world.ts";

/** The body of a client for a new template of the web project. `fields` replaces members. */
export const templateForm = ({ web }: World, fields: Record<string, unknown> = {}) => ({
  name: "Nightly",
  playbook: "night.yml",
  inventory_id: web.inventoryId,
  repository_id: web.repositoryId,
  environment_id: web.environmentId,
  ...fields,
});

/** The body of a client for a new repository of the web project. */
export const repositoryForm = ({ web }: World, fields: Record<string, unknown> = {}) => ({
  name: "Roles",
  git_url: "git@example.com:ops/roles.git",
  git_branch: "main",
  ssh_key_id: web.keyId,
  ...fields,
});

/** The body of a client for a new inventory of the web project. */
export const inventoryForm = ({ web }: World, fields: Record<string, unknown> = {}) => ({
  name: "Production",
  type: "static",
  inventory: "[web]\n10.0.0.5\n",
  ssh_key_id: web.keyId,
  ...fields,
});

/** Stores a key with a login and a password in the web project and returns its id. */
export async function addPasswordKey(world: World, name = "Vault password"): Promise<number> {
  const { status, body } = await world.api("alice", "POST", `/api/project/${world.web.id}/keys`, {
    name,
    type: "login_password",
    login_password: { login: "root", password: "swordfish" },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

/** Stores a generated SSH key in the web project and returns its id. */
export async function addSshKey(world: World, name = "Deploy"): Promise<number> {
  const { status, body } = await world.api("alice", "POST", `/api/project/${world.web.id}/keys`, {
    name,
    type: "ssh",
    ssh: { login: "deploy" },
    generate: true,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}
