import assert from "node:assert/strict";
import { join } from "node:path";
import { serveGit } from "@/tests/support/services/git_http.ts";
import { type GitRepository, newGitRepository } from "@/tests/support/services/git_repository.ts";
import { ISOLATION_MODES, makeOpenFolder } from "@/tests/support/programs/isolation_modes.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";
import { startSshd } from "@/tests/support/programs/sshd.ts";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PLAY = "- hosts: all\n  tasks: []\n";
const FILES = {
  "site.yml": "---\n# Everything\n- name: All of it\n  hosts: all\n  roles: [web]\n",
  "all.yaml": "- ansible.builtin.import_playbook: site.yml\n",
  "playbooks/a/deploy.yml": '- hosts: "{{ where }}"\n  tasks: []\n',
  "playbooks/über uns.yml": PLAY,
  // None of these is a playbook.
  "inventory.yml":
    "all:\n  hosts:\n    web1:\n  children:\n    web:\n      hosts:\n        web1:\n",
  "group_vars/all.yml": "hosts: none\n",
  "roles/web/molecule/default/converge.yml": PLAY,
  "tasks/add.yml": "- add_host:\n    hosts: x\n",
  "requirements.yml": "roles: []\n",
  "notes.txt": PLAY,
};
const PLAYBOOKS = ["all.yaml", "site.yml", "playbooks/über uns.yml", "playbooks/a/deploy.yml"];

async function newPlaybooks(world: World): Promise<GitRepository> {
  const git = await newGitRepository(join(world.folder, crypto.randomUUID()));
  await git.commit(FILES, "First plays");
  await git.git("branch", "release/2");
  return git;
}

const path = ({ web }: World, rest: string) => `/api/project/${web.id}/${rest}`;

async function make(world: World, kind: string, body: unknown): Promise<number> {
  const answer = await world.api("mike", "POST", path(world, kind), body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

const makeRepository = (world: World, fields: Record<string, unknown>) =>
  make(world, "repositories", {
    name: "Tried",
    git_branch: "main",
    ssh_key_id: world.web.keyId,
    ...fields,
  });

/** Returns Mike's answer about a stored repository. */
const asked = (world: World, id: number, what: string) =>
  world.api("mike", "GET", path(world, `repositories/${id}/${what}`));

/** Returns the folders of runs that were left behind. */
const leftovers = ({ deps: { config } }: World) =>
  [...Deno.readDirSync(join(config.dataDir, "tasks"))].map(({ name }) => name);

Deno.test("Mike asks for branches and playbooks, and sees new ones", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const id = await makeRepository(world, { git_url: git.url });
  assert.deepEqual((await asked(world, id, "branches")).body, ["main", "release/2"]);
  assert.deepEqual((await asked(world, id, "playbooks")).body, PLAYBOOKS);
  await git.commit({ "later.yml": PLAY }, "Later");
  assert.ok((await asked(world, id, "playbooks")).body.includes("later.yml"));
  assert.deepEqual((await asked(world, id, "playbooks?branch=release/2")).body, PLAYBOOKS);

  const missing = await asked(world, id, "playbooks?branch=none");
  assert.equal(missing.status, 422);
  assert.equal(missing.body.error, 'The repository has no branch or tag "none".');
  assert.equal((await asked(world, id, "playbooks?branch=--upload-pack=x")).status, 400);
  assert.equal((await asked(world, id + 1, "branches")).status, 404);
  assert.deepEqual(leftovers(world), []);
});

Deno.test("a branch that stands still is not fetched or searched again", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const id = await makeRepository(world, { git_url: git.url });
  const calls = join(world.deps.config.dataDir, "calls");
  await wrapGit(world, `echo "$*" >>${calls}`);
  await asked(world, id, "playbooks");
  assert.match(await Deno.readTextFile(calls), /^fetch [^]* grep /m);
  await Deno.remove(calls);
  assert.deepEqual((await asked(world, id, "playbooks")).body, PLAYBOOKS);
  assert.match(await Deno.readTextFile(calls), /^ls-remote [^\n]*\n$/);
});

/** Returns Mike's answer with the playbooks that a template's form suggests. */
const suggested = (world: World, query: string, person: "mike" | "bob" | "dave" = "mike") =>
  world.get(person, `/project/${world.web.id}/templates/playbooks?${query}`);

/** Returns the suggested paths of such an answer. */
const optionsOf = (html: string) =>
  [...html.matchAll(/<option\s+value="([^"]*)"/g)].map(([, path]) => path);

Deno.test("a template's form suggests what was fetched before, and asks the repository only if nothing was", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  await git.commit({ "<b>&.yml": PLAY, "line\nbreak.yml": PLAY }, "Odd names");
  const id = await makeRepository(world, { git_url: git.url });
  const calls = join(world.deps.config.dataDir, "calls");
  await wrapGit(world, `echo "$*" >>${calls}`);
  const suggestions = async (query: string) => {
    await Deno.writeTextFile(calls, "");
    const answer = await suggested(world, query);
    assert.equal(answer.status, 200);
    const html = await htmlOf(answer);
    return { html, names: optionsOf(html), calls: await Deno.readTextFile(calls) };
  };
  const of = `repository_id=${id}&git_branch=`;
  const first = await suggestions(of);
  assert.match(first.calls, /^fetch /m);
  assert.match(first.html, /5 playbooks/);
  assert.ok(first.names.includes("&lt;b>&amp;.yml"), first.names.join());
  assert.ok(!first.html.includes("break.yml"), "no field holds a path of two lines");

  await git.commit({ "later.yml": PLAY }, "Later");
  const inFolder = (await suggestions(`${of}&working_directory=playbooks/a/`)).names;
  assert.equal(inFolder[0], "playbooks/a/deploy.yml");
  assert.deepEqual(inFolder.slice(5), ["main", "release/2"], "as the last look has found them");
  const again = await suggestions(of);
  assert.equal(again.calls, "", "git is not started");
  assert.ok(!again.names.includes("later.yml"));
  const latest = await suggestions(`${of}&latest=true`);
  assert.ok(latest.names.includes("later.yml") && latest.names.includes("release/2"));

  // A commit that an earlier process has fetched is searched, without a network.
  await asked(world, id, "playbooks?branch=release/2");
  const directory = join(world.deps.config.dataDir, `repositories/${world.web.id}/${id}`);
  const mirror = join(
    directory,
    JSON.parse(
      await Deno.readTextFile(join(directory, "current")),
    ).directory,
  );
  await new Deno.Command("git", { args: ["-C", mirror, "pack-refs", "--all"] }).output();
  await git.git("branch", "next");
  const commit = await git.commit({ "next.yml": PLAY }, "Next");
  const head = join(mirror, "packed-refs");
  const packed = await Deno.readTextFile(head);
  assert.ok(!packed.includes(commit));
  assert.equal((await suggestions(of)).calls, "", "names may be packed");
  const known = packed.split("\n").find((line) => line.endsWith("/release/2"))!.slice(0, 40);
  await Deno.writeTextFile(head, `${packed}${known} refs/heads/old\n`);
  const old = await suggestions(`repository_id=${id}&git_branch=old`);
  assert.match(old.calls, /^[^\n]* grep [^\n]*\n$/);
  assert.deepEqual(old.names, [...PLAYBOOKS, "main", "release/2"]);
  assert.deepEqual(leftovers(world), []);
});

Deno.test("forms whose tasks may choose a branch offer those of the last look, and ask no one again", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  await git.git("tag", "v1");
  const repository_id = await makeRepository(world, { git_url: git.url });
  const template_id = await make(world, "templates", {
    ...{ name: "Free", app: "ansible", playbook: "site.yml", repository_id },
    ...{ inventory_id: world.web.inventoryId, environment_id: world.web.environmentId },
    allow_override_branch_in_task: true,
  });
  const workflow = await make(world, "workflows", { name: "Both", steps: [] });
  const project = `/project/${world.web.id}`;
  const start = `${project}/templates/${template_id}/tasks`;
  const suggestedAt = async (person: "mike" | "bob", address: string) => {
    const html = await htmlOf(await world.get(person, address));
    assert.match(fieldOf(html, "git_branch"), /list="known-branches"/, address);
    return optionsOf(html.split('<datalist id="known-branches"')[1].split("</datalist>")[0]);
  };
  assert.deepEqual(await suggestedAt("bob", start), [], "no one has looked yet");

  await suggested(world, `repository_id=${repository_id}&git_branch=`);
  const calls = join(world.deps.config.dataDir, "calls");
  await wrapGit(world, `echo "$*" >>${calls}`);
  const all = ["main", "release/2", "v1"];
  assert.deepEqual(await suggestedAt("bob", start), all);
  for (
    const address of [
      `${project}/schedules/new?template=${template_id}`,
      `${project}/workflows/${workflow}/steps/new?kind=template&template=${template_id}`,
    ]
  ) assert.deepEqual(await suggestedAt("mike", address), all, address);
  const own = await htmlOf(await world.get("mike", `${project}/repositories/${repository_id}`));
  assert.deepEqual(optionsOf(own.split('<datalist id="repository-branches"')[1]).slice(0, 3), all);
  await assert.rejects(Deno.stat(calls), Deno.errors.NotFound, "git is not started");

  const elsewhere = { id: repository_id, project_id: world.web.id, name: "Tried" };
  const moved = await world.api("mike", "PUT", path(world, `repositories/${repository_id}`), {
    ...elsewhere,
    ...{ git_url: `${git.url}/other`, git_branch: "main", ssh_key_id: world.web.keyId },
  });
  assert.equal(moved.status, 204);
  assert.deepEqual(await suggestedAt("bob", start), [], "names of another address");
});

Deno.test("suggestions that cannot be loaded are a hint, and only managers get any", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const id = await makeRepository(world, { git_url: `${git.url}/none` });
  const hintOf = async (query: string) => {
    const answer = await suggested(world, query);
    assert.equal(answer.status, 200, query);
    return await htmlOf(answer);
  };
  assert.match(await hintOf(""), /Choose a repository to see its playbooks/);
  const failed = /Playbooks could not be loaded, but you can type a path\. \w/;
  assert.match(await hintOf(`repository_id=${id}`), failed);
  assert.match(await hintOf("repository_id=999"), failed);
  assert.match(await hintOf(`repository_id=${id}&git_branch=--upload-pack=x`), failed);
  assert.match(await hintOf(`repository_id=${id}&git_branch=../../../x`), failed);
  for (const query of ["", `repository_id=${id}`]) {
    assert.equal((await suggested(world, query, "bob")).status, 403);
    assert.equal((await suggested(world, query, "dave")).status, 404);
  }
  assert.deepEqual(leftovers(world), []);
});

Deno.test("a folder of the server has playbooks, and no branches", async () => {
  await using world = await newWorld();
  const { path: folder } = await newPlaybooks(world);
  await Deno.writeTextFile(join(folder, "new.yml"), PLAY);
  const id = await makeRepository(world, { git_url: folder });
  const found = (await asked(world, id, "playbooks")).body;
  assert.deepEqual(found, ["all.yaml", "new.yml", ...PLAYBOOKS.slice(1)]);
  const branches = await asked(world, id, "branches");
  assert.deepEqual([branches.status, branches.body.error], [
    422,
    `${folder} is a folder. Only git repositories have commits.`,
  ]);
  const nowhere = await makeRepository(world, { git_url: `${folder}/none` });
  assert.match(
    (await asked(world, nowhere, "playbooks")).body.error,
    /does not exist on the server/,
  );
  assert.deepEqual(leftovers(world), []);
});

Deno.test("problems behind ssh are named, and the host's key is pinned", async () => {
  await using world = await newWorld();
  const { dataDir } = world.deps.config;
  const git = await newPlaybooks(world);
  const sshd = await startSshd(dataDir);
  try {
    const ssh_key_id = await make(world, "keys", {
      name: "Made here",
      type: "ssh",
      ssh: { login: sshd.login },
      generate: true,
    });
    const git_url = `ssh://127.0.0.1:${sshd.port}${git.path}`;
    const id = await makeRepository(world, { git_url, ssh_key_id });
    assert.match((await asked(world, id, "branches")).body.error, /refused the repository's key/);
    const { public_key } = (await world.api("mike", "GET", path(world, `keys/${ssh_key_id}`))).body;
    await sshd.authorize(public_key);
    assert.deepEqual((await asked(world, id, "branches")).body, ["main", "release/2"]);
    assert.deepEqual((await asked(world, id, "playbooks")).body, PLAYBOOKS);
    const hosts = await world.api("mike", "GET", path(world, "known_hosts"));
    assert.equal(hosts.body[0].host, `[127.0.0.1]:${sshd.port}`);
    await sshd.changeHostKey();
    assert.match((await asked(world, id, "branches")).body.error, /host key of .* has changed/);
    await sshd.stop();
    assert.match((await asked(world, id, "branches")).body.error, /cannot be reached/);
  } finally {
    await sshd.stop().catch(() => {});
  }
  assert.deepEqual(leftovers(world), []);
});

Deno.test("over http, the password is sent, and in no argument", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const [login, password] = ["deploy", "k@n/7431 %"];
  const served = { directory: world.folder, repository: git.path, login, password, plain: true };
  const server = await serveGit(served);
  try {
    const keyOf = (password: string) =>
      make(world, "keys", {
        name: "Git",
        type: "login_password",
        login_password: { login, password },
      });
    const git_url = server.url;
    const id = await makeRepository(world, { git_url, ssh_key_id: await keyOf(password) });
    assert.deepEqual((await asked(world, id, "playbooks")).body, PLAYBOOKS);
    assert.ok(server.admitted > 0);
    const wrong = await makeRepository(world, { git_url, ssh_key_id: await keyOf("wrong") });
    assert.match(
      (await asked(world, wrong, "branches")).body.error,
      /refused the repository's key/,
    );
  } finally {
    await server.stop();
  }
});

/** Puts a script of the test in front of git. */
async function wrapGit({ deps: { config, environment } }: World, script: string) {
  const bin = join(config.dataDir, "bin");
  await Deno.mkdir(bin);
  const text = `#!/bin/sh\n${script}\nPATH=${environment.path} exec git "$@"\n`;
  await Deno.writeTextFile(join(bin, "git"), text, { mode: 0o755 });
  environment.path = `${bin}:${environment.path}`;
}

Deno.test("a project has a limited number of parallel connection tests", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const id = await makeRepository(world, { git_url: git.url });
  const { dataDir } = world.deps.config;
  await wrapGit(
    world,
    `touch "${dataDir}/$$.waits"; until [ -e "${dataDir}/go" ]; do sleep 0.02; done`,
  );
  const first = [asked(world, id, "branches"), asked(world, id, "playbooks")];
  await until(() =>
    [...Deno.readDirSync(dataDir)].filter(({ name }) => name.endsWith(".waits")).length === 2
  );
  const busy = await asked(world, id, "branches");
  assert.deepEqual([busy.status, busy.headers.get("retry-after")], [429, "5"]);
  await Deno.writeTextFile(join(dataDir, "go"), "");
  assert.deepEqual((await Promise.all(first)).map(({ status }) => status), [200, 200]);
  assert.equal((await asked(world, id, "branches")).status, 200);
});

Deno.test("Mike tests what he typed, before anything is stored", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  const page = `/project/${world.web.id}/repositories/new`;
  const typed = { git_url: git.url, git_branch: "main", ssh_key_id: `${world.web.keyId}` };
  const sent = await world.post("mike", page, { ...typed, test: "typed" });
  assert.equal(sent.status, 200);
  const html = await htmlOf(sent);
  assert.match(html, /The repository can be reached\./);
  assert.match(html, /Branches: 2/);
  for (const path of PLAYBOOKS) assert.ok(html.includes(`<code>${path}</code>`), path);
  assert.match(fieldOf(html, "git_url"), new RegExp(`value="${git.url}"`));
  assert.equal((await world.api("mike", "GET", path(world, "repositories"))).body.length, 1);
  const { dataDir } = world.deps.config;
  await assert.rejects(Deno.stat(join(dataDir, "repositories")), Deno.errors.NotFound);
  assert.deepEqual(leftovers(world), []);
  const events = await world.api("mike", "GET", path(world, "events"));
  assert.match(events.body[0].description, new RegExp(`${git.url} was tested`));

  const wrong = await htmlOf(
    await world.post("mike", page, { ...typed, git_branch: "mian", test: "typed" }),
  );
  assert.match(wrong, /The repository has no branch or tag &quot;mian&quot;\./);
  const half = await htmlOf(await world.post("mike", page, { git_url: git.url, test: "typed" }));
  assert.match(half, /Branch.*This is required/);
  assert.equal((await world.post("bob", page, { ...typed, test: "typed" })).status, 403);
});

Deno.test("a password that is stored with an address is not sent to another host", async () => {
  await using world = await newWorld();
  const id = await makeRepository(world, { git_url: "http://me:t0ken@127.0.0.1:1/x.git" });
  let asked = 0;
  const thief = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    asked++;
    return new Response(null, { status: 401, headers: { "WWW-Authenticate": "Basic" } });
  });
  try {
    const git_url = `http://***@127.0.0.1:${thief.addr.port}/x.git`;
    const form = { git_url, git_branch: "main", ssh_key_id: `${world.web.keyId}`, test: "typed" };
    const page = `/project/${world.web.id}/repositories/${id}`;
    const html = await htmlOf(await world.post("mike", page, { name: "Tried", ...form }));
    assert.match(html, /test[^]*(Incorrect URL|Enter the login and password)/);
    assert.equal(asked, 0);
  } finally {
    await thief.shutdown();
  }
});

Deno.test("a template's form offers what the chosen repository holds", async () => {
  await using world = await newWorld();
  const git = await newPlaybooks(world);
  await git.git("switch", "--quiet", "release/2");
  await git.commit({ "hotfix.yml": PLAY }, "Only here");
  const repository_id = String(await makeRepository(world, { git_url: git.url }));
  const page = `/project/${world.web.id}/templates/new/edit`;
  const typed = { name: "Typed so far", repository_id, git_branch: "release/2", playbook: "hot" };
  const loaded = await world.post("mike", page, { ...typed, load: "repository" });
  assert.equal(loaded.status, 200);
  const html = await htmlOf(loaded);
  const [, playbooks] = /<datalist id="found-playbooks">(.*?)<\/datalist>/s.exec(html)!;
  for (const path of [...PLAYBOOKS, "hotfix.yml"]) assert.ok(playbooks.includes(`"${path}"`), path);
  assert.match(html, /<datalist id="found-branches">.*?"main".*?"release\/2"/s);
  assert.match(fieldOf(html, "playbook"), /list="found-playbooks"/);
  assert.match(fieldOf(html, "name"), /value="Typed so far"/);

  const without = await world.post("mike", page, { name: "No repository", load: "repository" });
  assert.match(await htmlOf(without), /Choose a repository to see its playbooks/);
  const gone = await world.post("mike", page, { ...typed, repository_id: "999999", load: "x" });
  assert.equal(gone.status, 200);
  const wrong = await world.post("mike", page, { ...typed, git_branch: "none", load: "x" });
  assert.match(await htmlOf(wrong), /has no branch or tag &quot;none&quot;/);
  assert.equal((await world.post("bob", page, { ...typed, load: "x" })).status, 403);
});

for (const { name, ignore, options } of ISOLATION_MODES) {
  Deno.test({
    name: `connection tests are kept from the same data as runs: ${name}`,
    ignore,
    async fn() {
      await using project = await newRealProject(options);
      const open = await makeOpenFolder(join(project.home, "open"));
      const git = await newGitRepository(join(open, "repository"));
      await git.commit({
        ...FILES,
        "hosts.sh": `#!/bin/sh
[ -r '${project.dataDir}/secret.key' ] && seen=read || seen=hidden
echo '{"'$seen'": {"hosts": ["web1"]}, "_meta": {"hostvars": {}}}'
`,
      }, "First plays");
      await git.git("update-index", "--chmod=+x", "hosts.sh");
      await git.git("commit", "--quiet", "--message", "A script");
      const repository_id = await project.make("repositories", {
        name: "Playbooks",
        git_url: git.url,
        git_branch: "main",
        ssh_key_id: project.noKey,
      });
      const inventory = await project.make("inventory", {
        name: "Script",
        type: "file",
        inventory: "hosts.sh",
        repository_id,
      });
      const { groups } = await project.get(`inventory/${inventory}/hosts`);
      assert.equal(groups[0].name, name === "none" ? "read" : "hidden");
      // The inventory's commit was fetched. Nothing has searched it yet.
      const { url, cookie } = project.server;
      const suggestions =
        `/project/${project.id}/templates/playbooks?repository_id=${repository_id}`;
      const answer = await fetch(new URL(suggestions, url), { headers: { Cookie: cookie } });
      assert.deepEqual(optionsOf(await answer.text()), [...PLAYBOOKS, "main"]);
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(await project.get(`repositories/${repository_id}/branches`), ["main"]);
        const playbooks = await project.get(`repositories/${repository_id}/playbooks`);
        assert.deepEqual(playbooks, PLAYBOOKS);
      }
      const hosts = await project.get(`inventory/${project.localhost}/hosts`);
      assert.deepEqual(hosts.groups, [{ name: "ungrouped", hosts: ["localhost"] }]);
      const left = await Array.fromAsync(Deno.readDir(join(project.dataDir, "tasks")));
      assert.deepEqual(left, []);
    },
  });
}
