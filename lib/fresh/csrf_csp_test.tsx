import assert from "node:assert/strict";
import { App, csp, type CSPOptions, csrf, type CsrfOptions } from "./mod.ts";

async function statusOf(headers: HeadersInit, options?: CsrfOptions, method = "POST") {
  const handler = new App().use(csrf(options)).all("/", (ctx) => ctx.text("ok")).handler();
  return (await handler(new Request("http://localhost/", { method, headers }))).status;
}

Deno.test("a form of another site is refused", async () => {
  const foreign = { Origin: "http://evil.example" };
  assert.equal(await statusOf(foreign), 403);
  assert.equal(await statusOf({ ...foreign, "Sec-Fetch-Site": "cross-site" }), 403);
  assert.equal(await statusOf({ "Sec-Fetch-Site": "same-site" }), 403);
  assert.equal(await statusOf({ Origin: "null" }), 403);
});

Deno.test("the site's own forms, safe methods and programs pass", async () => {
  assert.equal(await statusOf({ Origin: "http://localhost" }), 200);
  assert.equal(await statusOf({ "Sec-Fetch-Site": "same-origin" }), 200);
  assert.equal(await statusOf({ "Sec-Fetch-Site": "none" }), 200);
  assert.equal(await statusOf({}), 200);
  assert.equal(await statusOf({ Origin: "http://evil.example" }, {}, "GET"), 200);
});

Deno.test("other origins can be allowed by name, list or function", async () => {
  const foreign = { Origin: "http://friend.example", "Sec-Fetch-Site": "cross-site" };
  assert.equal(await statusOf(foreign, { origin: "http://friend.example" }), 200);
  assert.equal(await statusOf(foreign, { origin: ["http://friend.example"] }), 200);
  assert.equal(await statusOf(foreign, { origin: (one) => one.endsWith("example") }), 200);
  assert.equal(await statusOf({ Origin: "http://localhost" }, { origin: [] }), 403);
});

async function answer(options: CSPOptions) {
  const handler = new App()
    .use(csp(options))
    .get("/", (ctx) =>
      ctx.render(
        <>
          <style>{"p { color: red }"}</style>
          <script src="/x.js" />
          <p>x</p>
        </>,
      ))
    .get("/text", (ctx) => ctx.text("x"))
    .handler();
  const page = await handler(new Request("http://localhost/"));
  const plain = await handler(new Request("http://localhost/text"));
  return { page, plain, html: await page.text() };
}

Deno.test("each page gets a nonce of its own, on its scripts and styles alone", async () => {
  const first = await answer({ useNonce: true });
  const policy = first.page.headers.get("Content-Security-Policy")!;
  const nonce = /script-src 'self' 'nonce-(\w{32})'/.exec(policy)![1];
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`));
  assert.ok(!policy.includes("unsafe-inline"));
  assert.ok(first.html.includes(`<style nonce="${nonce}">`));
  assert.ok(first.html.includes(`<script src="/x.js" nonce="${nonce}">`));
  const second = await answer({ useNonce: true });
  assert.notEqual(second.page.headers.get("Content-Security-Policy"), policy);
});

Deno.test("a response that is wrapped anew keeps the nonce of its page", async () => {
  const handler = new App()
    .use(csp({ useNonce: true }))
    .get("/", async (ctx) => {
      const { body, headers } = await ctx.render(<script src="/x.js" />);
      return new Response(body, { headers });
    })
    .get("/text", (ctx) => ctx.text("x"))
    .handler();
  const policyOf = async (path: string) => {
    const response = await handler(new Request(`http://localhost${path}`));
    return [response.headers.get("Content-Security-Policy")!, await response.text()];
  };
  const [policy, html] = await policyOf("/");
  const nonce = /<script src="\/x.js" nonce="(\w{32})">/.exec(html)![1];
  assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}'`), policy);
  for (const one of [policy, (await policyOf("/text"))[0]]) assert.ok(!one.includes("unsafe"), one);
});

Deno.test("directives can be replaced, added, and only reported", async () => {
  const { plain } = await answer({
    reportOnly: true,
    reportTo: "/reports",
    csp: ["font-src 'self' data:", "script-src 'none'"],
  });
  const policy = plain.headers.get("Content-Security-Policy-Report-Only")!.split("; ");
  assert.deepEqual(policy.filter((one) => /^(font|script|report)/.test(one)), [
    "font-src 'self' data:",
    "script-src 'none'",
    "report-to csp-endpoint",
    "report-uri /reports",
  ]);
  assert.equal(plain.headers.get("Reporting-Endpoints"), 'csp-endpoint="/reports"');
  assert.ok(policy.includes("frame-ancestors 'none'"));
});
