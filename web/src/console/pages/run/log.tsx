/** All that the jobs of a run have logged, attempt after attempt: strangers' text, shown as nothing but text. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LogView, RunView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress, routeOf } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { type WatchedLog, fitting, watchLog } from "../../data/runlog.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { Copy, Id } from "../../parts/id.tsx";
import { Pieces } from "../../table/pieces.tsx";
import { ShowMore } from "../../table/table.tsx";
import { clock, isOver } from "../../words/format.ts";
import { LOG } from "../../words/lookback.ts";
import { PARTS } from "../../words/parts.ts";

export function RunLog({ view: { summary } }: { readonly view: RunView }) {
  const log = useMemo(() => watchLog(summary.id), []);
  const text = useSignal(useMemo(() => routeOf(location.hash).query.get("q") ?? "", []));
  useEffect(() => log.stop, []);
  useEffect(() => {
    replaceQuery({ q: text.value });
  }, [text.value]);
  const over = isOver(summary.state);
  return (
    <>
      <form class="filter-bar" aria-label={LOG.filter} onSubmit={(event) => event.preventDefault()}>
        <label for="log-text">{LOG.text}</label>
        <input
          class="field"
          id="log-text"
          type="search"
          value={text.value}
          autocomplete="off"
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
        {!over && (
          <label class="check">
            <input
              id="log-follow"
              type="checkbox"
              checked={log.follows.value}
              onChange={({ currentTarget }) => follow(log, currentTarget.checked)}
            />
            {LOG.follow}
          </label>
        )}
      </form>
      <Lines log={log} text={text.value} run={summary.id} />
    </>
  );
}

function follow(log: WatchedLog, follows: boolean): void {
  log.follows.value = follows;
  if (follows) log.now();
}

function Lines({ log, text, run }: { readonly log: WatchedLog; readonly text: string; readonly run: string }) {
  const { logs, more, busy, problem, since, follows } = log;
  const place = useRef<HTMLElement>(null);
  const shown = useMemo(() => fitting(logs.value ?? [], text), [logs.value, text]);
  useLayoutEffect(() => {
    if (follows.value) place.current?.lastElementChild?.scrollIntoView({ block: "end" });
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
        <Empty title={text === "" ? LOG.none : LOG.nothing}>{text === "" ? LOG.noneWords : LOG.nothingWords}</Empty>
      ) : (
        <div class="log-lines" id="run-log" role="log" aria-live="off" aria-label={LOG.label}>
          <Pieces
            rows={shown}
            name="log-piece"
            ends={follows.value}
            draw={(some) => some.map((entry) => <Entry key={`${entry.job} ${entry.number}`} entry={entry} />)}
          />
        </div>
      )}
      <p class="muted counts">
        <span id="log-shown">{counts}</span>
        <Copy text={LOG.command(run)} label={PARTS.copyCommand} />
      </p>
      <ShowMore id="more-log" more={more.value} shown={shown.length} busy={busy.value} onMore={() => void log.extend()} />
    </section>
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
