import assert from "node:assert/strict";
import { type HostRecap, RECAP_COUNTS, type RunEvent } from "@/lib/execution/run/events.ts";
import { unpackedList } from "@/lib/store/rows/packed_json.ts";
import { resultCollector } from "@/lib/results/collector.ts";
import type { HostRow } from "@/lib/results/rows.ts";
import { hostsOf, manyRuns } from "@/tests/support/programs/many_plays.ts";
import { outputRecap } from "@/tests/support/programs/output_recap.ts";
import { publishedCollections } from "@/tests/support/programs/published.ts";
import {
  newRealBench,
  type RunWithEvents,
  runWithEvents,
} from "@/tests/support/programs/real_ansible.ts";
import { linesAhead } from "@/lib/results/outline.ts";

/** Returns the recap counted from the results alone. */
async function countedRecap(events: RunEvent[]): Promise<Map<string, HostRecap>> {
  const collector = resultCollector();
  for (const event of events) if (event.type !== "recap") collector.take(event);
  const hosts = (await collector.rows()).filter(({ at: [kind] }) => kind === "hosts")
    .flatMap(({ value }) => unpackedList<HostRow>(value as Uint8Array));
  return new Map(hosts.map((host) => [host.name, pick(host)]));
}

const pick = (host: HostRecap): HostRecap =>
  Object.fromEntries(RECAP_COUNTS.map((name) => [name, host[name]])) as unknown as HostRecap;

const sorted = <T>(map: Map<string, T>) => [...map].toSorted(([a], [b]) => a < b ? -1 : 1);

/** Checks that the lines of each play and result are those where its output was printed. */
function checkLines(run: RunWithEvents): void {
  const ahead = linesAhead();
  for (const event of run.events) {
    if (event.type === "line") ahead.add(event);
    if (event.type === "play") assert.match(run.lineOf(event.lines!.to), /^PLAY \[/);
    if (event.type !== "result") continue;
    const lines = ahead.linesOf(event);
    if (event.status === "included" || !lines) continue;
    const count = lines.to - lines.from + 1;
    const text = Array.from({ length: count }, (_, n) => run.lineOf(lines.from + n)).join("\n");
    assert.match(text, new RegExp(`\\[${event.host}\\b`), text);
  }
}

/** Requires that the counted results of each host match Ansible's own recap, and returns that. */
async function checkRecap(run: RunWithEvents): Promise<Map<string, HostRecap>> {
  const recap = outputRecap(run.log);
  assert.ok(recap.size > 0, run.log);
  assert.deepEqual(sorted(await countedRecap(run.events)), sorted(recap), run.log);
  const told = run.events.flatMap((event) => event.type === "recap" ? [...event.hosts] : []);
  assert.deepEqual(sorted(new Map(told)), sorted(recap));
  assert.deepEqual(run.events.at(-1)!.type, "end");
  checkLines(run);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(run.log, /[\x01-\x06\x0e-\x17]/, "no mark is left");
  return recap;
}

Deno.test("the counts of each host equal Ansible's own recap", async (t) => {
  await using bench = await newRealBench();
  for (const { name, files, inventory, groups } of manyRuns()) {
    await t.step(name, async () => {
      const run = await runWithEvents(bench, files, inventory, { diff: true });
      await checkRecap(run);
      // No play has ended the run before the last one.
      for (const group of groups) assert.ok(run.log.includes(`PLAY [${group}]`), group);
      assert.doesNotMatch(JSON.stringify(run.events), /hidden words/);
    });
  }
});

const published = await publishedCollections();
const HOSTS = Number(Deno.env.get("PUBLISHED_HOSTS") ?? 2);
/** Playbooks of DebOps. The last one fails, because a collection that it needs is missing. */
const PLAYBOOKS = ["environment", "console", "logrotate"];

Deno.test({
  name: "published collections are counted alike, in check mode with differences",
  ignore: !published,
  async fn() {
    await using bench = await newRealBench();
    const names = Array.from({ length: HOSTS }, (_, n) => `node-${n + 1}`);
    const inventory = `[debops_all_hosts]\n${hostsOf(...names)}`;
    const imports = PLAYBOOKS.map((name) => `- import_playbook: debops.debops.service.${name}\n`);
    const run = await runWithEvents(bench, { "site.yml": imports.join("") }, inventory, {
      dryRun: true,
      diff: true,
      env: {
        ANSIBLE_COLLECTIONS_PATH: published!,
        ANSIBLE_FORKS: "10",
        ANSIBLE_GATHERING: "smart",
      },
      arguments: ["--extra-vars", "ansible_become=false"],
    });
    const recap = await checkRecap(run);
    assert.deepEqual([...recap.keys()].toSorted(), names.toSorted(), run.log);
    for (const { changed, skipped, failed } of recap.values()) {
      assert.ok(changed >= 1 && skipped >= 1 && failed === 1, run.log);
    }
    const results = run.events.filter((event) => event.type === "result");
    assert.ok(results.some(({ diff }) => diff), run.log);
  },
});
