/** What is told: a task changed, or has new output. */
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
  }
  | { type: "log"; project_id: number; task_id: number; records: LiveRecord[] }
  /** More of what a task did on its hosts is stored. */
  | { type: "results"; project_id: number; task_id: number }
  /** Tasks were deleted; where no project is named, of any. */
  | { type: "gone"; project_id: number | null }
  /** Somebody's rights changed: sockets ask again what they may show. */
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

/** Listeners in memory; a listener that throws does not keep the others from hearing. */
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
