/** The parser of PromQL, from the project of Prometheus itself. */
export { parser } from "npm:@prometheus-io/lezer-promql@0.315.0";
