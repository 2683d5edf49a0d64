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
 * Number of times that a process is read as soon as possible. Most programs replace the shell that
 * starts them by then. Afterwards a process is read once in as many times, because reading all of a
 * busy machine takes a core.
 */
const YOUNG = 25;
const HELPERS = /^(\S*\/)?(git|ssh)\S* /;

/** Reads all processes of the machine again and again. */
export function watchProcesses(): ProcessWatch {
  const commands = new Set<string>();
  const environments = new Set<string>();
  const ages = new Map<number, number>();
  const timer = setInterval(() => {
    for (const pid of listPids()) {
      const age = (ages.get(pid) ?? 0) + 1;
      ages.set(pid, age);
      if (age > YOUNG && age % YOUNG !== 0) continue;
      const command = readProc(pid, "cmdline");
      if (command === "" || commands.has(command)) continue;
      commands.add(command);
      if (HELPERS.test(command)) environments.add(readProc(pid, "environ"));
    }
  }, EVERY_MS);
  return { commands, environments, [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Returns the processes that have `text` in their command line or environment, except those of
 * `but`.
 */
export function findProcesses(text: string, but: number[] = []): string[] {
  return listPids()
    .filter((pid) => !but.includes(pid) && pid !== Deno.pid)
    .filter((pid) =>
      readProc(pid, "environ").includes(text) || readProc(pid, "cmdline").includes(text)
    )
    .map((pid) => `${pid} ${readProc(pid, "cmdline")}`);
}

/** Returns the most memory that a process has used, in bytes. */
export function peakMemory(pid: number): number {
  const [, kilobytes] = readProc(pid, "status").match(/VmHWM:\s*(\d+) kB/) ?? [];
  return Number(kilobytes) * 1024;
}

const listPids = () =>
  [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Boolean);

/** Returns "" for a process that is gone. */
function readProc(pid: number, file: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`).replaceAll("\0", " ");
  } catch {
    return "";
  }
}
