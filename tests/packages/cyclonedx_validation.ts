// deno-lint-ignore-file no-import-prefix -- The validator imports these packages itself.
import "npm:ajv@8.20.0";
import "npm:ajv-formats@3.0.1";
import "npm:ajv-formats-draft2019@1.6.1";

/** Validates lists of what software is made of. */
export { Validation } from "npm:@cyclonedx/cyclonedx-library@10.3.0";
