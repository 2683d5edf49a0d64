import { join } from "node:path";

/** The release of the KV Connect service that tests and the benchmark use. */
export const DENOKV_VERSION = "0.14.0";

/** The folder in which `deno task test-shared` builds it. The program is in its `bin`. */
export const DENOKV_FOLDER = join(Deno.cwd(), "data", "denokv", DENOKV_VERSION);
