import { expect, test } from '@jest/globals';
import { type State, transition, transitions } from '../../runtime/engine/index.ts';

const states = Object.keys(transitions) as State[];

test('exactly the transitions of the table are legal, and every other one throws and names both states', () => {
  for (const from of states) {
    for (const to of states) {
      if (from === to || transitions[from].includes(to)) expect(transition('submit', from, to)).toBe(to);
      else expect(() => transition('submit', from, to)).toThrow(`submit cannot go from ${from} to ${to}`);
    }
  }
  expect(() => transition('submit', 'Blocked', 'Polling')).toThrow(
    expect.objectContaining({ code: 'AZ_ILLEGAL_TRANSITION', retryable: false }),
  );
});

test('every state can be left for a new desired state, and none is a dead end', () => {
  for (const state of states) {
    if (state !== 'Cancelled') expect(transitions[state]).toContain('Cancelled');
    expect(transitions[state].length).toBeGreaterThan(0);
  }
});
