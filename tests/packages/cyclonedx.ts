/** The format of lists of what software is made of. */
export { Enums, Models, Serialize, Spec } from "npm:@cyclonedx/cyclonedx-library@10.3.0";
