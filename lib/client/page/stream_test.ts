import assert from "node:assert/strict";
import { followStream } from "./stream.ts";

Deno.test("a stream is not asked for again after its user has been signed out", async () => {
  let asked = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    asked++;
    return new Response(null, { status: 401 });
  });
  const heard: string[] = [];
  await followStream(() => `http://127.0.0.1:${server.addr.port}`, {
    take: () => heard.push("event"),
    lost: () => heard.push("lost"),
    signedOut: () => heard.push("signed out"),
  }, new AbortController().signal);
  assert.deepEqual(heard, ["lost", "signed out"]);
  assert.equal(asked, 1);
  await server.shutdown();
});
