export { default } from "@/routes/users/_middleware.ts";
