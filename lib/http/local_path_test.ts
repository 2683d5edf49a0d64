import assert from "node:assert/strict";
import { localPath } from "./local_path.ts";

Deno.test("Only paths of this application are followed", () => {
  assert.equal(localPath("/project/1/history?t=5"), "/project/1/history?t=5");
  assert.equal(localPath("//evil.example/x"), "/evil.example/x");
  for (
    const other of ["https://evil.example", "/\\evil.example", "javascript:1", "", "/a\nb", null]
  ) {
    assert.equal(localPath(other), "/");
  }
});
