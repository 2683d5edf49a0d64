import assert from "node:assert/strict";
import { join } from "node:path";
import type { RealServer } from "@/tests/support/server/real_server.ts";

/** Number of Ansible tasks that each run of "Slow" announces. */
export const SLOW_TASKS = 6;

const PLAYBOOKS: Record<string, string> = {
  // Each Ansible task takes the number of seconds that the run is given.
  "slow.yml": `- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
${
    Array.from({ length: SLOW_TASKS }, (_, n) =>
      `    - name: Step ${n + 1}
      pause: { seconds: "{{ seconds }}" }
      when: (seconds | int) > 0
`).join("")
  }`,
  "fail.yml": `- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - fail: { msg: "the disk is full" }
`,
};

/**
 * Creates a project with templates that really run: "Slow" takes the given time, "Broken" fails.
 */
export async function makeBusyProject(
  { server: { api } }: { server: Pick<RealServer, "api"> },
  folder: string,
) {
  for (const [name, text] of Object.entries(PLAYBOOKS)) {
    await Deno.writeTextFile(join(folder, name), text);
  }
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await api("POST", path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const id = await make("/api/projects", { name: "Busy" });
  const path = `/api/project/${id}`;
  const ssh_key_id = await make(`${path}/keys`, { name: "None", type: "none" });
  const parts = {
    repository_id: await make(`${path}/repositories`, {
      name: "Plays",
      git_url: folder,
      ssh_key_id,
    }),
    inventory_id: await make(`${path}/inventory`, {
      name: "Here",
      type: "static",
      inventory: "localhost\n",
      ssh_key_id,
    }),
  };
  const template = (name: string, playbook: string, more: object = {}) =>
    make(`${path}/templates`, { name, playbook, ...parts, ...more });
  return {
    id,
    slow: await template("Slow", "slow.yml"),
    broken: await template("Broken", "fail.yml"),
    asked: await template("Asked", "slow.yml", { require_confirmation: true }),
    make: (kind: string, body: unknown) => make(`${path}/${kind}`, body),
    start: (template_id: number, seconds = 0, message = "") =>
      make(`${path}/tasks`, {
        template_id,
        message,
        environment: JSON.stringify({ seconds: String(seconds) }),
      }),
  };
}
