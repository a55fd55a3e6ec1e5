/** When the colours of the page become others: by the system, or by somebody who chooses a theme. What is painted by hand is painted anew then. */

/** Answers what ends it. */
export function onTheme(changed: () => void): () => void {
  const hear = (): void => changed();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(hear);
  dark.addEventListener("change", hear);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    dark.removeEventListener("change", hear);
    chosen.disconnect();
  };
}
