export { handler } from "@/routes/project/[projectId]/integrations/aliases/index.ts";
