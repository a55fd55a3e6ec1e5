/** Modules that the build makes or another part of the project brings. Types only. */

/** Styles that come with what they are for. */
declare module "*.css";

/** The address of a picture. */
declare module "*.svg" {
  const address: string;
  export default address;
}

/** Texts of files that the build takes in. */
interface ImportMeta {
  glob: (patterns: readonly string[], how: { readonly query: "?raw"; readonly import: "default"; readonly eager: true }) => unknown;
}

/** The address of the bundled job runtime; see build/sandbox.ts. */
declare module "virtual:weevil-job-runtime" {
  const runtimeUrl: string;
  export default runtimeUrl;
}

/** The address of a picture. */
declare module "*.svg" {
  const address: string;
  export default address;
}
