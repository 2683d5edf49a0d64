export { SMTPServer, type SMTPServerOptions } from "npm:smtp-server@3.21.6";
