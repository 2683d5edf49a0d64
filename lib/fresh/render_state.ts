import type { ComponentChildren, VNode } from "preact";
import type { BuildCache, Island } from "./build_cache.ts";
import type { Context } from "./context.ts";

// deno-lint-ignore no-explicit-any
export type AnyVNode = VNode<any>;

/** What one rendering finds on its way. */
export interface RenderState {
  ctx: Context<unknown>;
  buildCache: BuildCache;
  nonce: string;
  islands: Set<Island>;
  islandProps: Record<string, unknown>[];
  /** JSX given to islands; null once an island has shown it. */
  slots: (ComponentChildren | null)[];
  /** What <Head> collected, until the document's head takes it. */
  head: Map<string, AnyVNode>;
  seen: Set<string>;
  hasScript: boolean;
}

/**
 * The rendering under way. Preact's hooks are global, and know no other way to find it; rendering
 * is synchronous, so there is never more than one.
 */
export const rendering: { state: RenderState | null } = { state: null };

/** Elements whose hook has run, which must not be replaced again. */
export const finished = new WeakSet<VNode>();
