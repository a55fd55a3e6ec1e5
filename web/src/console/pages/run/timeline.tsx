/**
 * Who did what of a run when, as a picture or as a table of the same facts. What is shown, and how much of it, stands in the address.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { RunView } from "../../../api/types.gen.ts";
import { useActions } from "../../app/actions.ts";
import { announce, useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress, routeOf } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { type Bins, watchProfile } from "../../data/profile.ts";
import { watchTimeline } from "../../data/timeline.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { useLetters } from "../../parts/letters.ts";
import { type Bar, type By, type Row, inSpan, rowsOf } from "../../timeline/rows.ts";
import { momentsOf } from "../../timeline/moments.ts";
import { type Span, equal, spanIn, within } from "../../timeline/span.ts";
import { Timeline } from "../../timeline/view.ts";
import { clock, count, duration, isOver, rate } from "../../words/format.ts";
import { JOBS, TIMELINE, endWord } from "../../words/lookback.ts";
import { TimelineTable } from "./timelinetable.tsx";

type Face = "picture" | "table";

const WORDS = { mflops: TIMELINE.mflops, busy: TIMELINE.busy, moment: duration, figure: rate };

export function RunTimeline({ view: { summary } }: { readonly view: RunView }) {
  const { id, createdAt, finishedAt } = summary;
  const ended = isOver(summary.state);
  const over = useRef(false);
  over.current = ended;
  const bins = useMemo(() => watchProfile(id, !ended), [ended]).value.value;
  const query = useMemo(() => routeOf(location.hash).query, []);
  const data = useMemo(() => watchTimeline(id, () => over.current), []);
  useEffect(() => data.close, []);
  /** `undefined`: all of it, and what comes. */
  const zoom = useSignal(useMemo(() => spanIn(query), []));
  const by = useSignal<By>(query.get("by") === "node" ? "node" : "worker");
  const face = useSignal<Face>(query.get("as") === "table" ? "table" : "picture");
  const known = data.view.value;
  const whole: Span = { from: createdAt, to: Math.max(finishedAt ?? known?.to ?? now.value, createdAt + 1) };
  const span = zoom.value === undefined ? whole : within(zoom.value, whole);
  const look = (next: Span): void => {
    zoom.value = equal(next, whole) ? undefined : next;
  };
  useLayoutEffect(() => {
    const told = zoom.value;
    data.want(told);
    const [from, to] = told === undefined ? ["", ""] : [String(told.from), String(told.to)];
    replaceQuery({ from, to, by: by.value === "node" ? "node" : "", as: face.value === "table" ? "table" : "" });
  }, [zoom.value, by.value, face.value]);
  const isTooMuch = known?.attempts === null;
  const setBy = (to: By): void => {
    by.value = to;
    if (to === "node" && isTooMuch) announce(TIMELINE.rowsStay);
  };
  const turnRows = (): void => setBy(by.value === "node" ? "worker" : "node");
  const turnFace = (): void => {
    face.value = face.value === "table" ? "picture" : "table";
  };
  useLetters({ w: turnRows, t: turnFace });
  useActions(
    [
      { id: "timeline-rows", name: TIMELINE.turnRows, key: "w", act: turnRows },
      { id: "timeline-face", name: TIMELINE.turnFace, key: "t", act: turnFace },
    ],
    id,
  );
  const rows = useMemo(() => (known === undefined ? [] : rowsOf(known, by.value, known.to, TIMELINE)), [known, by.value]);
  const told = inSpan(rows, span);
  const shown = isTooMuch ? undefined : told.reduce((sum, { bars }) => sum + bars.length, 0);
  const counts = shown === undefined ? TIMELINE.tooMany : TIMELINE.shown(shown);
  useAnnounced(known === undefined ? "" : counts, `${zoom.value?.from} ${zoom.value?.to}`);
  const failed = data.problem.value !== undefined && (
    <Failed problem={data.problem.value} retry={data.again} shownSince={known === undefined ? undefined : data.since.value} />
  );
  if (known === undefined) return failed || <Loading />;
  return (
    <section class="panel timeline-panel" data-by={by.value} data-zoomed={zoom.value !== undefined} data-old={failed !== false}>
      {failed}
      <Choices by={by.value} face={face.value} setBy={setBy} setFace={(to) => (face.value = to)} counts={counts} />
      {isTooMuch && by.value === "node" && (
        <p class="muted" id="timeline-rows-stay">
          {TIMELINE.rowsStay}
        </p>
      )}
      {shown === 0 && zoom.value === undefined ? (
        <Empty title={TIMELINE.none} command={JOBS.command(id)}>
          {TIMELINE.noneWords}
        </Empty>
      ) : face.value === "table" ? (
        <TimelineTable rows={told} moments={bins === undefined ? [] : momentsOf(bins, span)} begin={createdAt} />
      ) : (
        <Picture rows={rows} profile={bins} span={span} whole={whole} look={look} />
      )}
      <p class="muted keys-told">{TIMELINE.keys}</p>
    </section>
  );
}

interface Chooses {
  readonly by: By;
  readonly face: Face;
  readonly setBy: (to: By) => void;
  readonly setFace: (to: Face) => void;
  readonly counts: string;
}

function Choices({ by, face, setBy, setFace, counts }: Chooses) {
  const [rows, faces] = [
    { worker: TIMELINE.byWorker, node: TIMELINE.byNode },
    { picture: TIMELINE.picture, table: TIMELINE.table },
  ];
  return (
    <div class="filter-bar">
      <Choice id="timeline-by" label={TIMELINE.by} value={by} choices={rows} set={setBy} />
      <Choice id="timeline-as" label={TIMELINE.as} value={face} choices={faces} set={setFace} />
      <span class="muted counts" id="timeline-shown">
        {counts}
      </span>
    </div>
  );
}

interface Pictured {
  readonly rows: readonly Row[];
  readonly profile: Bins | undefined;
  readonly span: Span;
  readonly whole: Span;
  readonly look: (span: Span) => void;
}

function Picture({ rows, profile, span, whole, look }: Pictured) {
  const place = useRef<HTMLDivElement>(null);
  const told = useSignal("");
  const latest = useRef({ look, profile, whole });
  latest.current = { look, profile, whole };
  const timeline = useMemo(
    () =>
      new Timeline(TIMELINE.label, WORDS, {
        onOpen: ({ attempt }) => (location.hash = jobAddress(attempt.job)),
        onSpan: (next) => latest.current.look(next),
        onMeant: (bar, moment, byKey) => {
          told.value = bar === undefined ? momentText(moment, latest.current) : barText(bar);
          if (byKey) announce(told.value);
        },
      }),
    [],
  );
  useEffect(() => {
    place.current?.append(timeline.element);
    return () => timeline.close();
  }, []);
  useEffect(() => timeline.show({ rows, profile, span, whole }), [rows, profile, span.from, span.to, whole.from, whole.to]);
  return (
    <>
      <div class="buttons">
        <button class="button" type="button" id="timeline-in" aria-keyshortcuts="+" onClick={() => timeline.zoom(true)}>
          {TIMELINE.zoomIn}
        </button>
        <button class="button" type="button" id="timeline-out" aria-keyshortcuts="−" onClick={() => timeline.zoom(false)}>
          {TIMELINE.zoomOut}
        </button>
        <button class="button" type="button" id="timeline-whole" aria-keyshortcuts="0" onClick={() => look(whole)}>
          {TIMELINE.whole}
        </button>
      </div>
      <div ref={place} />
      <p class="muted timeline-told" id="timeline-told">
        {told.value}
      </p>
    </>
  );
}

function barText({ attempt: { path, end }, from, to }: Bar): string {
  return TIMELINE.bar(path, endWord(end), duration(to - from), clock(from, now.value, true));
}

/** What the whole run did at a moment. */
function momentText(moment: number | undefined, { profile }: Pick<Pictured, "profile">): string {
  if (moment === undefined || profile === undefined) return "";
  const bin = Math.floor((moment - profile.from) / profile.widthMs);
  const [mflops, busy] = [profile.mflops[bin], profile.busy[bin]];
  return mflops === undefined || busy === undefined
    ? ""
    : TIMELINE.at(clock(moment, now.value, true), rate(mflops), count(Math.round(busy)));
}

interface Chosen<T extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly choices: Readonly<Record<T, string>>;
  readonly set: (to: T) => void;
}

function Choice<T extends string>({ id, label, value, choices, set }: Chosen<T>) {
  const names = Object.keys(choices) as T[];
  return (
    <select
      class="field"
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => set(names.find((name) => name === currentTarget.value) ?? value)}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {choices[name]}
        </option>
      ))}
    </select>
  );
}
