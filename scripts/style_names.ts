/** Text before a block: the selectors of a rule, or an at-rule. */
const PRELUDE = /([^{};]+)\{/g;
const NO_RULE = /^(@|(from|to|[\d.]+%)(\s*,|$))/;
const NAME = /[.#](-?[a-z_][\w-]*)/gi;
/** A pseudo-class with arguments that have no arguments of their own. */
const GROUP = /:([\w-]+)\(([^()]*)\)/;

/**
 * Returns the classes and ids that a page must have for each rule of a style sheet to apply, as one
 * set for each of its selectors. `:is(.a, .b) .c` makes two of them.
 */
export function neededNames(css: string): { rule: string; names: string[] }[] {
  return [...css.replace(/\/\*.*?\*\//gs, "").matchAll(PRELUDE)]
    .map(([, prelude]) => prelude.trim())
    .filter((rule) => !NO_RULE.test(rule))
    .flatMap((rule) =>
      spread(rule.replace(/"[^"]*"/g, "")).map((selector) => ({
        rule,
        names: [...new Set([...selector.matchAll(NAME)].map(([, name]) => name))].toSorted(),
      }))
    );
}

/** Returns selectors without arguments. The first ones match what one of these matches. */
function spread(selectors: string): string[] {
  const group = GROUP.exec(selectors);
  if (!group) return selectors.split(",");
  const [text, pseudo, args] = group;
  const choices = pseudo === "not" ? [""] : args.split(",");
  return choices.flatMap((choice) => spread(selectors.replace(text, () => ` ${choice} `)));
}
