import assert from "node:assert/strict";
import { localPath } from "./local_path.ts";

Deno.test("only paths of this application are followed", () => {
  assert.equal(localPath("/project/1/history?t=5#task-5"), "/project/1/history?t=5#task-5");
  assert.equal(localPath("//evil.example/x"), "/evil.example/x");
  for (
    const other of [
      ...[
        "https://evil.example",
        "/\\evil.example",
        "javascript:1",
        "",
        null,
        "%2f%2fevil.example",
      ],
      ...["/a\nb", "/\t/evil.example", "/\0", "/" + "a".repeat(2000)],
    ]
  ) {
    assert.equal(localPath(other), "/", String(other));
  }
});

Deno.test("dots in a path never lead out of a sub-path or to another host", () => {
  for (const dots of ["/../..", "/a/../../..", "/%2e%2e/%2E%2e", "/./..", "/.//", "/a/..//"]) {
    assert.equal(localPath(dots), "/", dots);
  }
  for (const hidden of ["/.//evil.example", "/a/..//evil.example", "//../evil.example"]) {
    assert.equal(localPath(hidden), "/evil.example", hidden);
  }
});

Deno.test("every text becomes a path that a header may hold", () => {
  for (const text of ["/\u2028", "/ä?ö=ü#ß", "/\ud800", "/%E2%80%A8", "/%ff", "/ ", "/%"]) {
    assert.match(localPath(text), /^\/[\x21-\x7e]*$/, text);
  }
});
