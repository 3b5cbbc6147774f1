import { expect, test } from '@jest/globals';
import type { ManagedSecretObject } from '../../../../runtime/operator/managed-secrets/secret-object.ts';
import { mayReimportOf, reimported } from '../../../../runtime/operator/managed-secrets/vaults/reimports.ts';
import type { PlaceMemory, PlaceReading } from '../../../../runtime/operator/managed-secrets/vaults/vault-readings.ts';

const certificate = { spec: { kind: 'Certificate' } } as ManagedSecretObject;
const readings = [{ place: { location: 'home' } }] as PlaceReading[];
const version = { number: 1, hash: '0'.repeat(16), created: 0, enabled: true, version: 'a' };
const may = (memory: PlaceMemory, number: number, now: number) =>
  mayReimportOf(certificate, readings, [memory], now)?.('home', number);

test('an import that the list does not show yet is done again after waits that grow, and another version at once', () => {
  const memory: PlaceMemory = { failures: 0, retryAt: 0 };
  const waits: number[] = [];
  let now = 0;
  for (let times = 0; times < 15; times++) {
    expect(may(memory, 1, now)).toBe(true);
    reimported(memory, version, now);
    const { retryAt = 0 } = memory.reimport ?? {};
    expect(may(memory, 1, retryAt - 1)).toBe(false);
    expect(may(memory, 2, now)).toBe(true);
    waits.push(retryAt - now);
    now = retryAt;
  }
  expect(waits[0]).toBeGreaterThan(3000);
  expect(waits.at(-1)).toBeGreaterThan(2_000_000);
  reimported(memory, version, now + 10_000_000);
  expect(memory.reimport?.failures).toBe(1);
});
