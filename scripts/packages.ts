/**
 * Runs only if all packages of deno.json are installed. `deno task packages` tries it with
 * --cached-only first. Otherwise Deno asks the registry about each package whenever its cache is
 * empty, even if node_modules has all of them.
 */
import "zod";
