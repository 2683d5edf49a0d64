import assert from "node:assert/strict";
import { join } from "node:path";
import { newRealProject, type RealProject } from "../support/real_project.ts";
import { installStandIn } from "../support/real_server.ts";
import { until } from "../support/until.ts";

/** Longer than a state of the machine is cached. */
const LIMIT_MS = 15_000;

const healthOf = ({ server }: RealProject) => server.api("GET", "/api/health");
const ansible = (home: string) => installStandIn(join(home, "bin"));

async function untilHealth(project: RealProject, status: string) {
  let last: unknown;
  const reached = async () => (last = (await healthOf(project)).body, last as { status: string });
  await until(async () => (await reached()).status === status, LIMIT_MS)
    .catch(() => assert.fail(JSON.stringify(last)));
  return (await healthOf(project)).body;
}

Deno.test("a server whose Ansible was removed says so, until it is back", async () => {
  await using project = await newRealProject({ ansible });
  await untilHealth(project, "ok");
  const playbook = join(project.home, "bin", "ansible-playbook");
  await Deno.rename(playbook, `${playbook}.away`);
  const { checks } = await untilHealth(project, "degraded");
  assert.match(checks.ansible.reason, /Tasks will fail: .*ansible-playbook is gone/);
  await Deno.rename(`${playbook}.away`, playbook);
  await untilHealth(project, "ok");
});

const disk = (action: string, ...args: string[]) =>
  new Deno.Command(action, { args, stderr: "null" }).output();

/** Whether a small file system can be created here, which requires root. */
async function canMount(): Promise<boolean> {
  const path = await Deno.makeTempDir();
  const { success } = await disk("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path);
  if (success) await disk("umount", path);
  await Deno.remove(path);
  return success;
}

Deno.test({
  name: "on a full disk health and starts say why, and go on when there is room",
  ignore: !await canMount(),
  async fn() {
    let mounted = "";
    const project = await newRealProject({
      async ansible(home) {
        mounted = join(home, "data");
        await Deno.mkdir(mounted);
        await disk("mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", mounted);
        return await ansible(home);
      },
    });
    try {
      const filler = join(mounted, "filler");
      const template = await project.makeTemplate({
        repository_id: await project.make("repositories", {
          name: "Folder",
          git_url: project.home,
          ssh_key_id: project.noKey,
        }),
        environment_id: await project.make("environment", { name: "Empty", json: "{}" }),
      });
      const start = () =>
        project.server.api("POST", `/api/project/${project.id}/tasks`, { template_id: template });
      await untilHealth(project, "ok");
      // Fills it until nothing more fits.
      await disk("dd", "if=/dev/zero", `of=${filler}`, "bs=64k");
      await disk("dd", "if=/dev/zero", `of=${filler}.rest`, "bs=1k");
      await until(async () => !(await healthOf(project)).body.checks.disk.ok, LIMIT_MS);
      const { checks } = await untilHealth(project, "failing");
      assert.equal(checks.disk.reason, "Cannot write to the data folder: the disk is full.");
      assert.match(checks.store.reason, /because its disk is full/);
      const refused = await start();
      assert.equal(refused.status, 503);
      assert.match(refused.body.error, /cannot save anything because its disk is full/);
      for (const file of [filler, `${filler}.rest`]) await Deno.remove(file);
      await untilHealth(project, "ok");
      assert.equal((await start()).status, 201);
    } finally {
      await project.server.end("SIGTERM");
      await disk("umount", mounted);
      await project[Symbol.asyncDispose]();
    }
  },
});
