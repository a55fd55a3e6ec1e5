/** The side bar: the places that somebody may see, as icons with words where there is room; on a phone a bar at the bottom. */

import { signal, useSignal } from "@preact/signals";
import mark from "../../weevil.svg";
import { Icon } from "../parts/icon.tsx";
import { FRAME } from "../words/frame.ts";
import { type Place, openPlaces, placeOf } from "./places.ts";
import { choose, prefs } from "./prefs.ts";
import { HOME } from "./routes.ts";
import { trail } from "./trail.ts";
import { current } from "./where.ts";

/** Whether words are shown where nobody has chosen. */
const screen = matchMedia("(min-width: 75rem)");
const roomy = signal(screen.matches);
screen.addEventListener("change", () => (roomy.value = screen.matches));

const PARTS = ["work", "people", "rest"] as const;

export function SideBar() {
  const wide = prefs.value.open ?? roomy.value;
  const more = useSignal(false);
  const places = openPlaces();
  const here = placeOf(trail.value.under ?? current.value.page);
  return (
    <nav class="side" aria-label={FRAME.navigation} data-open={wide} data-more={more.value} onClick={() => (more.value = false)}>
      <a class="brand" href={HOME} aria-label="WeevilScout">
        <img src={mark} alt="" width="28" height="28" />
        <span class="word">WeevilScout</span>
      </a>
      {PARTS.map((part) => (
        <ul key={part} class={`places ${part}`} aria-label={FRAME.parts[part]}>
          {places
            .filter((place) => place.part === part)
            .map((place) => (
              <Link key={place.id} place={place} here={place === here} />
            ))}
        </ul>
      ))}
      <button
        class="place more-places"
        type="button"
        aria-expanded={more.value}
        onClick={(event) => {
          event.stopPropagation();
          more.value = !more.value;
        }}
      >
        <Icon name="more" />
        <span class="word">{FRAME.more}</span>
      </button>
      <button
        class="place widen"
        type="button"
        aria-expanded={wide}
        aria-label={wide ? FRAME.narrow : FRAME.widen}
        onClick={() => choose({ open: !wide })}
      >
        <Icon name="side" />
      </button>
    </nav>
  );
}

function Link({ place, here }: { readonly place: Place; readonly here: boolean }) {
  return (
    <li>
      <a class="place" id={`to-${place.id}`} href={place.address} title={place.name} aria-current={here ? "page" : undefined}>
        <Icon name={place.id} />
        <span class="word">{place.name}</span>
      </a>
    </li>
  );
}
