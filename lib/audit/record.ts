import type { PushedEvent } from "../events/outbox.ts";

/** An event as receivers of the audit log get it. */
export interface AuditRecord {
  /** Unique, so that a receiver can drop what it gets twice. */
  id: string;
  time: string;
  project_id: number | null;
  user_id: number | null;
  username: string | null;
  object_type: string;
  object_id: number;
  object_name: string;
  action: string;
  params: Record<string, unknown>;
  starter: { kind: string; name: string } | null;
  address: string | null;
  user_agent: string | null;
  changes: Record<string, unknown> | null;
  changes_left: number;
}

export function auditRecord({ id, project_id, row }: PushedEvent): AuditRecord {
  const { name: _, id: __, ...params } = row.params;
  return {
    id,
    time: row.created,
    project_id: project_id || null,
    user_id: row.user_id,
    username: row.username,
    object_type: row.object_type,
    object_id: row.object_id,
    object_name: row.object_name,
    action: row.action,
    params,
    starter: row.starter ?? null,
    address: row.address ?? null,
    user_agent: row.user_agent ?? null,
    changes: row.changes ?? null,
    changes_left: row.changes_left ?? 0,
  };
}
