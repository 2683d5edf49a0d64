import assert from "node:assert/strict";
import { conceal } from "@/lib/base/secret.ts";
import { credentialSite } from "@/lib/execution/git/credential_site.ts";
import type { GitCredential } from "@/lib/execution/run/plan.ts";
import { serveGit } from "@/tests/support/services/git_http.ts";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { newRealBench } from "@/tests/support/programs/real_ansible.ts";

Deno.test("roles and collections come from a git host with the key for it, or the reason names it", async () => {
  await using bench = await newRealBench();
  bench.environment.timeLimits.galaxyMs = 60_000;
  const role = await newGitRepository(`${bench.directory}/role`);
  await role.commit({
    "tasks/main.yml": '- debug: { msg: "hello from the role" }\n',
    "meta/main.yml":
      "galaxy_info: { author: alice, description: d, license: MIT, min_ansible_version: '2.14' }\n",
  }, "Role");
  const collection = await newGitRepository(`${bench.directory}/collection`);
  await collection.commit({
    "galaxy.yml":
      "namespace: alice\nname: things\nversion: 1.0.0\nreadme: README.md\nauthors: [Alice]\n",
    "README.md": "Things\n",
  }, "Collection");
  const served = { directory: bench.directory, login: "bob", password: "hush", plain: true };
  const roles = await serveGit({ ...served, repository: role.path });
  const collections = await serveGit({ ...served, repository: collection.path });
  try {
    await bench.repository.commit({
      "roles/requirements.yml": `- { name: greeter, src: "${roles.url}", scm: git }\n`,
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [greeter]\n",
    }, "Use the role");
    const password = conceal("hush");
    const credentialFor = (url: string): GitCredential => ({
      name: url,
      site: credentialSite("url", url)!,
      key: { type: "login_password", login: "bob", password },
    });
    const run = (...urls: string[]) => {
      const plan = bench.plan({ playbook: "site.yml" });
      const credentials = urls.map(credentialFor);
      return bench.run({ ...plan, repository: { ...plan.repository, credentials } });
    };
    const hostOf = ({ url }: { url: string }) => new URL(url).host;
    const wanted = await run();
    assert.deepEqual(wanted.reason, {
      key: "errors.run.requirement_credentials",
      params: { host: hostOf(roles) },
    }, wanted.log);
    const ran = await run(new URL(roles.url).origin);
    assert.match(ran.log, /hello from the role/);

    await bench.repository.commit({
      "requirements.yml": `collections:\n  - { name: "git+${collections.url}", type: git }\n`,
    }, "Use the collection");
    const { reason, log } = await run(roles.url);
    assert.deepEqual([reason?.key, reason?.params?.host], [
      "errors.run.requirement_credentials",
      hostOf(collections),
    ], log);
    const both = await run(roles.url, collections.url);
    assert.equal(both.end, "success", both.log);
  } finally {
    await roles.stop();
    await collections.stop();
  }
});
