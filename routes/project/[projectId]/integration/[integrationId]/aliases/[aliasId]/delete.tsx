export {
  default,
  handler,
} from "@/routes/project/[projectId]/integrations/aliases/[aliasId]/delete.tsx";
