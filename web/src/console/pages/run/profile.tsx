/** What a run computed over time: attained MFLOPS and busy slots, with one cursor for both. */

import { useMemo } from "preact/hooks";
import type { RunView } from "../../../api/types.gen.ts";
import type { ChartSpec } from "../../charts/chart.ts";
import { profileData } from "../../charts/series.ts";
import { type Bins, isMissing, watchProfile } from "../../data/profile.ts";
import { ChartPanel } from "../../parts/chart.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { figure, isOver } from "../../words/format.ts";
import { RUN } from "../../words/run.ts";

const { profile } = RUN;
const HEIGHT = 150;

const MFLOPS: Omit<ChartSpec, "id"> = {
  title: profile.mflops,
  unit: profile.mflopsUnit,
  lines: [{ name: profile.mflops, ink: "--running" }],
  format: figure,
  height: HEIGHT,
};

const BUSY: Omit<ChartSpec, "id"> = {
  title: profile.busy,
  unit: profile.busyUnit,
  lines: [{ name: profile.busy, ink: "--finished" }],
  format: figure,
  height: HEIGHT,
};

export function RunProfile({ view: { summary } }: { readonly view: RunView }) {
  const over = isOver(summary.state);
  const watch = useMemo(() => watchProfile(summary.id, !over), [over]);
  const view = watch.value.value;
  const problem = watch.problem.value;
  const missing = isMissing(problem);
  const failed = problem !== undefined && !missing && (
    <Failed problem={problem} retry={watch.again} shownSince={view === undefined ? undefined : watch.since.value} />
  );
  return (
    <section class="listed" data-old={view !== undefined && failed !== false} id="run-profile">
      <h2>{profile.title}</h2>
      {failed}
      {view !== undefined && <ProfileCharts view={view} over={over} of="run" />}
      {view === undefined && missing && <p class="muted">{profile.missing}</p>}
      {view === undefined && problem === undefined && <Loading />}
    </section>
  );
}

interface Shown {
  readonly view: Bins;
  readonly over: boolean;
  /** What the ids of its parts begin with. */
  readonly of: string;
}

export function ProfileCharts({ view, over, of }: Shown) {
  const [mflops, busy] = useMemo(() => {
    const column = (name: "mflops" | "busy") => ({ ...profileData(view, name), isOver: over });
    return [column("mflops"), column("busy")] as const;
  }, [view, over]);
  const nothing = over ? profile.never : profile.notYet;
  return (
    <div class="charts">
      <ChartPanel spec={{ ...MFLOPS, id: `${of}-mflops` }} data={mflops} nothing={nothing} />
      <ChartPanel spec={{ ...BUSY, id: `${of}-busy` }} data={busy} nothing={nothing} />
    </div>
  );
}
