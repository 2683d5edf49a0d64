import assert from "node:assert/strict";
import { parseOutputs } from "./outputs_file.ts";

const valuesOf = (text: string) => Object.fromEntries(parseOutputs(text).values);

Deno.test("lines, and values of several lines, are outputs", () => {
  assert.deepEqual(valuesOf("a=1\nb=x=y <<z\n\nc=\na=2\n"), { a: "2", b: "x=y <<z", c: "" });
  assert.deepEqual(valuesOf("notes<<EOF\none=1\n\n two\nEOF\nb=2"), {
    notes: "one=1\n\n two",
    b: "2",
  });
  assert.deepEqual(valuesOf("a=1\r\nb<<END\r\nx\r\nEND\r\n"), { a: "1", b: "x" });
  assert.deepEqual(valuesOf("t={{ lookup('pipe','id') }}\u2028\u202e"), {
    t: "{{ lookup('pipe','id') }}\u2028\u202e",
  });
});

Deno.test("other lines are reported without their contents, and cost no other output", () => {
  const { values, problems } = parseOutputs("a=1\nsecret\n=2\nb<c=3\nd<<\nz=26\n");
  assert.deepEqual([...values], [["a", "1"], ["z", "26"]]);
  assert.deepEqual(
    problems,
    [2, 3, 4, 5].map((n) => `Line ${n} of the file of outputs is not "name=value"`),
  );
});

Deno.test("a value without its end takes the rest, because it may be part of it", () => {
  const { values, problems } = parseOutputs("a=1\nb<<EOF\nc=3\n");
  assert.deepEqual([...values], [["a", "1"]]);
  assert.deepEqual(problems, ["The end of the output in line 2 of the file is missing"]);
});
