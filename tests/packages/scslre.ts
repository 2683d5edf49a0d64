export { analyse } from "npm:scslre@0.3.0";
