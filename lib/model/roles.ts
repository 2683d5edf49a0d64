export const ROLES = ["owner", "manager", "task_runner", "guest"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a value is the slug of a role that every project has. */
export const isFixedRole = (slug: unknown): slug is Role => ROLES.some((role) => role === slug);
