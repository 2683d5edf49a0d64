import type { AlertEvent } from "../schema.ts";
import type { RuleRow } from "./schema.ts";

/** The part of an alert that rules look at. */
export interface Subject {
  /** Events in the order in which a rule chooses one of them. */
  events: readonly AlertEvent[];
  /** Null for the server. */
  project_id: number | null;
  template_id: number | null;
  view_id: number | null;
  workflow_id: number | null;
  /** Names of the hosts that it is about. */
  hosts: readonly string[];
}

type Filters = Pick<
  RuleRow,
  "active" | "events" | "project_ids" | "template_ids" | "view_ids" | "workflow_ids" | "hosts"
>;

/** Returns the event that a rule sends an alert as; null if the rule is not for it. */
export function matchedEvent(rule: Filters, subject: Subject): AlertEvent | null {
  const { project_ids } = rule;
  if (project_ids.length > 0 && !project_ids.includes(subject.project_id ?? 0)) return null;
  if (!rule.active || !isAbout(rule, subject)) return null;
  if (rule.hosts.length > 0 && !subject.hosts.some((host) => isLike(host, rule.hosts))) return null;
  return subject.events.find((event) => rule.events.includes(event)) ?? null;
}

function isAbout(rule: Filters, { template_id, view_id, workflow_id }: Subject): boolean {
  const { template_ids, view_ids, workflow_ids } = rule;
  if (template_ids.length + view_ids.length + workflow_ids.length === 0) return true;
  return (template_id !== null && template_ids.includes(template_id)) ||
    (view_id !== null && view_ids.includes(view_id)) ||
    (workflow_id !== null && workflow_ids.includes(workflow_id));
}

/** Whether a name matches one of the patterns, in which `*` stands for any characters. */
const isLike = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesPattern(name.toLowerCase(), pattern.toLowerCase()));

/** Compares part by part, so that no pattern takes long. */
function matchesPattern(name: string, pattern: string): boolean {
  const [first, ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  const last = rest.pop()!;
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
