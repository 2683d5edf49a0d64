/** What a run's output tells beyond its lines. */
export interface OutputReader {
  read(line: string): void;
  /**
   * Why there was nobody to run on, or only this machine for want of an inventory: a locale key.
   * `hosts` is how many the recap has.
   */
  noHosts(exitCode: number, hosts: number): string | null;
  /** Whether Ansible asked for the program sshpass. */
  sshpassMissing(): boolean;
}

// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;
/** Lines that carry none of these tell nothing here: most lines are passed with one look. */
const TELLING =
  /no hosts (matched|to target)|inventory was parsed|Unable to parse|list is empty|sshpass/;

/** Reads Ansible's output line by line. */
export function outputReader(): OutputReader {
  let [skippedPlay, noneLeft, sshpass] = [false, false, false];
  /** Some part of the inventory could not be read; or all of it; or it has no hosts. */
  let [unparsed, noInventory, empty] = [false, false, false];

  function read(line: string): void {
    if (!TELLING.test(line)) return;
    const plain = line.replace(COLOURS, "");
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
    noHosts: (exitCode, hosts) => {
      const ranOnNobody = skippedPlay && hosts === 0;
      // A play of this machine alone runs without hosts, too: it is no success for what was asked.
      const isTold = exitCode === 0 && (ranOnNobody || noInventory || empty);
      if (!isTold && !noneLeft) return null;
      if (unparsed || noInventory) return "errors.run.inventory_unreadable";
      return empty ? "errors.run.inventory_empty" : "errors.run.no_hosts_matched";
    },
    sshpassMissing: () => sshpass,
  };
}
