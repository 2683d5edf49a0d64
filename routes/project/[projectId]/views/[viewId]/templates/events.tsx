export { handler } from "@/routes/project/[projectId]/templates/events.tsx";
