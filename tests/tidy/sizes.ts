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

const STAND_IN =
  "One of Fresh's parts: the stand-in goes as a whole, and nothing else builds on it.";
const STORY = "One story: each step needs what those before it made.";

/** What may be longer, and why: `path` for a file, `path: name` for a function or a test. */
export const LONGER: Record<string, string> = {
  "lib/fresh/build.ts": STAND_IN,
  "lib/fresh/render.ts": STAND_IN,
  "lib/fresh/routes.ts": STAND_IN,
  "lib/kv/keys.ts": "The whole key space in one table, which is read from top to bottom.",
  "lib/parts/resource_operations.ts: resourceOperations":
    "Six calls as data, whose types are inferred where they stand.",
  "lib/tasks/operations.ts": "The calls of one noun as data, one after the other.",
  "lib/triggers/integrations/parts.ts: partService":
    "The calls on one list, a few lines each, that share its type and how it is edited.",
  "tests/browser/main_job_test.ts: a person makes the demo project, runs a task and watches its lines arrive":
    STORY,
  "tests/browser/sso_test.ts: people come by a provider, with and without a script, on a phone and in the dark":
    STORY,
  "tests/real/odd_plays_test.ts: plays that want a person, or nobody, come to a clear end": STORY,
  "tests/routes/renames_test.ts: what was given another name has it everywhere, in lists, in tasks and on pages":
    STORY,
  "tests/routes/run_inputs_test.ts: what ends up in arguments or variables of a process is checked where it is sent":
    "A table of cases, and the few lines that go through it.",
  "tests/routes/run_secrets_test.ts: what is secret in a run is masked by being in its plan, and hidden there":
    STORY,
  "tests/routes/templates_test.ts: Mike adds a template with all that a client may send, and it is answered alike":
    "All members of one body, and how each of them is answered.",
  "tests/support/real_project.ts: newRealProject":
    "A project as tests see it: calls of a line or two that share its server.",
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
    const path = `${relative(ROOT, context.filename)}: ${nameOf(node)}`;
    if (path in longer) return;
    const message = `${path} has ${lines} lines: past ${FUNCTION_LINES_MAX}, look for the seam`;
    context.report({ node, message });
  };
}

/** What a function is called, or the variable or member that it is, or the test. */
function nameOf(node: FunctionNode): string {
  if ("id" in node && node.id) return node.id.name;
  const { parent } = node;
  const called = parent.type === "VariableDeclarator"
    ? parent.id
    : parent.type === "CallExpression"
    ? parent.arguments[0]
    : "key" in parent
    ? parent.key
    : null;
  if (called?.type === "Identifier") return called.name;
  return called?.type === "Literal" ? String(called.value) : "a function";
}

const linesIn = (text: string) => text.split("\n").length;

export default sizeRules(LONGER);
