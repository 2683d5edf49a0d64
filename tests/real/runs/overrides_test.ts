import assert from "node:assert/strict";
import { join } from "node:path";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

const PLAY = (says: string) =>
  `- hosts: all
  gather_facts: false
  tasks:
    - debug:
        msg: "config ${says}"
      tags: config
    - debug:
        msg: "restart ${says}"
      tags: restart
    - debug:
        msg: "slow ${says}"
      tags: [config, slow]
`;

const hosts = (...names: string[]) =>
  names.map((name) =>
    `${name} ansible_connection=local ansible_python_interpreter={{ansible_playbook_python}}\n`
  ).join("");

/** Sends a form of a page, as a browser without a script does. Returns the redirect's target. */
async function send(project: RealProject, path: string, fields: Record<string, string>) {
  const { url, cookie } = project.server;
  const response = await fetch(new URL(`/project/${project.id}${path}`, url), {
    method: "POST",
    headers: { Cookie: cookie, Origin: new URL(url).origin, "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  const text = await response.text();
  assert.equal(response.status, 303, text);
  return response.headers.get("location")!;
}

/** Starts a task by a page's form and returns how it ended. */
async function run(project: RealProject, template: number, fields: Record<string, string>) {
  const location = await send(project, `/templates/${template}/tasks`, fields);
  return await project.ended(Number(new URLSearchParams(location.split("?")[1]).get("t")));
}

Deno.test("choices in the form of one run reach Ansible", async () => {
  await using project = await addRealProject();
  const git = await newGitRepository(join(project.home, "plays"));
  await git.commit({ "site.yml": PLAY("main") }, "Main");
  await git.git("checkout", "--quiet", "-b", "next");
  await git.commit({ "site.yml": PLAY("next") }, "Next");
  await git.git("checkout", "--quiet", "main");
  const inventory = (name: string, ...names: string[]) =>
    project.make("inventory", {
      name,
      type: "static",
      inventory: hosts(...names),
      ssh_key_id: project.noKey,
    });
  const template = await project.makeTemplate({
    repository_id: await project.make("repositories", {
      name: "Plays",
      git_url: git.url,
      git_branch: "main",
      ssh_key_id: project.noKey,
    }),
    inventory_id: await inventory("Web", "web1", "web2"),
    environment_id: await project.make("environment", { name: "None", json: "{}", env: "{}" }),
    allow_override_branch_in_task: true,
    task_params: {
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_override_inventory: true,
    },
  });
  const plain = await run(project, template, {});
  assert.equal(plain.task.status, "success", plain.log);
  for (const text of ["[web1]", "[web2]", "config main", "restart main", "slow main"]) {
    assert.ok(plain.log.includes(text), `${text}:\n${plain.log}`);
  }
  const chosen = { limit: "web2", tags: "config", skip_tags: "slow", git_branch: "next" };
  const first = await run(project, template, chosen);
  const requireChosen = (log: string) => {
    assert.ok(log.includes("[web2]") && log.includes("config next"), log);
    for (const text of ["[web1]", "restart next", "slow next", 'main"']) {
      assert.ok(!log.includes(text), `${text}:\n${log}`);
    }
  };
  requireChosen(first.log);

  // "Run again" fills the form with it, and the values of its fields are sent.
  const { url, cookie } = project.server;
  const again = await fetch(
    new URL(`/project/${project.id}/templates/${template}/tasks?from=${first.task.id}`, url),
    { headers: { Cookie: cookie } },
  );
  const html = await again.text();
  const filled = Object.fromEntries(
    Object.keys(chosen).map((name) => [
      name,
      new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0].match(/value="([^"]*)"/)?.[1] ??
        "",
    ]),
  );
  assert.deepEqual(filled, chosen);
  requireChosen((await run(project, template, filled)).log);

  const inventory_id = String(await inventory("Database", "db1"));
  const other = await run(project, template, { inventory_id });
  assert.ok(other.log.includes("[db1]") && !other.log.includes("[web1]"), other.log);
});

/** Returns `text` as `ansible-vault encrypt --vault-id id@file` writes it. */
async function encrypt(project: RealProject, id: string, password: string, text: string) {
  const folder = join(project.home, id);
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "password"), password);
  await Deno.writeTextFile(join(folder, "vars.yml"), text);
  const { success, stderr } = await new Deno.Command("ansible-vault", {
    args: ["encrypt", "--vault-id", `${id}@password`, "--encrypt-vault-id", id, "vars.yml"],
    cwd: folder,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return await Deno.readTextFile(join(folder, "vars.yml"));
}

Deno.test("two vault passwords that were given in the template's form open the files of their ids", async () => {
  await using project = await addRealProject();
  const git = await newGitRepository(join(project.home, "plays"));
  await git.commit({
    "site.yml": `- hosts: all
  gather_facts: false
  vars_files: [dev.yml, prod.yml]
  tasks:
    - debug:
        msg: "{{ of_dev }} and {{ of_prod }}"
`,
    "dev.yml": await encrypt(project, "dev", "dev password", "of_dev: opened-dev\n"),
    "prod.yml": await encrypt(project, "prod", "prod password", "of_prod: opened-prod\n"),
  }, "Vaults");
  const key = async (name: string) =>
    String(
      await project.make("keys", {
        name,
        type: "login_password",
        login_password: { login: "", password: `${name} password` },
      }),
    );
  const repository = await project.make("repositories", {
    name: "Plays",
    git_url: git.url,
    git_branch: "main",
    ssh_key_id: project.noKey,
  });
  const environment = await project.make("environment", { name: "None", json: "{}", env: "{}" });
  const form = {
    type: "",
    name: "Vaults",
    playbook: "site.yml",
    inventory_id: String(project.localhost),
    repository_id: String(repository),
    environment_id: String(environment),
    "vaults.0.vault_key_id": await key("dev"),
    "vaults.0.name": "dev",
  };
  const location = await send(project, "/templates/new/edit", form);
  const template = Number(location.split("/").at(-1));
  const one = await project.run(template);
  assert.equal(one.task.status, "error");
  assert.match(one.log, /no vault secrets were found that could decrypt|vault/i);

  const two = { "vaults.1.vault_key_id": await key("prod"), "vaults.1.name": "prod" };
  await send(project, `/templates/${template}/edit`, { ...form, ...two });
  const both = await project.run(template);
  assert.equal(both.task.status, "success", both.log);
  assert.match(both.log, /opened-dev and opened-prod/);
});
