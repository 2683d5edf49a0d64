/**
 * A play whose results are counted in a special way, and the hosts that it needs. Names of hosts
 * begin with `@`, and `@all` is the group of them, so that one run can have several of these plays.
 */
interface ManyPlay {
  name: string;
  files: Record<string, string>;
  inventory?: string;
  /** It fails on all hosts of the play or a batch, or for all of them. */
  endsRun?: boolean;
}

const LOCAL = 'ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"';
/** Returns an inventory with these names for this machine. */
export const hostsOf = (...names: string[]): string =>
  names.map((name) => `${name} ${LOCAL}\n`).join("");

/** An address without a listener. */
const NOWHERE =
  "@gone ansible_host=127.0.0.1 ansible_port=1 ansible_ssh_retries=0 ansible_connection=ssh\n";

const play = (body: string, head = "") =>
  `- hosts: "@all"\n  gather_facts: false\n${head}  tasks:\n${
    body.split("\n").filter(Boolean).map((line) => `    ${line}\n`).join("")
  }`;

const FAILS_ON_B = `raw: "false"\n  when: inventory_hostname == "@b"`;
/** A failure on all hosts of a play would end the run. */
const BUT_ON_C = 'when: inventory_hostname != "@c"';

const MANY_PLAYS: ManyPlay[] = [
  {
    name: "ten hosts that fare differently",
    files: {
      "site.yml": play(
        `
- set_fact: { n: "{{ inventory_hostname.split('-')[1] | int }}" }
  changed_when: inventory_hostname is search('[05]$')
- debug: msg=third
  when: n | int % 3 == 0
- fail: { msg: "it ends here" }
  when: n | int % 7 == 0
- block:
    - fail: { msg: "it is rescued" }
      when: n | int % 4 == 1
  rescue:
    - debug: msg=rescued
- fail: { msg: "it does not matter" }
  when: n | int % 6 == 2
  ignore_errors: true
- debug: msg=last
  notify: hand
  changed_when: n | int > 8
`,
        "  handlers:\n    - name: hand\n      debug: msg=handled\n",
      ),
    },
    inventory: hostsOf(...Array.from({ length: 10 }, (_, n) => `@host-${n + 1}`)),
  },
  {
    name: "a failure that ends it for all, with hosts that are pinned to a worker",
    endsRun: true,
    files: {
      "site.yml": play(`- raw: "true"\n- debug: msg=after\n`, "  strategy: host_pinned\n") +
        play(`- ${FAILS_ON_B}\n- debug: msg=never\n`, "  any_errors_fatal: true\n"),
    },
  },
  {
    name: "loops of 100 items, skipped, changed and failed ones",
    files: {
      "site.yml": play(`
- debug: msg={{ item }}
  loop: "{{ range(30) | list }}"
  when: item % 3 == 0
- debug: msg={{ item }}
  loop: "{{ range(100) | list }}"
  changed_when: item == 60
- debug: msg={{ item }}
  loop: [1, 2, 3]
  when: false
- raw: "{{ item }}"
  loop: ["true", "false", "true"]
  ignore_errors: true
- debug: msg=nothing
  loop: []
`),
    },
    inventory: hostsOf("@a"),
  },
  {
    name: "delegate_to and run_once",
    endsRun: true,
    files: {
      "site.yml": play(`
- raw: "true"
  delegate_to: "@a"
- raw: "true"
  run_once: true
- raw: "true"
  delegate_to: elsewhere
  vars: { ansible_connection: local }
- raw: "false"
  run_once: true
`),
    },
  },
  {
    name: "failures",
    files: { "site.yml": play(`- raw: "true"\n- ${FAILS_ON_B}\n- debug: msg=after\n`) },
  },
  {
    name: "rescue, at any depth",
    files: {
      "site.yml": play(`
- name: outer
  block:
    - block:
        - ${FAILS_ON_B.replaceAll("\n", "\n        ")}
      always:
        - debug: msg=always
  rescue:
    - debug: msg=rescued
    - block:
        - raw: "false"
      rescue:
        - debug: msg=again
  always:
    - debug: msg=outer
- block:
    - debug: msg=fine
  rescue:
    - debug: msg=never
- block:
    - raw: "true"
  always:
    - block:
        - ${FAILS_ON_B.replaceAll("\n", "\n        ")}
      rescue:
        - raw: "false"
`),
    },
  },
  {
    name: "rescue around includes",
    files: {
      "site.yml": play(`
- block:
    - include_tasks: fails.yml
  rescue:
    - debug: msg=rescued
- block:
    - import_tasks: fails.yml
  rescue:
    - include_tasks: fails.yml
`),
      "fails.yml": `- debug: msg=here\n- raw: "false"\n  ${BUT_ON_C}\n`,
    },
  },
  {
    name: "an include that is not there",
    files: {
      "site.yml": play(
        `- include_tasks: missing.yml\n  ${BUT_ON_C}\n- debug: msg=after\n`,
      ),
    },
  },
  {
    name: "ignored errors",
    files: {
      "site.yml": play(`
- raw: "false"
  ignore_errors: true
- raw: "exit 3"
  ignore_errors: true
  changed_when: true
- raw: "false"
  failed_when: false
`),
    },
  },
  {
    name: "unreachable hosts, ignored and not",
    files: {
      "site.yml": play(`
- raw: "true"
  ignore_unreachable: true
- raw: "true"
- debug: msg=after
`),
    },
    inventory: hostsOf("@a") + NOWHERE,
  },
  {
    name: "a host that vanishes",
    files: {
      "site.yml": play(`
- raw: "true"
- set_fact: { ansible_connection: ssh, ansible_host: 127.0.0.1, ansible_port: 1 }
  when: inventory_hostname == "@b"
- raw: "true"
- debug: msg=after
`),
    },
  },
  {
    name: "hosts that do not wait for each other",
    files: {
      "site.yml": play(
        `- raw: "true"\n  notify: hand\n- ${FAILS_ON_B}\n- include_tasks: more.yml\n- debug: msg=after\n`,
        "  strategy: free\n  handlers:\n    - name: hand\n      debug: msg=handled\n",
      ),
      "more.yml": '- debug: msg=more\n- raw: "true"\n',
    },
  },
  {
    name: "handlers that run again, and fail",
    files: {
      "site.yml": play(
        `- raw: "true"
  notify: [hand, fail]
- meta: flush_handlers
- raw: "true"
  notify: hand
- meta: end_host
  when: inventory_hostname == "@a"
- debug: msg=after
`,
        `  handlers:
    - name: hand
      debug: msg=handled
    - name: fail
      raw: "false"
      ignore_errors: true
`,
      ),
    },
  },
  {
    name: "includes, roles and loops of them",
    files: {
      "site.yml": play(
        `
- include_role: name=small
  loop: [1, 2]
- import_role: name=small
- include_tasks: "{{ item }}.yml"
  loop: [one, two]
  when: inventory_hostname == "@a" or item == "one"
`,
        "  roles: [small]\n",
      ),
      "one.yml": "- debug: msg=one\n",
      "two.yml": '- raw: "true"\n',
      "roles/small/tasks/main.yml": '- name: Work\n  raw: "true"\n- name: Say\n  debug: msg=said\n',
    },
  },
  {
    name: "no_log",
    files: {
      "site.yml": play(`
- debug: msg="the hidden words"
  no_log: true
- debug: msg="{{ item }}"
  loop: ["the hidden words", "more hidden words"]
  no_log: "{{ true }}"
- command: "false the hidden words"
  no_log: true
  ignore_errors: true
- lineinfile: { path: "{{ playbook_dir }}/out", line: "the hidden words", create: true }
  no_log: true
`),
    },
    inventory: hostsOf("@a"),
  },
  {
    name: "retries, jobs in the background, and handlers in spite of a failure",
    files: {
      "site.yml": play(
        `
- raw: "false"
  register: tried
  until: tried is success
  retries: 2
  delay: 0
  ignore_errors: true
- command: "true"
  notify: hand
  async: 30
  poll: 1
  when: inventory_hostname == "@a"
- raw: "true"
  throttle: 1
- ${FAILS_ON_B}
- debug: msg=after
`,
        "  force_handlers: true\n  handlers:\n    - name: hand\n      debug: msg=handled\n",
      ),
    },
    inventory: hostsOf("@a", "@b"),
  },
  {
    name: "several plays, tags and meta",
    files: {
      "site.yml": play('- raw: "true"\n- meta: clear_facts\n') +
        play("- ping:\n  tags: never\n- debug: msg=second\n- meta: end_play\n- ping:\n") +
        `- hosts: nobody\n  tasks:\n    - ping:\n` +
        play('- meta: noop\n  when: false\n- raw: "true"\n'),
    },
  },
  {
    name: "serial",
    endsRun: true,
    files: {
      "site.yml": play(
        `- raw: "true"\n  notify: hand\n- ${FAILS_ON_B}\n`,
        "  serial: 1\n  max_fail_percentage: 100\n  handlers:\n    - name: hand\n      debug: msg=handled\n",
      ),
    },
  },
];

/** A playbook of several plays, its inventory, and what it is about. */
interface ManyRun {
  name: string;
  files: Record<string, string>;
  inventory: string;
  /** The `hosts` of its plays. */
  groups: string[];
}

/**
 * Returns runs of all these plays. Each goes as far as a play that ends it, because a start of
 * Ansible takes a second.
 */
export function manyRuns(): ManyRun[] {
  const runs: ManyPlay[][] = [[]];
  for (const play of MANY_PLAYS) {
    runs.at(-1)!.push(play);
    if (play.endsRun) runs.push([]);
  }
  return runs.filter((plays) => plays.length > 0).map(runOf);
}

function runOf(plays: ManyPlay[]): ManyRun {
  const files: Record<string, string> = {};
  const inventory: string[] = [];
  for (const [n, { name, files: own, inventory: hosts }] of plays.entries()) {
    const fill = (text: string) => text.replaceAll("@", `play${n}_`);
    for (const [path, text] of Object.entries(own)) {
      files[path === "site.yml" ? `${n}.yml` : path] = `# ${name}\n${fill(text)}`;
    }
    inventory.push(fill(`[@all]\n${hosts ?? hostsOf("@a", "@b", "@c")}`));
  }
  const imports = plays.map((_, n) => `- import_playbook: ${n}.yml\n`);
  return {
    name: plays.map(({ name }) => name).join("; "),
    files: { ...files, "site.yml": imports.join("") },
    inventory: inventory.join(""),
    groups: plays.map((_, n) => `play${n}_all`),
  };
}
