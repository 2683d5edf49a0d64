import assert from "node:assert/strict";
import { join } from "node:path";
import { ENCODERS } from "@/lib/execution/log/encoders.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { CANARY } from "./secret_ways.ts";
import { pageAddresses } from "@/tests/support/world/page_addresses.ts";

/** A text, or the path of a file or a folder, and a text that is there. The default is `CANARY`. */
type Place = ({ text: string } | { path: string }) & { sign?: string };

/**
 * Fails if a secret is in one of the places, in any form in which common tools write it, or if the
 * search does not find the sign of a place.
 */
export async function requireNoLeak(
  secrets: Map<string, string>,
  places: Record<string, Place>,
): Promise<void> {
  const signs = new Set(Object.values(places).map(({ sign = CANARY }) => sign));
  const ways = new Map([...signs].map((sign) => [sign, sign]));
  for (const [way, secret] of secrets) {
    for (const form of [secret, ...Object.values(ENCODERS).flatMap((encode) => encode(secret))]) {
      ways.set(form, way);
    }
  }
  const folder = await Deno.makeTempDir({ prefix: "leaks_" });
  try {
    const patterns = join(folder, "patterns");
    await Deno.writeTextFile(patterns, [...ways.keys()].join("\n"));
    const hits: string[] = [];
    for (const [name, place] of Object.entries(places)) {
      const path = "path" in place ? place.path : join(folder, "text");
      if ("text" in place) await Deno.writeTextFile(path, place.text);
      const found = await matches(patterns, path);
      const its = new Set(found.map((form) => ways.get(form)));
      assert.ok(its.has(place.sign ?? CANARY), `the search does not work in ${name}`);
      for (const way of its) if (!signs.has(way!)) hits.push(`${way} in ${name}`);
    }
    assert.deepEqual(hits, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Returns the patterns that are in files, also those in texts that a store writes with two bytes
 * for each character.
 */
async function matches(patterns: string, path: string): Promise<string[]> {
  const script = `search() { LC_ALL=C grep -aohFf "$1"; }
find "$2" -type f -exec cat {} + | search "$1"
find "$2" -type f -exec cat {} + | tr -d '\\000' | search "$1"`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script, "sh", patterns, path] })
    .output();
  return [...new Set(new TextDecoder().decode(stdout).split("\n"))].filter(Boolean);
}

type Id = string | number;

/** Tabs of a task's page, which are part of its address. */
const TABS = ["hosts", "timeline", "changes"];

/**
 * Returns the addresses of all pages and answers of the API whose parameters are known, with each
 * of the ids.
 */
export async function readableAddresses(ids: Record<string, Id | Id[]>): Promise<string[]> {
  const pages = await pageAddresses();
  const gets = allOperations.filter(({ method, isUnsafe, contentType }) =>
    method === "GET" && !isUnsafe && contentType !== "text/event-stream"
  );
  const paths = [
    ...pages.filter((path) => !path.endsWith("events")),
    ...gets.map(({ path }) => `/api${path.replaceAll(/\{(\w+)\}/g, "[$1]")}`),
  ];
  // Pages that all kinds of resources have name none of them.
  const any = [...new Set(Object.values(ids).flat())];
  return Object.entries({ ...ids, id: any, tab: TABS }).reduce(
    (all, [name, values]) =>
      all.flatMap((path) =>
        path.includes(`[${name}]`)
          ? [values].flat().map((value) => path.replace(`[${name}]`, String(value)))
          : [path]
      ),
    paths,
  ).filter((path) => !path.includes("["));
}

/** Reads all these addresses, and returns what they answered. */
export async function readAll(
  addresses: string[],
  ask: (path: string, signal: AbortSignal) => Promise<Response>,
): Promise<string> {
  const texts: string[] = [];
  for (const path of addresses) {
    const response = await ask(path, AbortSignal.timeout(20_000));
    texts.push(path, await response.text());
    assert.ok(response.status < 500, `${path}: ${response.status}`);
  }
  return texts.join("\n");
}
