import assert from "node:assert/strict";
import { join } from "node:path";
import { listProcesses } from "./crash.ts";
import { type ChaosServer, newChaosServers } from "./chaos_servers.ts";
import { createWork, requireTruth } from "./chaos_work.ts";
import { newKvServer } from "@/tests/support/server/kv_server.ts";
import { plantSecrets } from "@/tests/support/programs/planted_secrets.ts";
import { type Manner, RUDE, startRudePeer } from "@/tests/support/services/rude_peer.ts";
import { mountSmallDisk, type SmallDisk } from "@/tests/support/programs/small_disk.ts";
import { removeFolder } from "@/tests/support/basics/remove_folder.ts";

/** Size of a chaos run, and a function that gets its lines. */
interface ChaosOptions {
  minutes: number;
  /** Number of servers. More than one share a KV Connect service. */
  servers?: number;
  report?(line: string): void;
}

/** Megabytes of the disks that get full: data folder, store and log. */
const DISKS = { data: 192, store: 96, log: 4 };
/** Time after which a task must end once all is well again. */
const SETTLE_MS = 300_000;
/** Part of the time with kills. Memory is measured in the rest. */
const KILLING_SHARE = 0.5;
/** Growth in bytes per minute that is not noise, and the most memory that a server may take. */
const GROWTH_BYTES_MAX = 1024 * 1024;
const RESIDENT_BYTES_MAX = 300 * 1024 * 1024;
const MEASURE_MS = 5_000;
/** A server grows for minutes after its start. In a shorter time, growth means nothing. */
const MEASURED_MINUTES_MIN = 5;
const ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"];

const between = (least: number, most: number) => least + Math.random() * (most - least);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs plays on servers to which everything happens at once: full disks, a full log, rude peers and
 * clients, stops, kills, other time zones. Throws unless each task has one end with a reason, no
 * line that was seen is lost, no play has read a planted secret, and memory is flat.
 */
export async function chaos({ minutes, servers = 1, report = () => {} }: ChaosOptions) {
  await using secrets = await plantSecrets();
  const home = await Deno.makeTempDir({ prefix: "callboard_chaos_" });
  const kv = servers > 1 ? newKvServer(home) : null;
  await using peer = startRudePeer("polite");
  const disks: SmallDisk[] = [];
  const mount = async (path: string, megabytes: number) =>
    void disks.push(await mountSmallDisk(path, megabytes));
  await kv?.start();
  const group = newChaosServers({ home, count: servers, shared: kv?.env, planted: secrets.env });
  try {
    for (const { dataDir, logTo } of group.servers) {
      await mount(dataDir, DISKS.data);
      await mount(join(logTo, ".."), DISKS.log);
    }
    const store = secrets.env.CALLBOARD_KV;
    if (!kv) await mount(join(store!, ".."), DISKS.store);
    for (const server of group.servers) await server.start("UTC");
    const work = await createWork(group, { secrets, peer: peer.url, home });
    const started = performance.now();
    const passed = () => (performance.now() - started) / 60_000 / minutes;
    const isOver = () => passed() >= 1;
    const repeat = async (leastMs: number, mostMs: number, act: () => Promise<unknown>) => {
      while (!isOver()) {
        await pause(between(leastMs, mostMs) * Math.min(1, minutes / 5));
        if (!isOver()) await act();
      }
    };
    const manners: Manner[] = [...RUDE, "polite", "redirects"];
    await Promise.all([
      work.keepStarting(isOver),
      work.keepWatching(isOver),
      work.keepReading(isOver),
      repeat(20_000, 60_000, async () => {
        const disk = oneOf(disks);
        await disk.fill();
        await pause(between(2_000, 12_000));
        await disk.makeRoom();
      }),
      repeat(10_000, 40_000, () => oneOf(group.servers).pause(between(500, 6_000))),
      repeat(2_000, 8_000, () => Promise.resolve(peer.become(oneOf(manners)))),
      repeat(20_000, 60_000, async () => {
        if (passed() > KILLING_SHARE) return;
        if (kv && Math.random() < 0.3) {
          await kv.kill();
          await pause(between(500, 4_000));
          return await kv.start();
        }
        const server = oneOf(group.servers);
        await server.kill();
        await server.start(oneOf(ZONES));
      }),
      measure(group.servers, isOver, passed, report),
    ]);
    for (const disk of disks) await disk.makeRoom();
    peer.become("polite");
    await requireTruth(work, SETTLE_MS, report);
    await endAll(group.servers);
  } catch (error) {
    for (const { output } of group.servers) report(await output());
    throw error;
  } finally {
    for (const server of group.servers) await server.kill();
    await kv?.kill();
    for (const disk of disks) await disk.unmount();
    await removeFolder(home);
  }
}

/** Ends the servers as a service does. Fails if that takes too long, or leaves a process. */
async function endAll(servers: ChaosServer[]): Promise<void> {
  for (const server of servers) {
    assert.equal(await server.end(), 0);
    assert.deepEqual(await listProcesses(server.dataDir), []);
  }
}

/** Fails if the memory of a server grows, or becomes too much, after the kills. */
async function measure(
  servers: ChaosServer[],
  isOver: () => boolean,
  passed: () => number,
  report: (line: string) => void,
): Promise<void> {
  const measured = servers.map((): [minute: number, bytes: number][] => []);
  const startedAt = performance.now();
  while (!isOver()) {
    await pause(MEASURE_MS);
    for (const [n, server] of servers.entries()) {
      const bytes = await server.residentBytes();
      if (bytes === null) continue;
      report(`server ${n + 1}: ${(bytes / 2 ** 20).toFixed(0)} MB`);
      assert.ok(bytes < RESIDENT_BYTES_MAX, `${bytes} bytes`);
      // Caches fill again after the last kill.
      if (passed() > KILLING_SHARE + 0.1) {
        measured[n]!.push([(performance.now() - startedAt) / 60_000, bytes]);
      }
    }
  }
  for (const points of measured) {
    if (points.length < MEASURED_MINUTES_MIN * 60_000 / MEASURE_MS) continue;
    const growth = slopeOf(points);
    report(`Growth: ${(growth / 1024).toFixed(0)} KB per minute.`);
    assert.ok(growth <= GROWTH_BYTES_MAX, `memory grows by ${growth} bytes per minute`);
  }
}

/**
 * Returns the median of the slopes between all points (Theil-Sen). A server that was paused, or
 * whose memory was collected, does not move it.
 */
function slopeOf(points: [x: number, y: number][]): number {
  const slopes = points.flatMap(([x0, y0], n) =>
    points.slice(n + 1).map(([x1, y1]) => (y1 - y0) / (x1 - x0))
  );
  return slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)];
}
