import { expect, test } from '@jest/globals';
import { openingOf } from '../../runtime/nmi/availability.ts';
import type { Binding } from '../../runtime/nmi/objects.ts';
import { binding } from './harness.ts';

const now = Date.parse('2026-03-02T10:00:00Z');

test.each([
  ['2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z'],
  ['2026-03-02T12:00:00Z', '2026-03-02T11:00:00Z'],
])('a binding that is open until %s and granted until %s is open until the later of both', (notAfter, grant) => {
  const granted = binding('b', { availability: { notAfter } }, 'app', { 'azimuth.dev/grant-until': grant });
  const until = Date.parse('2026-03-02T12:00:00Z');
  expect(openingOf(granted as unknown as Binding, now)).toEqual({ open: true, until });
});
