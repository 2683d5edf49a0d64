import assert from "node:assert/strict";
import { changed, fieldName, fieldOf, type Question, questionsOf, surveyOf } from "./questions.ts";

const values = {
  "name": "Deploy",
  "survey_vars.1.name": "region",
  "survey_vars.1.title": "Region",
  "survey_vars.1.type": "enum",
  "survey_vars.1.choices": "eu\nAmerica = us",
  "survey_vars.4.name": "zone",
  "survey_vars.4.only_if.name": "region",
  "survey_vars.4.only_if.values": "us",
};
const errors = { "survey_vars.4.title": { key: "errors.required" } };
const namesOf = (questions: Question[]) =>
  questions.map((one) => `${fieldName(one, "name")}=${one.values.name}`);

Deno.test("questions of a form are added, removed and moved, and their rows stay in order", () => {
  const first = questionsOf({ values, errors });
  assert.deepEqual(first.map(({ isOpen }) => isOpen), [false, true]);
  assert.deepEqual(namesOf(first), ["survey_vars.1.name=region", "survey_vars.4.name=zone"]);
  const moved = changed(first, { kind: "move", id: 4, step: -1 });
  assert.deepEqual(namesOf(moved), ["survey_vars.1.name=zone", "survey_vars.4.name=region"]);
  assert.deepEqual(moved[0].errors, { title: { key: "errors.required" } });
  assert.deepEqual(changed(moved, { kind: "move", id: 4, step: -1 }), moved, "the first one");
  const added = changed(moved, { kind: "add" });
  const typed = changed(added, { kind: "type", ...fieldOf("survey_vars.5.name")!, value: "size" });
  assert.deepEqual(namesOf(typed).at(-1), "survey_vars.5.name=size");
  assert.equal(typed[0], added[0], "others are not rendered again");
  const removed = changed(typed, { kind: "remove", id: 1 });
  assert.deepEqual(namesOf(removed), ["survey_vars.1.name=zone", "survey_vars.5.name=size"]);
});

Deno.test("a survey is made of what is typed, even if something is missing", () => {
  const [region, zone, third] = surveyOf(
    changed(questionsOf({ values, errors: {} }), { kind: "add" }),
    (position) => `Variable ${position}`,
  );
  assert.deepEqual(region.values, [{ name: "eu", value: "eu" }, { name: "America", value: "us" }]);
  assert.deepEqual([zone.title, zone.only_if], ["Variable 2", { name: "region", values: ["us"] }]);
  assert.deepEqual([third.name, third.default_value], ["variable_5", ""]);
});
