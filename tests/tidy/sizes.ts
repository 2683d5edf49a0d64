import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 150;

/**
 * What is held to a number of lines. A file of tests is not: it is a list of promises about one
 * subject, read one at a time, and none leans on another. Each of them is held to its lines.
 */
const BOUNDED_FILES = /^(lib|routes|components|islands|scripts)\/(?!.*_test\.tsx?$)|^main\.ts$/;

const WAITS = "It is older than the rule, and waits to be parted by what it does.";

/** What may be longer, and why: `path` for a file, `path: name` for a function. */
export const LONGER: Record<string, string> = {
  "lib/kv/keys.ts": "The whole key space in one table, which is read from top to bottom.",
  "lib/parts/resource_operations.ts: resourceOperations":
    "Six calls as data, each with its types inferred in its place.",
  "tests/routes/run_secrets_test.ts: a function": WAITS,
  "lib/fresh/build.ts": WAITS,
  "lib/fresh/render.ts": WAITS,
  "lib/fresh/routes.ts": WAITS,
  "lib/tasks/operations.ts": WAITS,
  "lib/triggers/integrations/parts.ts: partService": WAITS,
  "tests/browser/main_job_test.ts: a function": WAITS,
  "tests/real/odd_plays_test.ts: a function": WAITS,
  "tests/routes/renames_test.ts: a function": WAITS,
  "tests/routes/run_inputs_test.ts: a function": WAITS,
  "tests/routes/templates_test.ts: a function": WAITS,
  "tests/support/real_project.ts: newRealProject": WAITS,
};

/** Rules of `deno lint` for how long a file and a function may be. */
export function sizeRules(longer: Record<string, string>): Deno.lint.Plugin {
  return {
    name: "house",
    rules: {
      "short-files": { create: (context) => ({ Program: fileRule(context, longer) }) },
      "short-functions": {
        create(context) {
          const check = functionRule(context, longer);
          return {
            FunctionDeclaration: check,
            FunctionExpression: check,
            ArrowFunctionExpression: check,
          };
        },
      },
    },
  };
}

function fileRule(context: Deno.lint.RuleContext, longer: Record<string, string>) {
  return (node: Deno.lint.Program) => {
    const path = relative(ROOT, context.filename);
    const lines = linesIn(context.sourceCode.text.trimEnd());
    if (lines <= FILE_LINES_MAX || !BOUNDED_FILES.test(path) || path in longer) return;
    const message = `${path} has ${lines} lines: past ${FILE_LINES_MAX}, part it by what it does`;
    context.report({ node, message });
  };
}

type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

function functionRule(context: Deno.lint.RuleContext, longer: Record<string, string>) {
  return (node: FunctionNode) => {
    const lines = linesIn(context.sourceCode.getText(node));
    if (lines <= FUNCTION_LINES_MAX) return;
    const name = "id" in node && node.id ? node.id.name : "a function";
    const path = `${relative(ROOT, context.filename)}: ${name}`;
    if (path in longer) return;
    const message = `${path} has ${lines} lines: past ${FUNCTION_LINES_MAX}, look for the seam`;
    context.report({ node, message });
  };
}

const linesIn = (text: string) => text.split("\n").length;

export default sizeRules(LONGER);
