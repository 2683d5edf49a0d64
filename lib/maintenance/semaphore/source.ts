/** An object of Semaphore. The answers of its API and its tables use the same names. */
export type Item = Record<string, unknown>;

/** One project of another server, with all data to import. */
export interface SourceProject {
  project: Item;
  /** Include `login_password`, `string` and `ssh` if the source could open them. */
  keys: Item[];
  repositories: Item[];
  inventories: Item[];
  /** Include `secrets` as `{type, name}`, with the `secret` itself if the source could open it. */
  environments: Item[];
  views: Item[];
  templates: Item[];
  schedules: Item[];
  /** Include their `nodes` and `edges`. */
  workflows: Item[];
  integrations: SourceIntegration[];
  /** Last parts of the addresses that reach all searchable integrations. */
  aliases: string[];
  members: { username: string; role: string }[];
}

export interface SourceIntegration {
  integration: Item;
  matchers: Item[];
  values: Item[];
  aliases: string[];
}

/** A server or database that projects are imported from. */
export interface Source {
  /** Accounts of the other server. Only its database also has the hashes of their passwords. */
  users(): Promise<Item[]>;
  /** The projects that can be imported. */
  projects(): Promise<{ id: number; name: string }[]>;
  read(projectId: number): Promise<SourceProject>;
  /** The latest `count` tasks of a template, in any order. `count` may be `Infinity`. */
  tasks(projectId: number, templateId: number, count: number): Promise<SourceTasks>;
  /** One task; null if it was deleted. */
  task(projectId: number, taskId: number): Promise<Item | null>;
  /** The output of a task in order. Each item has `time` and `output`. */
  output(projectId: number, taskId: number): AsyncIterable<Item> | Iterable<Item>;
}

/** A task in a list, with enough data to sort it by time. */
export interface SourceTask {
  id: number;
  /** RFC 3339 in UTC; null if unknown. */
  created: string | null;
}

interface SourceTasks {
  tasks: SourceTask[];
  /** Whether older tasks may exist that the source cannot list. */
  cut: boolean;
}
