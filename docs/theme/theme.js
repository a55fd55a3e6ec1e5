/**
 * Shows the pages in the theme that somebody has chosen in the console of this server: web/src/console/app/prefs.ts keeps it.
 * Runs before anything is painted, and never stores or asks anything.
 */

(() => {
  let theme;
  try {
    theme = JSON.parse(localStorage.getItem("weevil-console") ?? "{}")?.theme;
  } catch {
    // What is stored may be anything, and a browser may refuse to look.
    return;
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
