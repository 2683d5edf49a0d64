import assert from "node:assert/strict";
import { outputReader } from "./output_reader.ts";

function read(output: string) {
  const reader = outputReader();
  for (const line of output.split("\n")) reader.read(line);
  return { noHosts: (exitCode: number, hosts = 0) => reader.noHosts(exitCode, hosts) };
}

Deno.test("a run on no host is distinguished from one that found hosts", () => {
  const nobody = `PLAY [web] ****\nskipping: no hosts matched\n\nPLAY RECAP ****\n`;
  assert.equal(read(nobody).noHosts(0), "errors.run.no_hosts_matched");
  const warning = "[WARNING]: No inventory was parsed, only implicit localhost is available\n";
  assert.equal(read(warning + nobody).noHosts(0), "errors.run.inventory_unreadable");
  const implicit = `${warning}PLAY RECAP ****\nlocalhost : ok=1 changed=0 unreachable=0 failed=0\n`;
  assert.equal(read(implicit).noHosts(0, 1), "errors.run.inventory_unreadable");
  const none = "[WARNING]: provided hosts list is empty, only localhost is available.\n";
  const alone = implicit.slice(warning.length);
  assert.equal(read(none + alone).noHosts(0, 1), "errors.run.inventory_empty");
  assert.equal(read(none + alone).noHosts(2, 1), null, "it failed for another reason");
  const partly = "[WARNING]: Unable to parse /inventory/README as an inventory source\n";
  assert.equal(read(`${partly}PLAY RECAP ****\nweb : ok=1 failed=0\n`).noHosts(0, 1), null);
  assert.equal(read(nobody).noHosts(0, 1), null, "another play had hosts");
  assert.equal(read(nobody).noHosts(1), null, "it failed for another reason");
  assert.equal(read("anything else").noHosts(0), null);
  const limit =
    "Specified inventory, host pattern and/or --limit leaves us with no hosts to target.";
  for (const error of [`\x1b[0;31m[ERROR]: ${limit}\x1b[0m`, `ERROR! ${limit}`]) {
    assert.equal(read(error).noHosts(1), "errors.run.no_hosts_matched");
  }
});
