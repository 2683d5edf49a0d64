import assert from "node:assert/strict";
import { AndFilter, type EqualityFilter, type SubstringFilter } from "ldapts";
import { fillFilter } from "./filter.ts";

const valueOf = (template: string, text: string) =>
  (fillFilter(template, text) as EqualityFilter).value;

Deno.test("typed text is a value of a filter and never a part of it", () => {
  for (
    const typed of ["ann1", "*", "a)(uid=*", "a\\2a", "a\0b", "$&", "é", "王伟", "%s", "(", ""]
  ) {
    assert.equal(valueOf("(uid=%s)", typed), typed);
  }
});

Deno.test("each placeholder of a template is filled, whatever surrounds it", () => {
  const filter = fillFilter(
    "(&(!(uid=%s))(|(mail=%s@x.example)(cn=a*%s*b)(memberOf:1.2.3:=%s)))",
    "ö",
  );
  assert.ok(filter instanceof AndFilter);
  assert.equal(filter.toString().match(/ö|\\c3\\b6/g)?.length, 4);
  assert.equal(valueOf("(cn=\\c3\\b6 %s \\2a)", "é"), "ö é *");
  const { initial, any, final } = fillFilter("(cn=%s*%s*x)", "*") as SubstringFilter;
  assert.deepEqual([initial, any, final], ["*", ["*"], "x"]);
  for (const broken of ["(uid=%s))", "(%s=x)", "(uid=\\2)", "(u(id=%s)"]) {
    assert.throws(() => fillFilter(broken, "x"), Error, broken);
  }
});
