export { handler } from "@/routes/index.ts";
