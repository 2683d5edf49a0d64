type Key = Deno.KvKey;

/**
 * Rows of alerts: where they go, when, and what was sent. Those of the server have project 0.
 *
 * | key | value | why |
 * |---|---|---|
 * | alert_setups, project | AlertSetup | numbers of its targets and rules; checked and written by each change of one of them |
 * | alert_targets, project, target | TargetRow | |
 * | alert_rules, project, rule | RuleRow | |
 * | alert_deliveries, project, target, time, unique | AlertDelivery | latest messages of a target; those of a project to targets of the settings are also in its own log |
 * | alert_digests, project, rule | DigestRow | alerts that a rule holds back, until its digest is sent |
 * | alert_failures, project, "template" or "workflow", id | Failing | there while its latest task or run has failed; checked and written by each end |
 * | alert_feeds, project | FeedRow | the feed of a project, with the hash of its token |
 * | alert_feed_entries, project, time, unique | FeedEntry | latest alerts of a feed |
 */
export const alertKeys = {
  alertFeed: (projectId: number): Key => ["alert_feeds", projectId],
  alertFeedEntry: (projectId: number, at: string, unique: string): Key => [
    "alert_feed_entries",
    projectId,
    at,
    unique,
  ],
  alertFeedEntries: (projectId: number): Key => ["alert_feed_entries", projectId],
  alertSetup: (projectId: number): Key => ["alert_setups", projectId],
  alertTarget: (projectId: number, id: number): Key => ["alert_targets", projectId, id],
  alertTargets: (projectId: number): Key => ["alert_targets", projectId],
  alertRule: (projectId: number, id: number): Key => ["alert_rules", projectId, id],
  alertRules: (projectId: number): Key => ["alert_rules", projectId],
  alertDelivery: (projectId: number, targetId: number, at: string, unique: string): Key => [
    "alert_deliveries",
    projectId,
    targetId,
    at,
    unique,
  ],
  alertDeliveries: (projectId: number, targetId: number): Key => [
    "alert_deliveries",
    projectId,
    targetId,
  ],
  alertDigest: (projectId: number, ruleId: number): Key => ["alert_digests", projectId, ruleId],
  alertFailure: (projectId: number, kind: "template" | "workflow", id: number): Key => [
    "alert_failures",
    projectId,
    kind,
    id,
  ],
};
