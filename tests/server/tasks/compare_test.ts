import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { repositoryForm } from "@/tests/support/world/forms.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld } from "@/tests/support/world/world.ts";

async function newHistory() {
  const world = await newWorld();
  const { api, web, deploy, kv } = world;
  const git = await newGitRepository(`${world.folder}/playbooks`);
  const hashes: string[] = [];
  for (let n = 1; n <= 5; n++) {
    hashes.push(await git.commit({ "site.yml": `- hosts: all # ${n}\n` }, `Change <${n}>`));
  }
  const form = { ...repositoryForm(world), git_url: git.url, git_branch: "main" };
  const repository = (await api("alice", "POST", `/api/project/${web.id}/repositories`, form)).body;
  const body = { template_id: deploy.id };
  const { id } = (await api("bob", "POST", `/api/project/${web.id}/tasks`, body)).body;
  await advance(kv, { id, project_id: web.id }, "stopped");
  const model = await getTaskRow(kv, web.id, id);
  const ran = (commit_hash: string): Partial<TaskRow> => ({
    commit_hash,
    git_branch: "main",
    repository_id: repository.id,
    status: "success",
  });
  return {
    world,
    git,
    hashes,
    /** Returns what the page shows about the commits between two runs. */
    async between(person: Person, from: string, to: string, query = "") {
      const [a, b] = await writeHistory(kv, model, [ran(to), ran(from)]);
      const path = `/project/${web.id}/templates/${deploy.id}/compare?a=${a.id}&b=${b.id}${query}`;
      const html = await htmlOf(await world.get(person, path));
      return /<section id="compare-commits".*?>(.*?)<\/section>/s.exec(html)![1];
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const subjects = (html: string) =>
  [...html.matchAll(/Change &lt;(\d)>/g)].map(([, n]) => Number(n));

Deno.test("the commits between two runs are listed, forwards and back, once their history is here", async () => {
  await using history = await newHistory();
  const { hashes, between, git } = history;
  const unknown = await between("bob", hashes[0], hashes[3]);
  assert.match(unknown, /does not have the history/);
  assert.match(unknown, /Fetch the branch history/);
  assert.deepEqual(subjects(await between("bob", hashes[0], hashes[3], "&fetch=1")), [4, 3, 2]);
  assert.deepEqual(subjects(await between("carol", hashes[1], hashes[4])), [5, 4, 3]);
  const back = await between("carol", hashes[2], hashes[0]);
  assert.match(back, /no longer has/);
  assert.deepEqual(subjects(back), [3, 2]);

  await git.git("checkout", "--quiet", "-b", "other", hashes[0]);
  const elsewhere = await git.commit({ "x.yml": "" }, "Elsewhere");
  assert.match(await between("carol", hashes[4], elsewhere), /does not have the history/);
  assert.match(
    await between("bob", hashes[4], elsewhere, "&fetch=1"),
    /Neither commit is an ancestor/,
  );
});

Deno.test("people who may not run tasks cannot cause a fetch, and a missing repository is reported", async () => {
  await using history = await newHistory();
  const { hashes, between, git } = history;
  const guest = await between("carol", hashes[0], hashes[3], "&fetch=1");
  assert.match(guest, /does not have the history/);
  assert.doesNotMatch(guest, /Fetch the branch history/);
  await Deno.remove(git.path, { recursive: true });
  assert.match(await between("bob", hashes[0], hashes[3], "&fetch=1"), /repository/i);
});

Deno.test("a run keeps which Ansible ran it", async () => {
  await using queue = await newQueue();
  queue.dispatch();
  const id = await queue.start(await queue.makeTemplate());
  await until(async () => (await queue.row(id)).status === "success");
  assert.equal((await queue.row(id)).ansible_version, "ansible-playbook [core 2.19.14]");
});
