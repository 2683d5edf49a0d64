/** A live message: a task changed, or has new output. */
export type LiveMessage =
  | {
    type: "update";
    project_id: number;
    task_id: number;
    template_id: number;
    status: string;
    start: string | null;
    end: string | null;
    version: string | null;
    /** Set for a check, which is not counted as a run. */
    check?: true;
  }
  | { type: "log"; project_id: number; task_id: number; records: LiveRecord[] }
  /** More results of a task on its hosts were stored. */
  | { type: "results"; project_id: number; task_id: number }
  /** Tasks were deleted; `project_id` is null if they may be in any project. */
  | { type: "gone"; project_id: number | null }
  /** A run of a workflow changed; `project_id` is null if it may be in any project. */
  | { type: "workflow"; project_id: number | null; run_id: number }
  /** Someone's permissions changed, so sockets check again what they may show. */
  | { type: "access"; project_id: number | null; user_id: number | null };

export interface LiveRecord {
  id: number;
  time: string;
  output: string;
}

export interface Hub {
  publish(message: LiveMessage): void;
  /** Calls `listener` for each message until the returned function is called. */
  subscribe(listener: (message: LiveMessage) => void): () => void;
}

/**
 * Creates a hub that keeps listeners in memory. A listener that throws does not affect the others.
 */
export function createHub(onError: (error: unknown) => void = () => {}): Hub {
  const listeners = new Set<(message: LiveMessage) => void>();
  return {
    publish(message) {
      for (const listener of listeners) {
        try {
          listener(message);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
