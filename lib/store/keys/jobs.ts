type Key = Deno.KvKey;
/** Numbers are in their order. */
type Id = string | number;

/**
 * Rows of work that happens later: see lib/jobs/.
 *
 * | key | value | why |
 * |---|---|---|
 * | jobs, kind, id | JobRow | what is asked for, and how far it is |
 * | jobs_due, kind, time, id | DueEntry | jobs in order of time; hints |
 * | jobs_set_aside, kind, id | SetAsideEntry | jobs that no further attempt follows, until someone asks for one |
 * | jobs_wake, kind | any | watched by the servers that do the work |
 */
export const jobKeys = {
  job: (kind: string, id: Id): Key => ["jobs", kind, id],
  jobs: (): Key => ["jobs"],
  jobsOfKind: (kind: string): Key => ["jobs", kind],
  jobDue: (kind: string, at: number, id: Id): Key => [
    "jobs_due",
    kind,
    new Date(at).toISOString(),
    id,
  ],
  jobsDue: (): Key => ["jobs_due"],
  jobsDueOf: (kind: string): Key => ["jobs_due", kind],
  jobsDueUntil: (kind: string, at: number): Key => ["jobs_due", kind, new Date(at).toISOString()],
  jobSetAside: (kind: string, id: Id): Key => ["jobs_set_aside", kind, id],
  jobsSetAside: (): Key => ["jobs_set_aside"],
  jobsSetAsideOf: (kind: string): Key => ["jobs_set_aside", kind],
  jobsWake: (kind: string): Key => ["jobs_wake", kind],
};
