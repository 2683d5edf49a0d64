export {
  securityHandler as handler,
  SecurityPage as default,
} from "@/routes/(_pages)/account/security.tsx";
