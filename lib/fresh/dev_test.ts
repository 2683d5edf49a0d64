import assert from "node:assert/strict";
import { Builder } from "./dev.ts";

function freePort(): number {
  using listener = Deno.listen({ port: 0 });
  return listener.addr.port;
}

Deno.test("in development pages reload themselves, and nothing is cached", async () => {
  const port = freePort();
  const ending = new AbortController();
  const listening = Promise.withResolvers<void>();
  const builder = new Builder({ root: import.meta.dirname + "/testdata" });
  await builder.listen(() => import("./testdata/main.ts"), {
    port,
    signal: ending.signal,
    onListen: () => listening.resolve(),
  });
  await listening.promise;
  const origin = `http://localhost:${port}`;

  const html = await (await fetch(origin)).text();
  const script = /<script type="module" src="([^"]*reload[^"]*)"/.exec(html)![1];
  const bundle = await fetch(origin + script);
  assert.match(await bundle.text(), /frsh\/alive/);
  const styles = await fetch(origin + "/styles.css");
  assert.match(styles.headers.get("Cache-Control")!, /no-store/);
  assert.match(await styles.text(), /teal/);

  const socket = new WebSocket(`ws://localhost:${port}/_frsh/alive`);
  const { data } = await new Promise<MessageEvent>((resolve) => socket.onmessage = resolve);
  assert.match(data, /^[0-9a-f-]{36}$/);
  await new Promise((resolve) => {
    socket.onclose = resolve;
    socket.close();
  });
  ending.abort();
});
