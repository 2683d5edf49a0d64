/** An object as Semaphore has it: its API's answers and its tables name members alike. */
export type Item = Record<string, unknown>;

/** One project of another server, with everything that is to come along. */
export interface SourceProject {
  project: Item;
  /** With `login_password` and `ssh` filled in where the source could open them. */
  keys: Item[];
  repositories: Item[];
  inventories: Item[];
  /** With `secrets`: `{type, name}`, and the `secret` itself where the source could open it. */
  environments: Item[];
  views: Item[];
  templates: Item[];
  schedules: Item[];
  integrations: SourceIntegration[];
  /** Texts of the addresses that reach all searchable integrations. */
  aliases: string[];
  members: { username: string; role: string }[];
}

export interface SourceIntegration {
  integration: Item;
  matchers: Item[];
  values: Item[];
  aliases: string[];
}

/** Where projects are imported from. */
export interface Source {
  /** Accounts of the other server; its database knows the hashes of their passwords, too. */
  users(): Promise<Item[]>;
  /** What there is to choose from. */
  projects(): Promise<{ id: number; name: string }[]>;
  read(projectId: number): Promise<SourceProject>;
  /** The newest `count` tasks of a template, which may be `Infinity`, in any order. */
  tasks(projectId: number, templateId: number, count: number): Promise<SourceTasks>;
  /** One task; null when it is gone. */
  task(projectId: number, taskId: number): Promise<Item | null>;
  /** What a task has printed, in order: each with `time` and `output`. */
  output(projectId: number, taskId: number): AsyncIterable<Item> | Iterable<Item>;
}

/** What a list tells of a task: enough to put it in order of time. */
export interface SourceTask {
  id: number;
  /** RFC 3339 in UTC; null when nobody knows. */
  created: string | null;
}

interface SourceTasks {
  tasks: SourceTask[];
  /** Whether there may be older ones that the source cannot list. */
  cut: boolean;
}
