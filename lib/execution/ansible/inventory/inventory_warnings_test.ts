import assert from "node:assert/strict";
import { outputReader } from "../results/output_reader.ts";
import { withoutFolders } from "./inventory_warnings.ts";

const UNREAD = "[WARNING]: Unable to parse /data/tasks/7/hosts as an inventory source";

function errorOf(output: string) {
  const reader = outputReader();
  for (const line of output.split("\n")) reader.read(`\x1b[1;35m${line}\x1b[0m`);
  return reader.inventoryError();
}

Deno.test("the error of an inventory is found in the words of each version of Ansible", () => {
  const ini = "Expected key=value host variable assignment, got: foo";
  assert.deepEqual(
    errorOf(`Using /etc/ansible/ansible.cfg as config file
[WARNING]: Failed to parse inventory with 'yaml' plugin: Not YAML

Failed to parse inventory with 'yaml' plugin.
Origin: <inventory plugin 'yaml' with source '/data/tasks/7/hosts'>

[WARNING]: Failed to parse inventory with 'ini' plugin: Failed to parse inventory: ${ini}

<<< caused by >>>

Failed to parse inventory: ${ini}
Origin: /data/tasks/7/hosts

${UNREAD}
PLAY [all] ****`),
    {
      file: "/data/tasks/7/hosts",
      ...{ line: null, column: null, message: `Failed to parse inventory: ${ini}` },
      lines_before: 6,
    },
  );
  const yaml = "While parsing a flow node did not find expected node content.";
  assert.deepEqual(
    errorOf(`[WARNING]: Failed to parse inventory with 'auto' plugin: YAML parsing failed: ${yaml}

<<< caused by >>>

YAML parsing failed: ${yaml}
Origin: /data/tasks/7/hosts:5:1

[WARNING]: Failed to parse inventory with 'ini' plugin: Invalid host pattern
${UNREAD}`),
    {
      file: "/data/tasks/7/hosts",
      ...{ line: 5, column: 1, message: `YAML parsing failed: ${yaml}` },
      lines_before: 0,
    },
  );
  // Before 2.19, in lines of 79 characters.
  assert.deepEqual(
    errorOf(`[WARNING]:  * Failed to parse /data/tasks/7/hosts with ini plugin:
/data/tasks/7/hosts:2: Expected key=value host variable assignment,
got: foo
${UNREAD}`),
    { file: "/data/tasks/7/hosts", line: 2, column: null, message: ini, lines_before: 0 },
  );
  assert.deepEqual(
    errorOf(`[WARNING]:  * Failed to parse
/data/tasks/7/hosts with auto plugin: We were unable to read either as JSON nor YAML, these are the errors we got from
each: JSON: Expecting value: line 1 column 1 (char 0)  Syntax Error while
loading YAML.   did not find expected node content  The error appears to be in
'/data/tasks/7/hosts': line 5, column 1, but may be elsewhere in the
file depending on the exact syntax problem.
${UNREAD}`),
    {
      file: "/data/tasks/7/hosts",
      ...{ line: 5, column: 1 },
      message: "Syntax Error while loading YAML. did not find expected node content",
      lines_before: 0,
    },
  );
  assert.equal(errorOf(UNREAD), null);
  assert.equal(errorOf("ok: [web1] => Failed to parse x with ini plugin: y"), null);
});

Deno.test("folders of a run are left out, also where a line was broken in one", () => {
  const text = "/data/tas ks/7/hosts: and /data/tasks/7/checkout/a";
  assert.equal(withoutFolders(text, ["/data/tasks/7/checkout", "/data/tasks/7"]), "hosts: and a");
});
