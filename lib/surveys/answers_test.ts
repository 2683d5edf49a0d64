import assert from "node:assert/strict";
import { AppError } from "../base/errors.ts";
import { validateAnswers } from "./answers.ts";
import { answerType, type Choice, isKnownType } from "./answer_types.ts";
import type { ChoiceLists } from "./choices.ts";
import { storedSurvey, surveyField, type SurveyVar } from "./schema.ts";

const survey = (...asked: object[]): SurveyVar[] =>
  storedSurvey(surveyField.parse(asked.map((one) => ({ title: "A", ...one }))));
const choices = (...values: string[]): Choice[] => values.map((value) => ({ name: value, value }));
const values = (...texts: string[]) => texts.map((value) => ({ value }));

interface Sent {
  given?: Record<string, unknown>;
  lists?: ChoiceLists;
  manages?: boolean;
}

const answered = (asked: SurveyVar[], { given = {}, lists = new Map(), manages }: Sent) =>
  validateAnswers(asked, { given, lists, manages: manages ?? false }).open;

/** Returns the keys of the errors by field; an empty object for valid answers. */
function refused(asked: SurveyVar[], sent: Sent): Record<string, string> {
  try {
    answered(asked, sent);
    return {};
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 400);
    return Object.fromEntries(
      Object.entries(error.details.fields ?? {}).map(([name, { key }]) => [name, key]),
    );
  }
}

Deno.test("several choices are a list, however a client sends them", () => {
  const asked = survey({ name: "a", type: "select", values: values("x", "y", "p,q") });
  for (
    const [sent, stored] of [
      [["x", "y"], ["x", "y"]],
      ['["x","y"]', ["x", "y"]],
      ["x, y", ["x", "y"]],
      ["p,q", ["p,q"]],
      ["x", ["x"]],
      [["x", "x"], ["x"]],
      [[], []],
    ]
  ) assert.deepEqual(answered(asked, { given: { a: sent } }), { a: stored });
  assert.deepEqual(answered(asked, {}), {}, "no answer is no variable");
  for (const sent of [["x", "z"], "z", '["z"]']) {
    assert.deepEqual(refused(asked, { given: { a: sent } }), { a: "errors.survey_choice" });
  }
  for (const sent of [{ x: 1 }, [["x"]], "[x", true]) {
    assert.deepEqual(refused(asked, { given: { a: sent } }), { a: "errors.survey_list" });
  }
});

Deno.test("an empty list is the answer none, and not the default", () => {
  const asked = { name: "a", type: "select", values: values("x", "y"), default_value: ["x"] };
  assert.deepEqual(answered(survey(asked), {}), { a: ["x"] });
  assert.deepEqual(answered(survey(asked), { given: { a: [] } }), { a: [] });
  const required = survey({ ...asked, required: true });
  assert.deepEqual(refused(required, { given: { a: [] } }), { a: "errors.survey_required" });
});

Deno.test("an empty answer is not the default, and null is not an answer", () => {
  const of = (type: string, other: object = {}) =>
    survey({ name: "a", type, default_value: "1", values: values("1", "2"), ...other });
  for (const type of ["", "text", "date"]) {
    assert.deepEqual(answered(of(type), { given: { a: "" } }), { a: "" }, type);
    assert.deepEqual(answered(of(type), { given: { a: null } }), { a: "1" }, type);
    assert.deepEqual(answered(of(type), {}), { a: "1" }, type);
  }
  // An empty text is no number and no choice.
  for (const type of ["int", "enum"]) {
    assert.deepEqual(answered(of(type), { given: { a: "" } }), {}, type);
    assert.equal(String(answered(of(type), { given: { a: null } }).a), "1", type);
  }
  assert.deepEqual(answered(of("select"), { given: { a: "" } }), { a: [] });
  assert.deepEqual(answered(of("select"), { given: { a: null } }), { a: ["1"] });
  for (const type of ["", "text", "int", "enum", "select"]) {
    const required = of(type, { required: true });
    assert.deepEqual(refused(required, { given: { a: "" } }), { a: "errors.survey_required" });
    assert.deepEqual(refused(required, { given: { a: null } }), {});
  }
});

Deno.test("a condition on an empty answer does not see the default", () => {
  const asked = survey(
    { name: "a", default_value: "x" },
    { name: "b", default_value: "y", only_if: { name: "a", values: ["x"] } },
  );
  assert.deepEqual(answered(asked, { given: { a: "" } }), { a: "" });
  assert.deepEqual(answered(asked, {}), { a: "x", b: "y" });
});

Deno.test("a type that is not known is one line of text, and a text keeps its lines", () => {
  const asked = survey({ name: "a", type: "date" }, { name: "b", type: "text" });
  assert.equal(asked[0].type, "date");
  const given = { a: "2026-01-01", b: "one\ntwo\n" };
  assert.deepEqual(answered(asked, { given }), given);
  assert.deepEqual(refused(asked, { given: { b: ["a", "b"] } }), { b: "errors.survey_text" });
  for (const type of ["constructor", "toString", "__proto__"]) {
    assert.equal(isKnownType(type), false, type);
    assert.equal(answerType(type), "", type);
  }
});

Deno.test("a question that is not asked gets no value, whatever is sent or its default", () => {
  const asked = survey(
    { name: "env", type: "enum", values: values("dev", "prod"), required: true },
    {
      name: "ticket",
      required: true,
      default_value: "none",
      only_if: { name: "env", values: ["prod"] },
    },
    { name: "reason", required: true, only_if: { name: "ticket", values: ["none"] } },
  );
  assert.deepEqual(answered(asked, { given: { env: "dev", ticket: "T-1", reason: "x" } }), {
    env: "dev",
  });
  assert.deepEqual(answered(asked, { given: { env: "prod", ticket: "T-1", reason: "x" } }), {
    env: "prod",
    ticket: "T-1",
  });
  assert.deepEqual(refused(asked, { given: { env: "prod" } }), {
    reason: "errors.survey_required",
  });
});

Deno.test("choices from elsewhere are checked, and may depend on an earlier answer", () => {
  const asked = survey(
    { name: "region", type: "enum", choices_from: { source: "file", path: "regions.yml" } },
    {
      name: "zones",
      type: "select",
      choices_from: { source: "file", path: "zones.yml", by: "region" },
      default_value: ["a1"],
    },
  );
  const lists: ChoiceLists = new Map([
    ["region", { choices: choices("a", "b") }],
    ["zones", { choices: { a: choices("a1", "a2"), b: choices("b1") } }],
  ]);
  assert.deepEqual(answered(asked, { lists, given: { region: "a", zones: ["a2"] } }), {
    region: "a",
    zones: ["a2"],
  });
  assert.deepEqual(answered(asked, { lists, given: { region: "a" } }), {
    region: "a",
    zones: ["a1"],
  });
  assert.deepEqual(
    answered(asked, { lists, given: { region: "b" } }),
    { region: "b" },
    "a default that is not offered is none",
  );
  assert.deepEqual(refused(asked, { lists, given: { region: "b", zones: "a1" } }), {
    zones: "errors.survey_choice",
  });
  assert.deepEqual(refused(asked, { lists, given: { region: "constructor", zones: "b1" } }), {
    region: "errors.survey_choice",
    zones: "errors.survey_choice",
  });
  assert.deepEqual(refused(asked, { given: { region: "a" } }), {
    region: "errors.survey_unavailable",
    zones: "errors.survey_unavailable",
  });
  assert.deepEqual(answered(survey(...asked.slice(0, 1)), {}), {}, "an optional one may be left");
});

Deno.test("conditions and filters name an earlier question that is not secret", () => {
  const fieldsOf = (...asked: object[]) =>
    surveyField.safeParse(asked.map((one) => ({ title: "A", ...one }))).error?.issues
      .map(({ path }) => path.join("."));
  const only_if = { name: "a", values: ["x"] };
  assert.deepEqual(fieldsOf({ name: "b", only_if }, { name: "a" }), ["0.only_if.name"]);
  assert.deepEqual(fieldsOf({ name: "a", only_if }), ["0.only_if.name"]);
  assert.deepEqual(fieldsOf({ name: "a", type: "secret" }, { name: "b", only_if }), [
    "1.only_if.name",
  ]);
  const choices_from = { source: "file", path: "a.yml", by: "c" };
  assert.deepEqual(fieldsOf({ name: "a" }, { name: "b", type: "enum", choices_from }), [
    "1.choices_from.by",
  ]);
  assert.deepEqual(fieldsOf({ name: "a" }, { name: "b", only_if: { name: "a" } }), [
    "1.only_if.values",
  ]);
});

Deno.test("a source is a path inside the repository, or an address without credentials", () => {
  const accepts = (choices_from: object) =>
    surveyField.safeParse([{ name: "a", title: "A", type: "enum", choices_from }]).success;
  assert.ok(accepts({ source: "file", path: "vars/choices.yml" }));
  assert.ok(accepts({ source: "url", url: "https://cmdb.example.com/zones?all=1" }));
  assert.ok(accepts({ source: "hosts" }));
  for (const path of ["", "../x.yml", "/etc/passwd", "a\nb"]) {
    assert.ok(!accepts({ source: "file", path }), path);
  }
  for (const url of ["", "ftp://a/b", "https://me:pass@a/b", "javascript:alert(1)"]) {
    assert.ok(!accepts({ source: "url", url }), url);
  }
});

Deno.test("an update without sources and conditions keeps them", () => {
  const only_if = { name: "a", values: ["x"] };
  const choices_from = { source: "file", path: "b.yml" };
  const stored = survey({ name: "a" }, { name: "b", type: "enum", choices_from, only_if });
  const sent = (more: object) =>
    surveyField.parse([{ name: "a", title: "A" }, {
      name: "b",
      title: "B",
      type: "enum",
      values: values("x"),
      ...more,
    }]);
  assert.deepEqual(storedSurvey(sent({}), stored)[1].choices_from, choices_from);
  assert.deepEqual(storedSurvey(sent({}), stored)[1].only_if, only_if);
  assert.deepEqual(
    storedSurvey(sent({ values: [], default_value: "y" }), stored)[1].choices_from,
    choices_from,
  );
  assert.throws(() => storedSurvey(sent({ values: undefined }), []), AppError);
  const none = storedSurvey(sent({ choices_from: null, only_if: null }), stored)[1];
  assert.ok(!("choices_from" in none) && !("only_if" in none));
});
