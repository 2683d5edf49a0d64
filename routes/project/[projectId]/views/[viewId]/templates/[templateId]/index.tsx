export { default, handler } from "@/routes/project/[projectId]/templates/[templateId]/index.tsx";
