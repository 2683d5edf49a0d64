import type { Clock } from "../base/clock.ts";
import { createProvider, type Provider } from "./provider.ts";
import type { ReadProvider } from "./read_settings.ts";

/** Sign-in providers of this server, in the order in which they are offered. */
export interface Providers {
  list: readonly Provider[];
  find(id: string): Provider | null;
}

export function createProviders(
  read: readonly ReadProvider[],
  clock: Pick<Clock, "now" | "ticks">,
): Providers {
  const list = read.map((provider) => createProvider(provider, clock));
  return {
    list,
    find: (id) => list.find(({ settings }) => settings.id === id) ?? null,
  };
}
