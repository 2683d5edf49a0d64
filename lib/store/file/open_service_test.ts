import assert from "node:assert/strict";

/** Prints the error of each address. The client reads its token from the environment. */
const PROGRAM = `
import { openService } from ${JSON.stringify(import.meta.resolve("./open_service.ts"))};
for (const address of Deno.args) {
  await openService(address).catch(({ name, message }) => console.log(name + ": " + message));
}`;

async function errorsOf(addresses: string[], env: Record<string, string>): Promise<string[]> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(path, PROGRAM);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--unstable-kv", path, ...addresses],
    clearEnv: true,
    env: { HOME: Deno.env.get("HOME") ?? "/", PATH: Deno.env.get("PATH")!, ...env },
  }).output();
  await Deno.remove(path);
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("a start without its KV Connect service says what is wrong, and what to do", async () => {
  await using service = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    ({ url }) => new Response("", { status: Number(new URL(url).pathname.slice(1)) }),
  );
  const address = `http://127.0.0.1:${service.addr.port}`;
  const port = closedPort();
  const withLogin = new URL(`http://127.0.0.1:${port}`);
  Object.assign(withLogin, { username: "kv", password: "secret" });
  const addresses = [withLogin.href.replace(/\/$/, ""), `${address}/401`, `${address}/404`];
  const [away, refused, other, ...more] = await errorsOf(addresses, {
    DENO_KV_ACCESS_TOKEN: "only for tests",
  });
  assert.equal(
    away,
    `ConfigError: The KV Connect service at http://127.0.0.1:${port}/ cannot be reached: tcp ` +
      "connect error: Connection refused. Check whether it runs, and the address in CALLBOARD_KV",
  );
  assert.match(refused, /\/401 refused the access token \(401.*Check DENO_KV_ACCESS_TOKEN$/);
  assert.match(other, /\/404 answered 404 Not Found\. Check .* the address in CALLBOARD_KV$/);
  assert.deepEqual(more, []);

  const [missing] = await errorsOf([address], {});
  assert.match(missing, /needs an access token\. Set DENO_KV_ACCESS_TOKEN to it$/);
});

function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
