/**
 * Runs only where all packages of deno.json are installed. `deno task packages` tries it with
 * --cached-only first: without that, Deno asks the registry about each package whenever its cache is
 * empty, also when node_modules has all of them.
 */
import "zod";
