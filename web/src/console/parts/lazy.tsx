/** A component whose code comes with its first use: what most pages do without is not part of the first view. */

import { Fragment, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../../api/request.ts";
import { PARTS } from "../words/parts.ts";
import { Failed, Loading } from "./faces.tsx";

/** Neither, until there is an answer. */
interface Tried<P> {
  readonly Part?: FunctionComponent<P>;
  readonly problem?: Refusal;
}

/** `Around`: what its face stands in until it has come. */
export function lazily<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  Around: FunctionComponent<P> = Fragment,
): FunctionComponent<P> {
  let known: Tried<P> = {};
  return function Lazy(props: P) {
    const [{ Part, problem }, tell] = useState(known);
    const attempt = async (): Promise<void> => {
      tell({});
      const tried = await tryTo(load);
      if (tried.Part !== undefined) known = tried;
      tell(tried);
    };
    useEffect(() => {
      if (Part === undefined) void attempt();
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    return <Around {...props}>{problem === undefined ? <Loading /> : <Failed problem={problem} retry={() => void attempt()} />}</Around>;
  };
}

/** The server may be away, or of another release, which has the code under another name. */
async function tryTo<P>(load: () => Promise<FunctionComponent<P>>): Promise<Tried<P>> {
  try {
    return { Part: await load() };
  } catch {
    return { problem: new Refusal({ code: "unreachable", detail: PARTS.notLoaded }, 0) };
  }
}
