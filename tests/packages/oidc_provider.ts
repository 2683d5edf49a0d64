// @ts-types="npm:@types/oidc-provider@9.12.1"
export { default as Provider } from "npm:oidc-provider@9.13.3";
