type Key = Deno.KvKey;

/**
 * Rows of the drift of hosts: whether they still match what a template describes.
 *
 * | key | value | why |
 * |---|---|---|
 * | drift, project, template, host | DriftRow | state of a host for a template, from its latest check |
 * | drift_by, project, template (0: any), severity, rank, host, template | true | the same states, worst first |
 * | drift_of_hosts, project, rank, host, template | true | the same states by host |
 * | drift_summaries, project, template | DriftSummary | counts and latest checks of a template; changes with each of its states |
 * | drift_counts, project, state | number | number of states of a project |
 * | drift_resolved, project, template | ResolvedRow | hosts of the latest check that later tasks have changed |
 * | drift_stamps, project | any | changes with each state of a project; watched by pages |
 */
export const driftKeys = {
  drift: (projectId: number, templateId: number, host: string): Key => [
    "drift",
    projectId,
    templateId,
    host,
  ],
  driftOf: (projectId: number, templateId: number): Key => ["drift", projectId, templateId],
  /** States of a template, or of all with 0. */
  driftBy: (projectId: number, templateId: number): Key => ["drift_by", projectId, templateId],
  driftByState: (projectId: number, templateId: number, severity: number): Key => [
    "drift_by",
    projectId,
    templateId,
    severity,
  ],
  driftOfHost: (projectId: number, rank: string, host: string): Key => [
    "drift_of_hosts",
    projectId,
    rank,
    host,
  ],
  driftSummary: (projectId: number, templateId: number): Key => [
    "drift_summaries",
    projectId,
    templateId,
  ],
  driftSummaries: (projectId: number): Key => ["drift_summaries", projectId],
  everyDriftSummary: (): Key => ["drift_summaries"],
  driftCount: (projectId: number, state: string): Key => ["drift_counts", projectId, state],
  driftResolved: (projectId: number, templateId: number): Key => [
    "drift_resolved",
    projectId,
    templateId,
  ],
  driftStamp: (projectId: number): Key => ["drift_stamps", projectId],
};
