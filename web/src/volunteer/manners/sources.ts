/**
 * The facts behind the pauses, as browsers tell them: battery, Save-Data, visibility, compute pressure. Thin: what they
 * mean is decided in `reasons.ts` and `pressure.ts`. A browser that tells nothing gives no reason.
 */

import { type BrowserPressure, pressedBy } from "./pressure.ts";
import { CALM, type Facts, type Reason } from "./reasons.ts";

const SAMPLE_MS = 2000;

interface Battery extends EventTarget {
  readonly charging: boolean;
}

interface Connection extends EventTarget {
  readonly saveData?: boolean;
}

interface PressureRecord {
  readonly state: BrowserPressure;
}

interface PressureObserver {
  observe(source: "cpu", options: { sampleInterval: number }): Promise<void>;
}

interface Told {
  readonly navigator: Navigator & { getBattery?(): Promise<Battery>; readonly connection?: Connection };
  readonly PressureObserver?: new (changed: (records: PressureRecord[]) => void) => PressureObserver;
}

export class Sources {
  private told: Facts = CALM;
  private browserPressure: BrowserPressure | undefined;
  private probePressed = false;
  private readonly changed: () => void;

  /** `changed` is called whenever a fact may be another. */
  constructor(changed: () => void) {
    this.changed = changed;
    const { navigator, PressureObserver } = globalThis as unknown as Told;
    this.watchVisibility();
    this.watchConnection(navigator.connection);
    // Both may be refused, by a policy or by a setting: then there is no such fact.
    void navigator.getBattery?.().then(
      (battery) => this.watchBattery(battery),
      () => undefined,
    );
    if (PressureObserver !== undefined) this.watchPressure(PressureObserver);
  }

  /** What holds now; `own` is the share of the processor that this page uses itself. */
  facts(own: number): Facts {
    return { ...this.told, pressure: this.pressed(own) };
  }

  /** What the coordinator's loop says. */
  probed(pressed: boolean): void {
    this.probePressed = pressed;
  }

  /** A hidden page hears no news of the pressure. */
  private pressed(own: number): boolean {
    const state = document.hidden ? undefined : this.browserPressure;
    const told = state === undefined ? undefined : pressedBy(state, own);
    return told ?? this.probePressed;
  }

  private tell(reason: Reason, holds: boolean): void {
    this.told = { ...this.told, [reason]: holds };
    this.changed();
  }

  private watchVisibility(): void {
    const look = (): void => this.tell("hidden", document.hidden);
    document.addEventListener("visibilitychange", look);
    this.told = { ...this.told, hidden: document.hidden };
  }

  private watchConnection(connection: Connection | undefined): void {
    if (connection === undefined) return;
    const look = (): void => this.tell("saveData", connection.saveData === true);
    connection.addEventListener("change", look);
    this.told = { ...this.told, saveData: connection.saveData === true };
  }

  private watchBattery(battery: Battery): void {
    const look = (): void => this.tell("battery", !battery.charging);
    battery.addEventListener("chargingchange", look);
    look();
  }

  private watchPressure(Observer: NonNullable<Told["PressureObserver"]>): void {
    const observer = new Observer((records) => {
      this.browserPressure = records.at(-1)?.state;
      this.changed();
    });
    observer.observe("cpu", { sampleInterval: SAMPLE_MS }).catch(() => undefined);
  }
}
