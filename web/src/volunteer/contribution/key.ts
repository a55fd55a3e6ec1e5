/** The name under which the ledger is stored: all that the page knows of it before the rest is loaded. */

export const KEY = "weevil.contribution";
