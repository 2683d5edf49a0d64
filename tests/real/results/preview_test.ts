import assert from "node:assert/strict";
import { join } from "node:path";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { newPreviewStage, PLAY, SECRET } from "@/tests/support/programs/preview_stage.ts";
import type { RealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

const named = (items: { kind: string; play_task: string; hosts: string[] }[]) =>
  items.map(({ kind, play_task, hosts }) => [kind, play_task, hosts.toSorted().join()]);

const previewOf = (project: RealProject, id: number) => project.get(`tasks/${id}/preview`);

Deno.test("a run is previewed, confirmed, carried out as it was previewed, and compared", async () => {
  await using stage = await newPreviewStage();
  const { project, git, folder, first } = stage;
  const id = await stage.previewed();
  assert.deepEqual(await stage.files(), []);
  const task = await project.getTask(id);
  assert.equal(task.commit_hash, first);
  assert.deepEqual([task.dry_run, task.diff, task.end], [false, false, null]);
  assert.equal(typeof task.preview.made, "string");

  const preview = await previewOf(project, id);
  assert.deepEqual([preview.hosts, preview.changed_hosts, preview.complete], [2, 2, true]);
  const changes = preview.changes.map((
    { play_task, hosts, diff }: { play_task: string; hosts: string[]; diff: string },
  ) => [play_task, hosts.join(), /^\+first/m.test(diff)]);
  assert.deepEqual(changes.toSorted(), [
    ["Look twice", "db", false],
    ["Write a file", "db", true],
    ["Write a file", "web", true],
  ]);
  assert.deepEqual(
    preview.unchecked.map(({ play_task, hosts }: { play_task: string; hosts: number }) => [
      play_task,
      hosts,
    ]),
    [["Touch by hand", 2]],
  );
  assert.equal(preview.differences, null);
  // Nothing has happened on any host yet.
  assert.deepEqual(await project.get(`tasks/${id}/hosts`), []);
  assert.equal((await project.get(`tasks/${id}/hosts?preview=true`)).length, 2);

  // A commit that arrives meanwhile is not run.
  await git.commit({ "site.yml": PLAY.replaceAll("Write a file", "Write another") }, "Moved");
  await stage.changeInventory(hostsOf("web", "db", "later"));
  await Deno.writeTextFile(join(folder, "twice.txt"), "same\n");
  await project.restart("SIGKILL");
  assert.equal((await project.getTask(id)).status, "waiting_confirmation");
  assert.deepEqual(await previewOf(project, id), preview);
  assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 204);
  const { task: ended, log } = await project.ended(id);
  assert.equal(ended.status, "success", log);
  assert.equal(ended.commit_hash, first);
  assert.deepEqual(await stage.files(), [
    "db.touched",
    "db.txt",
    "twice.txt",
    "web.touched",
    "web.txt",
  ]);
  const { differences, unpredicted, absent } = await previewOf(project, id);
  assert.deepEqual(named(differences.items).toSorted(), [
    ["absent", "Look twice", "db"],
    ["unpredicted", "Touch by hand", "db,web"],
  ]);
  assert.deepEqual([unpredicted, absent], [2, 1]);
  assert.match(log, /Preview: running with[^]*Approved by [^]*running now/);
  // The results of the real run point to its part of the output.
  const [result] = await project.get(`tasks/${id}/results?status=changed`);
  const lines = log.split("\n");
  const begun = lines.findIndex((line) => line.startsWith("Approved by"));
  assert.ok(begun > 0 && result.line > begun, `${begun} ${result.line}`);
  // A secret in a difference is masked, both in the output and in the store.
  assert.doesNotMatch(project.answers.join("\n"), new RegExp(SECRET));
  assert.match(await Deno.readTextFile(join(folder, "web.txt")), new RegExp(SECRET));
});

Deno.test("a preview that would surely change nothing ends its task; one with doubts does not", async () => {
  const sure = PLAY.slice(0, PLAY.indexOf("    - name: Touch by hand"));
  await using stage = await newPreviewStage(sure, { preview_end_unchanged: true }, ["web"]);
  const { project, git, template_id } = stage;
  await Deno.writeTextFile(join(stage.folder, "web.txt"), `first ${SECRET}\n`);
  const { task, log } = await project.run(template_id);
  assert.equal(task.status, "success", log);
  assert.deepEqual([task.preview.unchanged, task.preview.confirmed_by], [true, ""]);
  assert.match(log, /found nothing to change/);
  // A command that check mode skips may do anything.
  await git.commit({ "site.yml": PLAY }, "Doubtful");
  await stage.previewed();
  // The same is true for tasks after the point where the preview has ended.
  const ending = "  tasks:\n    - {meta: end_play, when: ansible_check_mode}\n";
  await git.commit({ "site.yml": sure.replace("  tasks:\n", ending) }, "Ending early");
  const id = await stage.previewed();
  assert.deepEqual((await previewOf(project, id)).check_mode, ["site.yml:4"]);
  // Changes that the preview itself has made are not predictions.
  const real = `${sure}    - {name: At once, raw: touch ${stage.folder}/once, check_mode: false}\n`;
  await git.commit({ "site.yml": real }, "Not held back");
  const done = await stage.previewed();
  assert.ok((await stage.files()).includes("once"));
  const { changed_hosts, carried_out_tasks } = await previewOf(project, done);
  assert.equal(changed_hosts, 0);
  assert.deepEqual(
    carried_out_tasks.map((its: { play_task: string; changed_hosts: number }) => [
      its.play_task,
      its.changed_hosts,
    ]),
    [["At once", 1]],
  );
  assert.equal(await stage.send("POST", `tasks/${done}/confirm`), 204);
  assert.equal((await project.ended(done)).task.status, "success");
  assert.deepEqual((await previewOf(project, done)).differences.items, []);
});

Deno.test("a run that is a dry run anyway is not previewed", async () => {
  await using stage = await newPreviewStage("- hosts: all\n  gather_facts: false\n");
  const { task } = await stage.project.run(stage.template_id, { dry_run: true });
  assert.deepEqual([task.status, task.preview], ["success", null]);
});

Deno.test("an environment cannot change behind a preview, which can be rejected then", async (t) => {
  await using stage = await newPreviewStage(PLAY, {}, ["web"]);
  const { project } = stage;
  const id = await stage.previewed();
  await t.step("a run with another environment is not confirmed", async () => {
    await stage.changeEnvironment({ folder: stage.folder, text: "second" });
    assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 409);
    assert.equal((await project.getTask(id)).status, "waiting_confirmation");
  });
  await t.step(
    "a preview that is rejected ends stopped, with who did it and its output",
    async () => {
      const before = await project.log(id);
      assert.equal(await stage.send("POST", `tasks/${id}/reject`), 204);
      const task = await project.getTask(id);
      assert.equal(task.status, "stopped");
      assert.match(task.end_reason, /rejected the task/);
      assert.equal(await project.log(id), before);
      assert.deepEqual(await stage.files(), []);
      assert.equal(await stage.send("POST", `tasks/${id}/reject`), 409);
      assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 409);
      const [event] = await project.get("events?limit=1");
      assert.match(event.description, /rejected/);
    },
  );
});

Deno.test("only the previewed commit is carried out, with the previewed template", async (t) => {
  await using stage = await newPreviewStage();
  const { project, git, folder, first, template_id } = stage;
  const elsewhere = join(project.home, "elsewhere");
  await Deno.mkdir(elsewhere);
  const evil = `- hosts: all\n  tasks: [{copy: {dest: ${folder}/evil, content: evil}}]\n`;
  await Deno.writeTextFile(join(elsewhere, "site.yml"), evil);
  const [repository] = await project.get("repositories");
  const change = async (fields: object) =>
    assert.equal(
      await stage.send("PUT", `repositories/${repository.id}`, { ...repository, ...fields }),
      204,
    );
  const id = await stage.previewed({ limit: "web" });
  const template = await project.get(`templates/${template_id}`);

  await t.step("a repository that was changed is not, nor a folder in its place", async () => {
    for (const fields of [{ git_url: elsewhere, git_branch: "" }, { git_branch: "other" }]) {
      await change(fields);
      const path = `/api/project/${project.id}/tasks/${id}/confirm`;
      const { status, body } = await project.server.api("POST", path);
      assert.equal(status, 409);
      assert.match(JSON.stringify(body), /The repository Plays was changed after the preview/);
      assert.equal((await project.getTask(id)).status, "waiting_confirmation");
    }
    // A manager who reverts the change is not asked to start again.
    await change({});
  });

  await t.step("neither an edited template nor a rewritten branch changes it", async () => {
    await git.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "Other");
    await git.git("reset", "--quiet", "--soft", "HEAD~1");
    await git.git("commit", "--quiet", "--amend", "--message", "Rewritten");
    await git.git("reflog", "expire", "--expire=now", "--all");
    await git.git("gc", "--quiet", "--prune=now");
    const edited = { ...template, playbook: "other.yml", inventory_id: project.localhost };
    assert.equal(await stage.send("PUT", `templates/${template_id}`, edited), 204);
    assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 204);
    const { task, log } = await project.ended(id);
    assert.deepEqual([task.status, task.commit_hash], ["success", first], log);
    assert.deepEqual(await stage.files(), ["web.touched", "web.txt"]);
  });

  await t.step(
    "a build's version is not deployed from a folder, whatever commit it shows",
    async () => {
      const build = await project.makeTemplate({
        ...{ name: "Build", type: "build", start_version: "1", repository_id: repository.id },
        environment_id: template.environment_id,
      });
      const built = await project.run(build);
      assert.equal(built.task.status, "success", built.log);
      const deploy = await project.makeTemplate({
        ...{ name: "Deploy", type: "deploy", build_template_id: build },
        repository_id: repository.id,
      });
      await change({ git_url: elsewhere, git_branch: "" });
      const { task, log } = await project.run(deploy);
      assert.equal(task.status, "error", log);
      assert.match(
        task.end_reason,
        /^This task must run commit \w+, but its repository is the folder/,
      );
      assert.equal((await stage.files()).includes("evil"), false);
    },
  );
});

Deno.test("a preview shows nothing that the vault has encrypted, unless differences are asked for", async () => {
  const play = `- hosts: all
  gather_facts: false
  tasks:
    - copy: {src: secret.txt, dest: "{{ folder }}/{{ inventory_hostname }}.txt"}
`;
  await using stage = await newPreviewStage(play, {}, ["web"]);
  const { project, git } = stage;
  const password = join(project.home, "vault_password");
  await Deno.writeTextFile(password, "open-sesame");
  const plain = join(project.home, "secret.txt");
  await Deno.writeTextFile(plain, "never-for-guests\n");
  const { success } = await new Deno.Command("ansible-vault", {
    args: ["encrypt", `--vault-password-file=${password}`, plain],
    stdout: "null",
    stderr: "null",
  }).output();
  assert.ok(success);
  await git.commit({ "secret.txt": await Deno.readTextFile(plain) }, "Secret");
  const vault_key_id = await project.make("keys", {
    name: "Vault",
    type: "login_password",
    login_password: { login: "", password: "open-sesame" },
  });
  const template = await project.get(`templates/${stage.template_id}`);
  const vaults = [{ name: "default", type: "password", vault_key_id }];
  const edited = { ...template, vault_key_id: null, vaults };
  assert.equal(await stage.send("PUT", `templates/${stage.template_id}`, edited), 204);

  const hidden = await stage.previewed();
  const page = `/project/${project.id}/tasks/${hidden}`;
  const told = [
    ...["/review", "/changes", "/changes?by=host&host=1", "/hosts"].map((tab) => page + tab),
    ...["raw_output", "output", "preview", "results?preview=true"].map((part) =>
      `/api${page}/${part}`
    ),
  ];
  for (const path of told) {
    const { status, body } = await project.server.api("GET", path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(JSON.stringify(body), /never-for-guests/, path);
  }
  const { changed_hosts, changes } = await previewOf(project, hidden);
  assert.equal(changed_hosts, 1);
  assert.deepEqual(changes.map(({ diff }: { diff: string }) => diff), [""]);
  assert.match(await project.log(hidden), /This preview shows no differences/);
  assert.equal(await stage.send("POST", `tasks/${hidden}/reject`), 204);
  const asked = await stage.previewed({ diff: true });
  assert.match(await project.log(asked), /never-for-guests/);
});

Deno.test("a server that is killed in a preview, or while it is carried out, leaves a definite end", async () => {
  const slow = `${PLAY}    - name: Wait
      raw: sleep 600
      check_mode: "{{ not (wait_in_preview | default(false)) and ansible_check_mode }}"
`;
  await using stage = await newPreviewStage(slow, { allow_parallel_tasks: true }, ["web"]);
  const { project } = stage;
  const id = await stage.previewed();
  const untouched = join(project.home, "untouched");
  await Deno.mkdir(untouched);
  const previewing = await project.startTask(stage.template_id, {
    environment: JSON.stringify({ wait_in_preview: true, folder: untouched }),
  });
  await until(async () => /TASK \[Wait\]/.test(await project.log(previewing)));
  assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 204);
  const told = () => project.get(`tasks/${id}/results?status=changed`);
  await until(async () => (await told()).length === 2);
  await project.restart("SIGKILL");

  assert.equal((await project.ended(previewing)).task.status, "error");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(untouched)), []);
  assert.equal((await project.ended(id)).task.status, "error");
  const { differences } = await previewOf(project, id);
  assert.deepEqual(named(differences.items), [["unpredicted", "Touch by hand", "web"]]);
});

/** Needs what an earlier Ansible task installs, so that check mode fails and the run does not. */
const FIRST_DEPLOYMENT = `- hosts: all
  gather_facts: false
  tasks:
    - name: Install
      raw: touch {{ folder }}/installed
    - name: Configure
      raw: test -e {{ folder }}/installed
      check_mode: false
`;

Deno.test("a template whose check mode fails makes its first deployment after someone has seen why", async () => {
  await using stage = await newPreviewStage(FIRST_DEPLOYMENT, {}, ["web"]);
  const { project } = stage;
  const id = await stage.previewed();
  const { preview, end } = await project.getTask(id);
  assert.deepEqual([preview.failed_hosts, end], [1, null]);
  const [failure] = await project.get(`tasks/${id}/results?preview=true&status=failed`);
  assert.equal(failure.play_task, "Configure");
  assert.equal(await stage.send("POST", `tasks/${id}/confirm`), 409);
  assert.equal(
    await stage.send("POST", `tasks/${id}/confirm`, { in_spite_of_failures: true }),
    204,
  );
  const { task, log } = await project.ended(id);
  assert.equal(task.status, "success", log);
  assert.match(log, /The preview failed[^]*Approved by [^]*running now/);
});
