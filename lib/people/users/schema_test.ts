import assert from "node:assert/strict";
import { isOneAddress } from "./schema.ts";

Deno.test("one address is accepted, in any script", () => {
  for (const one of ["a@localhost", "a.b+c@example.com", "jürgen@büro.example", "o'neil@x.ie"]) {
    assert.ok(isOneAddress(one), one);
  }
});

Deno.test("lists, names and line breaks are not addresses", () => {
  const others = [
    ...["a@x.com,b@x.com", "a@x.com, b@x.com", "a@x.com;b@x.com", "a@x.com b@x.com", "a@b@x.com"],
    ...["Eve <eve@x.com>", "<eve@x.com>", "eve@x.com>", '"a b"@x.com', "eve@x.com (Eve)", "g:a@x;"],
    ...[
      "a@x.com\nBcc: b@x.com",
      "a@x.com\r\n\r\nText",
      "a\0@x.com",
      "a\u2028@x.com",
      "\u00a0a@x.com",
    ],
    ...["", "@", "a@", "@x.com", "a", "a@[10.0.0.1]", "a\\@x.com"],
  ];
  for (const text of others) assert.ok(!isOneAddress(text), JSON.stringify(text));
});
