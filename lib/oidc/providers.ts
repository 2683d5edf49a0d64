import type { Clock } from "../base/clock.ts";
import { createProvider, type Provider } from "./provider.ts";
import type { ReadProvider } from "./read_settings.ts";

/** The sign-in providers of this server, in the order that they are offered in. */
export interface Providers {
  list: readonly Provider[];
  find(id: string): Provider | null;
  /** Asks each what it says of itself, and waits for none: one that is away is told at its button. */
  meet(): void;
}

export function createProviders(
  read: readonly ReadProvider[],
  clock: Pick<Clock, "now" | "ticks">,
): Providers {
  const list = read.map(({ settings, secret }) => createProvider(settings, secret, clock));
  return {
    list,
    find: (id) => list.find(({ settings }) => settings.id === id) ?? null,
    meet: () => list.forEach((provider) => void provider.metadata().catch(() => {})),
  };
}
