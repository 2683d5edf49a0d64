export { parse, parseAllDocuments } from "npm:yaml@2.8.1";
