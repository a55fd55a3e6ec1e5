/** The choice of a project, where somebody sees several. */

import { chosen, projects, switchTo } from "../data/projects.ts";
import { FRAME } from "../words/frame.ts";

export function ProjectSwitch() {
  const choice = chosen.value;
  const change = (select: HTMLSelectElement): void => {
    switchTo(select.value);
    // The page that opens takes the focus; who tries one project after the other goes on here.
    setTimeout(() => select.focus());
  };
  return (
    <div class="switch" id="switch" hidden={choice === null}>
      <label for="project">{FRAME.project}</label>
      <select class="field" id="project" value={choice ?? ""} onChange={(event) => change(event.currentTarget)}>
        {projects.value.map(({ slug, name, archivedAt }) => (
          <option key={slug} value={slug}>
            {archivedAt === null ? name : FRAME.archived(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
