export { default } from "@/routes/users/_layout.tsx";
