import type { State } from '../../view/model/row.ts';
import { element } from './dom.ts';

/** A sign beside the word of each state, so that shape and text say the same as the colour. */
export const symbols: Readonly<Record<State, string>> = {
  Failed: '✗',
  Blocked: '‖',
  Deleting: '⊖',
  Reconciling: '↻',
  Unknown: '?',
  Ready: '✓',
};

/** Sign and word of a state. */
export const stateText = (state: State) => `${symbols[state]} ${state}`;

/** An element with sign and word of a state. */
export const stateElement = (state: State) => element('span', { class: `state ${state}` }, stateText(state));
