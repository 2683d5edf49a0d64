export * from "npm:fast-check@4.10.2";
