/** All that the jobs of a run have logged, attempt after attempt: strangers' text, shown as nothing but text. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LogView, RunView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress, routeOf } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { type WatchedLog, fitting, watchLog } from "../../data/runlog.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { Copy, Id } from "../../parts/id.tsx";
import { useLatest } from "../../parts/latest.ts";
import { SearchField } from "../../parts/searchfield.tsx";
import { Pieces } from "../../table/pieces.tsx";
import { ShowMore } from "../../table/table.tsx";
import { clock, isOver } from "../../words/format.ts";
import { LOG } from "../../words/lookback.ts";
import { PARTS } from "../../words/parts.ts";

export function RunLog({ view: { summary } }: { readonly view: RunView }) {
  const query = useMemo(() => routeOf(location.hash).query, []);
  const ended = isOver(summary.state);
  const text = useSignal(query.get("q") ?? "");
  // Nothing comes any more of a run that ended before.
  const follows = useSignal(!ended && query.get("follow") === "1");
  const asked = text.value.trim();
  const log = useMemo(() => watchLog(summary.id, asked, follows), [asked]);
  useEffect(() => log.stop, [log]);
  useLayoutEffect(() => {
    replaceQuery({ q: text.value, follow: follows.value ? "1" : "" });
  }, [text.value, follows.value]);
  useEffect(() => {
    if (follows.value) log.now();
  }, [follows.value]);
  const shown = useLatest(log, log.logs.value !== undefined || log.problem.value !== undefined);
  return (
    <>
      <Filter text={text} follows={ended ? undefined : follows} />
      <Lines log={shown} text={asked} follows={follows.value} run={summary.id} onClear={() => (text.value = "")} />
    </>
  );
}

interface Filtering {
  readonly text: Signal<string>;
  /** `undefined`: nothing comes any more. */
  readonly follows: Signal<boolean> | undefined;
}

function Filter({ text, follows }: Filtering) {
  return (
    <form class="filter-bar" aria-label={LOG.filter} onSubmit={(event) => event.preventDefault()}>
      <SearchField id="log-text" label={LOG.text} text={text.value} change={(written) => (text.value = written)} />
      {follows !== undefined && (
        <label class="check">
          <input
            id="log-follow"
            type="checkbox"
            checked={follows.value}
            onChange={({ currentTarget }) => (follows.value = currentTarget.checked)}
          />
          {LOG.follow}
        </label>
      )}
    </form>
  );
}

interface Shown {
  readonly log: WatchedLog;
  /** As the server was asked for it. */
  readonly text: string;
  readonly follows: boolean;
  readonly run: string;
  readonly onClear: () => void;
}

function Lines({ log, text, follows, run, onClear }: Shown) {
  const { logs, more, busy, problem, since } = log;
  const place = useRef<HTMLElement>(null);
  const shown = useMemo(() => fitting(logs.value ?? [], text), [logs.value, text]);
  useLayoutEffect(() => {
    if (follows) place.current?.lastElementChild?.scrollIntoView({ block: "end" });
  }, [shown]);
  const lines = shown.reduce((sum, { log: told }) => sum + told.split("\n").length, 0);
  const counts = logs.value === undefined ? "" : LOG.lines(lines, more.value);
  useAnnounced(counts, text);
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={() => void log.extend()} shownSince={logs.value === undefined ? undefined : since.value} />
  );
  if (logs.value === undefined) return failed || <Loading />;
  return (
    <section ref={place} data-old={failed !== false}>
      {failed}
      {shown.length === 0 ? (
        <Nothing command={LOG.command(run, follows)} onClear={text === "" ? undefined : onClear} />
      ) : (
        <div class="log-lines" id="run-log" role="log" aria-live="off" aria-label={LOG.label}>
          <Pieces
            rows={shown}
            name="log-piece"
            ends={follows}
            draw={(some) => some.map((entry) => <Entry key={`${entry.job} ${entry.number}`} entry={entry} />)}
          />
        </div>
      )}
      <p class="muted counts">
        <span id="log-shown">{counts}</span>
        {(shown.length > 0 || text !== "") && <Copy text={LOG.command(run, follows)} label={PARTS.copyCommand} />}
      </p>
      <ShowMore id="more-log" more={more.value} shown={shown.length} busy={busy.value} onMore={() => void log.extend()} />
    </section>
  );
}

/** `onClear`: `undefined` where nothing is filtered. */
function Nothing({ command, onClear }: { readonly command: string; readonly onClear: (() => void) | undefined }) {
  if (onClear !== undefined) return <NothingFits noun={LOG.noun} words={LOG.nothingWords} clear={onClear} />;
  return (
    <Empty title={LOG.none} command={command}>
      {LOG.noneWords}
    </Empty>
  );
}

function Entry({ entry: { job, path, number, worker, endedAt, end, log } }: { readonly entry: LogView }) {
  return (
    <article class="log-entry" data-entry={job} data-end={end}>
      <p class="muted">
        <a href={jobAddress(job)}>{LOG.attempt(path, number)}</a>
        <Id id={worker} />
        <time dateTime={new Date(endedAt).toISOString()}>{clock(endedAt, now.value, true)}</time>
      </p>
      <pre tabIndex={0}>{log}</pre>
    </article>
  );
}
