import assert from "node:assert/strict";
import { type Context, csp, csrf } from "./mod.ts";
import { serve } from "./testdata/serve.ts";

async function statusOf(headers: HeadersInit, method = "POST") {
  const origin = (origin: string, { url }: { url: URL }) =>
    [url.origin, "http://friend.example"].includes(origin);
  const index = { handler: () => new Response("ok") };
  return (await serve({ index }, { middlewares: [csrf({ origin })] })("/", { method, headers }))
    .status;
}

Deno.test("a form of another site is refused", async () => {
  const foreign = { Origin: "http://evil.example" };
  assert.equal(await statusOf(foreign), 403);
  assert.equal(await statusOf({ ...foreign, "Sec-Fetch-Site": "cross-site" }), 403);
  assert.equal(await statusOf({ "Sec-Fetch-Site": "same-site" }), 403);
  assert.equal(await statusOf({ Origin: "null" }), 403);
});

Deno.test("allowed origins, safe methods and programs pass", async () => {
  assert.equal(await statusOf({ Origin: "http://localhost" }), 200);
  assert.equal(
    await statusOf({ Origin: "http://friend.example", "Sec-Fetch-Site": "cross-site" }),
    200,
  );
  assert.equal(await statusOf({ "Sec-Fetch-Site": "same-origin" }), 200);
  assert.equal(await statusOf({ "Sec-Fetch-Site": "none" }), 200);
  assert.equal(await statusOf({}), 200);
  assert.equal(await statusOf({ Origin: "http://evil.example" }, "GET"), 200);
});

Deno.test("each page has a nonce of its own, on its own scripts and styles only", async () => {
  const handler = (ctx: Context<unknown>) =>
    ctx.render(
      <>
        <style>{"p { color: red }"}</style>
        <script src="/x.js" />
        <p>x</p>
      </>,
    );
  const get = serve({ index: { handler } }, { middlewares: [csp({ useNonce: true })] });
  const first = await get("/");
  const html = await first.text();
  const policy = first.headers.get("Content-Security-Policy")!;
  const nonce = /script-src 'self' 'nonce-(\w{32})'/.exec(policy)![1];
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`));
  assert.ok(!policy.includes("unsafe-inline"));
  assert.ok(html.includes(`<style nonce="${nonce}">`));
  assert.ok(html.includes(`<script src="/x.js" nonce="${nonce}">`));
  assert.notEqual((await get("/")).headers.get("Content-Security-Policy"), policy);
});

Deno.test("as in Fresh, a response that is wrapped again has lost the nonce of its page", async () => {
  const handler = async (ctx: Context<unknown>) => new Response((await ctx.render(<p />)).body);
  const get = serve({ index: { handler } }, { middlewares: [csp({ useNonce: true })] });
  const policy = (await get("/")).headers.get("Content-Security-Policy")!;
  assert.ok(policy.includes("script-src 'self' 'unsafe-inline'"));
});
