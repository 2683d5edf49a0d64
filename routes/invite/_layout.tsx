export { default } from "@/routes/auth/_layout.tsx";
