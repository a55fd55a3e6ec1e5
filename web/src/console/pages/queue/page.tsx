/** The whole queue: how much is in it, whether it is paused and by which button it is, the codes that are stopped, and the way to a queue by name. */

import { useEffect } from "preact/hooks";
import { pauseQueue, resumeQueue } from "../../../api/client.ts";
import type { QueueView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { type Route, queueAddress } from "../../app/routes.ts";
import { look, queue, queueProblem, queueSince, showQueue, watchQueue } from "../../data/queue.ts";
import { classes, lookAtWaiting, queues, waitingProblem, waitingSince, watchWaiting } from "../../data/waiting.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { type Fact, Figures } from "../../parts/figures.tsx";
import { Filled } from "../../parts/filled.tsx";
import { PageHead } from "../../parts/head.tsx";
import { PauseButton } from "../../parts/pause.tsx";
import { clock, count } from "../../words/format.ts";
import { depth } from "../../words/jobtext.ts";
import { QUEUE } from "../../words/queue.ts";
import { has } from "../people/who.ts";
import { Classes } from "./classes.tsx";
import { DepthOverTime } from "./depth.tsx";
import { Names } from "./names.tsx";
import { Stopped } from "./stopped.tsx";

export function QueuePage({ route }: { readonly route: Route }) {
  useEffect(watchQueue, []);
  useEffect(watchWaiting, []);
  const view = queue.value;
  const paused = view?.pausedSince ?? null;
  const words = paused === null ? "" : QUEUE.paused(clock(paused, Date.now()), view?.pausedBy, view?.pausedNote);
  useAnnounced(words, words);
  const button = view !== undefined && has("queue:pause") && (
    <PauseButton what="queue" paused={paused !== null} pause={pauseQueue} resume={resumeQueue} onAnswer={showQueue} />
  );
  return (
    <div class="page" id="queue-page">
      <PageHead title={QUEUE.title} tab={QUEUE.title} actions={button} />
      {queueProblem.value !== undefined && (
        <Failed problem={queueProblem.value} retry={() => void look()} shownSince={view === undefined ? undefined : queueSince.value} />
      )}
      <p class="paused" id="queue-paused">
        {words}
      </p>
      {view === undefined ? queueProblem.value === undefined && <Loading /> : <Depth view={view} old={queueProblem.value !== undefined} />}
      <DepthOverTime route={route} />
      <Waiting />
    </div>
  );
}

/** What waits by its needs and by queue: one question for both. */
function Waiting() {
  const [byNeeds, byName] = [classes.value, queues.value];
  const failed = waitingProblem.value !== undefined && (
    <Failed
      problem={waitingProblem.value}
      retry={() => void lookAtWaiting()}
      shownSince={byNeeds === undefined ? undefined : waitingSince.value}
    />
  );
  const old = failed !== false;
  return (
    <>
      {failed}
      <section class="listed" id="classes-part">
        <h2>{QUEUE.classes.title}</h2>
        <p class="muted prose">{QUEUE.classes.about}</p>
        {byNeeds === undefined ? (
          !old && <Loading />
        ) : (
          <div data-old={old}>
            <Classes rows={byNeeds.classes} />
          </div>
        )}
      </section>
      <section class="panel">
        <h2>{QUEUE.named}</h2>
        <p class="muted prose">
          <Filled text={QUEUE.namedWords} holes={{ command: <code>weevil submit</code>, request: <code>POST /api/v1/jobs</code> }} />
        </p>
        <QueueForm name="default" />
        {byName === undefined ? (
          !old && <Loading />
        ) : (
          <div data-old={old}>
            <Names rows={byName.queues} />
          </div>
        )}
      </section>
    </>
  );
}

function Depth({ view, old }: { readonly view: QueueView; readonly old: boolean }) {
  const { ready, leased, delayed, held, answered = 0 } = view;
  const facts: readonly Fact[] = [
    [QUEUE.waiting, count(ready)],
    [QUEUE.running, count(leased)],
    [QUEUE.delayed, count(delayed)],
    [QUEUE.held, count(held)],
    [QUEUE.answered, count(answered)],
  ];
  return (
    <div class="page" data-old={old}>
      <Figures facts={facts} />
      <p class="unseen" id="queue-line">
        {depth(view)}
      </p>
      <Stopped codes={view.stopped ?? []} />
    </div>
  );
}

/** Opens the jobs of a queue by its name. It filters nothing and is no `filter-bar`, so that `/` does not lead into it. */
export function QueueForm({ name }: { readonly name: string }) {
  const show = (form: HTMLFormElement): void => {
    const field = form.elements.namedItem("queue");
    if (field instanceof HTMLInputElement) location.hash = queueAddress(field.value);
  };
  return (
    <form
      class="field-bar"
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
    >
      <label for="queue-name">{QUEUE.field}</label>
      <input class="field" id="queue-name" name="queue" defaultValue={name} required autocomplete="off" spellcheck={false} />
      <button class="button" type="submit">
        {QUEUE.show}
      </button>
    </form>
  );
}
