import assert from "node:assert/strict";
import {
  afterChange,
  firstShown,
  readVariables,
  ROWS_MAX,
  withJson,
  withVariableRows,
} from "./variable_rows.ts";

const shown = (json: string, env = "{}") => ({
  json,
  env,
  "shown_as.json": "rows",
  "shown_as.env": "rows",
});

/** Values with rows for their variables, as a page sends them. */
const sent = (json: string, env?: string) => withVariableRows(shown(json, env));

Deno.test("Rows that nothing has changed give the JSON exactly as it was written", () => {
  for (
    const json of [
      "",
      "{}",
      '{"release":"r7", "workers" : 1024}',
      '{\n  "list": ["a",  {"b": 1.0}],\n  "big": 12345678901234567890,\n  "text": "5"\n}',
      '{"b": 1, "2": "second", "1": "third", "b": 2}',
      '{"lines": "a\\nb\\n", "first": "\\na", "carriage": "a\\r\\nb", "bell": "\\u0007"}',
      '{"none": null, "on": true, "half": "\\ud800", "quote": "\\"x\\""}',
    ]
  ) {
    const { values, errors } = withJson(sent(json, json === "" ? "" : '{"A": 1, "B": "x"}'));
    assert.deepEqual([values.json, errors], [json, {}]);
    assert.equal(values.env, json === "" ? "" : '{"A": 1, "B": "x"}');
    assert.ok(!Object.keys(values).some((name) => name.startsWith("json_rows")), "no row stays");
  }
});

Deno.test("Changed rows are written as JSON, and other values keep theirs", () => {
  const values = sent('{"release": "r7", "1": 1.0, "hosts": ["a",  "b"]}', '{"PORT": 80}');
  const changed = withJson({
    ...values,
    "json_rows.0.value": "r8\nand more",
    "json_rows.7.name": " text ",
    "json_rows.7.value": " 5 ",
    "json_rows.8.name": "",
    "json_rows.8.value": " ",
    "env_rows.0.value": "eighty",
  });
  assert.deepEqual(changed.errors, {});
  assert.equal(
    changed.values.json,
    '{\n  "release": "r8\\nand more",\n  "1": 1.0,\n  "hosts": ["a",  "b"],\n  "text": " 5 "\n}',
  );
  assert.equal(changed.values.env, '{\n  "PORT": "eighty"\n}');
  assert.deepEqual(JSON.parse(withJson({ ...values, "env_rows.0.value": "81" }).values.env), {
    PORT: 81,
  });
});

Deno.test("Rows with errors stay as they were typed, each with its error", () => {
  const typed = {
    ...sent('{"a": 1}', '{"A": "x"}'),
    "json_rows.0.value": "[1,",
    "json_rows.1.name": "a",
    "json_rows.2.value": "no name",
    "env_rows.0.name": "A B",
    "env_rows.1.name": "IFS",
  };
  const { values, errors } = withJson(typed);
  assert.deepEqual(values, typed);
  assert.deepEqual(errors, {
    "json_rows.0.value": { key: "errors.environments.value_json" },
    "json_rows.1.name": { key: "errors.environments.same_variable" },
    "json_rows.2.name": { key: "errors.required" },
    "env_rows.0.name": { key: "errors.environments.env_name" },
    "env_rows.1.name": { key: "errors.shell_variable" },
  });
  assert.deepEqual(afterChange({ ...typed, change_json: "json" })?.errors, {
    "json_rows.0.value": errors["json_rows.0.value"],
    "json_rows.1.name": errors["json_rows.1.name"],
    "json_rows.2.name": errors["json_rows.2.name"],
  });
});

Deno.test("Buttons add and remove rows, and switch between rows and JSON without loss", () => {
  const json = '{"a": [1,  2], "b": "x"}';
  const text = afterChange({ ...sent(json), change_json: "json" })!.values;
  assert.deepEqual([text.json, text["shown_as.json"]], [json, "json"]);
  const edited = { ...text, json: '{"a": [1,  2], "b": "y"}', change_json: "rows" };
  const rows = withVariableRows(afterChange(edited)!.values);
  assert.deepEqual([rows["json_rows.0.value"], rows["json_rows.0.type"]], ["[1,  2]", "json"]);
  assert.deepEqual([rows["json_rows.1.value"], rows["json_rows.1.type"]], ["y", "text"]);

  const more = afterChange({ ...rows, change_json: "add" })!.values;
  assert.equal(more["json_rows.2.name"], "");
  const one = afterChange({ ...more, change_json: "remove.0" })!.values;
  assert.deepEqual(JSON.parse(withJson(one).values.json), { b: "y" });
  const none = ["remove.1", "remove.2"].reduce(
    (values, change_json) => afterChange({ ...values, change_json })!.values,
    one,
  );
  assert.equal(withVariableRows(none)["json_rows.0.name"], "", "a blank row stays");
  assert.equal(withJson(none).values.json, "{}");
  assert.equal(afterChange({ ...none, change_json: "" }), null);
});

Deno.test("JSON that rows cannot show stays JSON, and the page says why", () => {
  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: ROWS_MAX + 1 }, (_, n) => [`v${n}`, n])),
  );
  const key = (json: string) =>
    afterChange({ json, "shown_as.json": "json", change_json: "rows" })!.errors?.json.key;
  assert.equal(key("[1]"), "errors.environments.json_object");
  assert.equal(key("{"), "errors.environments.json_object");
  for (const json of [many, '{" a": 1}', '{"a\\nb": 1}', '{"": 1}']) {
    assert.equal(readVariables(json), null);
    assert.equal(key(json), "errors.environments.not_rows");
    assert.equal(withVariableRows(shown(json))["shown_as.json"], "json");
    assert.equal(firstShown(json), "json");
  }
  assert.equal(firstShown('{"a": {"b": 1}}'), "json");
  assert.equal(firstShown('{"a": 1, "b": "[x]"}'), "rows");
  assert.equal(firstShown(""), "rows");
});
