/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** Returns the CPU time of a process since its start. */
export async function cpuMs(pid: number): Promise<number> {
  const fields = (await Deno.readTextFile(`/proc/${pid}/stat`)).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the resident memory of a process in MB, or only that of files. */
export async function residentMb(pid: number, name: "VmRSS" | "RssFile" = "VmRSS") {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Math.round(Number(status.match(`${name}:\\s+(\\d+)`)![1]) / 1024);
}
