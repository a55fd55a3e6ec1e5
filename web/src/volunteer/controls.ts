/**
 * The controls beside the buttons: presets, sliders, the choices for hidden tabs and the GPU, the language. Shows choices, tells of
 * new ones, remembers them. Knows nothing of the work.
 */

import { byId, setText } from "../dom.ts";
import { type Budget, type Choices, PRESETS, type Preset, budgetOf, readChoices, rememberChoices } from "./choices.ts";
import { share } from "./describe.ts";
import { type Language, LANGUAGES, Words, languageFor } from "./words/words.ts";

const storage = (): Storage => localStorage;

export class Controls {
  private readonly cores: number;
  private readonly slots = byId("slots", HTMLInputElement);
  private readonly duty = byId("duty", HTMLInputElement);
  private readonly gpuTick = byId("gpu", HTMLInputElement);
  private readonly gpuDuty = byId("gpu-duty", HTMLInputElement);
  private readonly changed: () => void;
  private choices: Choices;
  /** From the page's address, until something else is chosen. */
  private asked: Partial<Budget>;
  words: Words;

  /** `changed` is called after each choice. */
  constructor(cores: number, asked: Partial<Budget>, changed: () => void) {
    this.cores = cores;
    this.asked = asked;
    this.changed = changed;
    this.choices = readChoices(storage, cores);
    this.words = new Words(this.choices.language ?? languageFor(navigator.languages));
    this.listen();
    this.show();
  }

  get budget(): Budget {
    return { ...budgetOf(this.choices, this.cores), ...this.asked };
  }

  get pauseHidden(): boolean {
    return this.choices.pauseHidden;
  }

  /** Percent of the time for which jobs may use the GPU; 0: not at all. */
  get gpu(): number {
    return byId("gpu-offer", HTMLElement).hidden || !this.choices.gpu ? 0 : this.choices.gpuDuty;
  }

  /** This browser has one to lend. */
  offerGpu(): void {
    byId("gpu-offer", HTMLElement).hidden = false;
  }

  private listen(): void {
    for (const preset of PRESETS) {
      radio(preset).addEventListener("change", () => this.choose({ preset }));
    }
    for (const slider of [this.slots, this.duty]) {
      slider.addEventListener("input", () => this.showShares({ slots: this.slots.valueAsNumber, duty: this.duty.valueAsNumber }));
      slider.addEventListener("change", () => {
        this.choose({ preset: "custom", own: { slots: this.slots.valueAsNumber, duty: this.duty.valueAsNumber } });
      });
    }
    const hidden = byId("pause-hidden", HTMLInputElement);
    hidden.addEventListener("change", () => this.choose({ pauseHidden: hidden.checked }));
    this.gpuTick.addEventListener("change", () => this.choose({ gpu: this.gpuTick.checked }));
    this.gpuDuty.addEventListener("input", () => this.showGpuShare(this.gpuDuty.valueAsNumber));
    this.gpuDuty.addEventListener("change", () => this.choose({ gpuDuty: this.gpuDuty.valueAsNumber }));
    const language = byId("language", HTMLSelectElement);
    language.addEventListener("change", () => this.choose({ language: LANGUAGES.find((known) => known === language.value) }));
  }

  private choose(chosen: Partial<Choices>): void {
    if (chosen.preset !== undefined) this.asked = {};
    this.choices = { ...this.choices, ...chosen };
    if (chosen.language !== undefined) this.words = new Words(chosen.language);
    rememberChoices(storage, this.choices);
    this.show();
    this.changed();
  }

  private show(): void {
    const { budget } = this;
    this.slots.max = String(Math.max(this.cores, budget.slots));
    this.slots.disabled = this.slots.max === this.slots.min;
    this.slots.value = String(budget.slots);
    this.duty.value = String(budget.duty);
    radio(this.preset).checked = true;
    byId("pause-hidden", HTMLInputElement).checked = this.choices.pauseHidden;
    this.gpuTick.checked = this.choices.gpu;
    byId("gpu-slider", HTMLElement).hidden = !this.choices.gpu;
    this.gpuDuty.value = String(this.choices.gpuDuty);
    this.showGpuShare(this.choices.gpuDuty);
    byId("language", HTMLSelectElement).value = this.words.language satisfies Language;
    this.showShares(budget);
  }

  private get preset(): Preset {
    return Object.keys(this.asked).length > 0 ? "custom" : this.choices.preset;
  }

  private showShares({ slots, duty }: Budget): void {
    this.showShare(this.slots, "slots-share", share(slots, this.cores, this.words));
    this.showShare(this.duty, "duty-share", this.words.say("timeShare", { percent: duty }));
  }

  private showGpuShare(percent: number): void {
    this.showShare(this.gpuDuty, "gpu-share", this.words.say("timeShare", { percent }));
  }

  private showShare(slider: HTMLInputElement, output: string, text: string): void {
    setText(byId(output, HTMLOutputElement), text);
    slider.setAttribute("aria-valuetext", text);
  }
}

function radio(preset: Preset): HTMLInputElement {
  return byId(`preset-${preset}`, HTMLInputElement);
}
