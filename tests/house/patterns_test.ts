import assert from "node:assert/strict";
import { join } from "node:path";
import { analyse } from "@/tests/packages/scslre.ts";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

/**
 * Patterns that could take long, but not for their inputs: those are short, or our own, or the part
 * that could fail never does.
 */
const HARMLESS = new Set([
  String.raw`/^(?:(?:CRON_)?TZ=(\S*)\s+)?(.*)$/s`, // 200 characters
  String.raw`/^(.*?)(\d+)(\D*)$/s`, // a version: 100 characters
  String.raw`/^([^?#]*)(.*)$/s`, // the rest always matches
  String.raw`/^([^#]*)(.*)$/s`,
  String.raw`/[?#].*$/s`,
  String.raw`/(?:[^\s:[\]]|\[[^\]]*\]|[[\]])+/g`, // a limit: 4,000 characters
  String.raw`/\[[^\]]*\]/g`,
  String.raw`/\{[^}]*\}\??/g`, // names of route files
  String.raw`/;?\s*upgrade-insecure-requests| 'unsafe-inline'/g`, // the policy of this server
]);

/**
 * Files with patterns that are composed of others, which are checked where they are defined, or
 * that match our own file names.
 */
const PUT_TOGETHER = [
  "lib/i18n/visible.ts",
  "lib/execution/git/url.ts",
  "lib/fresh/routes.ts",
  "lib/execution/ansible/toolchains/toolchain_lines.ts",
  "lib/execution/ansible/inventory/inventory_warnings.ts",
];

/**
 * Returns the patterns of a source file, and how many patterns it creates from texts at run time.
 */
function patternsOf(file: string, source: string) {
  const literals: { source: string; flags: string }[] = [];
  let made = 0;
  const plugin: Deno.lint.Plugin = {
    name: "patterns",
    rules: {
      patterns: {
        create: () => ({
          Literal({ regex }: { regex?: { pattern: string; flags: string } }) {
            if (regex) literals.push({ source: regex.pattern, flags: regex.flags });
          },
          "NewExpression[callee.name='RegExp'], CallExpression[callee.name='RegExp']"() {
            made++;
          },
        } as Deno.lint.LintVisitor),
      },
    },
  };
  Deno.lint.runPlugin(plugin, file, source);
  return { literals, made };
}

Deno.test("no pattern takes more time than the text it is used on is long", async () => {
  const slow: string[] = [];
  let count = 0;
  for (const folder of ["lib", "routes", "components", "islands"]) {
    for await (const name of walk(join(ROOT, folder), /(?<!_test)\.tsx?$/)) {
      const file = `${folder}/${name}`;
      const { literals, made } = patternsOf(file, await Deno.readTextFile(join(ROOT, file)));
      if (made > 0 && !PUT_TOGETHER.includes(file)) slow.push(`${file}: makes a pattern of a text`);
      count += literals.length;
      for (const { source, flags } of literals) {
        const literal = `/${source}/${flags}`;
        if (HARMLESS.has(literal)) continue;
        if (analyse({ source, flags }).reports.length > 0) slow.push(`${file}: ${literal}`);
      }
    }
  }
  assert.deepEqual(slow, []);
  assert.ok(count > 100, `only ${count} patterns were found`);
});
