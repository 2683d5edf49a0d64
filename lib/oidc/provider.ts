import type { Clock } from "../base/clock.ts";
import type { Secret } from "../base/secret.ts";
import { keySet } from "./key_set.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import type { ReadProvider } from "./read_settings.ts";
import type { ProviderSettings } from "./settings.ts";

/** A provider, and what is known of it. */
export interface Provider {
  settings: ProviderSettings;
  secret: Secret | null;
  /** Certificates in PEM that may vouch for it beside the system's. */
  ca: string | null;
  /** What it says of itself: asked for when it is needed, and again after some time. */
  metadata(): Promise<Metadata>;
  /** Whether it could not be reached when it was last asked. */
  isDown(): boolean;
}

const FRESH_MS = 60 * 60_000;

/** A provider that has not been asked yet. It is asked once however many wait. */
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
      // What was true an hour ago is better than nothing while the provider is away.
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
