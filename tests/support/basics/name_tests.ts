// For the process of the tests only, not for those that it starts: see tools/run_tests.ts.
Deno.env.delete("LD_PRELOAD");

const register = Deno.test;

/**
 * Lets the names of the tests that are registered next begin with that of their file. Several files
 * share a module, so that what they import is loaded once.
 */
export function nameTestsOf(file: string): void {
  const registerNamed = (first: string | Deno.TestDefinition, ...rest: unknown[]) => {
    const name = `${file}: ${typeof first === "string" ? first : first.name}`;
    const named = typeof first === "string" ? name : { ...first, name };
    Reflect.apply(register, Deno, [named, ...rest]);
  };
  Object.assign(Deno, { test: Object.assign(registerNamed, register) });
}
