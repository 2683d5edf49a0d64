/** What Ansible counted on one host, in Ansible's own words. */
interface HostRecap {
  ok: number;
  changed: number;
  unreachable: number;
  failed: number;
  skipped: number;
  rescued: number;
  ignored: number;
}

export type PlayRecap = Record<string, HostRecap>;

/** What a run's output tells beyond its lines. */
export interface OutputReader {
  read(line: string): void;
  recap(): PlayRecap;
  /** Why there was nobody to run on, or only this machine for want of an inventory: a locale key. */
  noHosts(exitCode: number): string | null;
  /** Whether Ansible asked for the program sshpass. */
  sshpassMissing(): boolean;
}

// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;
const RECAP_BEGIN = /^PLAY RECAP \**\s*$/;
/** What stands between a host's name, which blanks fill up, and its first count. */
const AFTER_HOST = /: ok=\d+\s/;
const COUNT = /\b(ok|changed|unreachable|failed|skipped|rescued|ignored)=(\d+)/g;
/** Lines that carry none of these tell nothing here: most lines are passed with one look. */
const TELLING =
  /PLAY RECAP|ok=\d|no hosts (matched|to target)|inventory was parsed|Unable to parse|list is empty|sshpass/;

/** Reads Ansible's output line by line. */
export function outputReader(): OutputReader {
  const recap: PlayRecap = {};
  let [inRecap, skippedPlay, noneLeft, sshpass] = [false, false, false, false];
  /** Some part of the inventory could not be read; or all of it; or it has no hosts. */
  let [unparsed, noInventory, empty] = [false, false, false];

  function read(line: string): void {
    if (!TELLING.test(line)) return;
    const plain = line.replace(COLOURS, "");
    if (RECAP_BEGIN.test(plain)) inRecap = true;
    const host = inRecap ? plain.slice(0, Math.max(0, plain.search(AFTER_HOST))).trimEnd() : "";
    if (/^\S/.test(host)) recap[host] = countsOf(plain);
    skippedPlay ||= plain.startsWith("skipping: no hosts matched");
    // What Ansible ends with at once when the limit fits nobody.
    noneLeft ||= /^(\[ERROR\]|ERROR!).* leaves us with no hosts to target/.test(plain);
    unparsed ||= plain.startsWith("[WARNING]: Unable to parse ");
    noInventory ||= plain.startsWith("[WARNING]: No inventory was parsed");
    empty ||= plain.startsWith("[WARNING]: provided hosts list is empty");
    sshpass ||= /you must install the sshpass program/.test(plain);
  }

  return {
    read,
    recap: () => recap,
    noHosts: (exitCode) => {
      const ranOnNobody = skippedPlay && Object.keys(recap).length === 0;
      // A play of this machine alone runs without hosts, too: it is no success for what was asked.
      const isTold = exitCode === 0 && (ranOnNobody || noInventory || empty);
      if (!isTold && !noneLeft) return null;
      if (unparsed || noInventory) return "errors.run.inventory_unreadable";
      return empty ? "errors.run.inventory_empty" : "errors.run.no_hosts_matched";
    },
    sshpassMissing: () => sshpass,
  };
}

function countsOf(line: string): HostRecap {
  const counts: HostRecap = {
    ok: 0,
    changed: 0,
    unreachable: 0,
    failed: 0,
    skipped: 0,
    rescued: 0,
    ignored: 0,
  };
  for (const [, name, count] of line.matchAll(COUNT)) {
    counts[name as keyof HostRecap] = Number(count);
  }
  return counts;
}
