import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { newRealBench } from "@/tests/support/programs/real_ansible.ts";
import {
  leftovers,
  newRunBench,
  proveOnBoth,
  replace,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";

const PLAY = `- hosts: web
  gather_facts: false
  roles: [greet]
  tasks:
    - debug:
        msg: "{{ here }} of {{ lookup('env', 'PWD') | basename }}, {{ lookup('file', 'note') }}"
`;
const FILES = {
  "ansible.cfg": "[defaults]\nroles_path = other\n",
  "other/greet/tasks/main.yml": "- debug:\n    msg: greetings of the root\n",
  "site/ansible.cfg": "[defaults]\nroles_path = shared roles\n",
  "site/shared roles/greet/tasks/main.yml": "- debug:\n    msg: greetings of the site\n",
  "site/vars.yml": "here: in the folder\n",
  "site/plays/site.yml": PLAY,
  "site/plays/files/note": "with a file",
  "hosts": "web1 ansible_connection=local\n[web]\nweb1\n",
};

const commitFiles = async (bench: RunBench) => {
  await Deno.symlink("site", join(bench.repository.path, "current"));
  await Deno.symlink("/etc", join(bench.repository.path, "away"));
  await bench.repository.commit(FILES, "A site");
};

const planOf = (bench: RunBench, workingDirectory?: string, changes = {}) =>
  bench.plan({
    playbook: "site/plays/site.yml",
    ...workingDirectory !== undefined && { workingDirectory },
    inventory: { ...bench.plan().inventory, type: "file", content: "hosts" },
    arguments: ["-e", "@vars.yml"],
    ...changes,
  });

Deno.test("a run starts in its working directory, with the ansible.cfg of that folder", async () => {
  await using bench = await newRealBench();
  await commitFiles(bench);
  for (const folder of ["site", "site/", "current"]) {
    // Hosts are listed in a file, as a retry does.
    const { end, log } = await bench.run(planOf(bench, folder, { hosts: ["web1"] }));
    assert.equal(end, "success", log);
    assert.match(log, /greetings of the site/);
    assert.match(log, /in the folder of (site|current), with a file/);
    assert.match(log, /Running the playbook site\/plays\/site\.yml in the folder (site|current)/);
    assert.doesNotMatch(log, /are not used/);
  }
});

Deno.test("without one, a run says which ansible.cfg beside its playbook is not used", async () => {
  await using bench = await newRunBench();
  await commitFiles(bench);
  const logOf = async (changes: object) => (await bench.run(planOf(bench, undefined, changes))).log;
  const said = /The settings in site\/ansible\.cfg are not used.*working directory.*"site"/;
  assert.match(await logOf({}), said);
  assert.doesNotMatch(await logOf({ env: { ANSIBLE_CONFIG: "site/ansible.cfg" } }), said);
  await bench.repository.commit({ "root.yml": PLAY }, "Beside the configuration of the root");
  assert.doesNotMatch(await logOf({ playbook: "root.yml" }), said);
});

Deno.test("a working directory is a folder inside the repository", async () => {
  await using bench = await newRunBench();
  await commitFiles(bench);
  const reasonOf = async (folder: string) => (await bench.run(planOf(bench, folder))).reason?.key;
  assert.equal(await reasonOf("none"), "errors.run.working_directory_missing");
  assert.equal(await reasonOf("hosts"), "errors.run.working_directory_missing");
  assert.equal(await reasonOf("away"), "errors.run.working_directory_outside");
  assert.equal(await reasonOf("site/../.."), "errors.run.working_directory_outside");
  assert.deepEqual(leftovers(bench), []);
});

proveOnBoth("requirements are those of the working directory, or of the root", async (on) => {
  await using bench = await newRunBench(on);
  await commitFiles(bench);
  await replace(bench, "galaxy", 'pwd; while [ "$1" != -r ]; do shift; done; cat "$2"');
  await bench.repository.commit({
    "requirements.yml": "# root\n- { src: geerlingguy.ntp, version: 3.1.1 }\n",
  }, "In the root");
  const installed = async (folder?: string) => {
    const { log } = await bench.run(planOf(bench, folder));
    return [...new Set(log.match(/^\/.*\/\w+$|3\.1\.\d/gm))].map((text) => basename(text)).join(
      " ",
    );
  };
  assert.equal(await installed("site"), "site 3.1.1");
  const own = {
    "site/roles/requirements.yml": "# site\n- { src: geerlingguy.ntp, version: 3.1.2 }\n",
  };
  await bench.repository.commit(own, "In the folder");
  assert.equal(await installed("site"), "site 3.1.2");
});
