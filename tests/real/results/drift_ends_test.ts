import assert from "node:assert/strict";
import { addInventory, addPlays } from "@/tests/support/programs/real_plays.ts";
import { addRealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

const FAILS = `    - name: Ask the service
      assert: { that: inventory_hostname == "web2" }
`;
const THEN = `    - name: Change something
      command: "true"
`;
const play = (more: string, tasks: string) =>
  `- hosts: all
  gather_facts: false
${more}  tasks:
${tasks}`;

/** Plays, and the states of web1, on which something fails, and of web2; null for none. */
const PLAYS: [what: string, plays: string, web1: string, web2: string | null][] = [
  ["any_errors_fatal", play("  any_errors_fatal: true\n", FAILS + THEN), "unknown", "unknown"],
  ["max_fail_percentage", play("  max_fail_percentage: 0\n", FAILS + THEN), "unknown", "unknown"],
  [
    "run_once",
    play(
      "",
      `    - name: Ask once
      assert: { that: false }
      run_once: true
${THEN}`,
    ),
    "unknown",
    null,
  ],
  ["a batch without hosts left", play("  serial: 1\n", FAILS + THEN), "unknown", null],
  [
    "a play without hosts left",
    play("", FAILS.replace('inventory_hostname == "web2"', "false")) + play("", THEN),
    ...["unknown", "unknown"] as [string, string],
  ],
  ["a failure of one host alone", play("", FAILS + "    - debug:\n"), "unknown", "as_described"],
  [
    "end_play",
    play("", `    - debug:\n    - meta: end_play\n${THEN}`),
    ...["as_described", "as_described"] as [string, string],
  ],
  [
    "end_host",
    play(
      "",
      `    - debug:\n    - meta: end_host\n      when: inventory_hostname == "web2"\n    - debug:\n`,
    ),
    ...["as_described", "as_described"] as [string, string],
  ],
];

Deno.test("an early end of a play says nothing about the hosts that were spared", async (t) => {
  await using project = await addRealProject();
  const inventory = "web1 ansible_connection=local\nweb2 ansible_connection=local\n";
  const inventory_id = await addInventory(project, inventory);
  for (const [n, [what, plays, web1, web2]] of PLAYS.entries()) {
    await t.step(what, async () => {
      const { repository_id } = await addPlays(project, plays, `Plays${n}`);
      const template = await project.makeTemplate({ repository_id, inventory_id });
      const id = await project.make(`templates/${template}/check`, {});
      const { log } = await project.ended(id);
      assert.doesNotMatch(log, /Change something/);
      await until(async () => {
        const { templates } = await project.get("drift/stats");
        return templates.some((one: { task_id: number }) => one.task_id === id);
      });
      const rows: { host: string; state: string }[] = await project.get(
        `drift?template_id=${template}`,
      );
      const states = new Map(rows.map(({ host, state }) => [host, state]));
      assert.deepEqual([states.get("web1") ?? null, states.get("web2") ?? null], [web1, web2], log);
    });
  }
});
