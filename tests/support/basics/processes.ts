/** Everything that other accounts of this machine can see of its processes: their command lines. */
interface ProcessWatch {
  /** Every command line seen so far, with spaces between its words. */
  commands: Set<string>;
  /** The environments of git and ssh, which need none of the run's secrets. */
  environments: Set<string>;
  [Symbol.dispose](): void;
}

const EVERY_MS = 4;
/**
 * Number of times that a new process is read as soon as possible. Most programs replace the shell
 * that starts them by then. All processes are read once in as many times, because a list of them
 * takes more than a millisecond.
 */
const YOUNG = 25;
const HELPERS = /^(\S*\/)?(git|ssh)\S* /;

/** Reads all processes of the machine again and again. */
export function watchProcesses(): ProcessWatch {
  const commands = new Set<string>();
  const environments = new Set<string>();
  /** How often each new process is still to be read. */
  const young = new Map<number, number>();
  /** Threads of the kernel, which are half of a machine's processes. */
  const silent = new Set(listPids().filter((pid) => readProc(pid, "cmdline") === ""));
  const listed = () => listPids().filter((pid) => !silent.has(pid));
  let latest = latestPid();
  let round = 0;
  const timer = setInterval(() => {
    const before = latest;
    latest = latestPid();
    for (const pid of pidsBetween(before, latest)) young.set(pid, YOUNG);
    for (const pid of round++ % YOUNG === 0 ? listed() : young.keys()) {
      const command = readProc(pid, "cmdline");
      const times = command === null ? 0 : (young.get(pid) ?? 1) - 1;
      if (times > 0) young.set(pid, times);
      else young.delete(pid);
      if (!command || commands.has(command)) continue;
      commands.add(command);
      if (HELPERS.test(command)) environments.add(readProc(pid, "environ") ?? "");
    }
  }, EVERY_MS);
  return { commands, environments, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the number that the machine gave to its latest process or thread. */
const latestPid = () => Number(Deno.readTextFileSync("/proc/loadavg").trim().split(" ").at(-1));

/** Returns the numbers given in between, or all that are in use if they have begun again at 1. */
const pidsBetween = (before: number, latest: number) =>
  latest < before ? listPids() : Array.from({ length: latest - before }, (_, n) => before + 1 + n);

/**
 * Returns the processes that have `text` in their command line or environment, except those of
 * `but`.
 */
export function findProcesses(text: string, but: number[] = []): string[] {
  return listPids()
    .filter((pid) => !but.includes(pid) && pid !== Deno.pid)
    .filter((pid) =>
      readProc(pid, "environ")?.includes(text) || readProc(pid, "cmdline")?.includes(text)
    )
    .map((pid) => `${pid} ${readProc(pid, "cmdline")}`);
}

/** Returns the most memory that a process has used, in bytes. */
export function peakMemory(pid: number): number {
  const [, kilobytes] = readProc(pid, "status")?.match(/VmHWM:\s*(\d+) kB/) ?? [];
  return Number(kilobytes) * 1024;
}

const listPids = () =>
  [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Boolean);

/** Returns null for a process that is gone. */
function readProc(pid: number, file: string): string | null {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`).replaceAll("\0", " ");
  } catch {
    return null;
  }
}
