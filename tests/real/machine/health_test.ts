import assert from "node:assert/strict";
import { join } from "node:path";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "@/tests/support/programs/small_disk.ts";
import { until } from "@/tests/support/basics/until.ts";

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

Deno.test({
  name: "on a full disk health and starts say why, and continue when there is room",
  ignore: !await canMount(),
  async fn() {
    let disk: SmallDisk | null = null;
    const prepare = async (dataDir: string) => void (disk = await mountSmallDisk(dataDir, 8));
    const project = await newRealProject({ ansible, prepare });
    try {
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
      await disk!.fill();
      await until(async () => !(await healthOf(project)).body.checks.disk.ok, LIMIT_MS);
      const { checks } = await untilHealth(project, "failing");
      assert.equal(checks.disk.reason, "Cannot write to the data folder: the disk is full.");
      assert.match(checks.store.reason, /because its disk is full/);
      const refused = await start();
      assert.equal(refused.status, 503);
      assert.match(refused.body.error, /cannot save anything because its disk is full/);
      await disk!.makeRoom();
      await untilHealth(project, "ok");
      assert.equal((await start()).status, 201);
    } finally {
      await project.server.end("SIGTERM");
      await disk!.unmount();
      await project[Symbol.asyncDispose]();
    }
  },
});
