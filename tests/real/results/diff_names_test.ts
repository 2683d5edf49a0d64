import assert from "node:assert/strict";
import { join } from "node:path";
import { hostsOf } from "@/tests/support/programs/many_plays.ts";
import { newRealBench, runWithEvents } from "@/tests/support/programs/real_ansible.ts";

/** Ways to create a new file. `%` stands for the folder. */
const NEW_FILES = `- hosts: all
  gather_facts: false
  tasks:
    - template: { src: motd.j2, dest: "%/template" }
    - copy:
        src: "{{ item.src | default(omit) }}"
        content: "{{ item.content | default(omit) }}"
        dest: "%/{{ item.name }}"
      loop: [{ name: plain, src: plain.txt }, { name: given, content: "hello\\n" }]
    - lineinfile: { path: "%/line", line: hello, create: true }
`;
const NAMES = ["template", "plain", "given", "line"];

for (const dryRun of [true, false]) {
  Deno.test(`a new file's diff has its name, on each host the same one${dryRun ? ", in check mode" : ""}`, async () => {
    await using bench = await newRealBench();
    const folder = join(bench.directory, "{{ 'made' }}");
    await Deno.mkdir(join(bench.directory, "made"));
    const files = {
      "site.yml": NEW_FILES.replaceAll("%", folder),
      "templates/motd.j2": "hello\n",
      "files/plain.txt": "hello\n",
    };
    // Check mode creates nothing, so no host finds the file.
    const hosts = dryRun ? ["a", "b"] : ["a"];
    const run = await runWithEvents(bench, files, hostsOf(...hosts), { diff: true, dryRun });
    const diffs = run.events.flatMap((event) => event.type === "result" ? [event.diff ?? ""] : []);
    const told = diffs.join("\n");
    assert.doesNotMatch(told, /ansible-local|\/tasks\/\d/, run.log);
    for (const name of NAMES) {
      assert.match(told, new RegExp(`^\\+\\+\\+ ${bench.directory}/made/${name}\\b`, "m"), told);
    }
    assert.equal(new Set(diffs).size, diffs.length / hosts.length, told);
  });
}
