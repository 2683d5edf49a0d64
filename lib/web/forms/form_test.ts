import assert from "node:assert/strict";
import * as z from "zod";
import { AppError, forbidden, invalidField, notFound } from "../../base/errors.ts";
import { formValues, newForm, parseForm, submitForm } from "./form.ts";
import { FIELDS_MAX, readForm } from "./read_form.ts";
import { keyForm } from "../../resources/keys/schema.ts";

const post = (fields: string | Record<string, string> | [string, string][]) =>
  new Request("http://test/", { method: "POST", body: new URLSearchParams(fields) });

const survey = z.object({
  name: z.string().trim().min(1, "errors.required"),
  alert: z.boolean(),
  quiet: z.boolean().nullish(),
  limit: z.int("errors.integer").min(0).nullish().transform((value) => value ?? 0),
  view_id: z.int().nullable(),
  kind: z.enum(["a", "b"]).nullish(),
  vars: z.array(z.object({ name: z.string(), required: z.boolean() })).nullish(),
  tags: z.array(z.string()).nullish(),
  scope: z.union([z.literal(1), z.literal(2), z.null()]).optional(),
});

Deno.test("a form's texts become the values that the schema expects", async () => {
  const form = await parseForm(
    post({
      name: " Web ",
      alert: "true",
      limit: "12",
      view_id: "",
      kind: "",
      scope: "2",
      "vars.10.name": "late",
      "vars.2.name": "early",
      "vars.2.required": "on",
    }),
    survey,
  );
  assert.ok(form.ok);
  assert.deepEqual(form.value, {
    name: "Web",
    alert: true,
    limit: 12,
    view_id: null,
    kind: null,
    scope: 2,
    vars: [{ name: "early", required: true }, { name: "late", required: false }],
  });
});

Deno.test("an unticked checkbox is false, and a blank number is the schema's default", async () => {
  const form = await parseForm(post({ name: "x", limit: "", view_id: "3" }), survey);
  assert.ok(form.ok);
  assert.equal(form.value.alert, false);
  assert.equal(form.value.limit, 0);
  assert.equal(form.value.view_id, 3);
  assert.equal(form.value.scope, undefined);
});

Deno.test("a name that is sent several times becomes a list", async () => {
  const twice = await parseForm(
    post([["name", "x"], ["view_id", ""], ["tags", "a"], ["tags", "b"]]),
    survey,
  );
  assert.ok(twice.ok);
  assert.deepEqual(twice.value.tags, ["a", "b"]);
  const once = await parseForm(post([["name", "x"], ["view_id", ""], ["tags", "a"]]), survey);
  assert.ok(once.ok);
  assert.deepEqual(once.value.tags, ["a"]);
});

Deno.test("invalid values are reported at their fields, and all typed values stay", async () => {
  const form = await parseForm(post({ name: "", limit: "many", view_id: "" }), survey);
  assert.ok(!form.ok);
  assert.deepEqual(Object.keys(form.errors), ["name", "limit"]);
  assert.equal(form.errors.name.key, "errors.required");
  assert.equal(form.errors.limit.key, "errors.integer");
  assert.equal(form.values.limit, "many");
});

Deno.test("nested names reach nested fields, and errors are reported under the same names", async () => {
  const form = await parseForm(
    post({ name: "Web", type: "ssh", "ssh.login": "root", "ssh.private_key": " " }),
    keyForm,
  );
  assert.ok(!form.ok);
  assert.deepEqual(Object.keys(form.errors), ["ssh.private_key"]);
  assert.equal(form.values["ssh.login"], "root");
});

Deno.test("lines of a text area arrive without the browser's carriage returns", async () => {
  const form = await parseForm(post({ name: "one\r\ntwo", view_id: "" }), survey);
  assert.ok(form.ok);
  assert.equal(form.value.name, "one\ntwo");
});

Deno.test("names of object prototypes are names like any other", async () => {
  const form = await parseForm(
    post({ name: "x", view_id: "", "__proto__.polluted": "yes", "constructor.prototype.x": "y" }),
    survey,
  );
  assert.ok(form.ok);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("errors of the service about a form are shown in it, but not a missing permission", async () => {
  const fields = { name: "Web", view_id: "" };
  const save = (error: AppError) => submitForm(post(fields), survey, () => Promise.reject(error));

  const atField = await save(invalidField("name", "errors.username_taken"));
  assert.ok(!atField.ok);
  assert.deepEqual(atField.errors, { name: { key: "errors.username_taken", params: undefined } });
  assert.equal(atField.values.name, "Web");

  const atForm = await save(new AppError(409, "errors.stale"));
  assert.ok(!atForm.ok);
  assert.deepEqual(atForm.errors, { "": { key: "errors.stale", params: {} } });

  const unknown = { fields: { view_id: { key: "errors.not_in_project" } } };
  const inOtherProject = await save(new AppError(404, "errors.field_not_in_project", {}, unknown));
  assert.ok(!inOtherProject.ok);
  assert.deepEqual(Object.keys(inOtherProject.errors), ["view_id"]);

  await assert.rejects(save(forbidden()), { status: 403 });
  await assert.rejects(save(notFound()), { status: 404 });
});

Deno.test("a body that is not a form is refused", async () => {
  const body = new Request("http://test/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  await assert.rejects(parseForm(body, survey), { status: 400 });
});

Deno.test("a form that is too large is refused, even without a length", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(97)),
  });
  const req = new Request("http://test/", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: endless,
  });
  await assert.rejects(parseForm(req, survey), { status: 413 });
});

Deno.test("a form with too many fields is refused before it is parsed", async () => {
  const refused = { status: 413, key: "errors.too_many_fields" };
  const many = (count: number) => Array.from({ length: count }, (_, n) => [`f${n}`, "x"] as const);
  await assert.rejects(readForm(post("a=1&".repeat(FIELDS_MAX + 2))), refused);
  await assert.rejects(readForm(post(Object.fromEntries(many(FIELDS_MAX + 2)))), refused);
  assert.equal(Object.keys(await readForm(post(Object.fromEntries(many(800))))).length, 800);

  const parts = new FormData();
  for (const [name, text] of many(FIELDS_MAX + 1)) parts.append(name, text);
  const upload = new Request("http://test/", { method: "POST", body: parts });
  await assert.rejects(readForm(upload, 4 * 1024 * 1024), refused);
});

Deno.test("fields are counted by the separator that is used for parsing, whatever the sent type is", async () => {
  const refused = { status: 413, key: "errors.too_many_fields" };
  const read = (type: string, body: string) =>
    readForm(
      new Request("http://test/", { method: "POST", headers: { "Content-Type": type }, body }),
      4 * 1024 * 1024,
    );
  const urlEncoded = "a=1&".repeat(FIELDS_MAX + 2);
  for (const parameter of ["boundary=x", "charset=utf-8; boundary=x", 'x="; boundary=x"']) {
    const type = `application/x-www-form-urlencoded; ${parameter}`;
    await assert.rejects(read(type, urlEncoded), refused, type);
    assert.deepEqual(await read(type, "a=1&b=2"), { a: "1", b: "2" });
  }
  const part = (n: number) => `--B\r\nContent-Disposition: form-data; name="a${n}"\r\n\r\n1\r\n`;
  const parts = (count: number) =>
    Array.from({ length: count }, (_, n) => part(n)).join("") + "--B--";
  for (const parameters of ['x="; boundary=Z"; boundary=B', "boundary=Z; boundary=B"]) {
    // With a boundary other than the first one, no field exists that was not counted.
    await assert.rejects(read(`multipart/form-data; ${parameters}`, parts(FIELDS_MAX + 2)), {
      status: 400,
      key: "errors.invalid_form",
    });
  }
  for (const parameters of ["boundary=B", 'boundary="B"', "charset=utf-8; boundary=B"]) {
    const type = `multipart/form-data; ${parameters}`;
    await assert.rejects(read(type, parts(FIELDS_MAX + 2)), refused, type);
    assert.deepEqual(await read(type, parts(2)), { a0: "1", a1: "1" }, type);
  }
});

Deno.test("a name that is nested deeper than any schema is ignored", async () => {
  const deep = `view_id${".x".repeat(20_000)}`;
  const form = await parseForm(post({ name: "x", view_id: "3", [deep]: "y" }), survey);
  assert.ok(form.ok);
  assert.equal(form.value.view_id, 3);
});

Deno.test("large row numbers do not create long lists", async () => {
  const form = await parseForm(
    post({ name: "x", view_id: "", "vars.999999.name": "far", "vars.999999999.name": "none" }),
    survey,
  );
  assert.ok(form.ok);
  assert.deepEqual(form.value.vars, [{ name: "far", required: false }]);
});

Deno.test("a stored object fills in the fields by their dotted names", () => {
  const stored = {
    name: "Web",
    count: 0,
    off: false,
    none: null,
    list: [{ name: "a" }, { name: "b" }],
  };
  assert.deepEqual(formValues(stored), {
    name: "Web",
    count: "0",
    "list.0.name": "a",
    "list.1.name": "b",
  });
  assert.deepEqual(newForm(), { values: {}, errors: {} });
});
