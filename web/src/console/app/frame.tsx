/** The frame of all pages: side bar, path, project, palette and live mark; the page that the address names stands inside. */

import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { Report } from "../parts/report.tsx";
import { has } from "../pages/people/who.ts";
import { UploadInputs } from "../pages/workflows/upload.tsx";
import { FRAME } from "../words/frame.ts";
import { Announcements } from "./announce.tsx";
import { KeysHelp } from "./help.tsx";
import { LiveMark } from "./live.tsx";
import { PAGES, shownPage } from "./pages.tsx";
import { Palette } from "./palette.tsx";
import { placeOf } from "./places.ts";
import type { Page } from "./routes.ts";
import { floating } from "./shortcuts.ts";
import { SideBar } from "./sidebar.tsx";
import { ProjectSwitch } from "./switch.tsx";
import { trail } from "./trail.ts";
import { current, epoch } from "./where.ts";

export function Frame() {
  const main = useRef<HTMLElement>(null);
  const route = current.value;
  const page = shownPage(route.page);
  const View = PAGES[page];
  const skip = (event: Event): void => {
    // The hash is the address of the page.
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        {FRAME.skip}
      </a>
      <SideBar />
      <header class="top">
        <Trail page={page} />
        <ProjectSwitch />
        <button class="find" type="button" id="find" aria-label={FRAME.find} onClick={() => (floating.value = "palette")}>
          <Icon name="search" />
          <span>{FRAME.find}</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        {has("runs:read") && <LiveMark />}
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Report />
        <View key={`${page} ${route.id} ${route.query.toString()} ${epoch.value}`} route={route} />
      </main>
      <Announcements />
      <UploadInputs />
      <Palette />
      <KeysHelp />
    </div>
  );
}

/** From the place in the side bar down to what stands here. */
function Trail({ page }: { readonly page: Page }) {
  const { steps, under = page } = trail.value;
  const place = placeOf(under);
  if (place === undefined) return <span class="trail" />;
  const inside = place.pages[0] !== page || steps.length > 0;
  return (
    <nav class="trail" aria-label={FRAME.trail}>
      {inside ? <a href={place.address}>{place.name}</a> : <span>{place.name}</span>}
      {steps.map(({ name, address }, at) => (
        <Fragment key={at}>
          <span aria-hidden="true"> › </span>
          {address === undefined ? <span aria-current="page">{name}</span> : <a href={address}>{name}</a>}
        </Fragment>
      ))}
    </nav>
  );
}
