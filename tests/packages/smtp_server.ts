// @ts-types="npm:@types/smtp-server@3.5.13"
export { SMTPServer, type SMTPServerOptions } from "npm:smtp-server@3.21.6";
