import assert from "node:assert/strict";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { newRealProject } from "@/tests/support/programs/real_project.ts";
import { runRunner, spawnRunner } from "@/tests/support/server/real_runner.ts";
import { writtenForms } from "@/tests/support/basics/secret_corpus.ts";

const AUDIENCE = "https://vault.example.com";

/** Keeps the token where only the test looks, after it was printed in several ways. */
const PLAY = `- hosts: all
  gather_facts: false
  vars:
    token: "{{ lookup('env', 'CALLBOARD_ID_TOKEN') }}"
  tasks:
    - name: Print it
      debug:
        msg: ["{{ token }}", "{{ token | b64encode }}", "{{ lookup('env', 'SEMAPHORE_JWT') }}"]
    - name: Keep it
      shell: printf %s "$CALLBOARD_ID_TOKEN" > {{ kept }}/token; ps -eo args > {{ kept }}/processes
`;

/** Returns a receiver of identities that knows nothing but the server's address. */
async function newVerifier(address: string) {
  const answer = await fetch(`${address}/.well-known/openid-configuration`);
  const { issuer, jwks_uri } = await answer.json();
  assert.equal(issuer, address);
  return async (token: string, audience = AUDIENCE, currentDate = new Date()) => {
    const keys = createRemoteJWKSet(new URL(jwks_uri));
    return (await jwtVerify(token, keys, { issuer, audience, currentDate })).payload;
  };
}

Deno.test("the identity of a real run is believed, and leaks nowhere, here and on a runner", async () => {
  const port = freePort();
  const address = `http://127.0.0.1:${port}/tools`;
  const env = { CALLBOARD_PORT: String(port), CALLBOARD_URL: address };
  await using project = await newRealProject({ env });
  const { home, id, server } = project;
  const { repository_id } = await addPlays(project, PLAY);
  const created = await server.api("POST", `/api/project/${id}/runners`, {
    name: "dmz-1",
    tags: ["dmz"],
  });
  const runner = {
    dataDir: join(home, "runner"),
    env: { CALLBOARD_RUNNER_TOKEN: created.body.registration_token },
  };
  const registered = await runRunner(runner, "register", address);
  assert.equal(registered.code, 0, registered.said);
  const running = spawnRunner({ dataDir: runner.dataDir }, "start");

  const verify = await newVerifier(address);
  const tokens: string[] = [];
  for (const runner_tag of ["", "dmz"]) {
    const kept = join(home, `kept${runner_tag}`);
    await Deno.mkdir(kept);
    const template = await project.makeTemplate({
      repository_id,
      name: `Identity ${runner_tag}`,
      runner_tag,
      task_identity: true,
      task_identity_audience: AUDIENCE,
      arguments: JSON.stringify(["-e", `kept=${kept}`]),
    });
    const { task, log } = await project.run(template);
    assert.equal(task.status, "success", log);
    const token = await Deno.readTextFile(join(kept, "token"));
    const claims = await verify(token);
    assert.equal(claims.sub, `project:${id}:template:${template}`);
    assert.equal(claims.task_id, String(task.id));
    assert.equal(claims.exp! - claims.iat!, 3600);
    await assert.rejects(verify(token, "sts.amazonaws.com"), /aud/);
    await assert.rejects(verify(token, AUDIENCE, new Date(claims.exp! * 1000 + 1)), /exp/);
    const processes = await Deno.readTextFile(join(kept, "processes"));
    assert.match(processes, /ansible-playbook/);
    for (const form of writtenForms(token)) {
      assert.ok(!log.includes(form) && !processes.includes(form), form);
    }
    assert.match(log, /\*{3,}/);
    await Deno.remove(kept, { recursive: true });
    tokens.push(token);
  }

  const revoked = await server.api("POST", "/api/task_identity/revoke");
  assert.equal(revoked.status, 204);
  for (const token of tokens) await assert.rejects(verify(token), /no applicable key/);

  running.kill("SIGTERM");
  await running.code;
  const said = [...project.answers, project.printed(), running.output()].join("\n");
  for (const token of tokens) assert.ok(!said.includes(token));
  assert.notEqual(await filesWith(home, ["Print it"]), "", "texts are found there");
  assert.equal(await filesWith(home, tokens), "", "the data of the server and the runner");
});

/** Returns the names of files below a folder that contain one of the texts, a line each. */
async function filesWith(folder: string, texts: string[]): Promise<string> {
  const child = new Deno.Command("grep", {
    args: ["-rlaF", "-f", "-", folder],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(texts.join("\n")));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}
