import assert from "node:assert/strict";
import { join } from "node:path";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

const PLAY = `- hosts: all
  gather_facts: false
  tasks:
    - debug:
        msg: "services {{ services | type_debug }} {{ services | join('+') }}"
    - debug:
        msg: "env {{ lookup('env', 'ZONES') }} notes {{ notes | default('none') }}"
`;

const choices = (...regions: string[]) =>
  `regions:
${regions.map((region) => `  - ${region}\n`).join("")}services:
  eu:
    - api
    - {name: The web, value: web}
    - 1.10
  us: [api]
`;

const SURVEY = [
  {
    name: "region",
    title: "Region",
    type: "enum",
    required: true,
    choices_from: { source: "file", path: "vars/choices.yml", key: "regions" },
  },
  {
    name: "services",
    title: "Services",
    type: "select",
    required: true,
    choices_from: { source: "file", path: "vars/choices.yml", key: "services", by: "region" },
  },
  { name: "notes", title: "Notes", type: "text", only_if: { name: "region", values: ["us"] } },
];

/** Returns the start form of a template, or after a button was pressed with `form`. */
async function startForm(
  { id, server: { url, cookie } }: RealProject,
  template: number,
  form?: Record<string, string>,
): Promise<string> {
  const address = `${url.replace(/\/$/, "")}/project/${id}/templates/${template}/tasks`;
  const response = await fetch(address, {
    headers: { Cookie: cookie, Origin: new URL(url).origin },
    ...form && { method: "POST", body: new URLSearchParams(form) },
  });
  assert.equal(response.status, 200);
  return await response.text();
}

const RELOAD = { refresh_choices: "reload" };

Deno.test("choices come from the file of the commit that a task would run, and plays get lists", async () => {
  await using project = await addRealProject();
  const { git, repository_id } = await addPlays(project, {
    "site.yml": PLAY,
    "vars/choices.yml": choices("eu", "us"),
  });
  const template = await project.makeTemplate({ repository_id, survey_vars: SURVEY });
  assert.match(await startForm(project, template), /<option value="us"/);
  const { task, log } = await project.run(template, {
    environment: JSON.stringify({ region: "eu", services: ["1.10", "web"], notes: "dropped" }),
  });
  assert.equal(task.status, "success", log);
  assert.match(log, /services list 1\.10\+web/);
  assert.match(log, /notes none/);

  await git.commit({ "vars/choices.yml": choices("eu") }, "Leave the US");
  const start = (environment: object) =>
    project.server.api("POST", `/api/project/${project.id}/tasks`, {
      template_id: template,
      environment: JSON.stringify(environment),
    });
  const gone = await start({ region: "us", services: ["api"] });
  assert.equal(gone.status, 400, JSON.stringify(gone.body));
  assert.deepEqual(Object.keys(gone.body.fields), ["region"]);
  assert.doesNotMatch(await startForm(project, template), /<option value="us"/);
  const filtered = await start({ region: "eu", services: ["db"] });
  assert.deepEqual(Object.keys(filtered.body.fields), ["services"]);

  await Deno.rename(git.path, `${git.path}.away`);
  const old = await startForm(project, template, { ...RELOAD, "answers.region": "eu" });
  assert.match(old, /These choices were loaded .* and may be outdated/);
  assert.match(old, /value="web"/);
});

Deno.test("choices come from an allowed address, and from the last good list while it is down", async () => {
  let answer = () => Response.json({ zones: ["a1", "a2"] });
  const asked: string[] = [];
  const listen = (port: number) =>
    Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, (request) => {
      asked.push(`${new URL(request.url).search} ${request.headers.get("authorization")}`);
      return answer();
    });
  const cmdb = listen(0);
  const { port } = cmdb.addr;
  const env = { CALLBOARD_SURVEY_URLS: `http://me:pass@127.0.0.1:${port}/api/` };
  await using project = await addRealProject({ env });
  const { repository_id } = await addPlays(project, PLAY.replace("services |", "ZONES |"));
  const url = `http://127.0.0.1:${port}/api/zones?token=s3cret`;
  const question = {
    name: "ZONES",
    title: "Zones",
    type: "select",
    target: "env",
    choices_from: { source: "url", url, key: "zones" },
  };
  const survey_vars = [question, { name: "services", title: "Services" }];
  const template = await project.makeTemplate({ repository_id, survey_vars });
  const start = (services: string, ZONES: string[]) =>
    project.run(template, { environment: JSON.stringify({ ZONES, services }) });
  const { task, log } = await start("x", ["a1", "a2"]);
  assert.equal(task.status, "success", log);
  assert.match(log, /env \[\\?"a1\\?",\\?"a2\\?"\]/);
  assert.deepEqual([...new Set(asked)], [`?token=s3cret Basic ${btoa("me:pass")}`]);

  await cmdb.shutdown();
  const { task: late } = await start("x", ["a2"]);
  assert.equal(late.status, "success", "the last good list counts");
  const html = await startForm(project, template);
  assert.match(html, /These choices were loaded .*cannot be reached/);
  assert.doesNotMatch(html, /s3cret/);

  const again = listen(port);
  const problem = async () => {
    const text = await startForm(project, template, RELOAD);
    return /These choices were loaded[^<]*|The choices are not[^<]*/.exec(text)?.[0] ?? "";
  };
  assert.equal(await problem(), "");
  answer = () => new Response("x".repeat(300_000));
  assert.match(await problem(), /too large/);
  answer = () => Response.redirect("http://127.0.0.1:1/");
  assert.match(await problem(), /status 302/);
  answer = () => new Response("zones: [");
  assert.match(await problem(), /neither YAML nor JSON/);
  answer = () => new Response("zones:\n- 0755\n- yes\n");
  assert.equal(await problem(), "");
  answer = () => Response.json({ zones: Array.from({ length: 1_001 }, (_, n) => n) });
  assert.match(await problem(), /more than 1,000 choices/);
  await again.shutdown();

  for (const other of [`http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/apis`]) {
    const refused = await project.server.api("POST", `/api/project/${project.id}/templates`, {
      ...await project.get(`templates/${template}`),
      survey_vars: [{ ...question, choices_from: { source: "url", url: other } }],
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.body.fields), ["survey_vars.0.choices_from.url"]);
  }
  assert.ok(!project.printed().includes("s3cret"));
});

Deno.test("hosts and groups are those of the inventory, a file's as Ansible last listed them", async () => {
  await using project = await addRealProject();
  const { git, repository_id } = await addPlays(project, {
    "site.yml": "- hosts: all\n  gather_facts: false\n  tasks: [debug: {msg: '{{ target }}'}]\n",
    "hosts.ini": "[web]\nlocalhost ansible_connection=local\n",
  });
  const inventory_id = await project.make("inventory", {
    name: "File",
    type: "file",
    inventory: "hosts.ini",
    repository_id,
    ssh_key_id: project.noKey,
  });
  const template = await project.makeTemplate({
    repository_id,
    inventory_id,
    survey_vars: [
      { name: "target", title: "Target", type: "host", required: true },
      { name: "part", title: "Part", type: "group" },
    ],
  });
  const shown = () => startForm(project, template);
  // The first reading may take longer than the limit on a busy machine.
  await project.get(`inventory/${inventory_id}/hosts`);
  assert.match(await shown(), /<option value="localhost"/);
  assert.match(await shown(), /<option value="web"/);
  const { task, log } = await project.run(template, {
    environment: JSON.stringify({ target: "localhost", part: "web" }),
  });
  assert.equal(task.status, "success", log);
  await git.commit({ "hosts.ini": "[db]\ndb1\n" }, "Move");
  await project.get(`inventory/${inventory_id}/hosts`);
  assert.match(await shown(), /<option value="db1"/);
  const gone = await project.server.api("POST", `/api/project/${project.id}/tasks`, {
    template_id: template,
    environment: { target: "localhost" },
  });
  assert.deepEqual(Object.keys(gone.body.fields), ["target"]);
});

Deno.test("a file of a folder that is used in place is read, and no link is followed", async () => {
  await using project = await addRealProject();
  const folder = join(project.home, "folder");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "list.yml"), "- one\n- two\n");
  await Deno.writeTextFile(join(project.home, "outside.yml"), "- from-outside\n");
  await Deno.symlink(join(project.home, "outside.yml"), join(folder, "link.yml"));
  const repository_id = await project.make("repositories", {
    name: "Folder",
    git_url: folder,
    git_branch: "",
    ssh_key_id: project.noKey,
  });
  const from = (path: string) => ({ source: "file", path });
  const template = await project.makeTemplate({
    repository_id,
    survey_vars: [
      { name: "a", title: "A", type: "enum", choices_from: from("list.yml") },
      { name: "b", title: "B", type: "enum", choices_from: from("link.yml") },
    ],
  });
  const html = await startForm(project, template);
  assert.match(html, /<option value="two"/);
  assert.match(html, /has no file &quot;link\.yml&quot;|has no file "link\.yml"/);
  assert.doesNotMatch(html, /from-outside/);
});
