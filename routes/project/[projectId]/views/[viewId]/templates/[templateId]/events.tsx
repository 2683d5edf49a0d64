export { handler } from "@/routes/project/[projectId]/templates/[templateId]/events.tsx";
