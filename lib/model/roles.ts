export const ROLES = ["owner", "manager", "task_runner", "guest"] as const;
export type Role = (typeof ROLES)[number];
