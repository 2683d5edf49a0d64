import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startRealServer } from "@/tests/support/server/real_server.ts";

const DECODERS = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (content: Uint8Array) => content,
};
type Encoding = keyof typeof DECODERS;

/** Returns the body of an answer as it is sent, because `fetch` would decode it. */
async function getRaw(url: URL, cookie: string, encoding: Encoding): Promise<Uint8Array> {
  using connection = await Deno.connect({ hostname: url.hostname, port: Number(url.port) });
  // HTTP/1.0, where the body ends with the connection.
  const request = `GET ${url.pathname}${url.search} HTTP/1.0\r\nHost: ${url.host}\r\n` +
    `Cookie: ${cookie}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const answer = await new Response(connection.readable).bytes();
  return answer.slice(new TextDecoder("latin1").decode(answer).indexOf("\r\n\r\n") + 4);
}

Deno.test("text goes over the wire compressed, static files as the build has made them", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_compression_" });
  const server = await startRealServer({ dataDir });
  try {
    const { body: { id } } = await server.api("POST", "/api/projects", { name: "Web", demo: true });
    const html = await (await fetch(server.url, { headers: { Cookie: server.cookie } })).text();
    const styles = /href="([^"]+styles\.css[^"]*)"/.exec(html)![1];
    for (const path of [styles, `/project/${id}/keys`, `/api/project/${id}/templates`]) {
      const url = new URL(path, server.url);
      const plain = await getRaw(url, server.cookie, "identity");
      for (const encoding of ["br", "gzip"] as const) {
        const sent = await getRaw(url, server.cookie, encoding);
        assert.ok(sent.length < plain.length * 0.5, `${path}: ${sent.length} of ${plain.length}`);
        // Pages differ in their nonces, which all have the same length.
        assert.equal(DECODERS[encoding](sent).length, plain.length, path);
      }
    }
    const project = new URL(`/api/project/${id}`, server.url);
    const headers = { Cookie: server.cookie, "Accept-Encoding": "gzip" };
    const answer = await fetch(project, { headers });
    await answer.body?.cancel();
    assert.match(
      answer.headers.get("etag")!,
      /^"/,
      "what may be asked for in a change stays a strong ETag",
    );
    const built = new URL("../../../_fresh/compressed/_styles.css.br", import.meta.url);
    const sent = await getRaw(new URL(styles, server.url), server.cookie, "br");
    assert.deepEqual(sent, await Deno.readFile(built));
  } finally {
    await server.end("SIGTERM");
    await Deno.remove(dataDir, { recursive: true });
  }
});
