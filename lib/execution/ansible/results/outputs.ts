import type { RunContext } from "../../run/context.ts";
import {
  createOutputs,
  OUTPUT_BYTES_MAX,
  type OutputRefusal,
  OUTPUTS_MAX,
} from "../../run/outputs.ts";
import { readOutputsFile } from "./outputs_file.ts";
import type { ReportedOutput } from "./read_event.ts";

/** The callback reports fewer. A play may have sent others in its place. */
const REPORTED_MAX = 300;
/** Lines about outputs that are left out. */
const NOTICES_MAX = 20;

/**
 * Collects the outputs of a play: those that its callback reports, and those in `file`, which
 * replace others of the same name.
 */
export function outputCollector(context: RunContext, file: string | null) {
  const reported = new Map<string, ReportedOutput>();
  return {
    add(output: ReportedOutput): void {
      if (file !== null && reported.size < REPORTED_MAX) reported.set(output.name, output);
    },
    /** Returns the outputs within their limits. The task's output says which are left out. */
    async end(): Promise<ReadonlyMap<string, string>> {
      const outputs = createOutputs();
      if (file === null || context.supervision.stop.aborted) return outputs.values;
      const { values, problems } = await readOutputsFile(context, file);
      for (const [name, value] of values) {
        reported.set(name, { type: "reported_output", name, value });
      }
      const notices = problems;
      for (const { name, value, refusal } of reported.values()) {
        const reason = refusal ?? outputs.add(name, value);
        if (reason) notices.push(noticeOf(name, reason));
      }
      await sayAll(context, notices);
      return outputs.values;
    },
  };
}

const REASONS: Record<OutputRefusal, string> = {
  name: "its name may only have letters, digits and underscores, and at most 100 of them",
  long: `it is longer than ${OUTPUT_BYTES_MAX / 1024} KB`,
  total: "the outputs of a task may have 256 KB together",
  many: `a task may have ${OUTPUTS_MAX} outputs`,
};

const noticeOf = (name: string, reason: ReportedOutput["refusal"]): string =>
  reason === "hidden" || !reason
    ? "The outputs of an Ansible task with no_log are left out"
    : `The output "${name.slice(0, 100)}" is left out: ${REASONS[reason]}`;

async function sayAll({ say }: RunContext, notices: string[]): Promise<void> {
  for (const notice of notices.slice(0, NOTICES_MAX)) await say(notice.replaceAll("\n", " "));
  const more = notices.length - NOTICES_MAX;
  if (more > 0) await say(`${more} more problems with outputs are not listed`);
}
