import type { Clock } from "../base/clock.ts";
import type { Secret } from "../base/secret.ts";
import { keySet } from "./key_set.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import type { ReadProvider } from "./read_settings.ts";
import type { ProviderSettings } from "./settings.ts";

/** A provider and its metadata. */
export interface Provider {
  settings: ProviderSettings;
  secret: Secret | null;
  /** Certificates in PEM that are trusted beside the system's; null for the system's alone. */
  ca: string | null;
  /** Returns its metadata, which is fetched when it is needed, and again after an hour. */
  metadata(): Promise<Metadata>;
  /** Whether the last attempt to fetch its metadata failed. */
  isDown(): boolean;
}

const FRESH_MS = 60 * 60_000;

/**
 * Creates a provider whose metadata is not fetched yet. Callers that wait in parallel share one
 * fetch.
 */
export function createProvider(
  { settings, secret, ca }: ReadProvider,
  clock: Pick<Clock, "now" | "ticks">,
): Provider {
  let known: { at: number; metadata: Metadata } | null = null;
  let asking: Promise<Metadata> | null = null;
  let isDown = false;
  async function askAgain(): Promise<Metadata> {
    try {
      const metadata = await readMetadata(
        settings,
        ca,
        (url) => keySet(url, settings, ca, clock),
      );
      known = { at: clock.ticks(), metadata };
      isDown = false;
      return metadata;
    } catch (error) {
      isDown = true;
      // Old metadata is better than none while the provider is unavailable.
      if (known) return known.metadata;
      throw error;
    } finally {
      asking = null;
    }
  }
  return {
    settings,
    secret,
    ca,
    isDown: () => isDown,
    metadata() {
      if (known && clock.ticks() - known.at < FRESH_MS) return Promise.resolve(known.metadata);
      return asking ??= askAgain();
    },
  };
}
