import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { Certificates, mostCertificateSeries } from '../../../runtime/identity/conditions/certificates.ts';
import { identityMetrics } from '../../../runtime/identity/identity-metrics.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);

function setUp(warningMs?: number) {
  const clock = new ManualClock(start);
  const lines: { msg: string; name?: string; namespace: string; expiresAt?: string }[] = [];
  const log = createLogger('identity', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const certificates = new Certificates({ clock, log, ...(warningMs !== undefined && { warningMs }) });
  return { clock, lines, certificates };
}

test('a certificate expires soon 30 days before its end, or as long as the setting says, and is checked at each change', () => {
  const { certificates } = setUp();
  expect(certificates.check(start + 31 * day)).toEqual({ state: 'valid', nextCheckMs: day / 2 });
  expect(certificates.check(start + 30 * day + 60_000)).toEqual({ state: 'valid', nextCheckMs: 60_000 });
  expect(certificates.check(start + 30 * day)).toEqual({ state: 'expires soon', nextCheckMs: day / 2 });
  expect(certificates.check(start + 90_000)).toEqual({ state: 'expires soon', nextCheckMs: 90_000 });
  expect(certificates.check(start)).toEqual({ state: 'expired', nextCheckMs: day / 2 });
  expect(setUp(day).certificates.check(start + 2 * day).state).toBe('valid');
});

test('the log warns once a day of a certificate that expires soon, and at once of its successor', async () => {
  const { clock, lines, certificates } = setUp();
  const end = { namespace: 'app', name: 'sp', expiresAt: start + 10 * day };
  certificates.set({ ...end, expiresAt: start + 40 * day });
  expect(lines).toEqual([]);
  for (let check = 0; check < 5; check++) certificates.set(end);
  expect(lines).toMatchObject(
    [{ level: 'warn', namespace: 'app', name: 'sp', expiresAt: '2026-01-11T00:00:00.000Z', msg: /expires soon/ }].map(
      ({ msg, ...fields }) => ({ ...fields, msg: expect.stringMatching(msg) }),
    ),
  );
  certificates.set({ ...end, expiresAt: start + 11 * day });
  expect(lines).toHaveLength(2);
  await clock.advance(12 * day);
  certificates.set(end);
  expect(lines[2]).toMatchObject({ name: 'sp', msg: expect.stringMatching(/has expired/) });
});

test('a namespace fills neither the log nor the metric for others', async () => {
  const { lines, certificates } = setUp();
  for (let i = 0; i < 3000; i++)
    certificates.set({ namespace: 'noisy', name: `sp-${i}`, expiresAt: start + day + (3000 - i) * 1000 });
  certificates.set({ namespace: 'quiet', name: 'sp', expiresAt: start + 20 * day });
  expect(lines.filter(({ namespace }) => namespace === 'noisy')).toHaveLength(21);
  expect(lines.at(-1)).toMatchObject({ namespace: 'quiet', name: 'sp' });
  const metrics = createMetrics();
  identityMetrics(metrics, { desired: () => 0, machines: () => 0, certificates: () => certificates.shown() });
  const text = await metrics.metrics();
  const series = text.match(/^azimuth_identity_certificate_expiry_timestamp_seconds\{.*$/gm) ?? [];
  expect(series).toHaveLength(mostCertificateSeries);
  expect(series).toContain(
    `azimuth_identity_certificate_expiry_timestamp_seconds{namespace="quiet",name="sp"} ${(start + 20 * day) / 1000}`,
  );
  expect(series.some((line) => line.includes('"sp-2999"'))).toBe(true);
  expect(series.some((line) => line.includes('"sp-0"'))).toBe(false);
});

test('the series of a deleted AzureIdentity ends', async () => {
  const { certificates } = setUp();
  certificates.set({ namespace: 'app', name: 'a', expiresAt: start + day });
  certificates.set({ namespace: 'app', name: 'b', expiresAt: start + day });
  certificates.delete({ namespace: 'app', name: 'a' });
  expect(certificates.shown().map(({ name }) => name)).toEqual(['b']);
  certificates.clear();
  expect(certificates.shown()).toEqual([]);
});
