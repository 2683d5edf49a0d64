import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 300;

/** Tests have no limit, because they are lists of promises that are read one at a time. */
const BOUNDED_FILES =
  /^(lib|routes|components|islands|scripts|tools)\/(?!.*_test\.tsx?$)|^main\.ts$/;

/** Exceptions and their reasons: `path` for a file, `path: name` for a function. */
export const LONGER: Record<string, string> = {
  "lib/triggers/integrations/rules.ts: ruleService":
    "The calls on one list, a few lines each, that share its type and how it is edited.",
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
    const file = relative(ROOT, context.filename);
    const path = `${file}: ${nameOf(node)}`;
    if (!BOUNDED_FILES.test(file) || path in longer) return;
    const message = `${path} has ${lines} lines: past ${FUNCTION_LINES_MAX}, look for the seam`;
    context.report({ node, message });
  };
}

/** Returns the name of a function, or of the variable or member that holds it. */
function nameOf(node: FunctionNode): string {
  if ("id" in node && node.id) return node.id.name;
  const { parent } = node;
  const called = parent.type === "VariableDeclarator"
    ? parent.id
    : "key" in parent
    ? parent.key
    : null;
  if (called?.type === "Identifier") return called.name;
  return "a function";
}

const linesIn = (text: string) => text.split("\n").length;

export default sizeRules(LONGER);
