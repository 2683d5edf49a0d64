import { shellWithin } from "../../execution/process/shell.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

const LIMIT_MS = 5_000;
/** Each page, stream and task needs some files. */
const FILES_MIN = 1_024;
/** A server and one run of Ansible. */
const MEMORY_BYTES_MIN = 400_000_000;

/**
 * Prints the limit of open files, then limit and use of memory in a container, and the part of the
 * use that is a cache of files.
 */
const READ_LIMITS = `ulimit -n
cd /sys/fs/cgroup 2>/dev/null && cat memory.max memory.current 2>/dev/null &&
  sed -n 's/^inactive_file //p' memory.stat`;

/** Checks how many files this process may open, and how much memory is available. */
export async function checkLimits(_: CheckUp): Promise<Finding[]> {
  const { stdout } = await shellWithin(LIMIT_MS, READ_LIMITS);
  const [files, max, used, cache = 0] = stdout.trim().split("\n");
  const ofContainer = /^\d+$/.test(max ?? "")
    ? Number(max) - Number(used) + Number(cache)
    : Infinity;
  const free = Math.min(Deno.systemMemoryInfo().available, ofContainer);
  return findLimits(files === "unlimited" ? Infinity : Number(files), free);
}

/** Judges a number of open files, and bytes of available memory. */
export function findLimits(files: number, free: number): Finding[] {
  const params = { files, megabytes: Math.floor(free / 1_000_000) };
  const wrong = [
    ...files < FILES_MIN ? [problem("warning", "doctor.limits.files", params)] : [],
    ...free < MEMORY_BYTES_MIN ? [problem("warning", "doctor.limits.memory", params)] : [],
  ];
  return wrong.length > 0 ? wrong : [fine("doctor.limits.enough", params)];
}

/** Reports the time zone of schedules that name none. */
export function checkTimeZone(_: CheckUp): Promise<Finding[]> {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return Promise.resolve([fine("doctor.time_zone", { zone })]);
}
