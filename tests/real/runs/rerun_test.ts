import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";

const play = (says: string) =>
  `- hosts: all
  gather_facts: false
  tasks:
    - debug:
        msg: "${says} {{ notes | default('') | hash('sha256') }} {{ notes | default('') | length }}"
    - debug:
        msg: "{{ token }}"
      when: token is defined
`;

/** Longer than one value of the store, and not the same letter again and again. */
const LONG = Array.from({ length: 12_000 }, (_, n) => `line ${n} é`).join("\n").slice(0, 120_000);

Deno.test("a task that is sent back runs its own commit, with answers of any length", async () => {
  await using project = await addRealProject();
  const { git, commit: first, repository_id } = await addPlays(project, play("first"));
  const template = await project.makeTemplate({
    repository_id,
    survey_vars: [
      { name: "notes", title: "Notes", type: "string" },
      { name: "token", title: "Token", type: "secret" },
    ],
  });
  const secret = "s3cret".repeat(4_000);
  const old = await project.run(template, {
    environment: JSON.stringify({ notes: LONG }),
    secret: JSON.stringify({ token: secret }),
  });
  assert.equal(old.task.status, "success", old.log);
  assert.equal(old.task.commit_hash, first);
  const hash = createHash("sha256").update(LONG).digest("hex");
  assert.match(old.log, new RegExp(`first ${hash} ${LONG.length}`));
  assert.ok(!project.answers.some((text) => text.includes("s3crets3cret")), "and it is masked");

  await git.commit({ "site.yml": play("second") }, "Second");
  await git.git("checkout", "--quiet", "-b", "other");
  const foreign = await git.commit({ "site.yml": play("foreign") }, "Foreign");
  await git.git("checkout", "--quiet", "main");
  assert.match((await project.run(template)).log, /second/);

  const again = await project.run(template, old.task);
  assert.equal(again.task.status, "success", again.log);
  assert.equal(again.task.commit_hash, first);
  assert.match(again.log, new RegExp(`first ${hash} ${LONG.length}`));

  const refused = await project.run(template, { commit_hash: foreign });
  assert.equal(refused.task.status, "error");
  assert.match(refused.task.end_reason, /(has no commit|is not in the history of branch main)/);
  assert.doesNotMatch(refused.log, /foreign /);
});
