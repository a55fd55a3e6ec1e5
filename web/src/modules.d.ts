/** Modules that the build makes or another part of the project brings. Types only. */

/** The address of the bundled job runtime; see build/sandbox.ts. */
declare module "virtual:weevil-job-runtime" {
  const runtimeUrl: string;
  export default runtimeUrl;
}
