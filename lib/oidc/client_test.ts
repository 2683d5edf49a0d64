import assert from "node:assert/strict";
import { conceal } from "../base/secret.ts";
import { exchangeCode } from "./client.ts";
import { createProviders } from "./provider.ts";
import { providersSchema } from "./settings.ts";

Deno.test("a secret of letters, digits and - _ . is sent as GitLab reads it: not encoded", async () => {
  const sent: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (req) => {
    sent.push(req.headers.get("authorization")!, req.headers.get("user-agent")!);
    return Response.json({ error: "invalid_client" }, { status: 401 });
  });
  const issuer = `http://127.0.0.1:${server.addr.port}`;
  const endpoint = { auth: issuer, token: issuer };
  const { own } = providersSchema.parse({
    own: { display_name: "Own", provider_url: issuer, endpoint, client_id: "call-board" },
  });
  const settings = { ...own, id: "own", client_id: "call-board" };
  const secret = conceal("gloas-1_2.3 50%");
  const clock = { now: () => new Date(), ticks: () => performance.now() };
  const [provider] = createProviders([{ settings, secret, ca: null }], clock).list;
  const attempt = { issuer, state: "s", nonce: "n", verifier: "v", redirectUri: `${issuer}/back` };
  const answer = new URLSearchParams({ code: "c", state: "s" });
  const exchanged = exchangeCode(provider, await provider.metadata(), answer, attempt);
  await assert.rejects(exchanged, /token endpoint: .*answered 401 invalid_client; see client_id/);
  const basic = `Basic ${btoa("call-board:gloas-1_2.3+50%25")}`;
  assert.deepEqual(sent, [basic, "Callboard"]);
  await server.shutdown();
});
