import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { conceal } from "@/lib/base/secret.ts";
import { findTools } from "@/lib/execution/ansible/machine_tools.ts";
import type { RunEvent } from "@/lib/execution/run/events.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { aptSource } from "./support/apt_source.ts";
import { RUN, RUNTIME } from "./support/containers.ts";
import { onceForTests } from "./support/once.ts";
import { succeed } from "./support/succeed.ts";

const IMAGE = "localhost/ansible:debian";

/** Returns the archive of a small Debian with Ansible. */
async function ansibleArchive(): Promise<string> {
  const { mirror, suite } = await aptSource();
  const key = createHash("sha256").update([mirror, suite].join()).digest("hex").slice(0, 16);
  const folder = await onceForTests("ansible-image", key, async (folder) => {
    const root = join(folder, "root");
    const include = "--include=ansible-core,python3-cffi-backend,openssh-client";
    await succeed(["debootstrap", "--variant=minbase", include, suite, root, mirror]);
    const left = ["--exclude=./var/cache/apt/*", "--exclude=./var/lib/apt/lists/*"];
    const archive = ["-cf", join(folder, "image.tar"), "."];
    await succeed(["tar", "-C", root, "--numeric-owner", ...left, ...archive]);
    await Deno.remove(root, { recursive: true });
  });
  return join(folder, "image.tar");
}

/** Puts Debian's podman into a folder, with options that an account has in its containers.conf. */
async function putPodman(folder: string): Promise<void> {
  const storage = [`--root=${folder}/images`, `--runroot=${folder}/run`, "--storage-driver=vfs"];
  const script = `#!/bin/sh
command=$1
shift
[ "$command" != run ] || set -- ${RUN.filter((option) => !/network/.test(option)).join(" ")} "$@"
exec /usr/bin/podman ${[...storage, ...RUNTIME].join(" ")} "$command" "$@"
`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "podman"), script, { mode: 0o755 });
}

Deno.test("podman runs a play in an image, with its results and secrets, and keeps nothing", async () => {
  await using bench = await newRunBench();
  const { environment, directory } = bench;
  const folder = join(directory, "podman");
  await putPodman(folder);
  environment.path = `${folder}:${environment.path}`;
  const podman = (...args: string[]) => succeed([join(folder, "podman"), ...args]);
  await podman("import", await ansibleArchive(), IMAGE);
  assert.match((await findTools(environment)).podman ?? "", /^\d+\.\d+/);
  await bench.repository.commit({
    "site.yml": `- hosts: all
  gather_facts: false
  tasks:
    - command: sh -c 'echo "$TOKEN_OF_TEST" | tr a-z A-Z; cat /etc/debian_version; ls ${directory}'
      register: said
    - debug: { msg: "{{ lookup('env', 'TOKEN_OF_TEST') }}" }
`,
  }, "Play");
  const toolchain = {
    name: "Boxed",
    kind: "image" as const,
    ansibleCore: "",
    pip: [],
    collections: [],
    python: "",
    path: "",
    image: IMAGE,
  };
  const secretEnv = { TOKEN_OF_TEST: conceal("swordfish-of-image") };
  const events: RunEvent[] = [];
  const { end, reason, log } = await bench.run(
    bench.plan({ toolchain, secretEnv, fullResults: true }),
    { onEvent: (event) => void events.push(event) },
  );
  assert.equal(end, "success", `${JSON.stringify(reason)}\n${log}`);
  assert.match(log, /^Using ansible-playbook \[core .*\] of the toolchain Boxed$/m);
  assert.match(log, /"msg": "\*\*\*"/);
  const result = events.find((event) => event.type === "result");
  const { stdout } = result!.full!.value as { stdout: string };
  assert.match(stdout, /^SWORDFISH-OF-IMAGE\n\d+\S*\ndata$/);
  const last = events.at(-1);
  assert.ok(last?.type === "end" && last.lost === 0, JSON.stringify(last));
  assert.equal(await podman("ps", "--all", "--quiet"), "");
});
