/** Drafts of this browser, each with a way back to it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chosenProject } from "../../../api/chosen.ts";
import { editAddress } from "../../app/routes.ts";
import { type Draft, forgetDraft, listDrafts } from "../../editor/drafts.ts";
import { DRAFTS } from "../../words/drafts.ts";
import { readDraftKey } from "../editor/keys.ts";
import { When } from "../runs/columns.tsx";

export function DraftList() {
  const drafts = useSignal<readonly Draft[]>([]);
  const load = async (): Promise<void> => {
    drafts.value = (await listDrafts()).filter(({ key }) => readDraftKey(key)?.project === chosenProject());
  };
  useEffect(() => void load(), []);
  if (drafts.value.length === 0) return null;
  const forget = async (key: string): Promise<void> => {
    await forgetDraft(key);
    await load();
  };
  return (
    <section class="listed" id="drafts" aria-labelledby="drafts-title">
      <h2 id="drafts-title">{DRAFTS.title}</h2>
      <ul class="plain-rows">
        {drafts.value.map(({ key, name, at }) => (
          <li key={key} data-draft={name}>
            <a href={editAddress(name, readDraftKey(key)?.hash ?? "")} aria-label={DRAFTS.editLabel(name)}>
              {name}
            </a>
            <span class="buttons">
              <When at={at} />
              <button class="button small" type="button" aria-label={DRAFTS.forgetLabel(name)} onClick={() => void forget(key)}>
                {DRAFTS.forget}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
