/** The pages of people, as one script that comes with the first of them. */

export { openAudit, openProjectAudit } from "./audit.ts";
export { openLogin } from "./login.ts";
export { openMe } from "./me.ts";
export { openPeople } from "./people.ts";
export { openPerson } from "./person.ts";
export { openProject } from "./project.ts";
export { openProjects } from "./projects.ts";
