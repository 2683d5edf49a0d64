import assert from "node:assert/strict";
import { ask } from "./ask.ts";

Deno.test("a handshake is sent without a length, which servers refuse over TLS", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asked = ask(`http://127.0.0.1:${listener.addr.port}/`, {
    connection: "Upgrade",
    upgrade: "websocket",
  });
  using connection = await listener.accept();
  const bytes = new Uint8Array(4096);
  const read = await connection.read(bytes);
  const text = new TextDecoder().decode(bytes.subarray(0, read!));
  await connection.write(new TextEncoder().encode("HTTP/1.1 204 No Content\r\n\r\n"));
  assert.equal((await asked).status, 204);
  assert.match(text, /^upgrade: websocket\r$/im);
  assert.doesNotMatch(text, /content-length/i);
});
