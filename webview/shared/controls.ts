import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeTextArea,
} from '@vscode/webview-ui-toolkit/dist/toolkit.js';
import { html, nothing, type TemplateResult } from 'lit';

// The one place that knows the toolkit: a strict CSP rules out most of its other elements.
provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextArea());

export interface ButtonOptions {
  label: string;
  appearance: 'primary' | 'secondary' | 'icon';
  onClick: (event: Event) => void;
  /** Codicon before the label, or alone when the appearance is `icon`. */
  icon?: string;
  /** Spoken name where the label alone does not say which card is meant. */
  name?: string;
  /** False: reached through its card and its menu, not with Tab. */
  tabStop?: boolean;
}

export function button(options: ButtonOptions): TemplateResult {
  const { label, appearance, icon } = options;
  const iconOnly = appearance === 'icon';
  return html`<vscode-button
    appearance=${appearance}
    tabindex=${options.tabStop === false ? '-1' : nothing}
    aria-label=${options.name ?? (iconOnly ? label : nothing)}
    title=${iconOnly ? label : nothing}
    @click=${options.onClick}
    >${
      icon === undefined
        ? nothing
        : html`<span
            class="codicon codicon-${icon}"
            slot=${iconOnly ? nothing : 'start'}
            aria-hidden="true"
          ></span>`
    }${iconOnly ? nothing : label}</vscode-button
  >`;
}

export interface TextAreaOptions {
  label: string;
  value: string;
  rows: number;
  onInput: (value: string) => void;
  onCommit: () => void;
}

export function textArea(options: TextAreaOptions): TemplateResult {
  const read = (event: Event) => options.onInput((event.currentTarget as HTMLTextAreaElement).value);
  return html`<vscode-text-area
    rows=${options.rows}
    resize="vertical"
    .value=${options.value}
    @input=${read}
    @focusout=${options.onCommit}
    >${options.label}</vscode-text-area
  >`;
}
