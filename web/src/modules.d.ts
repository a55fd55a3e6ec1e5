/** Modules that the build makes or another part of the project brings. Types only. */

/** The bundled job runtime as text; see build/sandbox.ts. */
declare module "virtual:weevil-job-runtime" {
  const runtime: string;
  export default runtime;
}
