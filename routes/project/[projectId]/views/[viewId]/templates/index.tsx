export { default, handler } from "@/routes/project/[projectId]/templates/index.tsx";
