// For the process of the tests only, not for those that it starts: see tools/test_tools.ts.
Deno.env.delete("LD_PRELOAD");

const register = Deno.test;

/**
 * Chooses the tests of the file that is imported next. Several files share a module this way, so
 * that what they import is loaded once. The name of a test begins with that of its file.
 */
export function chooseTests(file: string, isChosen: (name: string) => boolean): void {
  const registerChosen = (first: string | Deno.TestDefinition, ...rest: unknown[]) => {
    const name = `${file}: ${typeof first === "string" ? first : first.name}`;
    if (!isChosen(name)) return;
    const named = typeof first === "string" ? name : { ...first, name };
    Reflect.apply(register, Deno, [named, ...rest]);
  };
  Object.assign(Deno, { test: Object.assign(registerChosen, register) });
}
