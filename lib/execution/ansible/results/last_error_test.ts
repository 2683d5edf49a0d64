import assert from "node:assert/strict";
import { lastErrorReader } from "./last_error.ts";

const ROOT = "/data/tasks/7/checkout";

function errorOf(output: string): string | null {
  const reader = lastErrorReader();
  for (const line of output.split("\n")) reader.read(line);
  const error = reader.found(ROOT);
  if (!error?.place) return error && error.message;
  return `${error.message} (${Object.values(error.place).join(":")})`;
}

Deno.test("the last error of each version of Ansible is found, with its file and line", () => {
  const outputs: [output: string, error: string | null][] = [
    [
      `\x1b[0;31mERROR! the role 'web' was not found in ${ROOT}/roles:${ROOT}\x1b[0m\n\n` +
      `The error appears to be in '${ROOT}/site.yml': line 3, column 11, but may\nbe elsewhere`,
      "the role 'web' was not found in roles:. (site.yml:3:11)",
    ],
    [
      `[ERROR]: the role 'web' was not found in ${ROOT}/roles\nOrigin: ${ROOT}/site.yml:3:11\n\n1 -`,
      "the role 'web' was not found in roles (site.yml:3:11)",
    ],
    [
      "ERROR! We were unable to read either as JSON nor YAML, these are the errors we got from " +
      "each:\nJSON: Expecting value: line 1 column 1 (char 0)\n\nSyntax Error while loading " +
      `YAML.\n  did not find expected ',' or '}'\n\nThe error appears to be in '${ROOT}/a.yml': ` +
      "line 4, column 5, but may",
      "Syntax Error while loading YAML: did not find expected ',' or '}' (a.yml:4:5)",
    ],
    // As recorded, in color.
    [
      [
        "[ERROR]: YAML parsing failed: While parsing a block mapping did not find expected key.",
        `Origin: ${ROOT}/broken.yml:7:4`,
        ...[
          "",
          "5       debug: {msg: hi}",
          "6     - name: broken",
          "7    oops: [",
          "     ^ column 4",
        ],
      ].map((line) => `\x1b[0;31m${line}\x1b[0m`).join("\n"),
      "YAML parsing failed: While parsing a block mapping did not find expected key. " +
      "(broken.yml:7:4)",
    ],
    [
      "[ERROR]: Unable to retrieve file contents.\nCould not find or access '/x.yml'\nIf you",
      "Unable to retrieve file contents: Could not find or access '/x.yml'",
    ],
    [
      "ERROR: Error reading config file (/a.cfg): no headers.\nfile: 'x', line: 1",
      "Error reading config file (/a.cfg): no headers: file: 'x', line: 1",
    ],
    [
      "usage: ...\nansible-playbook: error: unrecognized arguments: --x",
      "unrecognized arguments: --x",
    ],
    ["[ERROR]: first\n\n[ERROR]: second", "second"],
    [' [ERROR]: No matching task "x" found. Note', 'No matching task "x" found. Note'],
    ["[ERROR]: Task failed: 'x' is undefined\nfatal: [a]: FAILED! => {}", null],
    ['ok: [a] => {"msg": "ERROR! no"}', null],
    ["ERROR! \x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "click"],
  ];
  for (const [output, error] of outputs) assert.equal(errorOf(output), error);
});

Deno.test("an error is of bounded length, whatever is printed", () => {
  const text = errorOf(`ERROR! ${"x".repeat(100_000)}\nOrigin: /${"y".repeat(100_000)}:1:1`);
  assert.ok(text!.length <= 1_000);
});
