import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { findAnsible } from "@/lib/execution/ansible/installation.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { requirementLabel } from "@/lib/execution/run/requirement_label.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { newRunBench, type Ran } from "@/tests/support/server/run_bench.ts";

const ansible = await findAnsible({
  dataDir: fileURLToPath(new URL("../../../data", import.meta.url)),
  isolation: noIsolation,
  path: Deno.env.get("PATH")!,
  variables: {},
});

const labels = ({ requirements }: Ran) => requirements?.items.map(requirementLabel);
const short = (commit: string) => commit.slice(0, 7);

/** Returns a role that greets and depends on others, as a repository. */
async function newRole(path: string) {
  const repository = await newGitRepository(path);
  const say = (who: string, dependencies = "[]", files = {}) =>
    repository.commit({
      "tasks/main.yml": `- debug: { msg: "hello from ${who}" }\n`,
      "meta/main.yml":
        `galaxy_info: { author: a, description: d, license: MIT }\ndependencies: ${dependencies}\n`,
      ...files,
    }, who);
  return { ...repository, say };
}

async function newBench() {
  const bench = await newRunBench();
  Object.assign(bench.environment.ansible, ansible);
  bench.environment.timeLimits.galaxyMs = 60_000;
  return bench;
}

Deno.test({
  name: "branches that roles depend on are looked up at each start, and recorded ones used again",
  ignore: !ansible,
  async fn() {
    await using bench = await newBench();
    const [top, meta, deep] = await Promise.all(
      ["top", "meta", "deep"].map((name) => newRole(`${bench.directory}/${name}`)),
    );
    const deepest = await deep.say("deep one");
    const middle = await meta.say("meta one", "[]", {
      "meta/requirements.yml": `- { src: "git+${deep.url}", name: deep }\n`,
    });
    const whole = await top.say("top", `[{ src: "git+${meta.url}", version: main, name: meta }]`);
    await bench.repository.commit({
      "requirements.yml": `- { src: "git+${top.url}", name: top }\n`,
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [top, deep]\n",
    }, "Use them");
    const greetings = ({ log }: Ran) => log.match(/hello from \w+( \w+)?/g);
    const first = await bench.run(bench.plan());
    assert.equal(first.end, "success", first.log);
    assert.deepEqual(greetings(first), [
      "hello from meta one",
      "hello from top",
      "hello from deep one",
    ]);
    assert.deepEqual(labels(first), [
      `top ${short(whole)}`,
      `meta main ${short(middle)}`,
      `deep ${short(deepest)}`,
    ]);
    assert.match((await bench.run(bench.plan())).log, /already installed/);

    const moved = await deep.say("deep two");
    const second = await bench.run(bench.plan());
    assert.deepEqual(greetings(second)?.at(-1), "hello from deep two", second.log);
    assert.deepEqual(labels(second)?.at(-1), `deep ${short(moved)}`);
    // The same dependencies are expected, so one installation is enough.
    assert.equal(second.log.match(/Installing the requirements/g)?.length, 1);

    const same = first.requirements!;
    const repeated = await bench.run(bench.plan({ requirements: { same } }));
    assert.match(repeated.log, /already installed[^]*hello from deep one/);
    const rebuilt = await bench.run(bench.plan({ projectId: 2, requirements: { same } }));
    assert.equal(greetings(rebuilt)?.at(-1), "hello from deep one", rebuilt.log);
    assert.deepEqual(rebuilt.requirements!.items, same.items);

    // A dependency that is gone is not needed if nothing names it any more.
    const alone = await meta.say("meta two", "[]", { "meta/requirements.yml": "[]\n" });
    await bench.repository.commit({
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [top]\n",
    }, "Without it");
    await Deno.rename(deep.path, `${deep.path}-away`);
    const third = await bench.run(bench.plan());
    assert.deepEqual(
      labels(third),
      [`top ${short(whole)}`, `meta main ${short(alone)}`],
      third.log,
    );
    await Deno.rename(meta.path, `${meta.path}-away`);
    assert.notEqual((await bench.run(bench.plan())).end, "success");
  },
});

Deno.test({
  name: "branches that collections depend on are looked up at each start",
  ignore: !ansible,
  async fn() {
    await using bench = await newBench();
    const newCollection = async (name: string) => {
      const repository = await newGitRepository(`${bench.directory}/${name}`);
      const say = (who: string, dependencies: string) =>
        repository.commit({
          "galaxy.yml": `namespace: alice\nname: ${name}\nversion: 1.0.0\nreadme: README.md\n` +
            `authors: [Alice]\ndependencies: ${dependencies}\n`,
          "README.md": "Things\n",
          "roles/greet/tasks/main.yml": `- debug: { msg: "hello from ${who}" }\n`,
        }, who);
      return { ...repository, say };
    };
    const [outer, inner] = [await newCollection("outer"), await newCollection("inner")];
    const old = await inner.say("inner one", "{}");
    await outer.say("outer", `{ "git+${inner.url}": main }`);
    await bench.repository.commit({
      "requirements.yml": `collections: [{ name: "git+${outer.url}", type: git }]\n`,
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [alice.inner.greet]\n",
    }, "Use them");
    const first = await bench.run(bench.plan());
    assert.match(first.log, /hello from inner one/);
    assert.ok(labels(first)?.includes(`inner main ${short(old)}`), `${labels(first)}`);
    assert.match((await bench.run(bench.plan())).log, /already installed/);
    const moved = await inner.say("inner two", "{}");
    const second = await bench.run(bench.plan());
    assert.match(second.log, /hello from inner two/);
    assert.ok(labels(second)?.includes(`inner main ${short(moved)}`), `${labels(second)}`);
    const { requirements } = first;
    const repeated = bench.plan({ projectId: 2, requirements: { same: requirements! } });
    assert.match((await bench.run(repeated)).log, /hello from inner one/);
  },
});
