import { stripVTControlCharacters } from "node:util";
import { type InventoryError, inventoryError } from "../inventory/inventory_warnings.ts";

/** Collects facts from a run's output that its exit code does not show. */
export interface OutputReader {
  read(line: string): void;
  /**
   * Returns the locale key of the reason why Ansible ran on no hosts, or only on this machine
   * because there was no inventory. `hosts` is the number of hosts in the recap.
   */
  noHosts(exitCode: number, hosts: number): string | null;
  /** Returns why the first unreadable inventory could not be read; null if Ansible does not say. */
  inventoryError(): InventoryError | null;
  /** Whether Ansible asked for the program sshpass. */
  sshpassMissing(): boolean;
}

/** Lines without any of these are not relevant. Most lines need only this one test. */
const TELLING =
  /no hosts (match|to target)|inventory was parsed|(Failed|Unable) to parse|list is empty|sshpass/;

/** How many lines about inventories are read, and how many characters of each. */
const LINES_MAX = 100;
const LINE_LENGTH_MAX = 1_000;
/** The first line of a warning about an inventory, and one after all of them. */
const COMPLAINT = /^\[WARNING\]: (?: \* )?Failed to parse\b/;
const PLAY = /^PLAY \[/;

/** Reads Ansible's output line by line. */
export function outputReader(): OutputReader {
  let [skippedPlay, noneLeft, sshpass] = [false, false, false];
  /** Whether a part of the inventory could not be read, none of it could, or it has no hosts. */
  let [unparsed, noInventory, empty] = [false, false, false];

  const complaints: string[] = [];
  let isOpen = false;
  /** Number of lines so far, and of those before the complaints. */
  let [lines, before] = [0, 0];

  function read(line: string): void {
    lines++;
    if (!isOpen && !TELLING.test(line)) return;
    const plain = stripVTControlCharacters(line);
    if (!isOpen && complaints.length === 0 && COMPLAINT.test(plain)) {
      isOpen = true;
      before = lines - 1;
    }
    if (isOpen) complaints.push(plain.slice(0, LINE_LENGTH_MAX));
    isOpen &&= complaints.length < LINES_MAX && !PLAY.test(plain);
    skippedPlay ||= plain.startsWith("skipping: no hosts matched");
    // Ansible ends immediately with this when the limit fits no host.
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
      // A play for this machine only also runs without hosts, but that is not the requested
      // success.
      const isExplained = exitCode === 0 && (ranOnNobody || noInventory || empty);
      if (!isExplained && !noneLeft) return null;
      if (unparsed || noInventory) return "errors.run.inventory_unreadable";
      return empty ? "errors.run.inventory_empty" : "errors.run.no_hosts_matched";
    },
    inventoryError() {
      const error = inventoryError(complaints.join("\n"));
      return error && { ...error, lines_before: before + error.lines_before };
    },
    sshpassMissing: () => sshpass,
  };
}
