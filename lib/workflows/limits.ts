/** Maximum length of a chain of nested workflows. */
export const NESTING_MAX = 5;
/** Maximum number of runs of a project that have not ended. */
export const OPEN_RUNS_MAX = 1_000;
/** Maximum number of workflows of a project. */
export const WORKFLOWS_MAX = 1_000;
/** Maximum bytes of the answers of a run. Its row, which KV limits to 64 KiB, contains them. */
export const ANSWERS_BYTES_MAX = 8_192;
